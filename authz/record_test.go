package authz_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/damage"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
)

// recorder is the party that signs records in the tests.
const recorder = 9

// fullRecord is a record with every member: of a chain that is refused late, together with
// a chain of the actor.
func fullRecord(t testing.TB) authz.Record {
	t.Helper()
	s := good(t)
	s.acts(5, chain(3, 2))
	s.hops[2].insert(duty("inform"))
	s.request.Revoked = []string{"urn:other"}
	s.revokes("urn:another", party(1))
	s.request.Protocol, s.request.Intent = canon.Sum([]byte("p")), canon.Sum([]byte("i"))
	s.request.Policies, s.request.ClaimedAgent = []string{policy(1)}, party(5)
	iri, err := rdf.NewIRI("urn:why")
	require.NoError(t, err)
	s.request.Asks[0].Attributes = map[string][]odrl.Value{
		"purpose": {odrl.TermValue(iri)}, "count": {odrl.Integer(1), odrl.Instant(noon)}, "fulfilled:inform": {odrl.Boolean(true)},
	}
	s.request.Asks[0].MemberOf = map[string][]string{target: {"urn:c2", "urn:c1"}, "urn:alone": {}}
	s.config.Engine = "rdfproto test"
	s.config.DocumentReference, s.config.CanonicalDigests, s.config.RequireDuties = true, true, true
	s.config.Gates = map[string]delegation.Gate{odrlNS + "inform": delegation.Block, odrlNS + "delete": delegation.Record}
	s.config.InsecureDateTime, s.config.InsecureWithoutActor = true, true
	s.config.Binding = authz.InsecureBindingPresented
	s.actorHops[1].subject()[svc+"action"] = "write"
	s.hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
	s.verifier.Documents = statusList(t, 1, "revocation", 8)
	d := s.decide(t)
	require.Equal(t, authz.PhaseComposition, d.Phase, d.String())
	r := d.Record()
	r.Unreachable = true // which would have ended the decision before
	r.Presentation = &authz.Presented{
		Digest: canon.Sum([]byte("vp")).String(), Holder: party(5), Challenge: "c-1", Domain: []string{"https://a.example/", "https://b.example/"}, Exchange: "task-1",
	}
	return r
}

func signRecord(t testing.TB, r authz.Record, o vc.SignOptions) []byte {
	t.Helper()
	if o.Method == "" {
		o.Method = method(recorder)
	}
	signed, err := r.Sign(t.Context(), privateKey(t, recorder), o)
	require.NoError(t, err)
	return signed
}

func verifyRecord(t testing.TB, data []byte, by string) *authz.RecordReport {
	t.Helper()
	report, err := authz.VerifyRecord(t.Context(), keyring(t), data, by, noon)
	require.NoError(t, err)
	require.Equal(t, report.Verified(), report.Code() == "")
	require.Equal(t, report.Verified(), len(report.Findings()) == 0)
	_, ok := report.Record()
	require.Equal(t, report.Verified(), ok)
	require.Equal(t, report.Verified(), len(report.Proofs()) > 0)
	return report
}

