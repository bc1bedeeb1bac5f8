package vc_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// TestRewrittenDocuments rewrites every member of signed documents at every depth in the
// ways in which JSON-LD can say the same or nearly the same: other names, other places,
// other forms of a value, other contexts. An RDFC signature covers many of the rewritten
// texts. Whatever a verifier accepts must then say what the signer said, in all that a
// caller can ask for, and must end when it ended.
func TestRewrittenDocuments(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	contexts, err := jsonld.Builtin().With(map[string][]byte{
		"https://extra.example/": []byte(`{"@context":{"extra":"https://extra.example/#extra","agent":{"@id":"https://w3id.org/jeswr/solid-vc#authorizes","@type":"@id"}}}`),
	})
	require.NoError(t, err)
	credential := replaced(t, w3cText(alice.id), `"action": [`, `"exact": 3, "action": [`)
	credential = replaced(t, credential, `"authorizes":{`, `"exact":"https://extra.example/#exact","authorizes":{`)
	authority := w3cText(alice.id)
	presentation := `{"@context":["https://www.w3.org/ns/credentials/v2",` + string(jsonld.AuthorizationContext.JSON()) + `],"id":"https://schema.org/vp","type":["VerifiablePresentation"],"holder":"` + alice.id +
		`","verifiableCredential":[` + signW3C(t, authority, alice) + `]}`
	o := vc.SignOptions{Method: alice.method, ID: "https://schema.org/proof", Expires: now.Add(time.Hour), Nonce: "n"}
	bound := o
	bound.Challenge, bound.Domain = expected.Challenge, append([]string{"https://second.example/"}, expected.Domain...)
	for _, suite := range []vc.Cryptosuite{vc.EdDSARDFC2022, vc.EdDSAJCS2022} {
		for _, tt := range []struct {
			name, document string
			authority      bool
			o              vc.SignOptions
			view           view
		}{
			{"credential", credential, false, o, viewOfCredential(t)},
			{"credential of authority", authority, true, o, viewOfCredential(t)},
			{"presentation", presentation, false, bound, viewOfPresentation(t, bound.Domain)},
			{"presentation of authority", presentation, true, bound, viewOfPresentation(t, bound.Domain)},
			{"svc credential", svcCredential, false, vc.SignOptions{Profile: vc.ProfileSVC, Method: issuerMethod}, viewOfCredential(t)},
			{"svc presentation", `{"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":"` + holderID + `","verifiableCredential":[` + signSVC(t, svcCredential) + `]}`, false,
				vc.SignOptions{Profile: vc.ProfileSVC, Method: holderMethod, Challenge: expected.Challenge, Domain: expected.Domain}, viewOfPresentation(t, expected.Domain)},
		} {
			svc := tt.o.Profile == vc.ProfileSVC
			if (tt.authority || svc) && suite == vc.EdDSAJCS2022 {
				continue // not in the SVC profile, and with authority not by default
			}
			t.Run(string(suite)+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				o := tt.o
				o.Suite = suite
				key, late := alice.key, 2*time.Hour
				if svc { // the credentials have an end, and their proofs none
					key, late = ed25519Key(t, 1), 365*24*time.Hour
					if o.Method == holderMethod {
						key = ed25519Key(t, 2)
					}
				}
				signed := sign(t, tt.document, key, o)
				v := verifier(t, vc.Config{Keys: vc.Resolvers{vc.DIDKeys{}, parties(t)}, Profile: o.Profile, Contexts: contexts, Authority: tt.authority, Suites: vc.Cryptosuites()})
				want := tt.view(v, signed, now)
				require.NotEmpty(t, want)
				var root map[string]any
				require.NoError(t, json.Unmarshal([]byte(signed), &root))
				accepted, tried := 0, 0
				rewrite(root, func(what string) {
					text, err := json.Marshal(root)
					require.NoError(t, err)
					tried++
					got := tt.view(v, string(text), now)
					if got == "" {
						return
					}
					accepted++
					require.Equal(t, want, got, "%s\n%s", what, text)
					require.Empty(t, tt.view(v, string(text), now.Add(late)), "after its end: %s\n%s", what, text)
				})
				t.Logf("%d of %d accepted", accepted, tried)
				require.Greater(t, tried, 300)
				if suite == vc.EdDSARDFC2022 && !strings.HasPrefix(tt.name, "svc p") {
					require.Greater(t, accepted, 20)
				}
			})
		}
	}
}

