package attack_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/protocol/pdstore"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/jsonld/write"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

func someTurtle(text string) *rdf.Dataset {
	return must(turtle.Parse([]byte(text), turtle.Options{Limits: rdf.Local()}))
}

// circles is a graph of blank nodes that are hard to tell apart.
func circles(n, of int) *rdf.Dataset {
	var b strings.Builder
	for c := range n {
		for i := range of {
			fmt.Fprintf(&b, "_:c%d_%d <urn:p> _:c%[1]d_%[3]d .\n", c, i, (i+1)%of)
		}
	}
	return someTurtle(b.String())
}

// knot is a graph of blank nodes that nothing tells apart: each has an arc to each.
func knot(n int) *rdf.Dataset {
	var b strings.Builder
	for i := range n {
		for k := range n {
			if i != k {
				fmt.Fprintf(&b, "_:c%d <urn:p> _:c%d .\n", i, k)
			}
		}
	}
	return someTurtle(b.String())
}

// readDocument is one with a response shape.
func readDocument() *protocol.Reviewed {
	d := must(protocol.Build(context.Background(), readParts(), protocol.Options{}))
	return must(protocol.Examine(d).Accept())
}

func readParts() protocol.Parts {
	return protocol.Parts{
		ID: "https://alice.pod.example/protocols/read", Title: "Read",
		Request:  protocol.Shapes{Graph: must(protocol.StockRequest(protocol.VerbRead))},
		Response: protocol.Shapes{Graph: must(protocol.StockResponse("https://schema.org/ReadAction", protocol.StockResponseShape))},
	}
}

const (
	readIntentText = `@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix schema: <https://schema.org/> .
<urn:a2a:intent:2> a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object <https://alice.pod.example/notes/> ] .`
	readResponseText = `<urn:r> a <https://schema.org/ReadAction> .`
)

