package attack_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/terms"
)

func authorityLimits(w *world) map[string]limitCase {
	ctx := context.Background()
	lists := shelf{
		listURL:                     {Content: w.statusList, MediaType: "application/vc"},
		"https://p0.example/policy": {Content: w.policies[0], MediaType: "text/turtle"},
	}
	verifier := func(set func(*vc.Limits, int64), n int64) *vc.Verifier {
		c := vc.Config{Keys: w.keys, Profile: vc.ProfileAuto, Contexts: jsonld.Builtin(), Documents: lists}
		set(&c.Limits, n)
		return must(vc.New(c))
	}
	credential := func(code vc.Code, at int64, doc []byte, set func(*vc.Limits, int64)) limitCase {
		return limitCase{at: at, code: string(code), do: func(n int64) (outcome, error) {
			r, err := verifier(set, n).Verify(ctx, doc, noon)
			if err != nil {
				return outcome{}, err
			}
			return found(r.Codes(), r.Verified(), "")
		}}
	}
	presentation := func(at int64, set func(*vc.Limits, int64)) limitCase {
		return limitCase{at: at, code: string(vc.CodeMalformed), do: func(n int64) (outcome, error) {
			r, err := verifier(set, n).VerifyPresentation(ctx, w.presentation, vc.Expected{Challenge: challenge, Domain: []string{domain}, Holder: vc.HolderUnbound}, noon)
			if err != nil {
				return outcome{}, err
			}
			return found(r.Codes(), r.Verified(), "")
		}}
	}
	status := func(at int64, doc []byte, set func(*vc.Limits, int64)) limitCase {
		return limitCase{at: at, code: string(vc.CodeStatusRetrievalError), do: func(n int64) (outcome, error) {
			c := must(verifier(func(*vc.Limits, int64) {}, 0).Verify(ctx, doc, noon)).Credential()
			r, err := verifier(set, n).CheckStatus(ctx, c, noon)
			if err != nil {
				return outcome{}, err
			}
			return found(r.Codes(), r.Clear(), "")
		}}
	}
	sign := func(text string) []byte {
		return must(vc.Sign(ctx, []byte(text), keyOf(0), vc.SignOptions{Profile: vc.ProfileSVC, Method: method(0), Created: noon.AddDate(0, 0, -1)}))
	}
	const plainVC = `{"id":"urn:uuid:9","type":["AgentAuthorizationCredential"],"issuer":"https://p0.example/#me","validFrom":"2026-07-01T00:00:00Z","credentialSubject":{"id":"https://p0.example/#me"%s}%s}`
	alike := sign(fmt.Sprintf(plainVC, `,"urn:d":[`+strings.Repeat(`{"urn:a":{"urn:b":1}},`, 3)+`{"urn:a":{"urn:b":1}}]`, ""))
	two := must(vc.Sign(ctx, w.credentials[0], keyOf(0), vc.SignOptions{Profile: vc.ProfileSVC, Method: method(0), Created: noon.AddDate(0, 0, -2)}))
	bound := must(must(vc.New(vc.Config{Keys: w.keys, Profile: vc.ProfileSVC})).Verify(ctx, w.credentials[0], noon)).Credential()
	entry := `{"type":"BitstringStatusListEntry","statusPurpose":"revocation","statusListIndex":"42","statusListCredential":"` + listURL + `"}`
	twoEntries := sign(fmt.Sprintf(plainVC, "", `,"credentialStatus":[`+entry+","+entry+`]`))

	decides := func(code string, at int64, change func(c *authz.Config, r *authz.Request, n int64)) limitCase {
		return limitCase{at: at, code: code, do: func(n int64) (outcome, error) {
			c := authz.Config{Verifier: w.verifier(nil)}
			r := w.request(w.credentials, w.policies)
			change(&c, &r, n)
			return decided(must(authz.New(c)).Authorize(ctx, r))
		}}
	}
	longest := max(len(w.policies[0]), len(w.policies[1]))
	return map[string]limitCase{
		"authz/vc.Limits.CredentialBytes":   credential(vc.CodeMalformed, int64(len(w.w3c)), w.w3c, func(l *vc.Limits, n int64) { l.CredentialBytes = n }),
		"authz/vc.Limits.Depth":             credential(vc.CodeMalformed, 0, w.w3c, func(l *vc.Limits, n int64) { l.Depth = int(n) }),
		"authz/vc.Limits.Quads":             credential(vc.CodeMalformed, 0, w.w3c, func(l *vc.Limits, n int64) { l.Quads = int(n) }),
		"authz/vc.Limits.BlankNodes":        credential(vc.CodeMalformed, 0, alike, func(l *vc.Limits, n int64) { l.BlankNodes = int(n) }),
		"authz/vc.Limits.Proofs":            credential(vc.CodeMalformed, 2, two, func(l *vc.Limits, n int64) { l.Proofs = int(n) }),
		"authz/vc.Limits.StatusEntries":     status(2, twoEntries, func(l *vc.Limits, n int64) { l.StatusEntries = int(n) }),
		"authz/vc.Limits.PresentationBytes": presentation(int64(len(w.presentation)), func(l *vc.Limits, n int64) { l.PresentationBytes = n }),
		"authz/vc.Limits.Credentials":       presentation(2, func(l *vc.Limits, n int64) { l.Credentials = int(n) }),
		"authz/vc.Limits.StatusListBytes":   status(int64(len(w.statusList)), w.w3c, func(l *vc.Limits, n int64) { l.StatusListBytes = n }),
		"authz/vc.Limits.EncodedList":       status(int64(len(w.encodedList)), w.w3c, func(l *vc.Limits, n int64) { l.EncodedList = int(n) }),
		"authz/vc.Limits.StatusListEntries": status(131_072, w.w3c, func(l *vc.Limits, n int64) { l.StatusListEntries = int(n) }),
		"authz/vc.Limits.Inflated":          status(131_072/8, w.w3c, func(l *vc.Limits, n int64) { l.Inflated = n }),
		"authz/vc.Limits.CanonicalBytes":    credential(vc.CodeInvalidSignature, 0, w.w3c, func(l *vc.Limits, n int64) { l.CanonicalBytes = n }),
		"authz/vc.Limits.ControllerBytes": {at: int64(len(w.controller)), code: unexplained, do: func(n int64) (outcome, error) {
			_, err := vc.ParseController(w.controller, vc.Limits{ControllerBytes: n})
			return plain("", err)
		}},
		"authz/vc.Limits.PolicyBytes": {at: int64(len(w.policies[0])), code: string(vc.CodePolicyIntegrity), do: func(n int64) (outcome, error) {
			v := verifier(func(l *vc.Limits, n int64) { l.PolicyBytes = n }, n)
			b, err := v.BindPolicy(ctx, bound, vc.BindOptions{Content: &vc.Document{Content: w.policies[0], MediaType: "text/turtle"}})
			if err != nil {
				return outcome{}, err
			}
			return found(b.Codes(), b.OK(), "")
		}},
		"authz/vc.Config.Skew": {at: int64(24 * time.Hour), code: "", why: "it is a tolerance; more than an hour is refused by New"},

		"authz.Limits.Credentials": decides("CHAIN_MALFORMED", 2, func(c *authz.Config, _ *authz.Request, n int64) { c.Limits.Credentials = int(n) }),
		"authz.Limits.PolicyBytes": decides("CHAIN_MALFORMED", int64(longest), func(c *authz.Config, _ *authz.Request, n int64) { c.Limits.PolicyBytes = int(n) }),
		"authz.Limits.Quads":       decides("CHAIN_MALFORMED", 0, func(c *authz.Config, _ *authz.Request, n int64) { c.Limits.Quads = int(n) }),
		"authz.Limits.Documents": decides("STATUS_RETRIEVAL_ERROR", 2, func(c *authz.Config, r *authz.Request, n int64) {
			c.Limits.Documents = int(n)
			d := authz.RevocationDocument{Content: []byte("<urn:r> <https://w3id.org/jeswr/odrl-delegation#revokedPolicy> <urn:p> .")}
			r.Revocations = []authz.RevocationDocument{d, d}
		}),
		"authz.Limits.Asks": decides("POLICY_DENIED", 2, func(c *authz.Config, r *authz.Request, n int64) {
			c.Limits.Asks = int(n)
			r.Asks = []odrl.Request{r.Asks[0], r.Asks[0]}
		}),
		"authz.Config.MaxPolicies": decides("POLICY_DENIED", 2, func(c *authz.Config, _ *authz.Request, n int64) { most := int(n); c.MaxPolicies = &most }),

		"authz.CacheOptions.Fresh":         {test: "authz.TestCache"},
		"authz.CacheOptions.Untold":        {test: "authz.TestCacheKeep"},
		"authz.CacheOptions.InsecureStale": {test: "authz.TestCache"},
	}
}