// view is all that a document says that a verifier accepts at a time, "" for one that is
// refused.
type view func(v *vc.Verifier, text string, at time.Time) string

// viewOfCredential returns all that a verified credential says, "" for one that is
// refused.
func viewOfCredential(t *testing.T) view {
	return func(v *vc.Verifier, text string, at time.Time) string {
		r, err := v.Verify(t.Context(), []byte(text), at)
		require.NoError(t, err)
		p, err := v.VerifyProofs(t.Context(), []byte(text), vc.Authentication, at)
		require.NoError(t, err)
		require.False(t, p.Verified(), "for another purpose: %s", text)
		if !r.Verified() {
			return ""
		}
		return said(t, r.Credential())
	}
}

// said is all that a credential says.
func said(t *testing.T, c *vc.Credential) string {
	g, node, ok := c.Graph()
	out := fmt.Sprint(c.ID(), c.Issuer(), c.ValidFrom(), c.ValidUntil(), c.Types(), c.Subject(), c.Claims(vocab.SVCAuthorizes), c.Claims(vocab.SVCPolicy), c.HasStatus(), ok, c.Proofs())
	if ok {
		text, err := canon.Canonicalize(t.Context(), g.Dataset(), canon.Options{})
		require.NoError(t, err)
		out += g.Dataset().Term(node).String() + string(text.NQuads())
	}
	for _, e := range c.Status() {
		out += fmt.Sprintf("%+v", e)
	}
	for _, r := range c.RelatedResources() {
		out += fmt.Sprintf("%+v", r)
	}
	return out
}

// viewOfPresentation returns all that a verified presentation for a domain says, in any
// order of its credentials. It must be for no other receiver.
func viewOfPresentation(t *testing.T, domain []string) view {
	return func(v *vc.Verifier, text string, at time.Time) string {
		var out string
		less := append([]string{"https://third.example/"}, domain[1:]...)
		if len(domain) > 1 {
			less = domain[:1]
		}
		for i, e := range []vc.Expected{
			{Challenge: expected.Challenge, Domain: less}, {Challenge: expected.Challenge, Domain: domain}, {Challenge: "other", Domain: domain},
		} {
			e.DeferStatus = true
			e.Holder = vc.HolderUnbound
			r, err := v.VerifyPresentation(t.Context(), []byte(text), e, at)
			require.NoError(t, err)
			if i != 1 {
				require.False(t, r.Verified(), "for another receiver: %s", text)
				continue
			}
			if !r.Verified() {
				return ""
			}
			p := r.Presentation()
			var all []string
			for _, c := range p.Credentials() {
				all = append(all, said(t, c))
			}
			slices.Sort(all)
			out = fmt.Sprint(p.ID(), p.Holder(), p.Proofs(), all)
		}
		return out
	}
}

// meant are the IRIs of the terms of the documents.
func meant(term string) string {
	switch term {
	case "authorizes", "action", "target", "policy", "AgentAuthorizationCredential":
		return vocab.SVC + term
	case "created":
		return vocab.DC + "created"
	case "expires":
		return vocab.Sec + "expiration"
	case "cryptosuite", "verificationMethod", "proofPurpose", "proofValue", "challenge", "domain", "nonce", "previousProof", "proof", "DataIntegrityProof", "assertionMethod", "digestMultibase":
		return vocab.Sec + term
	case "authentication":
		return vocab.Sec + "authenticationMethod"
	case "statusPurpose", "statusListIndex", "statusListCredential", "BitstringStatusListEntry":
		return vocab.Status + term
	case "id", "type":
		return "@" + term
	case "exact":
		return "https://extra.example/#exact"
	}
	return vocab.Cred + term
}

// typed are the datatypes of terms that have one.
func typed(term string) string {
	switch term {
	case "validFrom", "validUntil", "created", "expires":
		return vocab.XSDDateTime
	case "cryptosuite":
		return vocab.Sec + "cryptosuiteString"
	case "proofValue":
		return vocab.SecMultibase
	case "digestSRI":
		return vocab.CredSRIString
	}
	return ""
}