func rdfOperations() []operation {
	shapes := must(shacl.Compile(someTurtle(`@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:s> a sh:NodeShape ; sh:targetSubjectsOf <urn:p> ; sh:property [ sh:path <urn:p> ; sh:nodeKind sh:BlankNode ; sh:minCount 1 ; sh:node <urn:t> ] .
<urn:t> a sh:NodeShape ; sh:property [ sh:path ( <urn:p> <urn:p> ) ; sh:minCount 1 ] .`).Default(), shacl.CompileOptions{}))
	data := circles(3000, 3)
	node := func() rdf.Term {
		for q := range data.Quads() {
			return data.Term(q.S)
		}
		panic("no quads")
	}()
	conforms := func(r *shacl.Report, err error) (bool, error) { return err == nil && r.Conforms(), err }
	valid := func(v *protocol.Verdict, err error) (bool, error) { return err == nil && v.Valid(), err }
	w, read := theWorld(), readDocument()
	intent, response := someTurtle(readIntentText), someTurtle(readResponseText)
	return []operation{
		simple("canon.Canonicalize", func(ctx context.Context) (bool, error) {
			return yes(canon.Canonicalize(ctx, knot(7), canon.Options{}))
		}),
		simple("canon.Write", func(ctx context.Context) (bool, error) {
			return yes(canon.Write(ctx, io.Discard, knot(7), canon.Options{}))
		}),
		simple("canon.Hash", func(ctx context.Context) (bool, error) { return yes(canon.Hash(ctx, knot(7), canon.Options{})) }),
		simple("shacl.Program.Validate", func(ctx context.Context) (bool, error) {
			return conforms(shapes.Validate(ctx, data.Default(), shacl.Options{Workers: 4}))
		}),
		simple("shacl.Program.ValidateNode", func(ctx context.Context) (bool, error) {
			return conforms(shapes.ValidateNode(ctx, must(rdf.NewIRI("urn:s")), data.Default(), node, shacl.Options{}))
		}),
		simple("shacl.Program.ValidateShape", func(ctx context.Context) (bool, error) {
			return conforms(shapes.ValidateShape(ctx, must(rdf.NewIRI("urn:s")), data.Default(), shacl.Options{Workers: 4}, node))
		}),
		simple("rdf/jsonld/write.Write", func(ctx context.Context) (bool, error) {
			var b bytes.Buffer
			err := write.Write(ctx, &b, response, write.Options{})
			return err == nil && b.Len() > 0, err
		}),
		simple("protocol.Build", func(ctx context.Context) (bool, error) {
			return yes(protocol.Build(ctx, readParts(), protocol.Options{}))
		}),
		simple("protocol.Parse", func(ctx context.Context) (bool, error) {
			return yes(protocol.Parse(ctx, w.document, turtleType, protocol.Options{}))
		}),
		simple("protocol.Verify", func(ctx context.Context) (bool, error) {
			return yes(protocol.Verify(ctx, w.document, turtleType, w.reviewed.Pin(), protocol.Options{}))
		}),
		simple("protocol.Document.ValidateRequest", func(ctx context.Context) (bool, error) {
			return valid(read.Document().ValidateRequest(ctx, []byte(readIntentText), turtleType, protocol.Options{}))
		}),
		simple("protocol.Document.ValidateRequestGraph", func(ctx context.Context) (bool, error) {
			return valid(read.Document().ValidateRequestGraph(ctx, intent, shacl.Options{}))
		}),
		simple("protocol.Document.ValidateResponse", func(ctx context.Context) (bool, error) {
			return valid(read.Document().ValidateResponse(ctx, []byte(readResponseText), turtleType, protocol.Options{}))
		}),
		simple("protocol.Document.ValidateResponseGraph", func(ctx context.Context) (bool, error) {
			return valid(read.Document().ValidateResponseGraph(ctx, response, shacl.Options{}))
		}),
		{name: "protocol/pdstore.Store.Get", begin: func(t *testing.T) func(*ending) call {
			s := must(pdstore.Open(t.TempDir(), 0))
			t.Cleanup(func() { _ = s.Close() })
			require1(s.Put(context.Background(), w.reviewed.Document()))
			return func(*ending) call {
				return call{run: func(ctx context.Context) (bool, error) { return yes(s.Get(ctx, w.reviewed.Pin())) }}
			}
		}},
		{name: "protocol/pdstore.Store.Put", begin: func(t *testing.T) func(*ending) call {
			return func(*ending) call {
				dir := must(os.MkdirTemp("", "attack"))
				s := must(pdstore.Open(dir, 0))
				return call{
					run: func(ctx context.Context) (bool, error) {
						err := s.Put(ctx, w.reviewed.Document())
						return err == nil, err
					},
					after: func(t *testing.T, yes bool, _ error) {
						files := must(os.ReadDir(dir))
						if !yes && len(files) > 1 { // whole or not at all, and nothing beside
							t.Errorf("%d files are left", len(files))
						}
						if len(files) == 1 {
							_ = must(s.Get(context.Background(), w.reviewed.Pin()))
						}
					},
					close: func() { _ = s.Close(); _ = os.RemoveAll(dir) },
				}
			}
		}},
	}
}

// documentsOf is a source of documents that looks at a context.
type documentsOf struct {
	shelf
	c *ending
}

func (d documentsOf) Document(ctx context.Context, url string) (vc.Document, error) {
	d.c.look()
	if err := ctx.Err(); err != nil {
		return vc.Document{}, err
	}
	return d.shelf.Document(ctx, url)
}

// proposalsOf is a fetcher that looks at a context.
type proposalsOf struct {
	proposals
	c *ending
}

func (p proposalsOf) Proposal(ctx context.Context, url string, fresh bool) ([]byte, error) {
	p.c.look()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.proposals.Proposal(ctx, url, fresh)
}

// Card implements terms.CardFetcher.
func (p proposalsOf) Card(ctx context.Context, url string, _ bool) ([]byte, string, error) {
	p.c.look()
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	return theWorld().termsCard, url, nil
}

