package owg_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/owg"
)

func asking() owg.RequestOptions { return owg.RequestOptions{Now: noon(), MessageID: "m-1"} }

// TestRequest is the example of section C.6.
func TestRequest(t *testing.T) {
	t.Parallel()
	r, err := parse(t, file(t, "season.json")).Request("dub", unsigned(t, file(t, "vendor-card.json")), asking())
	require.NoError(t, err)
	const message = `{"messageId":"m-1","role":"ROLE_USER","parts":[{"data":{"owg":{"workflow":"season-one","task":"dub","skill":"localize-dub","used":["masters"],"produced":["dub_ep1"]}},"mediaType":"application/json"}],"metadata":{"https://rdfproto.example/owg-delegation/v1":{"by":"prodco_agent","scope":["read:masters"]}}}`
	const params = `{"message":` + message + `,"configuration":{"acceptedOutputModes":["application/json"],"returnImmediately":true}}`
	require.Equal(t, `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":`+params+`}`, string(r.Body))
	require.Equal(t, params, string(r.Params))
	require.Equal(t, message, string(r.Message))
	require.Equal(t, "https://agents.vendor.example/a2a", r.URL)
	require.Equal(t, "JSONRPC", r.Binding)
	require.Equal(t, []owg.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "A2A-Version", Value: "1.0"}}, r.Headers)
	require.Empty(t, r.Warnings)
	require.Equal(t, "not verified", r.Card.Outcome)
	require.Len(t, r.Card.SHA256, 64)
}

// TestRequestForms has the other rows of "Build".
func TestRequestForms(t *testing.T) {
	t.Parallel()
	base, c := file(t, "season.json"), file(t, "vendor-card.json")
	ask := func(card string, o owg.RequestOptions, changes ...change) string {
		r, err := parse(t, edit(t, base, changes...)).Request("dub", unsigned(t, card), o)
		require.NoError(t, err)
		return string(r.Body)
	}
	rest := strings.Replace(c, `"GRPC"`, `"HTTP+JSON"`, 1)
	rest = strings.Replace(rest, "grpc://agents.vendor.example", "https://agents.vendor.example/v1/", 1)
	r, err := parse(t, base).Request("dub", unsigned(t, rest), asking())
	require.NoError(t, err)
	require.Equal(t, "https://agents.vendor.example/v1/message:send", r.URL)
	require.Equal(t, "HTTP+JSON", r.Binding)
	require.Equal(t, "application/a2a+json", r.Headers[0].Value)
	require.Equal(t, string(r.Params), string(r.Body))

	tenant := strings.Replace(c, `"protocolBinding": "JSONRPC"`, `"protocolBinding": "JSONRPC", "tenant": "t/1"`, 1)
	require.Contains(t, ask(tenant, asking()), `"params":{"tenant":"t/1","message":`)
	modes := strings.Replace(c, `"tags": ["dubbing"]`, `"tags": ["dubbing"], "outputModes": ["audio/wav","text/plain"]`, 1)
	require.Contains(t, ask(modes, asking()), `"acceptedOutputModes":["audio/wav","text/plain"]`)

	o := asking()
	o.ID, o.ContextID, o.TaskID = "7", "c1", "9f"
	require.Contains(t, ask(c, o), `"id":"7","method":"SendMessage","params":{"message":{"messageId":"m-1","contextId":"c1","taskId":"9f","role":"ROLE_USER"`)
	o = asking()
	o.DelegationKey = "https://other.example/d"
	require.Contains(t, ask(c, o), `"metadata":{"https://other.example/d":{"by":"prodco_agent"`)
	o = asking()
	require.NotContains(t, ask(c, o), "urn:prodco:agent")
	o.DiscloseIdentity = true
	require.Contains(t, ask(c, o), `"scope":["read:masters"],"identity":{"id":"urn:prodco:agent"}}`)
	require.Contains(t, ask(c, asking(), change{"tasks.1.delegation.expires_at", "2026-12-31T23:59:59Z"}), `"expires_at":"2026-12-31T23:59:59Z"}`)
	require.Contains(t, ask(c, asking(), change{"tasks.1.objective", "Dub the first episode"}), `{"text":"Dub the first episode"}`)
	require.Contains(t, ask(c, asking(), change{"tasks.1.inputs", map[string]any{"language": "fr", "n": 1.50}}), `"inputs":{"language":"fr","n":1.5},"used"`)
	o.Inputs = []byte(`{"n": 1.50}`)
	require.Contains(t, ask(c, o), `"inputs":{"n": 1.50},"used"`, "unchanged")
	body := ask(c, asking(), change{"tasks.1.delegation", gone{}})
	require.NotContains(t, body, "metadata")
	require.NotContains(t, body, "exec", "nothing of other participants")
}