func cardLimits(w *world) map[string]limitCase {
	ctx := context.Background()
	var card struct {
		Signatures []struct{ Protected, Signature string }
	}
	require1(json.Unmarshal(w.card, &card))
	header := must(base64.RawURLEncoding.DecodeString(card.Signatures[0].Protected))
	entry := func(signature string) string {
		return `{"protected":"` + card.Signatures[0].Protected + `","signature":"` + signature + `"}`
	}
	twice := bytes.Replace(w.card, []byte(`"signatures":[`), []byte(`"signatures":[`+entry(card.Signatures[0].Signature)+`,`), 1)
	bad := bytes.Replace(w.card, []byte(card.Signatures[0].Signature), []byte(base64.RawURLEncoding.EncodeToString(make([]byte, 64))), 1)
	verifies := func(code agentcard.Code, at int64, doc []byte, set func(*agentcard.Limits, int64)) limitCase {
		return limitCase{at: at, code: string(code), do: func(n int64) (outcome, error) {
			var l agentcard.Limits
			set(&l, n)
			c, err := agentcard.Parse(doc, l)
			if err != nil {
				return check(err)
			}
			r, err := agentcard.Verify(ctx, c, agentcard.Keys{Supplied: w.set}, agentcard.Policy{At: noon})
			if err != nil {
				return outcome{}, err
			}
			if _, ok := r.Verified(); !ok {
				return refused(r.Code), nil
			}
			return accepted(""), nil
		}}
	}
	sets := func(code agentcard.Code, at int64, doc []byte, set func(*agentcard.Limits, int64)) limitCase {
		return limitCase{at: at, code: string(code), do: func(n int64) (outcome, error) {
			var l agentcard.Limits
			set(&l, n)
			_, err := agentcard.ParseKeySet(doc, l)
			return check(err)
		}}
	}
	other := must(must(agentcard.GenerateKey(agentcard.EdDSA, "card-2", &stream{seed: "other"})).KeySet())
	both := bytes.Replace(w.cardKeys, []byte(`"keys":[`), append(bytes.TrimSuffix(bytes.TrimSpace(other), []byte("]}")), ','), 1)
	both = both[1:] // the brace of the second
	proposals2 := func(n int64) (outcome, error) {
		c := must(agentcard.Parse(must(withTwoProposals(w.termsCard)), agentcard.Limits{}))
		d := terms.ReadDeclaration(c, terms.Limits{Proposals: int(n)})
		if d.Code != "" {
			return refused(d.Code), nil
		}
		return accepted(""), nil
	}
	proposal := func(code terms.Code, at int64, set func(*terms.Limits, int64)) limitCase {
		return limitCase{at: at, code: string(code), do: func(n int64) (outcome, error) {
			var l terms.Limits
			set(&l, n)
			_, err := terms.Parse(w.sow, l)
			return check(err)
		}}
	}
	return map[string]limitCase{
		"agentcard.Limits.CardBytes":   verifies(agentcard.CodeJSONTooLarge, int64(len(w.card)), w.card, func(l *agentcard.Limits, n int64) { l.CardBytes = n }),
		"agentcard.Limits.Depth":       verifies(agentcard.CodeJSONTooDeep, 0, w.card, func(l *agentcard.Limits, n int64) { l.Depth = int(n) }),
		"agentcard.Limits.Values":      verifies(agentcard.CodeLimit, 0, w.card, func(l *agentcard.Limits, n int64) { l.Values = int(n) }),
		"agentcard.Limits.Signatures":  verifies(agentcard.CodeLimit, 2, twice, func(l *agentcard.Limits, n int64) { l.Signatures = int(n) }),
		"agentcard.Limits.HeaderBytes": verifies(agentcard.CodeJSONTooLarge, int64(len(header)), w.card, func(l *agentcard.Limits, n int64) { l.HeaderBytes = n }),
		"agentcard.Limits.KeySetBytes": sets(agentcard.CodeJSONTooLarge, int64(len(w.cardKeys)), w.cardKeys, func(l *agentcard.Limits, n int64) { l.KeySetBytes = n }),
		"agentcard.Limits.Keys":        sets(agentcard.CodeLimit, 2, both, func(l *agentcard.Limits, n int64) { l.Keys = int(n) }),
		"agentcard.Limits.Diagnosis": {code: string(agentcard.CodeDiagStopped), do: func(n int64) (outcome, error) {
			r := must(agentcard.Verify(ctx, must(agentcard.Parse(bad, agentcard.Limits{Diagnosis: int(n)})), agentcard.Keys{Supplied: w.set}, agentcard.Policy{At: noon, Explain: true}))
			for _, d := range r.Entries[0].Diagnosis {
				if d.Code == agentcard.CodeDiagStopped {
					return refused(d.Code), nil
				}
			}
			return accepted(""), nil
		}},
		"agentcard.Policy.Signatures": {why: "a demand: more is stricter"},

		"terms.Limits.DocumentBytes": proposal(terms.CodeJSONTooLarge, int64(len(w.sow)), func(l *terms.Limits, n int64) { l.DocumentBytes = n }),
		"terms.Limits.Depth":         proposal(terms.CodeJSONTooDeep, 0, func(l *terms.Limits, n int64) { l.Depth = int(n) }),
		"terms.Limits.Values":        proposal(terms.CodeLimit, 0, func(l *terms.Limits, n int64) { l.Values = int(n) }),
		"terms.Limits.TotalBytes": {code: string(terms.CodeLimit), do: func(n int64) (outcome, error) {
			r := must(terms.Verify(ctx, terms.Subject{Card: must(agentcard.Parse(w.termsCard, agentcard.Limits{}))}, terms.Options{At: noon, Fetcher: proposals(w.sow), Limits: terms.Limits{TotalBytes: n}}))
			for _, e := range r.Entries {
				if e.Code == terms.CodeLimit {
					return refused(e.Code), nil
				}
			}
			return accepted(""), nil
		}},
		"terms.Limits.Proposals": {at: 2, code: string(terms.CodeLimit), do: proposals2},
	}
}

