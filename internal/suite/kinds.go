package suite

// Kind is a kind of text that a fuzz target may ask [Seeds] for.
type Kind uint8

// The kinds. Where nothing else is said, a seed is a whole file.
const (
	NTriples Kind = iota + 1
	NQuads
	Turtle // any graph, those of the kinds below too
	TriG
	JSONLD // any document, contexts and credentials too
	JSON   // any JSON

	IRIs     // references of Turtle, relative ones too
	Literals // lexical forms of Turtle; their names are the datatypes
	Patterns // of sh:pattern; their names are the flags
	Numbers  // of the tests of JCS, as JSON

	Shapes            // shapes graphs in Turtle, often with data
	ShapesData        // data in Turtle that shapes graphs beside it are for
	Policies          // of ODRL in Turtle, and what is asked of them
	Requests          // to be decided by policies, in JSON
	ProtocolDocuments // in Turtle
	Intents           // in Turtle
	Handshakes        // offers and responses in JSON
	HandshakeGraphs   // offers and responses in Turtle

	Credentials     // in JSON
	Presentations   // in JSON
	StatusLists     // credentials in JSON, and a graph
	BitStrings      // the lists of status list credentials
	Revocations     // in Turtle
	Controllers     // controller documents and key pairs in JSON
	MultibaseKeys   // taken out of JSON
	Profiles        // of controllers, in Turtle
	Records         // of decisions, in JSON
	Cards           // Agent Cards in JSON
	Headers         // protected headers of signatures of cards
	KeySets         // JWK sets, trust stores and owners' keys in JSON
	Proposals       // documents of the Terms extension in JSON
	Workflows       // of the Open Workflow Graph in JSON
	WorkflowRuns    // records of workflows in JSON
	WorkflowUpdates // what an agent answers about a task in JSON
	HandOffs        // messages that hand a task over in JSON

	kinds
)

// origin is a folder that seeds come from.
type origin uint8

const (
	own     origin = iota // the module
	suites                // see [Variable]
	vectors               // see [VectorsVariable]
	cases                 // see [CasesVariable]

	origins
)

// source says where seeds of one kind are.
type source struct {
	in      origin
	pattern string            // of [filepath.Match], in that folder
	take    func(Seed) []Seed // what of a file is a seed; nil for the file itself
}

// from lists files that are seeds themselves.
func from(in origin, patterns ...string) []source { return taking(in, nil, patterns...) }

// taking lists files that seeds are taken out of.
func taking(in origin, take func(Seed) []Seed, patterns ...string) []source {
	all := make([]source, 0, len(patterns))
	for _, p := range patterns {
		all = append(all, source{in, p, take})
	}
	return all
}

