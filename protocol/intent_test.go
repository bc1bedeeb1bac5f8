package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/protocol"
)

func TestProject(t *testing.T) {
	t.Parallel()
	const about = ` schema:object <https://a/o> ; schema:recipient <https://a/r> ; a2a:mode acl:Read`
	for _, row := range []struct {
		name, body string
		want       protocol.Intent
	}{
		{"grant", "ex:i a a2a:Intent ; a2a:action [ a a2a:GrantAction ;" + about + ", acl:Control ] .", protocol.Intent{ID: "https://example.org/i", Verb: protocol.VerbGrant, Target: "https://a/o", Recipient: "https://a/r", Modes: protocol.ModeRead | protocol.ModeControl}},
		{"a blank node", "[] a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object <https://a/o> ] .", protocol.Intent{Verb: protocol.VerbRead, Target: "https://a/o"}},
		{"list", "ex:i a a2a:Intent ; a2a:action ex:a . ex:a a a2a:ListAction ; schema:target <https://a/c/> .", protocol.Intent{ID: "https://example.org/i", Verb: protocol.VerbList, Target: "https://a/c/"}},
		{"query without a target", "ex:i a a2a:Intent ; a2a:action [ a a2a:QueryAction ] .", protocol.Intent{ID: "https://example.org/i", Verb: protocol.VerbQuery}},
		{"another class beside", "ex:i a a2a:Intent ; a2a:action [ a schema:DeleteAction, ex:Thing ; schema:object <https://a/o> ] .", protocol.Intent{ID: "https://example.org/i", Verb: protocol.VerbDelete, Target: "https://a/o"}},
		{"agent of the action", "ex:i a a2a:Intent ; a2a:action [ a a2a:QueryAction ; schema:agent ex:me ] .", protocol.Intent{ID: "https://example.org/i", Verb: protocol.VerbQuery, Agent: "https://example.org/me"}},
		{"agent of the intent", "ex:i a a2a:Intent ; schema:agent ex:me ; a2a:action [ a a2a:QueryAction ] .", protocol.Intent{ID: "https://example.org/i", Verb: protocol.VerbQuery, Agent: "https://example.org/me"}},
		{"parameters in order", `ex:i a a2a:Intent ; a2a:action [ a a2a:QueryAction ] ; a2a:parameter [ a2a:paramKey "b" ; a2a:paramValue "2" ], [ a2a:paramKey "b" ; a2a:paramValue "1" ], [ a2a:paramKey "a" ; a2a:paramValue "" ] .`, protocol.Intent{ID: "https://example.org/i", Verb: protocol.VerbQuery, Parameters: []protocol.Parameter{{Key: "a"}, {Key: "b", Value: "1"}, {Key: "b", Value: "2"}}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := graph(t, row.body)
			node, n := protocol.Intents(d)
			require.Equal(t, 1, n)
			got, err := protocol.Project(d, node)
			require.NoError(t, err)
			require.Equal(t, row.want, got)
		})
	}
}