// TestRequestPreconditions: what must hold before a task is handed over.
func TestRequestPreconditions(t *testing.T) {
	t.Parallel()
	c := file(t, "vendor-card.json")
	const dub, season = "tasks.1.delegation", "tasks.0.delegation"
	both := []any{"read:masters", "write:deliverables"}
	other := func(old, new string) func(*owg.RequestOptions, *string) {
		return func(_ *owg.RequestOptions, c *string) { *c = strings.ReplaceAll(*c, old, new) }
	}
	under := func(d owg.Delegation) func(*owg.RequestOptions, *string) {
		return func(o *owg.RequestOptions, _ *string) { o.Under = &d }
	}
	for _, row := range []struct {
		name string
		task string
		edit []change
		with func(*owg.RequestOptions, *string)
		want owg.Code
	}{
		{"an unknown task", "mix", nil, nil, owg.CodeTaskUnknown},
		{"another executor", "dub", []change{{"tasks.1.executor.type", "mcp"}}, nil, owg.CodeNotA2A},
		{"an invalid workflow", "dub", []change{{season + ".by", "nobody"}}, nil, owg.CodeRefUnknown},
		{"an end that is not known", "dub", []change{{dub + ".valid_until", "2026-12-31T23:59:59Z"}}, nil, owg.CodeDelegationMember},
		{"an end that is not known on what led to it", "dub", []change{{season + ".expires", "2026-12-31T23:59:59Z"}}, nil, owg.CodeDelegationMember},
		{"wider than declared", "dub", []change{{dub + ".scope", both}}, nil, owg.CodeDelegationWidens},
		{"no card", "dub", []change{{"participants.2.agent_card", gone{}}}, nil, owg.CodeNoCard},
		{"expired", "dub", []change{{dub + ".expires_at", "2026-11-29T12:00:00Z"}}, nil, owg.CodeDelegationExpired},
		{"what led to it has expired", "dub", []change{{season + ".expires_at", "2026-11-29T12:00:00Z"}, {dub + ".expires_at", "2026-11-29T11:00:00Z"}}, nil, owg.CodeDelegationExpired},
		{"V-11b wider than received", "dub", []change{{"participants.1.identity", gone{}}, {season + ".scope", []any{"read:masters"}}, {dub + ".scope", both}}, nil, owg.CodeChainWidens},
		{"V-11b nothing was received", "dub", []change{{season + ".scope", gone{}}}, nil, owg.CodeChainWidens},
		{"V-11b longer than received", "dub", []change{{season + ".expires_at", "2026-12-01T00:00:00Z"}}, nil, owg.CodeDelegationOutlive},
		{"by nobody", "dub", []change{{dub + ".by", gone{}}}, nil, owg.CodeDelegationMissing},
		{"another skill", "dub", nil, other(`"localize-dub"`, `"other"`), owg.CodeSkillUnknown},
		{"no binding", "dub", nil, other(`"JSONRPC"`, `"JSONRPC2"`), owg.CodeNoInterface},
		{"a path cannot follow", "dub", nil, func(_ *owg.RequestOptions, c *string) {
			*c = strings.NewReplacer(`"JSONRPC"`, `"HTTP+JSON"`, `/a2a"`, `/a2a?x=1"`).Replace(*c)
		}, owg.CodeNoInterface},
		{"another version", "dub", nil, other(`"protocolVersion": "1.0"`, `"protocolVersion": "0.3"`), owg.CodeNoInterface},
		{"not over https", "dub", nil, other(`"https://agents.vendor.example/a2a"`, `"http://agents.vendor.example/a2a"`), owg.CodeNoInterface},
		{"inputs that are no object", "dub", []change{{"tasks.1.inputs", []any{}}}, nil, owg.CodeInputs},
		{"inputs of the caller", "dub", nil, func(o *owg.RequestOptions, _ *string) { o.Inputs = []byte(`1`) }, owg.CodeInputs},
		{"no time", "dub", nil, func(o *owg.RequestOptions, _ *string) { o.Now = time.Time{} }, owg.CodeHandOff},
		{"no message id", "dub", nil, func(o *owg.RequestOptions, _ *string) { o.MessageID = "" }, owg.CodeHandOff},
		{"the workflow received less", "dub", nil, under(owg.Delegation{By: "x", Scope: []string{"other"}, ScopeStated: true}), owg.CodeChainWidens},
		{"the workflow received it for less time", "dub", nil, under(owg.Delegation{By: "x", Scope: []string{"read:masters"}, ExpiresAt: "2026-12-01T00:00:00Z"}), owg.CodeDelegationOutlive},
		{"what the workflow received has lapsed", "dub", nil, under(owg.Delegation{By: "x", Scope: []string{"read:masters"}, ExpiresAt: "2026-11-01T00:00:00Z"}), owg.CodeDelegationExpired},
		{"as much as was received", "dub", nil, under(owg.Delegation{By: "x", Scope: []string{"read:masters"}}), ""},
		{"no delegation", "dub", []change{{dub, gone{}}}, nil, ""},
		{"another hop is none of this one's business", "dub", []change{{season + ".expires_at", "2026-12-01T00:00:00Z"}, {dub + ".expires_at", "2026-12-01T00:00:00Z"}}, nil, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			o, c := asking(), c
			if row.with != nil {
				row.with(&o, &c)
			}
			w := parse(t, edit(t, file(t, "season.json"), row.edit...))
			r, err := w.Request(row.task, unsigned(t, c), o)
			_, _, again := w.HandOff(row.task, o)
			if row.want == "" {
				require.NoError(t, err)
				require.NoError(t, again)
				return
			}
			require.Nil(t, r)
			require.Equal(t, row.want, codeOf(t, err))
			switch row.want {
			case owg.CodeSkillUnknown, owg.CodeNoInterface:
			default:
				if o.MessageID != "" {
					require.Equal(t, row.want, codeOf(t, again))
				}
			}
		})
	}
	_, err := parse(t, file(t, "season.json")).Request("dub", nil, asking())
	require.Equal(t, owg.CodeHandOff, codeOf(t, err))
	_, err = parse(t, file(t, "season.json")).Request("dub", &agentcard.Admitted{}, asking())
	require.Equal(t, owg.CodeHandOff, codeOf(t, err))
	o := asking()
	o.InsecureHTTP = true
	r, err := parse(t, file(t, "season.json")).Request("dub", unsigned(t, strings.ReplaceAll(c, "https://agents", "http://agents")), o)
	require.NoError(t, err)
	require.Equal(t, "http://agents.vendor.example/a2a", r.URL)
	r, err = parse(t, edit(t, file(t, "season.json"), change{dub, gone{}})).Request("dub", unsigned(t, c), asking())
	require.NoError(t, err)
	require.Equal(t, []string{"warning OWG_DELEGATION_MISSING /tasks/1"}, said(r.Warnings))
}

