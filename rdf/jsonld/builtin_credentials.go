package jsonld

import "github.com/rdfproto/rdfproto/rdf/vocab"

// The namespaces of the credentials ecosystem.
const (
	cred   = "https://www.w3.org/2018/credentials#"
	status = "https://www.w3.org/ns/credentials/status#"
	sec    = "https://w3id.org/security#"
	jwt    = "https://www.iana.org/assignments/jwt#"
	jose   = "https://www.iana.org/assignments/jose#"
	did    = "https://www.w3.org/ns/did#"
	as     = "https://www.w3.org/ns/activitystreams#"

	multibase = sec + "multibase"
	// Not the namespace of XSD, whose IRIs begin with http. The published
	// context has it so, and what was signed under it, too.
	httpsXSD = "https://www.w3.org/2001/XMLSchema#"
)

// plainTerm is a term that is called as its IRI is in a namespace; typedTerm has a
// type besides, that of linkTerm being IRIs and that of dateTerm times.
func plainTerm(ns, name string) builtinTerm { return builtinTerm{name: name, iri: ns + name} }

func typedTerm(ns, name, typ string) builtinTerm {
	return builtinTerm{name: name, iri: ns + name, typ: typ}
}

func linkTerm(ns, name string) builtinTerm { return typedTerm(ns, name, "@id") }

func dateTerm(name, iri string) builtinTerm {
	return builtinTerm{name: name, iri: iri, typ: vocab.XSDDateTime}
}

// credentialsV2 is the context of Verifiable Credentials Data Model 2.0, Appendix
// B.1.
func credentialsV2() termTable {
	description, name := plainTerm(vocab.Schema, "description"), plainTerm(vocab.Schema, "name")
	proof := proofTerm()
	number := httpsXSD + "nonNegativeInteger"
	return protect(
		description, name,
		typedTerm(sec, "digestMultibase", multibase),
		typedTerm(cred, "digestSRI", cred+"sriString"),
		builtinTerm{name: "mediaType", iri: vocab.Schema + "encodingFormat"},

		protect(
			description, name, proof,
			linkTerm(cred, "confidenceMethod"), linkTerm(cred, "credentialSchema"), linkTerm(cred, "credentialStatus"),
			linkTerm(cred, "credentialSubject"), linkTerm(cred, "evidence"), linkTerm(cred, "issuer"),
			linkTerm(cred, "refreshService"), linkTerm(cred, "relatedResource"), linkTerm(cred, "renderMethod"),
			linkTerm(cred, "termsOfUse"),
			dateTerm("validFrom", cred+"validFrom"), dateTerm("validUntil", cred+"validUntil"),
		).in(plainTerm(cred, "VerifiableCredential")),
		protect(
			proof, linkTerm(cred, "holder"), linkTerm(cred, "termsOfUse"),
			// What is known of the presentation ends at its credentials.
			builtinTerm{name: "verifiableCredential", iri: cred + "verifiableCredential", typ: "@id", container: "@graph", cleared: true},
		).in(plainTerm(cred, "VerifiablePresentation")),
		plainTerm(cred, "EnvelopedVerifiableCredential"), plainTerm(cred, "EnvelopedVerifiablePresentation"),

		plainTerm(cred, "JsonSchemaCredential"),
		protect(typedTerm(cred, "jsonSchema", "@json")).in(plainTerm(cred, "JsonSchema")),

		plainTerm(status, "BitstringStatusListCredential"),
		protect(
			typedTerm(status, "encodedList", multibase), plainTerm(status, "statusPurpose"), plainTerm(status, "ttl"),
		).in(plainTerm(status, "BitstringStatusList")),
		protect(
			linkTerm(status, "statusListCredential"), plainTerm(status, "statusListIndex"), plainTerm(status, "statusPurpose"),
			protect(plainTerm(status, "message"), plainTerm(status, "status")).in(plainTerm(status, "statusMessage")),
			linkTerm(status, "statusReference"), typedTerm(status, "statusSize", httpsXSD+"integer"),
		).in(plainTerm(status, "BitstringStatusListEntry")),

		dataIntegrityProof(),

		// The claims of JSON Web Tokens, and selective disclosure.
		plainTerm(jwt, "..."), typedTerm(jwt, "_sd", "@json"), plainTerm(jwt, "_sd_alg"),
		linkTerm(jwt, "aud"), typedTerm(jwt, "exp", number), typedTerm(jwt, "iat", number), typedTerm(jwt, "nbf", number),
		termTable{protected: true, terms: []builtinTerm{linkTerm(jwt, "kid"), typedTerm(jwt, "jwk", "@json")}}.in(plainTerm(jwt, "cnf")),
		linkTerm(jose, "iss"), linkTerm(jose, "jku"), linkTerm(jose, "kid"), linkTerm(jose, "sub"), linkTerm(jose, "x5u"),
	)
}