// withTwoProposals is a card that lists its proposal twice.
func withTwoProposals(card []byte) ([]byte, error) {
	from, ok := bytes.CutSuffix(card[bytes.Index(card, []byte(`"proposals":[`)):], []byte("\n"))
	if !ok {
		from = card[bytes.Index(card, []byte(`"proposals":[`)):]
	}
	entry, _, ok := bytes.Cut(from[len(`"proposals":[`):], []byte("]"))
	if !ok {
		return nil, errors.New("no proposals")
	}
	return bytes.Replace(card, entry, append(append(bytes.Clone(entry), ','), bytes.Replace(entry, []byte("/q"), []byte("/r"), 1)...), 1), nil
}

func workflowLimits() map[string]limitCase {
	press, season := file("owg", "testdata", "book-to-press.json"), file("owg", "testdata", "season.json")
	run, inbound := file("owg", "testdata", "prodco-run.json"), file("owg", "testdata", "inbound.json")
	const branches = `{"participants":[{"id":"p","kind":"human"},{"id":"a","kind":"agent","works_for":"o"},{"id":"b","kind":"agent","works_for":"o2"}],"tasks":[{"id":"1","performed_by":"a","delegation":{"by":"p","scope":[]}},{"id":"2","performed_by":"a","delegation":{"by":"p","scope":[]}},{"id":"3","performed_by":"b","delegation":{"by":"a","scope":[]},"produced":["x"]}]}`
	limit := func(code owg.Code, at int64, set func(*owg.Limits, int64), do func(owg.Limits) error) limitCase {
		return limitCase{at: at, code: string(code), do: func(n int64) (outcome, error) {
			var l owg.Limits
			set(&l, n)
			return check(do(l))
		}}
	}
	reads := func(l owg.Limits) error { _, err := owg.Parse(press, l); return err }
	traces := func(text []byte, asset string, records ...[]byte) func(owg.Limits) error {
		return func(l owg.Limits) error {
			w, err := owg.Parse(text, l)
			if err != nil {
				return err
			}
			var all []*owg.Record
			for _, r := range records {
				all = append(all, must(owg.ParseRecord(r, owg.Limits{})))
			}
			_, err = w.Trace(asset, all...)
			return err
		}
	}
	const two = `{"artifactUpdate":{"taskId":"1","artifact":{"artifactId":"%d","parts":[{"text":"x"}]}}}`
	follows := func(l owg.Limits) error {
		f := owg.NewFollow(owg.Attempt{Task: "t", Number: 1, Status: owg.StatusRunning}, []string{"a"}, l)
		for i := range 2 {
			if _, err := f.Update(fmt.Appendf(nil, two, i), noon); err != nil {
				return err
			}
		}
		return nil
	}
	return map[string]limitCase{
		"owg.Limits.WorkflowBytes": limit(owg.CodeJSONTooLarge, int64(len(press)), func(l *owg.Limits, n int64) { l.WorkflowBytes = n }, reads),
		"owg.Limits.Depth":         limit(owg.CodeJSONTooDeep, 0, func(l *owg.Limits, n int64) { l.Depth = int(n) }, reads),
		"owg.Limits.Values":        limit(owg.CodeLimit, 0, func(l *owg.Limits, n int64) { l.Values = int(n) }, reads),
		"owg.Limits.Participants":  limit(owg.CodeLimit, 0, func(l *owg.Limits, n int64) { l.Participants = int(n) }, reads),
		"owg.Limits.Tasks":         limit(owg.CodeLimit, 0, func(l *owg.Limits, n int64) { l.Tasks = int(n) }, reads),
		"owg.Limits.RecordBytes":   limit(owg.CodeJSONTooLarge, int64(len(run)), func(l *owg.Limits, n int64) { l.RecordBytes = n }, func(l owg.Limits) error { _, err := owg.ParseRecord(run, l); return err }),
		"owg.Limits.UpdateBytes":   limit(owg.CodeJSONTooLarge, int64(len(inbound)), func(l *owg.Limits, n int64) { l.UpdateBytes = n }, func(l owg.Limits) error { _, err := owg.ParseHandOff(inbound, "", l); return err }),
		"owg.Limits.Work":          limit(owg.CodeLimit, 0, func(l *owg.Limits, n int64) { l.Work = int(n) }, traces([]byte(branches), "x")),
		"owg.Limits.Chains":        limit(owg.CodeLimit, 2, func(l *owg.Limits, n int64) { l.Chains = int(n) }, traces([]byte(branches), "x")),
		"owg.Limits.Hops":          limit(owg.CodeLimit, 0, func(l *owg.Limits, n int64) { l.Hops = int(n) }, traces(season, "dub_ep1")),
		"owg.Limits.Records":       limit(owg.CodeLimit, 2, func(l *owg.Limits, n int64) { l.Records = int(n) }, traces(season, "dub_ep1", run, run)),
		"owg.Limits.Artifacts":     limit(owg.CodeLimit, 2, func(l *owg.Limits, n int64) { l.Artifacts = int(n) }, follows),
		"owg.Limits.ArtifactBytes": limit(owg.CodeLimit, 0, func(l *owg.Limits, n int64) { l.ArtifactBytes = int(n) }, follows),
	}
}