// TestSignedRecord: a record is signed and verified like any other secured document.
func TestSignedRecord(t *testing.T) {
	t.Parallel()
	r := fullRecord(t)
	signed := signRecord(t, r, vc.SignOptions{Created: noon})
	report := verifyRecord(t, signed, party(recorder))
	require.True(t, report.Verified(), report.Findings())
	got, _ := report.Record()
	require.Equal(t, r, got)
	require.Equal(t, vc.EdDSAJCS2022, report.Proofs()[0].Cryptosuite)

	// As vc verify --proofs does.
	v, err := vc.New(vc.Config{Keys: keyring(t)})
	require.NoError(t, err)
	proofs, err := v.VerifyProofs(t.Context(), signed, vc.AssertionMethod, noon)
	require.NoError(t, err)
	require.True(t, proofs.Verified(), proofs.Findings())

	var indented strings.Builder
	e := json.NewEncoder(&indented)
	e.SetIndent("", "  ")
	require.NoError(t, e.Encode(json.RawMessage(signed)))
	require.True(t, verifyRecord(t, []byte(indented.String()), party(recorder)).Verified(), "white space changes nothing")

	unsigned, err := r.JSON()
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		data []byte
		by   string
		want vc.Code
	}{
		"not signed":       {unsigned, party(recorder), vc.CodeNoProof},
		"by another":       {signed, party(1), vc.CodeIssuerMismatch},
		"by nobody known":  {signed, "urn:nobody", vc.CodeIssuerMismatch},
		"no JSON":          {signed[1:], party(recorder), vc.CodeMalformed},
		"another purpose":  {[]byte(strings.Replace(string(signed), "assertionMethod", "authentication", 1)), party(recorder), vc.CodeProofPurposeMismatch},
		"created later":    {signRecord(t, r, vc.SignOptions{Created: noon.AddDate(0, 0, 1)}), party(recorder), vc.CodeInvalidSignature},
		"not a record":     {signAny(t, `{"version":1,"decision":"permit"}`), party(recorder), vc.CodeMalformed},
		"one member more":  {signAny(t, `{"more":1,`+string(unsigned[1:])), party(recorder), vc.CodeMalformed},
		"in another case":  {signAny(t, strings.Replace(string(unsigned), `"decision"`, `"Decision"`, 1)), party(recorder), vc.CodeMalformed},
		"null for nothing": {signAny(t, `{"actorCode":null,`+strings.ReplaceAll(string(unsigned[1:]), `"actorCode":`, `"reason2":`)), party(recorder), vc.CodeMalformed},
		"another version":  {signAny(t, strings.Replace(string(unsigned), `"version":1`, `"version":2`, 1)), party(recorder), vc.CodeMalformed},
	} {
		report := verifyRecord(t, tt.data, tt.by)
		require.Equal(t, tt.want, report.Code(), "%s: %v", name, report.Findings())
	}
	require.Equal(t, vc.CodeMalformed, (&authz.RecordReport{}).Code())
	_, err = authz.VerifyRecord(t.Context(), nil, signed, party(recorder), noon)
	require.Error(t, err)
	_, err = authz.VerifyRecord(t.Context(), keyring(t), signed, "", noon)
	require.Error(t, err)
	_, err = r.Sign(t.Context(), privateKey(t, recorder), vc.SignOptions{Suite: vc.EdDSARDFC2022, Method: method(recorder)})
	require.Error(t, err, "a record is no RDF")
	_, err = r.Sign(t.Context(), nil, vc.SignOptions{})
	require.Error(t, err)
}

func signAny(t testing.TB, text string) []byte {
	t.Helper()
	signed, err := vc.SignJSON(t.Context(), []byte(text), privateKey(t, recorder), vc.SignOptions{Method: method(recorder)})
	require.NoError(t, err)
	return signed
}

// TestSignedBefore: a signature does not precede what it signs, by more than clocks differ.
func TestSignedBefore(t *testing.T) {
	t.Parallel()
	const second = time.Second
	signed := func(decided string, created ...time.Time) []byte {
		r := fullRecord(t)
		r.EvaluatedAt = decided
		text, err := r.JSON()
		require.NoError(t, err)
		for _, at := range created {
			text, err = vc.SignJSON(t.Context(), text, privateKey(t, recorder), vc.SignOptions{Method: method(recorder), Created: at})
			require.NoError(t, err)
		}
		return text
	}
	for name, tt := range map[string]struct {
		data []byte
		at   time.Time
		want vc.Code
	}{
		"at once":                                {signed("2026-08-01T12:00:00.9Z", noon), noon, ""},
		"by a clock that is behind":              {signed("2026-08-01T12:05:00Z", noon), noon.Add(time.Hour), ""},
		"before":                                 {signed("2026-08-01T12:05:00.000000001Z", noon), noon.Add(time.Hour), vc.CodeInvalidSignature},
		"long before":                            {signed("2027-08-01T12:00:00Z", noon), noon.AddDate(2, 0, 0), vc.CodeInvalidSignature},
		"one of two before":                      {signed("2026-08-01T13:00:00Z", noon.Add(time.Hour), noon), noon.Add(time.Hour), vc.CodeInvalidSignature},
		"at no time, verified at once":           {signed("2026-08-01T12:00:00Z", time.Time{}), noon, ""},
		"at no time, by a clock that is behind":  {signed("2026-08-01T12:05:00Z", time.Time{}), noon, ""},
		"at no time, verified before":            {signed("2026-08-01T12:05:01Z", time.Time{}), noon, vc.CodeInvalidSignature},
		"verified before, signed by a clock on":  {signed("2026-08-01T12:05:01Z", noon.Add(second)), noon, vc.CodeInvalidSignature},
		"the first instant":                      {signed("0001-01-01T00:00:00Z", noon), noon, ""},
		"a decision at no time":                  {signed("tomorrow", noon), noon, vc.CodeMalformed},
		"a decision by another clock":            {signed("2026-08-01T14:00:00+02:00", noon), noon, vc.CodeMalformed},
		"a decision in a day of more hours":      {signed("2026-07-31T24:00:00Z", noon), noon, vc.CodeMalformed},
		"a decision without a zone":              {signed("2026-08-01T12:00:00", noon), noon, vc.CodeMalformed},
		"a decision with a fraction of no value": {signed("2026-08-01T12:00:00.0Z", noon), noon, vc.CodeMalformed},
	} {
		report, err := authz.VerifyRecord(t.Context(), keyring(t), tt.data, party(recorder), tt.at)
		require.NoError(t, err, name)
		require.Equal(t, tt.want, report.Code(), "%s: %v", name, report.Findings())
		require.Equal(t, tt.want == "", report.Verified(), name)
		_, ok := report.Record()
		require.Equal(t, tt.want == "", ok, name)
	}
	r := fullRecord(t)
	_, err := r.Sign(t.Context(), privateKey(t, recorder), vc.SignOptions{Method: method(recorder), Created: noon.Add(-5 * time.Minute)})
	require.NoError(t, err)
	_, err = r.Sign(t.Context(), privateKey(t, recorder), vc.SignOptions{Method: method(recorder), Created: noon.Add(-5*time.Minute - second)})
	require.ErrorContains(t, err, "after this signature")
}