func authorityOperations() []operation {
	w := theWorld()
	lists := shelf{listURL: {Content: w.statusList, MediaType: "application/vc"}}
	v := w.verifier(lists)
	credential := must(v.Verify(context.Background(), w.w3c, noon)).Credential()
	bound := must(v.Verify(context.Background(), w.credentials[0], noon)).Credential()
	expected := vc.Expected{Challenge: challenge, Domain: []string{domain}, Holder: vc.HolderUnbound}
	authorizer := w.authorizer(nil)
	authorized := func(d authz.Decision, err error) (bool, error) { return d.Authorized(), err }
	record := must(authorizer.Authorize(context.Background(), w.request(w.credentials, w.policies))).Record()
	termsCard := must(agentcard.Parse(w.termsCard, agentcard.Limits{}))
	subject := must(terms.Check(context.Background(), termsCard, agentcard.Keys{}, agentcard.Policy{At: noon}))
	profile := must(turtle.Parse(w.profile, turtle.Options{}))
	web := shelf{"https://p0.example/": {Content: w.controller, MediaType: "application/json"}}

	presented := w.request(nil, w.policies[:1])
	presented.Actor = ""
	inPresentation := func(run func(ctx context.Context, r authz.Request, data []byte) (authz.Decision, error)) func(ctx context.Context) (bool, error) {
		// The holder is the first actor: a chain of one credential, presented by party 1.
		text := fmt.Appendf(nil, `{"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":%q,"verifiableCredential":[%s]}`, party(1), w.credentials[0])
		data := must(vc.Sign(context.Background(), text, keyOf(1), vc.SignOptions{
			Profile: vc.ProfileSVC, Method: method(1), Created: noon, Challenge: challenge, Domain: []string{domain},
		}))
		return func(ctx context.Context) (bool, error) { return authorized(run(ctx, presented, data)) }
	}
	kept := func(run func(ctx context.Context, keep func(authz.Record) error) (bool, error)) operation {
		return operation{begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				var records []authz.Record
				return call{
					run: func(ctx context.Context) (bool, error) {
						return run(ctx, func(r authz.Record) error { c.look(); records = append(records, r); return ctx.Err() })
					},
					after: func(t *testing.T, yes bool, _ error) {
						if yes && len(records) != 1 {
							t.Errorf("authorized with %d records", len(records))
						}
					},
				}
			}
		}}
	}
	unsigned := fmt.Appendf(nil, `{"id":"urn:x","type":["T"],"issuer":%q,"credentialSubject":{"id":"urn:y"}}`, party(0))
	const small = "it signs one object that is in memory, by JCS"
	named := func(name string, o operation) operation { o.name = name; return o }
	memory := "it looks into memory"
	return []operation{
		simple("authz/vc.Verifier.Verify", func(ctx context.Context) (bool, error) {
			r, err := v.Verify(ctx, w.w3c, noon)
			return err == nil && r.Verified(), err
		}),
		simple("authz/vc.Verifier.VerifyProofs", func(ctx context.Context) (bool, error) {
			r, err := v.VerifyProofs(ctx, w.w3c, vc.AssertionMethod, noon)
			return err == nil && r.Verified(), err
		}),
		simple("authz/vc.Verifier.VerifyProofsBy", func(ctx context.Context) (bool, error) {
			r, err := v.VerifyProofsBy(ctx, w.w3c, party(0), vc.AssertionMethod, noon)
			return err == nil && r.Verified(), err
		}),
		simple("authz/vc.Verifier.VerifyPresentation", func(ctx context.Context) (bool, error) {
			r, err := v.VerifyPresentation(ctx, w.presentation, expected, noon)
			return err == nil && r.Verified(), err
		}),
		{name: "authz/vc.Verifier.CheckStatus", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				v := w.verifier(documentsOf{lists, c})
				return call{run: func(ctx context.Context) (bool, error) {
					r, err := v.CheckStatus(ctx, credential, noon)
					return err == nil && r.Clear(), err
				}}
			}
		}},
		{name: "authz/vc.Verifier.BindPolicy", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				v := w.verifier(documentsOf{shelf{"https://p0.example/policy.ttl": {Content: w.policies[0], MediaType: turtleType}}, c})
				return call{run: func(ctx context.Context) (bool, error) {
					b, err := v.BindPolicy(ctx, bound, vc.BindOptions{})
					return err == nil && b.Bound(), err
				}}
			}
		}},
		simple("authz/vc.Verifier.Digest", func(ctx context.Context) (bool, error) { return yes(v.Digest(ctx, credential)) }),
		simple("authz/vc.Credential.Digest", func(ctx context.Context) (bool, error) { return yes(credential.Digest(ctx)) }),
		{name: "authz/vc.ParseControllerRDF", still: "the key is in the document", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				return call{run: func(ctx context.Context) (bool, error) {
					return yes(vc.ParseControllerRDF(ctx, profile, "", documentsOf{shelf{}, c}, vc.Limits{}))
				}}
			}
		}},
		named("authz/vc.Keyring.Controller", operation{still: memory, begin: simple("", func(ctx context.Context) (bool, error) { return yes(w.keys.Controller(ctx, party(0))) }).begin}),
		named("authz/vc.DIDKeys.Controller", operation{still: "it computes one document", begin: simple("", func(ctx context.Context) (bool, error) {
			return yes(vc.DIDKeys{}.Controller(ctx, "did:key:"+keyOf(0).Public().Multikey()))
		}).begin}),
		{name: "authz/vc.Web.Controller", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				return call{run: func(ctx context.Context) (bool, error) {
					return yes(vc.Web{Documents: documentsOf{web, c}}.Controller(ctx, party(0)))
				}}
			}
		}},
		{name: "authz/vc.Resolvers.Controller", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				all := vc.Resolvers{vc.DIDKeys{}, vc.Web{Documents: documentsOf{web, c}}, vc.Web{Documents: documentsOf{web, c}}}
				return call{run: func(ctx context.Context) (bool, error) { return yes(all.Controller(ctx, party(0))) }}
			}
		}},
		simple("authz/vc.Sign", func(ctx context.Context) (bool, error) {
			return yes(vc.Sign(ctx, unsigned, keyOf(0), vc.SignOptions{Profile: vc.ProfileSVC, Method: method(0), Created: noon}))
		}),
		named("authz/vc.SignJSON", operation{still: small, begin: simple("", func(ctx context.Context) (bool, error) {
			return yes(vc.SignJSON(ctx, []byte(`{"id":"urn:x"}`), keyOf(0), vc.SignOptions{Method: method(0), Created: noon, Contexts: jsonld.Builtin()}))
		}).begin}),
		named("authz/vc.Memory.Revoked", operation{still: memory, begin: simple("", func(ctx context.Context) (bool, error) { return yes(new(vc.Memory).Revoked(ctx, "x", "y")) }).begin}),
		named("authz/vc.Memory.Remember", operation{still: memory, begin: simple("", func(ctx context.Context) (bool, error) {
			err := new(vc.Memory).Remember(ctx, "x", "y")
			return err == nil, err
		}).begin}),

		simple("authz.Authorizer.Authorize", func(ctx context.Context) (bool, error) {
			return authorized(authorizer.Authorize(ctx, w.request(w.credentials, w.policies)))
		}),
		named("authz.Authorizer.AuthorizeRecorded", kept(func(ctx context.Context, keep func(authz.Record) error) (bool, error) {
			return authorized(authorizer.AuthorizeRecorded(ctx, w.request(w.credentials, w.policies), keep))
		})),
		simple("authz.Authorizer.AuthorizePresentation", inPresentation(func(ctx context.Context, r authz.Request, data []byte) (authz.Decision, error) {
			return authorizer.AuthorizePresentation(ctx, r, data, vc.Expected{Challenge: challenge, Domain: []string{domain}})
		})),
		named("authz.Authorizer.AuthorizePresentationRecorded", kept(func(ctx context.Context, keep func(authz.Record) error) (bool, error) {
			return inPresentation(func(ctx context.Context, r authz.Request, data []byte) (authz.Decision, error) {
				return authorizer.AuthorizePresentationRecorded(ctx, r, data, vc.Expected{Challenge: challenge, Domain: []string{domain}}, keep)
			})(ctx)
		})),
		{name: "authz.Cache.Document", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				cache := must(authz.NewCache(documentsOf{lists, c}, clockAtNoon, authz.CacheOptions{}))
				return call{
					run: func(ctx context.Context) (bool, error) { return yes(cache.Document(ctx, listURL)) },
					after: func(t *testing.T, _ bool, _ error) { // a failure is not kept
						c.once.Do(func() {})
						if _, err := cache.Document(context.Background(), listURL); err != nil {
							t.Error(err)
						}
					},
				}
			}
		}},
		named("authz.Record.Sign", operation{still: small, begin: simple("", func(ctx context.Context) (bool, error) {
			return yes(record.Sign(ctx, keyOf(2), vc.SignOptions{Method: method(2), Created: noon}))
		}).begin}),
		simple("authz.VerifyRecord", func(ctx context.Context) (bool, error) {
			r, err := authz.VerifyRecord(ctx, w.keys, w.record, party(2), noon)
			return err == nil && r.Verified(), err
		}),
		{name: "agentcard.Verify", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				keys, card := fetchedKeys(c)
				return call{run: func(ctx context.Context) (bool, error) {
					r, err := agentcard.Verify(ctx, card, keys, agentcard.Policy{At: noon, Source: cardURL})
					if err != nil {
						return false, err
					}
					_, ok := r.Verified()
					return ok, nil
				}}
			}
		}},
		{name: "terms.Check", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				keys, card := fetchedKeys(c)
				return call{run: func(ctx context.Context) (bool, error) {
					s, err := terms.Check(ctx, card, keys, agentcard.Policy{At: noon, Source: cardURL})
					if err != nil {
						return false, err
					}
					_, ok := s.Signature.Verified()
					return ok, nil
				}}
			}
		}},
		{name: "terms.Source.Load", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				s := terms.Source{URL: "https://agent.example/card", Fetcher: proposalsOf{proposals(w.sow), c}, Policy: agentcard.Policy{At: noon}}
				return call{run: func(ctx context.Context) (bool, error) { return yes(s.Load(ctx, false)) }}
			}
		}},
		{name: "terms.Verify", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				return call{run: func(ctx context.Context) (bool, error) {
					r, err := terms.Verify(ctx, subject, terms.Options{At: noon, Fetcher: proposalsOf{proposals(w.sow), c}})
					return err == nil && r.AllVerified(), err
				}}
			}
		}},
		{name: "terms.Lint", begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				return call{run: func(ctx context.Context) (bool, error) {
					return yes(terms.Lint(ctx, subject, terms.Options{At: noon, Fetcher: proposalsOf{proposals(w.sow), c}}))
				}}
			}
		}},
		{name: "terms.VerifyFresh", begin: func(*testing.T) func(*ending) call {
			source := func(c *ending) terms.Source {
				return terms.Source{URL: "https://agent.example/card", Fetcher: proposalsOf{proposals(w.sow), c}, Policy: agentcard.Policy{At: noon}}
			}
			at := endingAfter(maxPoints)
			first := must(terms.Verify(context.Background(), must(source(at).Load(context.Background(), false)), terms.Options{At: noon, Fetcher: proposalsOf{proposals(w.sow), at}}))
			return func(c *ending) call {
				return call{run: func(ctx context.Context) (bool, error) {
					r, err := terms.VerifyFresh(ctx, source(c), first, terms.Options{At: noon, Fetcher: proposalsOf{proposals(w.sow), c}})
					return err == nil && r.AllVerified(), err
				}}
			}
		}},
	}
}

