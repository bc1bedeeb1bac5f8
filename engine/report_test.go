package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestReportError: why a graph does not conform, on both sides and for both kinds.
func TestReportError(t *testing.T) {
	t.Parallel()
	c := &clock{at: noon}
	doc, answers := grant(t), read(t)
	docs := []*protocol.Reviewed{doc, answers}
	server := newSide(t, c, "alice", docs, func(c *engine.Config) {
		c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}, {Pin: answers.Pin(), Source: source}}
	})
	client := newSide(t, c, "bob", docs, nil)
	to := engine.To{Peer: bobToAlice}
	to.Peer.Accepts = accepted(t, doc.Pin())

	incomplete := strings.Replace(grantIntent, "schema:recipient <https://bob.example/profile#me> ;", "", 1)
	_, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: parse(t, incomplete)})
	refusedWith(t, protocol.CodeIntentInvalid, err)
	refused, ok := errors.AsType[*engine.ReportError](err)
	require.True(t, ok)
	require.Len(t, refused.Report.Results, 1)
	require.Equal(t, "<https://schema.org/recipient>: expected at least 1 value, found 0", refused.Error())
	require.ErrorContains(t, err, refused.Error())

	o := receive(t, server, aliceToBob, message("m-1", "ctx-1", payload("intent", doc.Pin().String(), incomplete, turtleMT)))
	require.Equal(t, protocol.CodeIntentInvalid, o.Code)
	require.Equal(t, refused.Error(), (&engine.ReportError{Report: o.Report}).Error())

	o = receive(t, server, aliceToBob, message("m-2", "ctx-1", payload("intent", answers.Pin().String(), readIntent, turtleMT)))
	require.Equal(t, engine.KindIntent, o.Kind, "%s", o.Trace)
	_, err = server.Respond(t.Context(), o.Intent, engine.Answer{Body: prefixes + `<urn:r> a a2a:Other .`, MediaType: turtleMT})
	refusedWith(t, protocol.CodeResponseInvalid, err)
	_, ok = errors.AsType[*engine.ReportError](err)
	require.False(t, ok, "no node was validated: there is no report to show")

	// A report of many results is cut, and says so.
	var many strings.Builder
	many.WriteString(prefixes + "<urn:a2a:intent:1> a a2a:Intent ; a2a:action [ a a2a:GrantAction")
	for i := range 9 {
		fmt.Fprintf(&many, " ; a2a:mode %d", i)
	}
	many.WriteString(" ] .")
	_, err = client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: parse(t, many.String())})
	require.True(t, errors.As(err, &refused))
	require.Equal(t, 3, strings.Count(refused.Error(), "; <"), refused.Error())
	require.Regexp(t, `; and \d+ more$`, refused.Error())

	require.NotEmpty(t, (&engine.ReportError{}).Error())
}