// rewrite calls try with every rewriting of an object and of those within it, but the
// credentials of a presentation, and undoes it.
func rewrite(object map[string]any, try func(what string)) {
	change := func(what string, to map[string]any) {
		old := maps.Clone(object)
		clear(object)
		maps.Copy(object, to)
		try(what)
		clear(object)
		maps.Copy(object, old)
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		with := func(what string, put func(m map[string]any)) {
			m := maps.Clone(object)
			delete(m, name)
			put(m)
			change(name+": "+what, m)
		}
		if name == "@context" {
			list, isList := value.([]any)
			if !isList {
				continue
			}
			for _, c := range added() {
				with("context "+c, func(m map[string]any) {
					var context any
					_ = json.Unmarshal([]byte(c), &context)
					m[name] = append(slices.Clone(list), context)
				})
			}
			for i := range list {
				with("a context less", func(m map[string]any) { m[name] = slices.Delete(slices.Clone(list), i, i+1) })
			}
			with("contexts in another order", func(m map[string]any) {
				all := slices.Clone(list)
				slices.Reverse(all)
				m[name] = all
			})
			continue
		}
		iri := meant(name)
		for what, v := range forms(name, value) {
			with("as "+what, func(m map[string]any) { m[name] = v })
			with("by its IRI as "+what, func(m map[string]any) { m[iri] = v })
			with("beside it by its IRI as "+what, func(m map[string]any) { m[name], m[iri] = value, v })
			with("by an alias as "+what, func(m map[string]any) { m["extra:"+name], m["svc:"+name] = nil, v })
		}
		other := any("https://other.example/")
		if typed(name) == vocab.XSDDateTime {
			other = "2030-01-01T00:00:00Z"
		}
		with("left out", func(map[string]any) {})
		with("null", func(m map[string]any) { m[name] = nil })
		with("another", func(m map[string]any) { m[name] = other })
		with("another, and by its IRI as it was", func(m map[string]any) { m[name], m[iri] = other, literal(name, value) })
		with("nested", func(m map[string]any) { m["@nest"] = map[string]any{name: value} })
		with("nested, another in its place", func(m map[string]any) { m["@nest"], m[name] = map[string]any{name: value}, other })
		with("in a graph", func(m map[string]any) { m["@graph"] = []any{map[string]any{name: value}} })
		with("on a node of the same id", func(m map[string]any) {
			m["@included"] = []any{map[string]any{"id": m["id"], "type": m["type"], name: value}}
		})
		with("on a node of the same id, another in its place", func(m map[string]any) {
			m["@included"], m[name] = []any{map[string]any{"id": m["id"], name: value}}, other
		})
		with("reversed", func(m map[string]any) { m["@reverse"] = map[string]any{iri: value} })
		with("under a context of its own", func(m map[string]any) {
			m[name] = value
			m["@context"] = map[string]any{"more": map[string]any{"@id": iri, "@type": "@id"}}
		})
		with("by a term of a context of its own", func(m map[string]any) {
			term := map[string]any{"@id": iri}
			if d := typed(name); d != "" {
				term["@type"] = d
			} else if s, ok := value.(string); ok && strings.Contains(s, ":") {
				term["@type"] = "@id"
			}
			m["@context"], m["more"] = map[string]any{"more": term}, value
		})
		if m, ok := value.(map[string]any); ok {
			rewrite(m, try)
		}
	}
}

// literal is a value as JSON-LD writes it without a term.
func literal(name string, value any) any {
	if s, ok := value.(string); ok {
		if d := typed(name); d != "" {
			return map[string]any{"@type": d, "@value": s}
		}
		if strings.Contains(s, ":") && name != "challenge" && name != "domain" {
			return map[string]any{"@id": s}
		}
		if name == "proofPurpose" {
			return map[string]any{"@id": meant(s)}
		}
	}
	return value
}

