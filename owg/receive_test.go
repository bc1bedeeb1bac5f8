package owg_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

func inbound(t testing.TB, text string) owg.Inbound {
	t.Helper()
	h, err := owg.ParseHandOff([]byte(text), "", owg.Limits{})
	require.NoError(t, err)
	return owg.Inbound{HandOff: h, Caller: "urn:publisher:assistant", TaskID: "T1", ContextID: "c1", Now: noon()}
}

func TestReceive(t *testing.T) {
	t.Parallel()
	w := parse(t, file(t, "book-to-press.json"))
	r, err := w.Receive(inbound(t, file(t, "inbound.json")))
	require.NoError(t, err)
	require.True(t, r.Accepted())
	require.Empty(t, r.Findings)
	require.Equal(t, []string{"publisher_assistant"}, r.Chain)
	require.Equal(t, `{"task":"intake","performed_by":"press_agent","task_id":"T1","context_id":"c1","state":"submitted","caller":"urn:publisher:assistant",`+
		`"delegation":{"by":"publisher_assistant","scope":["read:manuscript","write:edition"],"expires_at":"2027-06-30T00:00:00Z"},"produced":["order"],"at":"2026-11-29T12:00:00Z"}`, string(r.Received.Append(nil)))
	data, err := owg.AppendReceived(nil, w, r.Received, owg.Limits{})
	require.NoError(t, err)
	again := record(t, string(data))
	require.Len(t, again.Received, 1)
	require.Equal(t, "book-to-press", again.Workflow)
	require.Equal(t, "order -> produced by press_agent -> delegated by publisher_assistant -> works for rights_desk (an organization, responsible: rights_lead)", trace(t, file(t, "book-to-press.json"), "order", again).Text())
	require.False(t, (&owg.Reception{}).Accepted())
	require.False(t, (*owg.Reception)(nil).Accepted())
}

// TestReceiveDecisions has a row for each way in which a hand-off does not start.
func TestReceiveDecisions(t *testing.T) {
	t.Parallel()
	text := file(t, "inbound.json")
	for _, row := range []struct {
		name  string
		edit  []change
		with  func(*owg.Inbound)
		state string
		code  owg.Code
		found []string
	}{
		{"accepted", nil, nil, owg.StateSubmitted, "", nil},
		{"an unknown caller", nil, func(in *owg.Inbound) { in.Caller = "urn:other" }, owg.StateRejected, owg.CodeCallerUnknown, nil},
		{"no caller", nil, func(in *owg.Inbound) { in.Caller = "" }, owg.StateRejected, owg.CodeCallerUnknown, nil},
		{"a participant's id is no identity", nil, func(in *owg.Inbound) { in.Caller = "publisher_assistant" }, owg.StateRejected, owg.CodeCallerUnknown, nil},
		{"a mapped caller", nil, func(in *owg.Inbound) {
			in.Caller, in.Participants = "spiffe://p/a", map[string]string{"spiffe://p/a": "publisher_assistant"}
		}, owg.StateSubmitted, "", nil},
		{"a caller that is mapped to nobody", nil, func(in *owg.Inbound) { in.Participants = map[string]string{in.Caller: "ghost"} }, owg.StateRejected, owg.CodeCallerUnknown, nil},
		{"a caller that may not order", nil, func(in *owg.Inbound) { in.Caller = "urn:press:agent" }, owg.StateRejected, owg.CodeIntakeUnknown, []string{"warning OWG_CALLER_CLAIM"}},
		{"a claim to be somebody else", []change{{"metadata.D.by", "rights_lead"}}, nil, owg.StateSubmitted, "", []string{"warning OWG_CALLER_CLAIM"}},
		{"another skill", []change{{"parts.0.data.owg.skill", "other"}}, nil, owg.StateRejected, owg.CodeSkillUnknown, nil},
		{"an intake that there is not", nil, func(in *owg.Inbound) { in.Task = "other" }, owg.StateRejected, owg.CodeIntakeUnknown, nil},
		{"the intake of somebody else", nil, func(in *owg.Inbound) { in.Task = "typeset" }, owg.StateRejected, owg.CodeIntakeUnknown, nil},
		{"a named intake", nil, func(in *owg.Inbound) { in.Task = "intake" }, owg.StateSubmitted, "", nil},
		{"a task without a delegator takes any caller", nil, func(in *owg.Inbound) { in.Task = "archive" }, owg.StateSubmitted, "", nil},
		{"lapsed", []change{{"metadata.D.expires_at", "2026-11-29T12:00:00Z"}}, nil, owg.StateRejected, owg.CodeDelegationExpired, nil},
		{"wider than the caller has", []change{{"metadata.D.scope", []any{"read:manuscript", "sell:edition"}}}, nil, owg.StateRejected, owg.CodeDelegationWidens, nil},
		{"no metadata", []change{{"metadata", gone{}}}, nil, owg.StateSubmitted, "", nil},
		{"a missing param", []change{{"parts.0.data.owg.inputs.copies", gone{}}}, nil, owg.StateInputRequired, owg.CodeParamMissing, nil},
		{"a param that is null", []change{{"parts.0.data.owg.inputs.copies", nil}}, nil, owg.StateInputRequired, owg.CodeParamMissing, nil},
		{"no inputs", []change{{"parts.0.data.owg.inputs", gone{}}}, nil, owg.StateInputRequired, owg.CodeParamMissing, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			changed := edit(t, strings.ReplaceAll(text, owg.DelegationKey, "D"), row.edit...)
			in := inbound(t, strings.ReplaceAll(changed, `"D"`, `"`+owg.DelegationKey+`"`))
			if row.with != nil {
				row.with(&in)
			}
			w := parse(t, file(t, "book-to-press.json"))
			r, err := w.Receive(in)
			require.NoError(t, err)
			require.Equal(t, row.state, r.State)
			require.Equal(t, row.code, r.Code)
			require.Equal(t, row.state == owg.StateSubmitted, r.Accepted())
			require.Equal(t, append([]string{}, row.found...), said(r.Findings))
			require.Equal(t, row.state, r.Received.State)
			require.Equal(t, r.Code == "", r.Reason == "")
			if row.found != nil {
				require.NotEmpty(t, r.Received.Claimed)
				require.NotEqual(t, r.Received.Claimed, r.Received.Delegation.By)
			}
			// Every decision can be recorded.
			data, err := owg.AppendReceived(nil, w, r.Received, owg.Limits{})
			require.NoError(t, err)
			require.Equal(t, string(r.Received.Append(nil)), string(record(t, string(data)).Received[0].Append(nil)))
		})
	}
	// Two participants with the same identity identify nobody.
	w := parse(t, edit(t, file(t, "book-to-press.json"), change{"participants.4.identity.id", "urn:publisher:assistant"}))
	r, err := w.Receive(inbound(t, text))
	require.NoError(t, err)
	require.Equal(t, owg.CodeCallerUnknown, r.Code)
	// With two intake tasks, none of them is taken.
	w = parse(t, edit(t, file(t, "book-to-press.json"), change{"tasks.4.delegation", map[string]any{"by": "publisher_assistant", "scope": []any{}, "expires_at": "2027-01-01T00:00:00Z"}}))
	r, err = w.Receive(inbound(t, text))
	require.NoError(t, err)
	require.Equal(t, owg.CodeIntakeUnknown, r.Code)
}

