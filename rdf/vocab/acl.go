package vocab

// The basic access control ontology (namespace acl:), as far as intents of the
// a2a-rdf extension use it.
const (
	ACL = "http://www.w3.org/ns/auth/acl#"

	ACLRead    = ACL + "Read"
	ACLWrite   = ACL + "Write"
	ACLAppend  = ACL + "Append"
	ACLControl = ACL + "Control"
)
