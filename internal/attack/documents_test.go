package attack_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/terms"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func require1(err error) {
	if err != nil {
		panic(err)
	}
}

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// file reads a file of the project.
func file(path ...string) []byte {
	return must(os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...)))
}

// stream is a source of bytes that depend on a seed alone.
type stream struct {
	mu   sync.Mutex
	seed string
	n    int
	left []byte
}

func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.left) < len(p) {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", s.seed, s.n))
		s.n++
		s.left = append(s.left, sum[:]...)
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

// The parties of a chain: 0 owns the target, 1 acts, 2 keeps records.
func party(i int) string    { return fmt.Sprintf("https://p%d.example/#me", i) }
func method(i int) string   { return fmt.Sprintf("https://p%d.example/#key", i) }
func policyOf(i int) string { return fmt.Sprintf("https://p%d.example/policy.ttl#it", i) }

func keyOf(i int) *vc.PrivateKey {
	return must(vc.GenerateKey(vc.Ed25519, bytes.NewReader(bytes.Repeat([]byte{byte(i + 1)}, 64))))
}

func controllerOf(i int) []byte {
	return fmt.Appendf(nil, `{"id":%q,"assertionMethod":[%[2]q],"authentication":[%[2]q],"verificationMethod":[{"id":%[2]q,"type":"Multikey","controller":%[1]q,"publicKeyMultibase":%[3]q}]}`,
		party(i), method(i), keyOf(i).Public().Multikey())
}

const (
	target    = "https://p0.example/doc"
	listURL   = "https://p0.example/status/1"
	sowURL    = "https://example.com/q"
	domain    = "https://agent.example"
	challenge = "challenge-1"
	svc       = "https://w3id.org/jeswr/solid-vc#"
)

// shelf is documents by their URLs.
type shelf map[string]vc.Document

func (s shelf) Document(_ context.Context, url string) (vc.Document, error) {
	d, ok := s[url]
	if !ok {
		return d, errors.New("status 404")
	}
	return d, nil
}

// world holds valid documents of every kind, and what they are verified with.
type world struct {
	keys       *vc.Keyring
	controller []byte
	profile    []byte // a controller document in Turtle

	policies               [][]byte // of the chain, root first
	credentials            [][]byte // in the SVC profile
	w3c                    []byte   // a credential with @context
	presentation, w3cVP    []byte
	statusList             []byte
	encodedList            string
	record                 []byte // of a decision, signed
	cardKeys, trust, card  []byte
	set                    *agentcard.KeySet
	store                  *agentcard.TrustStore
	termsCard, sow, owners []byte

	document, intent  []byte // the protocol's example
	reviewed          *protocol.Reviewed
	offer, response   []byte
	offerRDF          []byte
	offeror           []byte
	offerMessage      []byte
	intentMessage     []byte
	replyOffer, reply []byte
}

// theWorld is made once: it is never changed.
var theWorld = sync.OnceValue(makeWorld)

func makeWorld() *world {
	w := &world{}
	w.authority()
	w.cards()
	w.protocol()
	return w
}

func (w *world) authority() {
	ctx := context.Background()
	var all []*vc.Controller
	for i := range 3 {
		all = append(all, must(vc.ParseController(controllerOf(i), vc.Limits{})))
	}
	w.keys = must(vc.NewKeyring(all...))
	w.controller = controllerOf(0)
	w.profile = fmt.Appendf(nil, `@prefix sec: <https://w3id.org/security#> .
<%s> sec:assertionMethod <%s> .
<%[2]s> a sec:Multikey ; sec:controller <%[1]s> ; sec:publicKeyMultibase %[3]q^^sec:multibase .
`, party(0), method(0), keyOf(0).Public().Multikey())

	list := must(vc.NewStatusList(131_072))
	require1(list.Set(7, true))
	w.encodedList = must(list.Encode())
	unsigned := must(list.Credential(vc.StatusListCredential{ID: listURL, Issuer: party(0), Purpose: "revocation", ValidFrom: "2026-07-01T00:00:00Z"}))
	w.statusList = must(vc.Sign(ctx, unsigned, keyOf(0), vc.SignOptions{Method: method(0), Contexts: jsonld.Builtin()}))

	for i := range 2 {
		under, pass := "", ""
		if i > 0 {
			under = fmt.Sprintf("odrld:delegatedUnder <%s> ;\n", policyOf(i-1))
		} else {
			pass = fmt.Sprintf(`,
  [ odrl:action odrl:grantUse ; odrl:target <%s> ; odrl:duty [ odrl:action odrl:inform ] ; odrl:constraint
    [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 1 ] ]`, target)
		}
		w.policies = append(w.policies, fmt.Appendf(nil, `@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
@prefix odrld: <https://w3id.org/jeswr/odrl-delegation#> .
<%s> a odrl:Agreement ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> ;
  odrl:assigner <%s> ; odrl:assignee <%s> ; %s
  odrl:permission [ odrl:action odrl:read ; odrl:target <%s> ]%s .
`, policyOf(i), party(i), party(i+1), under, target, pass))
		digest := sha256.Sum256(w.policies[i])
		text := must(json.Marshal(map[string]any{
			"id": fmt.Sprintf("urn:uuid:00000000-0000-4000-8000-%012d", i), "type": []string{"AgentAuthorizationCredential"},
			"issuer": party(i), "validFrom": "2026-07-01T00:00:00Z", "validUntil": "2027-07-01T00:00:00Z",
			"credentialSubject": map[string]any{"id": party(i), svc + "authorizes": party(i + 1), svc + "policy": policyOf(i)},
			"relatedResource":   map[string]any{"id": policyOf(i), "digestSRI": "sha256-" + base64.StdEncoding.EncodeToString(digest[:])},
		}))
		w.credentials = append(w.credentials, must(vc.Sign(ctx, text, keyOf(i), vc.SignOptions{Profile: vc.ProfileSVC, Method: method(i), Created: noon.AddDate(0, 0, -1)})))
	}

	text := fmt.Appendf(nil, `{"@context":["https://www.w3.org/ns/credentials/v2",%s],"id":"urn:uuid:1","type":["VerifiableCredential","AgentAuthorizationCredential"],"issuer":%q,
"validFrom":"2026-07-01T00:00:00Z","credentialSubject":{"id":%[2]q,"authorizes":%[3]q,"policy":%[4]q},
"credentialStatus":{"type":"BitstringStatusListEntry","statusPurpose":"revocation","statusListIndex":"42","statusListCredential":%[5]q}}`,
		jsonld.AuthorizationContext.JSON(), party(0), party(1), policyOf(0), listURL)
	w.w3c = must(vc.Sign(ctx, text, keyOf(0), vc.SignOptions{Method: method(0), Contexts: jsonld.Builtin(), Created: noon.AddDate(0, 0, -1)}))

	present := func(profile vc.Profile, document string, credentials [][]byte) []byte {
		document += `"verifiableCredential":[` + string(bytes.Join(credentials, []byte(","))) + `]}`
		return must(vc.Sign(ctx, []byte(document), keyOf(1), vc.SignOptions{
			Profile: profile, Method: method(1), Created: noon, Challenge: challenge, Domain: []string{domain}, Contexts: jsonld.Builtin(),
		}))
	}
	w.presentation = present(vc.ProfileSVC, fmt.Sprintf(`{"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":%q,`, party(1)), w.credentials)
	w.w3cVP = present(vc.ProfileW3C, fmt.Sprintf(`{"@context":["https://www.w3.org/ns/credentials/v2"],"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":%q,`, party(1)), [][]byte{w.w3c})

	d := must(w.authorizer(nil).Authorize(ctx, w.request(w.credentials, w.policies)))
	if !d.Authorized() {
		panic(d.String())
	}
	w.record = must(d.Record().Sign(ctx, keyOf(2), vc.SignOptions{Method: method(2), Created: noon}))
}

func (w *world) verifier(documents vc.Documents) *vc.Verifier {
	return must(vc.New(vc.Config{Keys: w.keys, Profile: vc.ProfileAuto, Contexts: jsonld.Builtin(), Authority: true, Documents: documents}))
}

func (w *world) authorizer(documents vc.Documents) *authz.Authorizer {
	return must(authz.New(authz.Config{Verifier: w.verifier(documents)}))
}

func (w *world) request(credentials, policies [][]byte) authz.Request {
	r := authz.Request{
		RootPrincipal: party(0), Actor: party(1 + 1), Now: noon, Asks: []odrl.Request{{Action: "read", Target: target}},
		Chain: authz.Chain{Credentials: credentials},
	}
	for _, p := range policies {
		r.Chain.Policies = append(r.Chain.Policies, authz.PolicyDocument{Content: p})
	}
	return r
}

func (w *world) cards() {
	key := must(agentcard.GenerateKey(agentcard.EdDSA, "card-1", &stream{seed: "card"}))
	w.cardKeys = must(key.KeySet())
	w.set = must(agentcard.ParseKeySet(w.cardKeys, agentcard.Limits{}))
	var set struct{ Keys []json.RawMessage }
	require1(json.Unmarshal(w.cardKeys, &set))
	w.trust = fmt.Appendf(nil, `{"version":1,"keys":[{"jwk":%s,"origins":["https://agent.example"],"not_before":"2026-01-01T00:00:00Z"}],"jku":{"mode":"off"}}`, set.Keys[0])
	w.store = must(agentcard.ParseTrustStore(w.trust, agentcard.Limits{}))
	ext := must(agentcard.Declaration{
		Required: true, Description: "Grants.", Formats: []string{"text/turtle"},
		Documents: []agentcard.DeclaredDocument{{Name: "Grant", Source: "https://alice.pod.example/protocols/grant-access", Hash: canon.Sum([]byte("x"))}},
	}.AppendExtension(nil))
	card := fmt.Appendf(nil, `{"name":"Pod agent","description":"Looks after a pod.","version":"1.0.0",
"supportedInterfaces":[{"url":"https://agent.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
"capabilities":{"streaming":false,"extensions":[%s]},"defaultInputModes":["text/turtle"],"defaultOutputModes":["text/turtle"],
"skills":[{"id":"grant","name":"Grant","description":"Grants.","tags":["pod"]}]}`, ext)
	w.card = must(agentcard.Sign(must(agentcard.Parse(card, agentcard.Limits{})), key, agentcard.SignOptions{}))

	signer := must(terms.ParseSeed(bytes.TrimSpace(file("testdata", "terms", "owner.seed"))))
	w.sow = file("testdata", "terms", "quote.json")
	w.termsCard = file("testdata", "terms", "offers.json")
	w.owners = fmt.Appendf(nil, `{"Pallet Quotes":[%q]}`, signer.Key())
}

var permitAll = engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
	return engine.Authority{Permit: true}, nil
})