const (
	cardURL = "https://agent.example/.well-known/agent-card.json"
	keysURL = "https://agent.example/keys.json"
)

// keySetOf is a fetcher of one JWK Set that looks at a context.
type keySetOf struct{ c *ending }

func (f keySetOf) KeySet(ctx context.Context, _ string) ([]byte, time.Duration, error) {
	f.c.look()
	return theWorld().cardKeys, time.Hour, ctx.Err()
}

// fetchedKeys is a card whose keys are fetched.
func fetchedKeys(c *ending) (agentcard.Keys, *agentcard.Card) {
	w := theWorld()
	key := must(agentcard.GenerateKey(agentcard.EdDSA, "card-1", &stream{seed: "card"}))
	card := must(agentcard.Parse(w.card, agentcard.Limits{}))
	card = must(agentcard.Parse(must(agentcard.Sign(card, key, agentcard.SignOptions{JKU: keysURL})), agentcard.Limits{}))
	trust := must(agentcard.ParseTrustStore([]byte(`{"version":1,"keys":[],"jku":{"mode":"same-origin"}}`), agentcard.Limits{}))
	return agentcard.Keys{Trust: trust, Sets: agentcard.NewKeySets(keySetOf{c}, clockAtNoon, agentcard.Limits{})}, card
}