// TestDamagedRecords: a signed record with any member changed is refused, and the
// comparison of records finds every change that makes another record.
func TestDamagedRecords(t *testing.T) {
	t.Parallel()
	r := fullRecord(t)
	r.Checks = append(r.Checks[:2:2], r.Checks[len(r.Checks)-1]) // the others are alike
	r.ActorChecks = r.ActorChecks[len(r.ActorChecks)-2:]
	signed := signRecord(t, r, vc.SignOptions{Created: noon})
	for _, member := range []string{ // none is left out of what is damaged
		"engine", "code", "reason", "actor", "leafAssignee", "namedPolicies", "protocol", "intent", "actorChain", "actorReason", "actorPhase",
		"actorCode", "revocationDocuments", "statusUnreachable", "claimedAgent", "attributes", "memberOf", "blockingDuties", "assertedDateTime",
		"withoutActor", "documentReference", "canonicalDigests", "requireDuties", "policyDigest", "credentialDigest", "status", "datatype", "target",
		"presentation", "holder", "challenge", "domain", "exchange", "actorChecks",
	} {
		require.Contains(t, string(signed), `"`+member+`":`)
	}
	values, octets := 3, 31 // one proof covers all octets in the same way
	if testing.Short() {
		values, octets = 15, 331
	}
	refused, same, parsed := 0, 0, 0
	for change, damaged := range damage.Concat(damage.Every(values, damage.Values(signed)), damage.Every(octets, damage.Bytes(signed))) {
		report := verifyRecord(t, damaged, party(recorder))
		other, _, err := authz.ParseRecord(damaged)
		if report.Verified() {
			same++
			require.NoError(t, err, change)
			differ, err := r.Differences(other)
			require.NoError(t, err)
			require.Empty(t, differ, change)
			continue
		}
		refused++
		require.Contains(t, []vc.Code{
			vc.CodeMalformed, vc.CodeNoProof, vc.CodeInvalidSignature, vc.CodeUnknownCryptosuite, vc.CodeProofPurposeMismatch, vc.CodeIssuerMismatch,
		}, report.Code(), change)
		if err != nil || change.Pointer == "" || strings.HasPrefix(change.Pointer, "/proof") {
			continue
		}
		parsed++
		differ, err := r.Differences(other)
		require.NoError(t, err)
		require.NotEmpty(t, differ, change)
		for _, d := range differ {
			require.True(t, strings.HasPrefix(change.Pointer, d.Pointer) || strings.HasPrefix(d.Pointer, change.Pointer), "%s: %s", change, d.Pointer)
			require.NotEqual(t, d.Here, d.There)
		}
	}
	require.Greater(t, refused, 1500/values)
	require.Less(t, same, refused/50, "orders of members and white space alone")
	require.True(t, testing.Short() || parsed > 200, parsed)
}