var peer = engine.Peer{Principal: "https://bob.example/", Active: []string{protocol.ExtensionURI}}

// engine makes an agent that holds the example document.
func (w *world) engine() *engine.Engine {
	docs := protocol.NewStore(0)
	require1(docs.Put(w.reviewed))
	return must(engine.New(engine.Config{
		Local: "https://alice.example/agent", Documents: docs, Store: replay.NewMemory(replay.Limits{}), Random: &stream{seed: "engine"},
		Clock: func() time.Time { return noon }, Authorizer: permitAll, Policy: engine.AllowList{Pins: []canon.Digest{w.reviewed.Pin()}},
		Declared: []engine.Declared{{Pin: w.reviewed.Pin(), Source: "https://alice.pod.example/protocols/grant-access"}},
	}))
}

func (w *world) protocol() {
	ctx := context.Background()
	w.document, w.intent = file("testdata", "grant-access.ttl"), file("testdata", "intent.ttl")
	c := must(protocol.Parse(ctx, w.document, "text/turtle", protocol.Options{}))
	w.reviewed = must(protocol.Examine(must(c.Verify(c.Pin()))).Accept())

	offer := handshake.Offer{Hash: c.Pin(), Source: "https://alice.pod.example/protocols/grant-access", Required: true, Name: handshake.NewText("Grant access")}
	w.offer = must(offer.AppendJSON(nil))
	w.response = must(handshake.Response{Hash: c.Pin(), Accept: false, Reason: handshake.NewText("no")}.AppendJSON(nil))
	w.offerRDF = fmt.Appendf(nil, `@prefix a2a: <https://w3id.org/jeswr/a2a#> .
<urn:a2a:handshake> a a2a:UpgradeOffer ; a2a:protocolHash "%s" ; a2a:protocolSource <https://alice.pod.example/protocols/grant-access> ; a2a:required true .
`, c.Pin())
	f := &handshake.Offeror{}
	require1(f.Offer(w.reviewed, offer, "m-1", noon))
	w.offeror = must(f.AppendRecord(nil))

	part := func(kind, more, mediaType string, body []byte) engine.Part {
		return engine.Part{Content: engine.Text, Text: string(body), MediaType: mediaType, Metadata: []byte(`{"` + protocol.KeyKind + `":"` + kind + `"` + more + `}`)}
	}
	message := func(id string, role engine.Role, p engine.Part) []byte {
		m := engine.Message{ID: id, ContextID: "c-1", Role: role, Extensions: []string{protocol.ExtensionURI}, Parts: []engine.Part{p}}
		return must(m.AppendJSON(nil))
	}
	handshakePart := func(kind string, body []byte) engine.Part {
		p := part(kind, "", "application/json", nil)
		p.Content, p.Data = engine.Data, body
		return p
	}
	w.offerMessage = message("m-offer", engine.RoleUser, handshakePart(handshake.KindOffer, w.offer))
	w.intentMessage = message("m-intent", engine.RoleUser, part(string(protocol.RoleIntent), `,"`+protocol.KeyProtocolHash+`":"`+c.Pin().String()+`"`, "text/turtle", w.intent))
	w.replyOffer = []byte(`{"jsonrpc":"2.0","id":"1","result":{"message":` + string(message("m-answer", engine.RoleAgent, handshakePart(handshake.KindResponse, w.response))) + `}}`)
	w.reply = []byte(`{"task":{"id":"t-1","contextId":"c-1","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-12-01T12:00:00Z"},"artifacts":[{"artifactId":"a-1","parts":[{"text":"done"}]}]}}`)
}