func TestProjectRefuses(t *testing.T) {
	t.Parallel()
	action := func(s string) string { return "ex:i a a2a:Intent ; a2a:action [ " + s + " ] ." }
	grant := func(s string) string { return action("a a2a:GrantAction ; schema:object <a:o> ; " + s) }
	parameter := func(s string) string {
		return "ex:i a a2a:Intent ; a2a:action [ a a2a:QueryAction ] ; a2a:parameter " + s + " ."
	}
	for _, row := range []struct{ name, body, want string }{
		{"no action", "ex:i a a2a:Intent .", "expected one action, found 0"},
		{"two actions", "ex:i a a2a:Intent ; a2a:action [ a a2a:QueryAction ], [ a a2a:QueryAction ] .", "expected one action, found 2"},
		{"no class", action("schema:object <a:o>"), "classes of actions, found 0"},
		{"a class of one's own", action("a ex:Pay"), "classes of actions, found 0"},
		{"a literal class", action(`a "https://schema.org/ReadAction"`), "classes of actions, found 0"},
		{"two classes", action("a schema:ReadAction, schema:DeleteAction"), "classes of actions, found 2"},
		{"an action that is a literal", `ex:i a a2a:Intent ; a2a:action "read" .`, "classes of actions, found 0"},
		{"two targets", action("a schema:ReadAction ; schema:object <a:o>, <a:p>"), "at most one target"},
		{"a literal target", action(`a schema:ReadAction ; schema:object "o"`), "expected an IRI for target"},
		{"a blank target", action(`a schema:ReadAction ; schema:object []`), "expected an IRI for target"},
		{"a target of a list for another verb", action("a schema:ReadAction ; schema:target <a:o>"), "expected no schema:target"},
		{"a target of another verb for a list", action("a a2a:ListAction ; schema:object <a:o>"), "expected no schema:object"},
		{"two recipients", grant("schema:recipient <a:r>, <a:s>"), "at most one recipient"},
		{"a mode that is none of the four", grant("a2a:mode <urn:not-acl>"), "expected a mode of"},
		{"a mode beside", grant("a2a:mode acl:Read, <urn:not-acl>"), "expected a mode of"},
		{"a literal mode", grant(`a2a:mode "http://www.w3.org/ns/auth/acl#Read"`), "expected an IRI for a mode"},
		{"a mode for another verb", action("a schema:ReadAction ; a2a:mode acl:Read"), "expected no mode"},
		{"a recipient for another verb", action("a schema:ReadAction ; schema:recipient <a:r>"), "expected no recipient"},
		{"two agents", action("a a2a:QueryAction ; schema:agent <a:x>, <a:y>"), "at most one agent"},
		{"another agent of the intent", "ex:i a a2a:Intent ; schema:agent <a:x> ; a2a:action [ a a2a:QueryAction ; schema:agent <a:y> ] .", "expected one agent"},
		{"a parameter without a key", parameter(`[ a2a:paramValue "1" ]`), "expected one key"},
		{"a parameter without a value", parameter(`[ a2a:paramKey "a" ]`), "expected one value"},
		{"a parameter with two values", parameter(`[ a2a:paramKey "a" ; a2a:paramValue "1", "2" ]`), "expected one value"},
		{"a parameter with two keys", parameter(`[ a2a:paramKey "a", "b" ; a2a:paramValue "1" ]`), "expected one key"},
		{"a value that is a number", parameter(`[ a2a:paramKey "a" ; a2a:paramValue 1 ]`), "expected a plain string"},
		{"a value with a language", parameter(`[ a2a:paramKey "a" ; a2a:paramValue "1"@en ]`), "expected a plain string"},
		{"a parameter that is a literal", parameter(`"a=1"`), "expected one key"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := graph(t, row.body)
			node, n := protocol.Intents(d)
			require.Equal(t, 1, n)
			got, err := protocol.Project(d, node)
			require.ErrorContains(t, err, "not projectable")
			require.ErrorContains(t, err, row.want)
			require.Zero(t, got.Verb)
		})
	}
	_, err := protocol.Project(graph(t, "ex:i a a2a:Intent ."), mustIRI(t, "a:other"))
	require.Error(t, err)
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	i := mustIRI(t, "https://example.org/i")
	got, err := protocol.Policies(graph(t, "ex:i odrl:hasPolicy ex:b, ex:a ."), i)
	require.NoError(t, err)
	require.Equal(t, []string{"https://example.org/a", "https://example.org/b"}, got)
	got, err = protocol.Policies(graph(t, "ex:i a a2a:Intent ."), i)
	require.NoError(t, err)
	require.Empty(t, got)
	for _, bad := range []string{`"https://example.org/a"`, "[]", `ex:a, "b"`} {
		_, err = protocol.Policies(graph(t, "ex:i odrl:hasPolicy "+bad+" ."), i)
		require.Error(t, err, bad)
	}
}

func TestIntentGraphRefuses(t *testing.T) {
	t.Parallel()
	good := protocol.Intent{ID: "urn:i", Verb: protocol.VerbRead, Target: "a:o"}
	_, err := good.Graph()
	require.NoError(t, err)
	for name, change := range map[string]func(*protocol.Intent){
		"no verb":            func(in *protocol.Intent) { in.Verb = 0 },
		"unknown verb":       func(in *protocol.Intent) { in.Verb = 10 },
		"no IRI":             func(in *protocol.Intent) { in.ID = "" },
		"relative IRI":       func(in *protocol.Intent) { in.ID = "i" },
		"target with spaces": func(in *protocol.Intent) { in.Target = "https://a/b c" },
		"target with a >":    func(in *protocol.Intent) { in.Target = "https://a/> <a:p> <a:o" },
		"relative agent":     func(in *protocol.Intent) { in.Agent = "me" },
		"recipient of read":  func(in *protocol.Intent) { in.Recipient = "a:r" },
		"modes of read":      func(in *protocol.Intent) { in.Modes = protocol.ModeRead },
		"unknown mode":       func(in *protocol.Intent) { in.Verb, in.Modes = protocol.VerbGrant, 1<<7 },
		"text not UTF-8":     func(in *protocol.Intent) { in.Parameters = []protocol.Parameter{{Key: "\xff"}} },
	} {
		in := good
		change(&in)
		_, err := in.Graph()
		require.Error(t, err, name)
	}
}

func TestVerbs(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, v := range protocol.Verbs() {
		got, ok := protocol.ParseVerb(v.String())
		require.True(t, ok)
		require.Equal(t, v, got)
		require.NotEmpty(t, v.Class())
		require.False(t, seen[v.Class()])
		seen[v.Class()] = true
	}
	require.Len(t, seen, 9)
	for _, bad := range []string{"", "none", "Read", "pay"} {
		_, ok := protocol.ParseVerb(bad)
		require.False(t, ok, bad)
	}
	require.Equal(t, "none", protocol.Verb(0).String())
	require.Equal(t, "none", protocol.Verb(200).String())
	require.Empty(t, protocol.Verb(0).Class())
	require.Equal(t, "Read, Append", (protocol.ModeRead | protocol.ModeAppend).String())
	_, err := protocol.StockRequest(0)
	require.Error(t, err)
	_, err = protocol.StockResponse("not an IRI", "")
	require.Error(t, err)
	_, err = protocol.StockResponse("a:C", "relative")
	require.Error(t, err)
}