func join(lists ...[]source) []source {
	var all []source
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// with says what is taken out of sources of whole files.
func with(take func(Seed) []Seed, of []source) []source {
	var all []source
	for _, s := range of {
		all = append(all, source{s.in, s.pattern, take})
	}
	return all
}

// sources lists where the seeds of a kind are. Every kind has some of the project, so
// that a target is seeded without suites too.
func (k Kind) sources() []source {
	switch k {
	case NTriples:
		return join(from(own, "testdata/seeds/*.nt"),
			from(suites, "rdf11-n-triples/*.nt", "rdf11-turtle/*.nt", "rdf12-n-triples/*/*.nt", "rdf12-turtle/eval/*.nt"))
	case NQuads:
		return join(from(own, "testdata/seeds/*.nq"),
			from(suites, "rdf11-n-quads/*.nq", "rdf11-trig/*.nq", "rdf12-n-quads/*/*.nq", "rdf12-trig/eval/*.nq", "rdf-canon/rdfc10/*.nq", "jsonld11-tordf/toRdf/*.nq"),
			from(vectors, "a2a-rdf/cases/*/*.nq"), from(cases, "*/*.nq"))
	case Turtle:
		return join(from(own, "testdata/seeds/*.ttl", "testdata/vectors/*/cases/*/*.ttl"),
			from(suites, "rdf11-turtle/*.ttl", "rdf12-turtle/*/*.ttl", "shacl/tests/*/*/*.ttl", "odrl-test-suite/*/*.ttl"),
			from(vectors, "*/cases/*/*.ttl"), from(cases, "*/*.ttl"))
	case TriG:
		return join(from(own, "testdata/seeds/*.trig"),
			from(suites, "rdf11-trig/*.trig", "rdf12-trig/*/*.trig"), from(cases, "*/*.trig"))
	case JSONLD:
		return join(from(own, "testdata/seeds/*.jsonld"), Credentials.sources(), Presentations.sources(), Controllers.sources(),
			from(suites, "jsonld11-tordf/toRdf/*-in.jsonld", "jsonld11-expand/expand/*-in.jsonld", "jsonld11-tordf/toRdf/c031/*.jsonld",
				"jsonld11-remote-doc/remote-doc/*.j*ld*", "vc-contexts/*", "vc-di-eddsa/contexts/*", "vc-bitstring-status-list/*.json*"),
			from(vectors, "a2a-rdf/cases/*/*.jsonld"), from(cases, "*/*.jsonld"))
	case JSON:
		return join(from(own, "testdata/vectors/*/cases/*/case.json", "testdata/seeds/*.json", "owg/testdata/*.json"),
			from(suites, "jcs/*put/*.json", "jsonld11-expand/expand/*.jsonld", "jsonld11-tordf/toRdf/*.jsonld", "rdf-canon/rdfc10/*.json",
				"vc-di-ecdsa/TestVectors/*.json", "vc-di-ecdsa/TestVectors/*/*.json", "vc-di-eddsa/TestVectors/*.json", "vc-di-eddsa/TestVectors/*/*.json", "vc-contexts/*.json*"),
			from(vectors, "*/cases/*/*.json"), from(cases, "*/*.json", "*/*.jsonld"))
	case IRIs:
		return with(references, join(from(own, "testdata/seeds/*.ttl", "testdata/vectors/authority/cases/*/*.ttl"),
			from(suites, "rdf11-turtle/*.ttl", "rdf12-turtle/*/*.ttl", "odrl-test-suite/policies/*.ttl"), from(vectors, "*/cases/*/*.ttl"), from(cases, "*/*.ttl")))
	case Literals:
		return with(literals, join(from(own, "testdata/seeds/*.ttl"),
			from(suites, "rdf11-turtle/*.nt", "shacl/tests/core/*/*.ttl", "odrl-test-suite/*/*.ttl"), from(vectors, "odrl-delegation/cases/*/*.ttl")))
	case Patterns:
		return with(patterns, join(from(own, "testdata/seeds/shapes.ttl"),
			from(suites, "shacl/tests/core/*/pattern-*.ttl"), from(cases, "44-*/shape.ttl")))
	case Numbers:
		return join(taking(own, lines, "testdata/seeds/numbers.txt"), taking(suites, doubles, "jcs/es6numbers-sample.txt"))
	case Shapes:
		return join(from(own, "testdata/seeds/shapes.ttl"), ProtocolDocuments.sources(),
			from(suites, "shacl/tests/*/*/*.ttl"), from(cases, "*/shape*.ttl"))
	case ShapesData:
		return join(from(own, "testdata/seeds/shapes.ttl"), from(suites, "shacl/tests/core/*/*-data.ttl"), from(cases, "*/data.ttl"))
	case Policies:
		return join(from(own, "testdata/vectors/delegation/cases/*/*.ttl", "testdata/vectors/authority/cases/*/[0-9].ttl", "testdata/vectors/authority/cases/*/policy.ttl"),
			from(suites, "odrl-test-suite/policies/*.ttl", "odrl-test-suite/requests/*.ttl", "odrl-test-suite/sotw/*.ttl"),
			from(vectors, "odrl-delegation/cases/*/*.ttl", "agent-authz-credential/cases/*/*.ttl"), from(cases, "8[0-9]-*/*.ttl"))
	case Requests:
		take := inputs("request")
		return join(taking(own, take, "testdata/vectors/*/cases/*/case.json"), taking(vectors, take, "odrl-delegation/cases/*/case.json", "agent-authz-credential/cases/*/case.json"))
	case ProtocolDocuments:
		return join(from(own, "testdata/vectors/handshake/cases/*/document.ttl"), from(vectors, "a2a-rdf/cases/*/protocol-document*.ttl"))
	case Intents:
		return join(from(own, "testdata/vectors/handshake/cases/*/intent.ttl"), from(vectors, "a2a-rdf/cases/*/intent.ttl"))
	case Handshakes:
		take := inputs("payload", "offer", "response")
		return join(taking(own, take, "testdata/vectors/handshake/cases/*/case.json"), taking(vectors, take, "a2a-rdf/cases/*/case.json"))
	case HandshakeGraphs:
		return from(own, "testdata/vectors/handshake/cases/*/message.ttl")
	}
	return k.authoritySources()
}

// authoritySources lists the rest: what signs, and what is signed.
func (k Kind) authoritySources() []source {
	switch k {
	case Credentials:
		return join(from(own, "testdata/vectors/authority/cases/*/*.vc.json"),
			from(suites, "vc-di-ecdsa/TestVectors/*.json", "vc-di-ecdsa/TestVectors/*/signed*.json", "vc-di-ecdsa/TestVectors/*/*/signed*.json",
				"vc-di-eddsa/TestVectors/*.json", "vc-di-eddsa/TestVectors/*/*igned*.json", "vc-di-eddsa/TestVectors/*/*/signed*.json", "vc-di-eddsa/TestVectors/proof-set-chain/*.json",
				"vc-bitstring-status-list/example-03-*.json"),
			from(vectors, "agent-authz-credential/cases/*/*.vc.json"), from(cases, "7[0-9]-*/*.json"))
	case Presentations:
		return join(from(own, "testdata/vectors/authority/cases/*/*.vp.json"),
			from(vectors, "agent-authz-credential/cases/*/*.vp.json"), from(cases, "72-*/*.json"))
	case StatusLists:
		return join(from(own, "testdata/vectors/authority/cases/*/list.vc.json"),
			from(suites, "vc-bitstring-status-list/example-*.json"), from(vectors, "agent-authz-credential/cases/*/status-list.ttl"), from(cases, "74-*/*.json"))
	case BitStrings:
		take := members("encodedList", "https://www.w3.org/ns/credentials/status#encodedList", "gzipBase64url")
		return join(taking(own, take, "testdata/vectors/authority/cases/*/list.vc.json"),
			taking(suites, take, "vc-bitstring-status-list/*.json"), taking(cases, take, "74-*/*.json"))
	case Revocations:
		return join(from(own, "testdata/seeds/revocation.ttl"), from(vectors, "*/cases/*/revocation.ttl"))
	case Controllers:
		return join(from(own, "testdata/vectors/authority/keyring/*.json"),
			from(suites, "vc-di-*/TestVectors/*eyPair.json", "vc-di-ecdsa/TestVectors/ecdsa-sd-2023/SDKeyMaterial.json"),
			from(vectors, "agent-authz-credential/keyring/*.json"), from(cases, "7[0-9]-*/keys.json"))
	case MultibaseKeys:
		return with(members("publicKeyMultibase", "privateKeyMultibase", "secretKeyMultibase"), Controllers.sources())
	case Profiles:
		return from(own, "testdata/seeds/profile.ttl", "testdata/seeds/keys.ttl")
	case Records:
		return from(own, "testdata/seeds/record*.json")
	case Cards:
		return join(from(own, "testdata/seeds/card*.json", "owg/testdata/*-card.json"), from(cases, "9[0-9]-card-*/*.json", "95-*/*.json"))
	case Headers:
		return with(headers, join(from(own, "testdata/seeds/card*.json"), from(cases, "9[0-9]-card-*/*.json")))
	case KeySets:
		return join(from(own, "testdata/seeds/keys*.json", "testdata/vectors/authority/keyring/*.json"), from(cases, "9[0-9]-card-*/jwks.json"),
			from(vectors, "agent-authz-credential/keyring/*.json"))
	case Proposals:
		return from(own, "testdata/seeds/proposal*.json")
	case Workflows:
		return from(own, "owg/testdata/book-to-press.json", "owg/testdata/localize.json", "owg/testdata/season.json", "owg/testdata/widened.json", "owg/testdata/mix.json")
	case WorkflowRuns:
		return from(own, "owg/testdata/*-run.json")
	case WorkflowUpdates:
		return from(own, "owg/testdata/task-*.json")
	case HandOffs:
		return from(own, "owg/testdata/inbound.json")
	}
	return nil
}