func TestReceiveErrors(t *testing.T) {
	t.Parallel()
	w := parse(t, file(t, "book-to-press.json"))
	in := inbound(t, file(t, "inbound.json"))
	in.Now = time.Time{}
	_, err := w.Receive(in)
	require.Equal(t, owg.CodeHandOff, codeOf(t, err))
	_, err = w.Receive(owg.Inbound{Now: noon(), Caller: "x"})
	require.Equal(t, owg.CodeHandOff, codeOf(t, err))
	for _, c := range []change{{"tasks.0.delegation.scope", []any{"all"}}, {"params", 1}} {
		r, err := parse(t, edit(t, file(t, "book-to-press.json"), c)).Receive(inbound(t, file(t, "inbound.json")))
		require.Contains(t, []owg.Code{owg.CodeDelegationWidens, owg.CodeCardSource}, codeOf(t, err))
		require.Nil(t, r)
	}
	in = inbound(t, file(t, "inbound.json"))
	in.HandOff.Inputs = []byte("[]")
	_, err = w.Receive(in)
	require.Equal(t, owg.CodeInputs, codeOf(t, err))
}

// TestParseHandOff: what Request writes is read again, in every form of message; what is
// not a hand-off is refused.
func TestParseHandOff(t *testing.T) {
	t.Parallel()
	w := parse(t, edit(t, file(t, "season.json"), change{"tasks.1.objective", "Dub it"}, change{"tasks.1.inputs", map[string]any{"n": 1}}, change{"tasks.1.delegation.expires_at", "2026-12-31T23:59:59Z"}))
	o := asking()
	o.DiscloseIdentity = true
	r, err := w.Request("dub", unsigned(t, file(t, "vendor-card.json")), o)
	require.NoError(t, err)
	for _, text := range [][]byte{r.Body, r.Params, r.Message} {
		h, err := owg.ParseHandOff(text, "", owg.Limits{})
		require.NoError(t, err)
		require.Equal(t, "dub", h.Task)
		require.Equal(t, "localize-dub", h.Skill)
		require.Equal(t, "season-one", h.Workflow)
		require.Equal(t, "Dub it", h.Objective)
		require.Equal(t, `{"n":1}`, string(h.Inputs))
		require.Equal(t, []string{"masters"}, h.Used)
		require.Equal(t, "urn:prodco:agent", h.Identity)
		require.Equal(t, "2026-12-31T23:59:59Z", h.Delegation.ExpiresAt)
		require.True(t, h.Delegation.Expired(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)))
		require.False(t, h.Delegation.Expired(noon()))
		h, err = owg.ParseHandOff(text, "https://other.example/", owg.Limits{})
		require.NoError(t, err)
		require.Nil(t, h.Delegation)
	}
	part := func(s string) string { return `{"parts":[{"data":{"owg":` + s + `}}]}` }
	const fine = `{"task":"t","skill":"s"}`
	for text, want := range map[string]owg.Code{
		``: owg.CodeJSONSyntax, `[]`: owg.CodeHandOff, `{}`: owg.CodeHandOff, `{"parts":[]}`: owg.CodeHandOff, `{"parts":[{"text":"hello"}]}`: owg.CodeHandOff,
		part(`[]`): owg.CodeHandOff, part(`{}`): owg.CodeHandOff, part(`{"task":"t"}`): owg.CodeHandOff, part(`{"task":"","skill":"s"}`): owg.CodeHandOff, part(`{"task":1,"skill":"s"}`): owg.CodeHandOff,
		part(`{"task":"t","skill":"s","used":"x"}`): owg.CodeHandOff, part(`{"task":"t","skill":"s","used":[1]}`): owg.CodeHandOff, part(`{"task":"t","skill":"s","inputs":[]}`): owg.CodeInputs,
		`{"parts":[{"data":{"owg":` + fine + `}},{"data":{"owg":` + fine + `}}]}`:                                      owg.CodeHandOff,
		`{"parts":[{"data":{"owg":` + fine + `}}],"metadata":{"` + owg.DelegationKey + `":[]}}`:                        owg.CodeHandOff,
		`{"parts":[{"data":{"owg":` + fine + `}}],"metadata":{"` + owg.DelegationKey + `":{"expires_at":"noon"}}}`:     owg.CodeTime,
		`{"parts":[{"data":{"owg":` + fine + `}}],"metadata":{"` + owg.DelegationKey + `":{"by":"a","expires":1}}}`:    owg.CodeDelegationMember,
		`{"parts":[{"data":{"owg":` + fine + `}}],"metadata":{"` + owg.DelegationKey + `":{"by":"a","Scope":[]}}}`:     owg.CodeDelegationMember,
		`{"parts":[{"data":{"owg":` + fine + `}}],"metadata":{"` + owg.DelegationKey + `":{"by":1}}}`:                  owg.CodeHandOff,
		`{"parts":[{"data":{"owg":` + fine + `}}],"metadata":{"` + owg.DelegationKey + `":{"scope":"all"}}}`:           owg.CodeHandOff,
		`{"parts":[{"data":{"owg":` + fine + `}}],"metadata":{"` + owg.DelegationKey + `":{"by":"a","by":"b"}}}`:       owg.CodeJSONDuplicate,
		`{"parts":[{"data":{"owg":` + fine + `}}],"metadata":{"` + owg.DelegationKey + `":{"identity":{"id":["u"]}}}}`: owg.CodeHandOff,
	} {
		h, err := owg.ParseHandOff([]byte(text), "", owg.Limits{})
		require.Equal(t, want, codeOf(t, err), text)
		require.Nil(t, h)
	}
}