// forms are other forms of a value.
func forms(name string, value any) map[string]any {
	out := map[string]any{
		"it is": value, "a list of one": []any{value}, "a set": map[string]any{"@set": []any{value}}, "an ordered list": map[string]any{"@list": []any{value}},
		"it is without a term": literal(name, value), "twice": []any{value, value},
	}
	switch v := value.(type) {
	case string:
		out["a value"] = map[string]any{"@value": v}
		out["a text in a language"] = map[string]any{"@value": v, "@language": "en"}
		out["a text in a direction"] = map[string]any{"@value": v, "@direction": "ltr"}
		out["a value with an index"] = map[string]any{"@value": v, "@index": "x"}
		out["a reference"] = map[string]any{"id": v}
		out["a language map"] = map[string]any{"en": v}
		for prefix, ns := range map[string]string{"schema": "https://schema.org/", "odrl": vocab.ODRL, "svc": vocab.SVC} {
			if rest, ok := strings.CutPrefix(v, ns); ok {
				out["a compact IRI"] = prefix + ":" + rest
			}
		}
		out["its IRI"] = meant(v)
		out["in other letters"] = strings.ToUpper(v)
		out["with a space"] = v + " "
	case float64:
		out["a text"] = fmt.Sprint(v)
		out["a double"] = json.RawMessage(fmt.Sprintf("%v.0e0", v))
		out["a value of a type"] = map[string]any{"@value": fmt.Sprint(v), "@type": vocab.XSDInteger}
	case []any:
		reversed := slices.Clone(v)
		slices.Reverse(reversed)
		out["reversed"] = reversed
		for i := range v {
			out[fmt.Sprint("one less ", i)] = slices.Delete(slices.Clone(v), i, i+1)
		}
		if len(v) == 1 {
			out["its only item"] = v[0]
		}
		for i, item := range v {
			if s, ok := item.(string); ok && name == "type" {
				for what, to := range map[string]string{"its IRI": meant(s), "a compact IRI": "svc:" + s} {
					all := slices.Clone(v)
					all[i] = to
					out[fmt.Sprint("with ", what, " at ", i)] = all
					out[fmt.Sprint("with ", what, " as well at ", i)] = append(all, s)
				}
			}
		}
	case map[string]any:
		with := func(more string, x any) map[string]any {
			m := maps.Clone(v)
			m[more] = x
			return m
		}
		out["with an index"] = with("@index", "x")
		out["with a blank id"] = with("id", "_:b0")
		out["with a blank id as canonical forms have it"] = with("id", "_:c14n0")
		out["with no type"] = with("type", []any{})
		out["with a null"] = with("x", nil)
		out["with an empty list"] = with(vocab.CredCredentialStatus, []any{})
	}
	return out
}

// added are contexts that somebody adds to a document.
func added() []string {
	out := []string{
		`null`, `{}`, `{"@vocab":"https://vocab.example/#"}`, `{"@base":"https://base.example/"}`, `{"@language":"en"}`, `{"@propagate":false}`,
		`"https://extra.example/"`, `"https://www.w3.org/ns/credentials/v2"`, `"https://w3id.org/security/data-integrity/v2"`, `"https://www.w3.org/ns/cid/v1"`,
		`{"svc":"https://evil.example/#"}`, `{"authorizes":{"@id":"https://w3id.org/jeswr/solid-vc#target","@type":"@id"},"target":{"@id":"https://w3id.org/jeswr/solid-vc#authorizes","@type":"@id"}}`,
		`{"more":"@nest"}`, `{"more":"@included"}`, `{"name":"@id"}`, `{"id":"@type"}`, `{"urn":"https://evil.example/#"}`, `{"did":"https://evil.example/#"}`, `{"https":"https://evil.example/#"}`,
		`{"VerifiableCredential":{"@id":"https://www.w3.org/2018/credentials#VerifiableCredential","@context":{"issuer":"https://evil.example/#issuer"}}}`,
		`{"AgentAuthorizationCredential":{"@id":"https://w3id.org/jeswr/solid-vc#AgentAuthorizationCredential","@context":{"validUntil":"https://evil.example/#until"}}}`,
		`{"AgentAuthorizationCredential":{"@id":"https://w3id.org/jeswr/solid-vc#AgentAuthorizationCredential","@context":{"policy":"https://evil.example/#policy"}}}`,
		`{"BitstringStatusListEntry":{"@id":"https://www.w3.org/ns/credentials/status#BitstringStatusListEntry","@context":{"statusPurpose":"https://evil.example/#p"}}}`,
		`{"DataIntegrityProof":{"@id":"https://w3id.org/security#DataIntegrityProof","@context":{"expires":"https://evil.example/#e"}}}`,
	}
	for _, term := range []string{
		"id", "type", "issuer", "holder", "validFrom", "validUntil", "credentialSubject", "credentialStatus", "relatedResource", "authorizes", "action", "target", "policy", "digestSRI",
		"statusPurpose", "statusListIndex", "statusListCredential", "proof", "cryptosuite", "verificationMethod", "proofPurpose", "assertionMethod", "created", "expires", "domain", "challenge", "nonce", "verifiableCredential",
	} {
		out = append(out, `{"`+term+`":null}`, `{"`+term+`":"https://evil.example/#x"}`, `{"`+term+`":{"@id":"`+meant(term)+`","@container":"@list"}}`, `{"more":"`+meant(term)+`"}`)
	}
	return out
}