// TestRerun: a decision that is made again from the same inputs has the same record, and
// the record of one that is made from other inputs differs where they do.
func TestRerun(t *testing.T) {
	t.Parallel()
	first := good(t).decide(t).Record()
	for name, tt := range map[string]struct {
		change func(s *setting)
		want   []string
	}{
		"the same":        {func(*setting) {}, nil},
		"a later time":    {func(s *setting) { s.request.Now = noon.Add(1) }, []string{"/evaluatedAt"}},
		"another binding": {func(s *setting) { s.config.Binding = authz.InsecureBindingPresented }, []string{"/settings/binding"}},
		"another gate": {func(s *setting) {
			s.config.Gates = map[string]delegation.Gate{odrlNS + "inform": delegation.Block}
		}, []string{"/settings/blockingDuties"}},
		"another attribute": {func(s *setting) {
			s.request.Asks[0].Attributes = map[string][]odrl.Value{"count": {odrl.Integer(1)}}
		}, []string{"/asks/0/attributes"}},
		"a revocation of another": {func(s *setting) { s.revokes("urn:x", "") }, []string{"/revokedPolicyConsulted/0", "/revocationDocuments"}},
		"another policy":          {func(s *setting) { s.hops[1].policy += "# x\n" }, []string{"/chain/1/policyDigest", "/chain/1/credentialDigest"}},
		"another action": {func(s *setting) { s.request.Asks[0].Action = "write" },
			[]string{"/decision", "/phase", "/hop", "/asks/0/action", "/code", "/reason"}},
	} {
		s := good(t)
		tt.change(s)
		second := s.decide(t).Record()
		differ, err := first.Differences(second)
		require.NoError(t, err)
		var got []string
		for _, d := range differ {
			if !strings.HasPrefix(d.Pointer, "/checks/") {
				got = append(got, d.Pointer)
			}
		}
		require.Equal(t, tt.want, got, name)
		one, err := first.Digest()
		require.NoError(t, err)
		other, err := second.Digest()
		require.NoError(t, err)
		require.Equal(t, len(differ) == 0, one.Equal(other), name)
		back, err := second.Differences(first)
		require.NoError(t, err)
		require.Len(t, back, len(differ), name)
	}
}

// TestPresentedRecord: whatever the decision, the record of a presentation says which
// presentation it was, who presented it and for which challenge, and has the checks of
// the actor's chain.
func TestPresentedRecord(t *testing.T) {
	t.Parallel()
	const challenge = "c-1"
	domain := []string{"https://b.example/", "https://b.example/"}
	presentation, policies := present(t, 4, 4, vc.Expected{Challenge: challenge, Domain: domain[:1]}, append(chain(0, 2), chain(2, 2)...)...)
	want := authz.Presented{
		Digest: canon.Sum(presentation).String(), Holder: party(4), Challenge: challenge, Domain: domain[:1], Exchange: "task-1",
	}
	for name, tt := range map[string]struct {
		change func(r *authz.Request, e *vc.Expected)
		code   authz.Code
		holder string
		inner  string // the phase that the actor's chain ended in
	}{
		"permitted":         {func(*authz.Request, *vc.Expected) {}, "", party(4), "complete"},
		"another challenge": {func(_ *authz.Request, e *vc.Expected) { e.Challenge = "c-2" }, "CHALLENGE_MISMATCH", "", ""},
		"another actor":     {func(r *authz.Request, _ *vc.Expected) { r.Actor = party(1) }, "HOLDER_UNVERIFIED", party(4), ""},
		"another root":      {func(r *authz.Request, _ *vc.Expected) { r.RootPrincipal = party(1) }, authz.CodeBindingMismatch, party(4), ""},
		"a revoked policy of the actor's chain": {func(r *authz.Request, _ *vc.Expected) { r.Revoked = []string{policy(3)} },
			authz.CodeIdentityComposition, party(4), "C"},
	} {
		s := good(t)
		r, e := s.request, vc.Expected{Challenge: challenge, Domain: domain}
		r.Actor, r.Exchange, r.Chain.Policies = "", "task-1", policies
		tt.change(&r, &e)
		var kept authz.Record
		d, err := s.authorizer(t).AuthorizePresentationRecorded(t.Context(), r, presentation, e, func(r authz.Record) error { kept = r; return nil })
		require.NoError(t, err, name)
		require.Equal(t, tt.code, d.Code, "%s: %s", name, d)
		consistent(t, d)
		want := want
		want.Holder, want.Challenge = tt.holder, e.Challenge
		require.Equal(t, &want, kept.Presentation, name)
		require.Equal(t, tt.inner != "", len(kept.ActorChecks) > 0, name)
		if tt.inner != "" {
			last := kept.ActorChecks[len(kept.ActorChecks)-1]
			require.Equal(t, []any{tt.inner == "complete", kept.ActorCode}, []any{last.OK, last.Code}, name)
			if !last.OK {
				require.Equal(t, []any{authz.PhaseC, "AZ-3.20", 1}, []any{last.Phase, last.Step, last.Hop}, name)
			}
		}
		again, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, e)
		require.NoError(t, err)
		differ, err := kept.Differences(again.Record())
		require.NoError(t, err)
		require.Empty(t, differ, name)
		e.Domain = []string{"https://a.example/"}
		other, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, e)
		require.NoError(t, err)
		differ, err = kept.Differences(other.Record())
		require.NoError(t, err)
		require.NotEmpty(t, differ, name)
	}
	s := good(t)
	d, err := s.authorizer(t).AuthorizePresentationRecorded(t.Context(), s.request, presentation, vc.Expected{Challenge: challenge, Domain: domain}, func(authz.Record) error { return errors.New("full") })
	require.Error(t, err)
	require.False(t, d.Authorized())
}