// TestTwoMessages: a message that others may read differently is refused.
func TestTwoMessages(t *testing.T) {
	t.Parallel()
	const part = `"parts":[{"data":{"owg":{"task":"t","skill":"s"}}}]`
	for text, ok := range map[string]bool{
		`{` + part + `}`:                        true,
		`{"message":{` + part + `}}`:            true,
		`{"message":{` + part + `},"parts":[]}`: false,
		// A delegation stands in the metadata of the message and nowhere else.
		`{"message":{` + part + `,"metadata":{"` + owg.DelegationKey + `":{"by":"a"}}},"metadata":{"x":1}}`: true,
		`{"message":{` + part + `},"metadata":{"` + owg.DelegationKey + `":{"by":"a"}}}`:                    false,
		`{"jsonrpc":"2.0","params":{"message":{` + part + `},"metadata":{"` + owg.DelegationKey + `":{}}}}`: false,
		`{"parts":[{"data":{"owg":{"task":"t","skill":"s"}},"metadata":{"x":1}}]}`:                          true,
		`{"parts":[{"data":{"owg":{"task":"t","skill":"s"}},"metadata":{"` + owg.DelegationKey + `":{}}}]}`: false,
		`{"parts":[{"data":{"owg":{"task":"t","skill":"s","delegation":{"by":"a"}}}}]}`:                     false,
		`{"jsonrpc":"2.0","params":{"message":{` + part + `}}}`:                                             true,
		`{"jsonrpc":"2.0","params":{"message":{` + part + `}},` + part + `}`:                                false,
		`{"jsonrpc":"2.0","params":{"message":{` + part + `}},"message":{}}`:                                false,
	} {
		_, err := owg.ParseHandOff([]byte(text), "", owg.Limits{})
		if ok {
			require.NoError(t, err, text)
		} else {
			require.Equal(t, owg.CodeHandOff, codeOf(t, err), text)
		}
	}
}