// TestRequestLeaks: nothing about other participants, executors or tasks is sent.
func TestRequestLeaks(t *testing.T) {
	t.Parallel()
	c := unsigned(t, file(t, "vendor-card.json"))
	for _, name := range []string{"exec", "org_studio", "urn:studio:exec", "agents.prodco.example", "produce-season", "season_package", "write:deliverables"} {
		for _, at := range []change{
			{"tasks.1.objective", "for " + name}, {"tasks.1.inputs", map[string]any{"a": []any{name}}}, {"tasks.1.inputs", map[string]any{name: 1}},
		} {
			_, err := parse(t, edit(t, file(t, "season.json"), at)).Request("dub", c, asking())
			require.Equal(t, owg.CodeRequestLeak, codeOf(t, err), "%s %v", name, at)
		}
		o := asking()
		o.Inputs = []byte(`{"a":"` + name + `"}`)
		_, err := parse(t, file(t, "season.json")).Request("dub", c, o)
		require.NoError(t, err, "the caller's own words")
	}
	for _, fine := range []string{"vendor_agent", "localize-dub", "dub_ep1", "masters", "read:masters", "prodco_agent", "org_vendor"} {
		_, err := parse(t, edit(t, file(t, "season.json"), change{"tasks.1.objective", "about " + fine})).Request("dub", c, asking())
		require.NoError(t, err, fine)
	}
}

// TestAdmitCard: which cards each policy admits.
func TestAdmitCard(t *testing.T) {
	t.Parallel()
	text := file(t, "vendor-card.json")
	key, err := agentcard.GenerateKey(agentcard.EdDSA, "k1", rand.Reader)
	require.NoError(t, err)
	signed, err := agentcard.Sign(card(t, text), key, agentcard.SignOptions{})
	require.NoError(t, err)
	set, err := key.KeySet()
	require.NoError(t, err)
	keys, err := agentcard.ParseKeySet(set, agentcard.Limits{})
	require.NoError(t, err)
	supplied := agentcard.Keys{Supplied: keys}
	const require1, prefer, ignore = agentcard.DemandVerified, agentcard.DemandIfSigned, agentcard.InsecureIgnoreSignatures
	for _, row := range []struct {
		name   string
		report *agentcard.Report
		demand agentcard.Demand
		ok     bool
		warned bool
	}{
		{"verified", verified(t, string(signed), supplied), require1, true, false},
		{"verified, preferred", verified(t, string(signed), supplied), prefer, true, false},
		{"unsigned, required", verified(t, text, supplied), require1, false, false},
		{"unsigned, preferred", verified(t, text, supplied), prefer, true, true},
		{"unsigned, ignored", verified(t, text, supplied), ignore, true, true},
		{"invalid, preferred", verified(t, strings.Replace(string(signed), "2.1.0", "2.1.1", 1), supplied), prefer, false, false},
		{"invalid, ignored", verified(t, strings.Replace(string(signed), "2.1.0", "2.1.1", 1), supplied), ignore, true, true},
		{"without the key, preferred", verified(t, string(signed), agentcard.Keys{}), prefer, false, false},
		{"not looked at", nil, ignore, false, false},
	} {
		a, found, err := owg.AdmitCard(row.report, row.demand)
		require.Equal(t, row.ok, err == nil, row.name)
		require.Equal(t, row.warned, len(found) == 1, row.name)
		if err != nil {
			require.Equal(t, owg.CodeCardUnverified, codeOf(t, err))
			require.Nil(t, a)
			continue
		}
		r, err := parse(t, file(t, "season.json")).Request("dub", a, asking())
		require.NoError(t, err)
		require.Equal(t, !row.warned, r.Card.Outcome == "verified", row.name)
	}
}