// TestRecord: every decision has a record, and nothing is authorized without keeping it.
func TestRecord(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.acts(5, chain(3, 2))
	s.hops[2].insert(duty("inform"))
	s.request.Revoked = []string{"urn:other"}
	s.request.Protocol, s.request.Intent = canon.Sum([]byte("p")), canon.Sum([]byte("i"))
	s.request.Policies = []string{policy(1)}
	s.request.Asks[0].Attributes = map[string][]odrl.Value{"purpose": {odrl.Text("urn:why")}, "count": {odrl.Integer(1)}}
	s.hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
	s.verifier.Documents = statusList(t, 1, "revocation", 8)
	d := s.decide(t)
	require.True(t, d.Authorized(), d.String())
	text, err := d.Record().JSON()
	require.NoError(t, err)
	for _, want := range []string{
		`"version":1,"evaluatedAt":"2026-08-01T12:00:00Z","decision":"permit","phase":"complete","hop":-1,"rootPrincipal":"` + party(0) + `"`,
		`"actor":"` + party(5) + `"`, `"leafAssignee":"` + party(3) + `"`, `"action":"http://www.w3.org/ns/odrl/2/read"`,
		`"attributes":[{"name":"count","values":[{"value":"1","kind":"number"}]},{"name":"purpose","values":[{"value":"urn:why","kind":"text"}]}]`,
		`"settings":{"binding":"required","maxPolicies":8}`,
		`"protocol":"` + s.request.Protocol.String() + `"`, `"policyDigest":"` + canon.Sum([]byte(s.hops[0].policy)).String() + `"`,
		`"binding":"reference"`, `"list":"` + listURL + `"`, `"index":"7"`, `"revokedPolicyConsulted":["urn:other"]`, `"fulfilled":false`,
		`"actorPhase":"complete"`, `"policyIntegrityProvisional":false`,
	} {
		require.Contains(t, string(text), want)
	}
	iri, err := d.Record().IRI()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(iri, "ni:///sha-256;"))
	graph, err := d.Record().Dataset()
	require.NoError(t, err)
	for _, want := range [][2]string{
		{odrld + "decision", "permit"}, {"http://www.w3.org/ns/prov#wasAttributedTo", party(0)}, {"http://www.w3.org/ns/prov#actedOnBehalfOf", party(1)},
		{"http://www.w3.org/ns/prov#hadPlan", policy(2)}, {odrld + "requestPurpose", "urn:why"}, {"https://w3id.org/jeswr/accountable-agent#actor", party(5)},
	} {
		found := false
		for q := range graph.Default().Predicate(graph.LookupIRI(want[0])).Quads() {
			found = found || graph.Value(q.O) == want[1]
		}
		require.True(t, found, want)
	}

	// The same inputs give the same record; other inputs have other digests.
	again := s.decide(t)
	first, err := d.Record().Digest()
	require.NoError(t, err)
	second, err := again.Record().Digest()
	require.NoError(t, err)
	require.Equal(t, first, second)
	s.request.Asks[0].Action = "write"
	other, err := s.decide(t).Record().Digest()
	require.NoError(t, err)
	require.NotEqual(t, first, other)

	// Nothing is authorized when the record is not kept.
	s = good(t)
	kept := 0
	e, err := s.authorizer(t).AuthorizeRecorded(t.Context(), s.prepare(t), func(authz.Record) error { kept++; return nil })
	require.NoError(t, err)
	require.True(t, e.Authorized())
	require.Equal(t, 1, kept)
	e, err = s.authorizer(t).AuthorizeRecorded(t.Context(), s.prepare(t), func(authz.Record) error { return errors.New("the disk is full") })
	require.Error(t, err)
	require.False(t, e.Authorized())
}
