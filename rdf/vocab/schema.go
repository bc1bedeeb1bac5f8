package vocab

// Schema.org (namespace schema:), as far as intents of the a2a-rdf extension use
// it.
const (
	Schema = "https://schema.org/"

	SchemaReadAction   = Schema + "ReadAction"
	SchemaCreateAction = Schema + "CreateAction"
	SchemaUpdateAction = Schema + "UpdateAction"
	SchemaDeleteAction = Schema + "DeleteAction"

	SchemaObject    = Schema + "object"
	SchemaTarget    = Schema + "target"
	SchemaRecipient = Schema + "recipient"
	SchemaAgent     = Schema + "agent"
)