// dataIntegrityV2 is the context of Verifiable Credential Data Integrity 1.0,
// section 2.4.
func dataIntegrityV2() termTable { return protect(proofTerm(), dataIntegrityProof()) }

func proofTerm() builtinTerm {
	return builtinTerm{name: "proof", iri: sec + "proof", typ: "@id", container: "@graph"}
}

// dataIntegrityProof is the class of proofs, with the terms within one.
func dataIntegrityProof() builtinTerm {
	return protect(
		plainTerm(sec, "challenge"), plainTerm(sec, "domain"), plainTerm(sec, "nonce"),
		dateTerm("created", vocab.DC+"created"), dateTerm("expires", sec+"expiration"),
		typedTerm(sec, "cryptosuite", sec+"cryptosuiteString"), typedTerm(sec, "proofValue", multibase),
		linkTerm(sec, "previousProof"), linkTerm(sec, "verificationMethod"),
		protect(relationships()...).in(typedTerm(sec, "proofPurpose", "@vocab")),
	).in(plainTerm(sec, "DataIntegrityProof"))
}

// relationships are the verification relationships (Controlled Identifiers 1.0,
// section 2.3).
func relationships() []builtinTerm {
	set := func(name, iri string) builtinTerm {
		return builtinTerm{name: name, iri: iri, typ: "@id", container: "@set"}
	}
	return []builtinTerm{
		set("assertionMethod", sec+"assertionMethod"), set("authentication", sec+"authenticationMethod"),
		set("capabilityDelegation", sec+"capabilityDelegationMethod"), set("capabilityInvocation", sec+"capabilityInvocationMethod"),
		set("keyAgreement", sec+"keyAgreementMethod"),
	}
}

// multikeyV1 is the context of multikeys, which [cidV1] holds as well.
func multikeyV1() termTable { return protect(multikey()) }

func multikey() builtinTerm {
	return verificationKey("Multikey", typedTerm(sec, "publicKeyMultibase", multibase), typedTerm(sec, "secretKeyMultibase", multibase))
}

// verificationKey is a class of verification methods, with the terms within one.
func verificationKey(class string, terms ...builtinTerm) builtinTerm {
	return protect(append(terms,
		linkTerm(sec, "controller"), dateTerm("revoked", sec+"revoked"), dateTerm("expires", sec+"expiration"),
	)...).in(plainTerm(sec, class))
}

// cidV1 is the context of Controlled Identifiers 1.0, Appendix B.1.
func cidV1() termTable {
	return protect(append(relationships(),
		linkTerm(as, "alsoKnownAs"), linkTerm(sec, "controller"), linkTerm(sec, "verificationMethod"),
		protect(linkTerm(did, "serviceEndpoint")).in(linkTerm(did, "service")),
		multikey(),
		verificationKey("JsonWebKey", typedTerm(sec, "publicKeyJwk", "@json"), typedTerm(sec, "secretKeyJwk", "@json")),
	)...)
}