func exchangeLimits(w *world) map[string]limitCase {
	ctx := context.Background()
	// stores fills a store as far as it lets: full and too large are its refusals.
	stores := func(at int64, set func(*replay.Limits, int64), do func(s *replay.Memory) error) limitCase {
		return limitCase{at: at, code: unexplained, do: func(n int64) (outcome, error) {
			var l replay.Limits
			set(&l, n)
			err := do(replay.NewMemory(l))
			if err != nil && !errors.Is(err, replay.ErrFull) && !errors.Is(err, replay.ErrTooLarge) {
				return outcome{}, err
			}
			return plain("", err)
		}}
	}
	key := func(peer, message int) replay.Key {
		return replay.Key{Peer: fmt.Sprint(peer), Context: "c", Message: fmt.Sprint(message)}
	}
	claims := func(peers, messages, answer int) func(*replay.Memory) error {
		return func(s *replay.Memory) error {
			for p := range peers {
				for m := range messages {
					k, content := key(p, m), canon.Sum([]byte{byte(p), byte(m)})
					if _, err := s.Claim(ctx, k, content, noon); err != nil {
						return err
					}
					if answer == 0 {
						continue
					}
					if err := s.Settle(ctx, k, content, make([]byte, answer), noon); err != nil {
						return err
					}
				}
			}
			return nil
		}
	}
	records := func(by replay.Owner, count, name, value int) func(*replay.Memory) error {
		return func(s *replay.Memory) error {
			for i := range count {
				if _, err := s.Swap(ctx, strings.Repeat(string(rune('a'+i)), name), by, 0, make([]byte, value), noon.Add(time.Hour), noon); err != nil {
					return err
				}
			}
			return nil
		}
	}
	twoParts := bytes.Replace(w.intentMessage, []byte(`"parts":[`), []byte(`"parts":[{"text":"x"},`), 1)
	parses := func(at int64, data []byte, set func(*engine.Limits, int64)) limitCase {
		return limitCase{at: at, code: exceeded, do: func(n int64) (outcome, error) {
			var l engine.Limits
			set(&l, n)
			_, err := engine.ParseMessage(data, l)
			return check(err)
		}}
	}
	receives := func(at int64, from engine.Peer, set func(*engine.Limits, int64), data ...[]byte) limitCase {
		return limitCase{at: at, code: exceeded, do: func(n int64) (outcome, error) {
			var l engine.Limits
			set(&l, n)
			docs := protocol.NewStore(0)
			require1(docs.Put(w.reviewed))
			e := must(engine.New(engine.Config{
				Local: "https://alice.example/agent", Documents: docs, Store: replay.NewMemory(replay.Limits{}), Random: &stream{seed: "limits"},
				Clock: func() time.Time { return noon }, Authorizer: permitAll, Limits: l, Domain: domain,
				Policy: engine.AllowList{Pins: []canon.Digest{w.reviewed.Pin()}}, Declared: []engine.Declared{{Pin: w.reviewed.Pin()}},
			}))
			for _, d := range data {
				o := must(e.Receive(ctx, from, must(engine.ParseMessage(d, engine.Limits{}))))
				if o.Code == protocol.CodeLimitExceeded {
					return refused(o.Code), nil
				}
			}
			return accepted(""), nil
		}}
	}
	const kind = `"` + protocol.KeyKind + `":`
	authorized := bytes.Replace(w.intentMessage, []byte(`"parts":[`), []byte(`"parts":[{"data":{"x":"y"},"mediaType":"application/vp","metadata":{`+kind+`"authorization"}},`), 1)
	return map[string]limitCase{
		"replay.Limits.PerPeer":     stores(2, func(l *replay.Limits, n int64) { l.PerPeer = int(n) }, claims(1, 2, 0)),
		"replay.Limits.Messages":    stores(4, func(l *replay.Limits, n int64) { l.Messages = int(n) }, claims(2, 2, 0)),
		"replay.Limits.Answer":      stores(9, func(l *replay.Limits, n int64) { l.Answer = int(n) }, claims(1, 1, 9)),
		"replay.Limits.PeerBytes":   stores(18, func(l *replay.Limits, n int64) { l.PeerBytes = n }, claims(1, 2, 9)),
		"replay.Limits.Bytes":       stores(36, func(l *replay.Limits, n int64) { l.Bytes = n }, claims(2, 2, 9)),
		"replay.Limits.PeerRecords": stores(3, func(l *replay.Limits, n int64) { l.PeerRecords = int(n) }, records(replay.Owner{Local: "l", Peer: "p"}, 3, 1, 1)),
		"replay.Limits.Records":     stores(3, func(l *replay.Limits, n int64) { l.Records = int(n) }, records(replay.Owner{}, 3, 1, 1)),
		"replay.Limits.RecordName":  stores(7, func(l *replay.Limits, n int64) { l.RecordName = int(n) }, records(replay.Owner{}, 1, 7, 1)),
		"replay.Limits.Record":      stores(7, func(l *replay.Limits, n int64) { l.Record = int(n) }, records(replay.Owner{}, 1, 1, 7)),
		"replay.Limits.Life": {at: int64(time.Minute + time.Microsecond), code: unexplained, do: func(n int64) (outcome, error) {
			s := replay.NewMemory(replay.Limits{Life: time.Duration(n).Truncate(time.Microsecond)})
			content := canon.Sum([]byte("x"))
			if _, err := s.Claim(ctx, key(1, 1), content, noon); err != nil {
				return outcome{}, err
			}
			c, err := s.Claim(ctx, key(1, 1), content, noon.Add(time.Minute))
			if err != nil {
				return outcome{}, err
			}
			if c.State == replay.Fresh {
				return refused(unexplained), nil // it was forgotten
			}
			return accepted(""), nil
		}},

		"engine.Limits.Message":       parses(int64(len(w.intentMessage)), w.intentMessage, func(l *engine.Limits, n int64) { l.Message = n }),
		"engine.Limits.Parts":         parses(2, twoParts, func(l *engine.Limits, n int64) { l.Parts = int(n) }),
		"engine.Limits.Handshake":     receives(int64(len(w.offer)), peer, func(l *engine.Limits, n int64) { l.Handshake = n }, w.offerMessage),
		"engine.Limits.Authorization": receives(9, peer, func(l *engine.Limits, n int64) { l.Authorization = n }, authorized),
		"engine.Limits.Network":       receives(2, engine.Peer{Network: "192.0.2.0/24", Active: peer.Active}, func(l *engine.Limits, n int64) { l.Network = int(n) }, w.intentMessage, w.offerMessage),
		"engine.Config.ChallengeLife": {test: "engine.TestChallenges"},
		"engine.Config.OfferTimeout":  {test: "engine.TestOfferTime"},
		"engine.Config.AgreementLife": {test: "engine.TestScopes"},

		"fetch.Options.Timeout":          {test: "fetch.TestTime"},
		"fetch.Options.ConnectTimeout":   {test: "fetch.TestTime"},
		"fetch.Options.MaxCardBytes":     {test: "fetch.TestMaxBytes"},
		"fetch.Options.MaxProposalBytes": {test: "fetch.TestMaxBytes"},
		"fetch.Options.MaxKeySetBytes":   {test: "fetch.TestMaxBytes"},
		"fetch.GateOptions.PerMinute":    {test: "fetch.TestGateCountsPeers"},
		"fetch.GateOptions.FailureFor":   {test: "fetch.TestGateRemembersFailures"},
		"fetch.GateOptions.Entries":      {test: "fetch.TestGateForgetsNoMoreThanItMay"},

		"internal/service.Options.Requests": {test: "internal/service.TestBusy"},
		"internal/service.Options.Time":     {test: "internal/service.TestTime"},
		"internal/service.Options.BodyTime": {test: "internal/service.TestSlowBody"},
	}
}
