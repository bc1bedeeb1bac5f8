package authz_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// TestIntent has intents and what they ask for (section 8).
func TestIntent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   protocol.Intent
		want string
	}{
		{protocol.Intent{Verb: protocol.VerbRead}, "read"},
		{protocol.Intent{Verb: protocol.VerbCreate}, "write"},
		{protocol.Intent{Verb: protocol.VerbUpdate}, "modify"},
		{protocol.Intent{Verb: protocol.VerbDelete}, "delete"},
		{protocol.Intent{Verb: protocol.VerbAppend}, "append"},
		{protocol.Intent{Verb: protocol.VerbList}, "read"},
		{protocol.Intent{Verb: protocol.VerbQuery}, "read"},
		{protocol.Intent{Verb: protocol.VerbSubscribe}, "use"},
		{protocol.Intent{Verb: protocol.VerbGrant}, "control"},
		{protocol.Intent{Verb: protocol.VerbGrant, Recipient: party(5), Modes: protocol.ModeRead | protocol.ModeWrite | protocol.ModeControl}, "control read write"},
		{protocol.Intent{Verb: protocol.VerbGrant, Modes: protocol.ModeAppend}, "control append"},
	} {
		tt.in.ID, tt.in.Target = "urn:i", target
		own := map[string][]odrl.Value{"purpose": {odrl.Text("urn:why")}}
		asks, err := authz.Asks(tt.in, own)
		require.NoError(t, err)
		var got []string
		for _, ask := range asks {
			got = append(got, ask.Action)
			require.Equal(t, target, ask.Target)
			require.Empty(t, ask.Agent)
			require.Equal(t, own["purpose"], ask.Attributes["purpose"])
			require.Equal(t, tt.in.Recipient != "", len(ask.Attributes["recipient"]) == 1)
		}
		require.Equal(t, tt.want, strings.Join(got, " "))
		require.Len(t, own, 1)

		graph, err := tt.in.Graph()
		require.NoError(t, err)
		read, err := authz.ReadIntent(graph, intentOf(t, graph), own)
		require.NoError(t, err)
		require.Equal(t, asks, read.Asks)
		require.Empty(t, read.Policies)
	}
	_, err := authz.Asks(protocol.Intent{Verb: protocol.VerbRead}, nil)
	require.Error(t, err)
	_, err = authz.Asks(protocol.Intent{Target: target}, nil)
	require.Error(t, err)

	const text = `@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix schema: <https://schema.org/> . @prefix odrl: <http://www.w3.org/ns/odrl/2/> .
<urn:i> a a2a:Intent ; a2a:action <urn:a> . <urn:a> a schema:ReadAction ; schema:object <` + target + `> ; schema:agent <urn:me> . `
	for more, want := range map[string]string{
		"<urn:i> odrl:hasPolicy <urn:p>, <urn:q> .": "",
		"<urn:a> odrl:hasPolicy <urn:p> .":          "on the intent alone",
		"<" + target + "> odrl:hasPolicy <urn:p> .": "on the intent alone",
		`<urn:i> odrl:hasPolicy "p" .`:              "expected an IRI",
		"<urn:i> odrl:hasPolicy [] .":               "expected an IRI",
		"<urn:a> a schema:DeleteAction .":           "one of the nine classes",
		"<urn:a> a <urn:Wipe> .":                    "one class, found 2", // which another reader may act on
		"<urn:a> schema:object <urn:o> .":           "at most one target",
	} {
		d, err := turtle.Parse([]byte(text+more), turtle.Options{})
		require.NoError(t, err)
		in, err := authz.ReadIntent(d, intentOf(t, d), nil)
		if want != "" {
			require.ErrorContains(t, err, want)
			require.Empty(t, in.Asks)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []string{"urn:p", "urn:q"}, in.Policies)
		require.Equal(t, "urn:me", in.Agent)
	}
}

// intentOf returns the one intent of a graph.
func intentOf(t testing.TB, d *rdf.Dataset) rdf.Term {
	t.Helper()
	for q := range d.Default().Subjects(d.LookupIRI(rdfNS+"type"), d.LookupIRI("https://w3id.org/jeswr/a2a#Intent")).Quads() {
		return d.Term(q.S)
	}
	t.Fatal("no intent")
	return rdf.Term{}
}

// TestGrant: nobody can grant more than it holds (AZ-8.2).
func TestGrant(t *testing.T) {
	t.Parallel()
	for mode, want := range map[protocol.Modes]bool{
		protocol.ModeRead: true, protocol.ModeWrite: false, protocol.ModeRead | protocol.ModeWrite: false, protocol.ModeControl: true, 0: true,
	} {
		s := good(t)
		for _, h := range s.hops {
			h.insert("odrl:permission [ odrl:action <http://www.w3.org/ns/auth/acl#Control> ; odrl:target <" + target + "> ]")
		}
		var err error
		s.request.Asks, err = authz.Asks(protocol.Intent{Verb: protocol.VerbGrant, Target: target, Recipient: party(5), Modes: mode}, nil)
		require.NoError(t, err)
		d := s.decide(t)
		require.Equal(t, want, d.Authorized(), "%s: %s", mode, d)
	}
}

// TestMapping: a Mapping reads intents of a Protocol Document of one's own (AZ-8.1).
func TestMapping(t *testing.T) {
	t.Parallel()
	m := authz.Mapping{Actions: map[string]authz.ActionMapping{
		"urn:Print": {Action: "use", Target: "urn:what", Attributes: map[string]string{"purpose": "urn:why", odrlNS + "spatial": "urn:where"}},
		"urn:Burn":  {Action: "delete", Target: "urn:what"},
	}}
	const text = `@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix odrl: <http://www.w3.org/ns/odrl/2/> .
<urn:i> a a2a:Intent ; a2a:action <urn:a> . <urn:a> <urn:what> <urn:x>, <urn:y> ; <urn:why> <urn:fun> ; <urn:where> "there" ; <https://schema.org/agent> <urn:me> . `
	for more, want := range map[string]string{
		"<urn:a> a <urn:Print> . <urn:i> odrl:hasPolicy <urn:p> .":             "",
		"<urn:a> a <urn:Print>, <urn:Other> .":                                 "one class, found 2", // which another reader may act on
		"<urn:a> a <urn:Other> .":                                              "a class that is mapped",
		"<urn:a> a <urn:Print>, <urn:Burn> .":                                  "one class, found 2",
		`<urn:a> a <urn:Print> ; <urn:what> "x" .`:                             "an IRI for the target",
		"<urn:a> a <urn:Print> . <urn:i> a2a:action <urn:b> .":                 "found 2",
		"<urn:a> a <urn:Print> . <urn:i> <https://schema.org/agent> <urn:b> .": "at most one agent",
		"<urn:a> a <urn:Print> ; odrl:hasPolicy <urn:p> .":                     "on the intent alone",
	} {
		d, err := turtle.Parse([]byte(text+more), turtle.Options{})
		require.NoError(t, err)
		in, err := m.ReadIntent(d, intentOf(t, d), map[string][]odrl.Value{"spatial": {odrl.Text("here")}})
		if want != "" {
			require.ErrorContains(t, err, want)
			require.Empty(t, in.Asks)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "urn:me", in.Agent)
		require.Equal(t, []string{"urn:p"}, in.Policies)
		require.Len(t, in.Asks, 2)
		for i, target := range []string{"urn:x", "urn:y"} {
			require.Equal(t, "use", in.Asks[i].Action)
			require.Equal(t, target, in.Asks[i].Target)
			purpose := in.Asks[i].Attributes["purpose"]
			require.Len(t, purpose, 1)
			require.Equal(t, []any{"urn:fun", odrl.KindIRI}, []any{purpose[0].String(), purpose[0].Kind()})
			require.Equal(t, []odrl.Value{odrl.Text("here")}, in.Asks[i].Attributes["spatial"], "the receiver's own")
			require.NotContains(t, in.Asks[i].Attributes, odrlNS+"spatial")
		}
	}
}

// TestMappingCheck: no mapping lets a requester state what is the receiver's to state, and
// one that does not pass is refused with every intent (AZ-7.1).
func TestMappingCheck(t *testing.T) {
	t.Parallel()
	const here = "urn:C"
	d, err := turtle.Parse([]byte(`@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<urn:i> a a2a:Intent ; a2a:action [ a <`+here+`> ; <urn:what> <`+target+`> ; <urn:says> true ] .`), turtle.Options{})
	require.NoError(t, err)
	attribute := func(name string) authz.ActionMapping {
		return authz.ActionMapping{Action: "read", Target: "urn:what", Attributes: map[string]string{name: "urn:says"}}
	}
	rows := map[string]struct {
		mapping authz.ActionMapping
		want    string
	}{
		"no attributes":            {authz.ActionMapping{Action: odrlNS + "read", Target: "urn:what"}, ""},
		"no action":                {authz.ActionMapping{Target: "urn:what"}, "an action of the delegation profile"},
		"an unknown action":        {authz.ActionMapping{Action: "play", Target: "urn:what"}, "an action of the delegation profile"},
		"no target":                {authz.ActionMapping{Action: "read"}, "a property for the target"},
		"a property that is none":  {authz.ActionMapping{Action: "read", Target: "urn:what", Attributes: map[string]string{"purpose": "why"}}, "a property for purpose"},
		"an operand by both names": {authz.ActionMapping{Action: "read", Target: "urn:what", Attributes: map[string]string{"purpose": "urn:says", odrlNS + "purpose": "urn:says"}}, "one property for purpose"},
	}
	for _, name := range []string{"purpose", "spatial", "systemDevice", odrlNS + "purpose"} {
		rows[name] = struct {
			mapping authz.ActionMapping
			want    string
		}{attribute(name), ""}
	}
	for _, name := range []string{
		"fulfilled:inform", "fulfilled:" + odrlNS + "inform", "fulfilled:", "count", odrlNS + "count", "dateTime", odrlNS + "dateTime", "elapsedTime",
		odrlNS + "elapsedTime", "delegationDepth", "https://w3id.org/jeswr/odrl-delegation#delegationDepth", odrlNS + "fulfilled:inform",
		"payAmount", "Purpose", "http://www.w3.org/ns/odrl/purpose", "",
	} {
		rows["reserved or unknown: "+name] = struct {
			mapping authz.ActionMapping
			want    string
		}{attribute(name), "an attribute that a requester may state"}
	}
	for name, tt := range rows {
		m := authz.Mapping{Actions: map[string]authz.ActionMapping{here: tt.mapping}}
		_, err := m.ReadIntent(d, intentOf(t, d), nil)
		if tt.want == "" {
			require.NoError(t, m.Check(), name)
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, m.Check(), tt.want, name)
		require.ErrorContains(t, err, tt.want, name)
	}
	require.NoError(t, authz.Mapping{}.Check())
}

// TestMappedValues: what an action says of itself is one value, which is asked for.
func TestMappedValues(t *testing.T) {
	t.Parallel()
	m := authz.Mapping{Actions: map[string]authz.ActionMapping{
		"urn:C": {Action: "read", Target: "urn:what", Attributes: map[string]string{"purpose": "urn:why", "recipient": "urn:to"}},
	}}
	text := func(s string) []odrl.Value { return []odrl.Value{odrl.Text(s)} }
	many := func(n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf("<urn:t%d>", i))
		}
		return all
	}
	for name, tt := range map[string]struct {
		more    string
		own     map[string][]odrl.Value
		refused string
		want    string // the purposes of every ask
	}{
		"one":                           {more: "<urn:why> <urn:research>", want: "[urn:research]"},
		"none":                          {want: "[]"},
		"two, of which one may be fine": {more: "<urn:why> <urn:research>, <urn:marketing>", refused: "at most one purpose"},
		"one as an IRI and as a text":   {more: `<urn:why> <urn:research>, "urn:research"`, refused: "at most one purpose"},
		"a blank node":                  {more: "<urn:why> []", refused: "blank node"},
		"the receiver's own":            {more: "<urn:why> <urn:research>, <urn:marketing>", own: map[string][]odrl.Value{"purpose": text("urn:own")}, want: "[urn:own]"},
		"the receiver's own by its IRI": {more: "<urn:why> <urn:research>", own: map[string][]odrl.Value{odrlNS + "purpose": text("urn:own")}, want: "[]"},
		"the receiver's own, of none":   {more: "<urn:why> <urn:research>", own: map[string][]odrl.Value{"purpose": {}}, want: "[]"},
		"a recipient without a name":    {more: "<urn:to> []", refused: "recipient that is an IRI"},
		"two recipients":                {more: "<urn:to> <urn:r>, <urn:s>", refused: "at most one recipient"},
		"not the receiver's recipient":  {more: "<urn:to> <urn:r>", own: map[string][]odrl.Value{"recipient": text("urn:s")}, refused: "found another"},
		"a count of one target":         {own: map[string][]odrl.Value{"count": {odrl.Integer(1)}}, want: "[]"},
		"a count of two targets":        {more: "<urn:what> <urn:y>", own: map[string][]odrl.Value{"count": {odrl.Integer(1)}}, refused: "one target where a count is known"},
		"a count of two, by its IRI":    {more: "<urn:what> <urn:y>", own: map[string][]odrl.Value{odrlNS + "count": {odrl.Integer(1)}}, refused: "one target where a count is known"},
		"256 targets":                   {more: "<urn:what> " + strings.Join(many(255), ", "), want: "[]"},
		"257 targets":                   {more: "<urn:what> " + strings.Join(many(256), ", "), refused: "at most 256 actions"},
		"129 targets of two modes":      {more: "<urn:what> " + strings.Join(many(128), ", ") + " ; a2a:mode acl:Write", refused: "at most 256 actions"},
		"a long text":                   {more: `<urn:why> "` + strings.Repeat("x", 256) + `"`, want: "[" + strings.Repeat("x", 256) + "]"},
		"a text that is too long":       {more: `<urn:why> "` + strings.Repeat("x", 257) + `"`, refused: "at most 256 bytes"},
		"a count for two modes":         {more: "a2a:mode acl:Write", own: map[string][]odrl.Value{"count": {odrl.Integer(1)}}, want: "[]"},
	} {
		d, err := turtle.Parse([]byte(`@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix acl: <http://www.w3.org/ns/auth/acl#> .
<urn:i> a a2a:Intent ; a2a:action <urn:a> . <urn:a> a <urn:C> ; <urn:what> <`+target+`> ; `+tt.more+` .`), turtle.Options{})
		require.NoError(t, err, name)
		in, err := m.ReadIntent(d, intentOf(t, d), tt.own)
		if tt.refused != "" {
			require.ErrorContains(t, err, tt.refused, name)
			require.Empty(t, in.Asks, name)
			continue
		}
		require.NoError(t, err, name)
		require.NotEmpty(t, in.Asks, name)
		for _, ask := range in.Asks {
			require.Equal(t, tt.want, fmt.Sprint(ask.Attributes["purpose"]), name)
		}
	}
}

// TestLargestRecord: whatever an intent says within the limits, its record can be read again.
func TestLargestRecord(t *testing.T) {
	t.Parallel()
	long := func(scheme string, n int) string {
		return "<" + scheme + ":" + strings.Repeat("x", n-len(scheme)-1) + ">"
	}
	noise := `"` + strings.Repeat("\x01", 256) + `"` // six times as long in JSON
	m := authz.Mapping{Actions: map[string]authz.ActionMapping{"urn:C": {Action: "read", Target: "urn:what", Attributes: map[string]string{
		"purpose": "urn:why", "spatial": "urn:where", "systemDevice": "urn:by",
	}}}}
	for name, claim := range map[string]string{"texts": noise, "IRIs": long("urn", 2048)} {
		var b strings.Builder
		b.WriteString(`@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix s: <https://schema.org/> . <urn:i> a a2a:Intent ; a2a:action <urn:a> .
<urn:a> a <urn:C> ; <urn:why> ` + claim + ` ; <urn:where> ` + claim + ` ; <urn:by> ` + claim + ` ; s:recipient ` + long("urn", 2048))
		for i := range 256 {
			b.WriteString(" ; <urn:what> " + long(fmt.Sprintf("t%d", i), 800)) // 256 KiB in all
		}
		d, err := turtle.Parse([]byte(b.String()+" ."), turtle.Options{})
		require.NoError(t, err, name)
		s := good(t)
		in, err := m.ReadIntent(d, intentOf(t, d), nil)
		require.NoError(t, err, name)
		s.request.Asks = in.Asks
		require.Len(t, in.Asks, 256)
		r := s.decide(t).Record()
		text, err := r.JSON()
		require.NoError(t, err, name)
		require.Greater(t, len(text), 256<<10)
		_, _, err = authz.ParseRecord(text)
		require.NoError(t, err, name)
		require.True(t, verifyRecord(t, signRecord(t, r, vc.SignOptions{Created: noon}), party(recorder)).Verified(), name)

		// Of more, as the receiver itself may state, there is no record.
		for i := range in.Asks {
			in.Asks[i].Attributes["purpose"] = []odrl.Value{odrl.Text(strings.Repeat("x", 5<<20/256))}
		}
		d2, err := s.authorizer(t).Authorize(t.Context(), s.prepare(t))
		require.NoError(t, err)
		_, err = d2.Record().JSON()
		require.ErrorContains(t, err, "could not be read again")
	}
}

// TestOwnRecipient: an intent of a stock verb does not replace the recipient that the
// receiver knows.
func TestOwnRecipient(t *testing.T) {
	t.Parallel()
	in := protocol.Intent{ID: "urn:i", Verb: protocol.VerbGrant, Target: target, Recipient: party(5)}
	for _, name := range []string{"recipient", odrlNS + "recipient"} {
		own := func(iri string) map[string][]odrl.Value { return map[string][]odrl.Value{name: {odrl.Text(iri)}} }
		asks, err := authz.Asks(in, own(party(5)))
		require.NoError(t, err)
		require.Equal(t, own(party(5)), asks[0].Attributes)
		asks, err = authz.Asks(in, own(party(6)))
		require.ErrorContains(t, err, "found another one")
		require.Empty(t, asks)
	}
}

// TestMappedGrants: an action that a Mapping reads gives nobody a mode that its sender does
// not hold (AZ-8.2), and a prohibition to a party finds its recipient.
func TestMappedGrants(t *testing.T) {
	t.Parallel()
	const share, grant = "urn:Share", "https://w3id.org/jeswr/a2a#GrantAction"
	m := authz.Mapping{Actions: map[string]authz.ActionMapping{
		share: {Action: "control", Target: "urn:what", Attributes: map[string]string{"recipient": "urn:to"}},
		grant: {Action: "http://www.w3.org/ns/auth/acl#Control", Target: "urn:what"},
	}}
	own := func(name, iri string) map[string][]odrl.Value { return map[string][]odrl.Value{name: {odrl.Text(iri)}} }
	for _, tt := range []struct {
		name, class, more string
		own               map[string][]odrl.Value
		asks, recipient   string
		refused           string
	}{
		{name: "no mode", class: grant, asks: "Control"},
		{name: "modes", class: grant, more: "a2a:mode acl:Read, acl:Write", asks: "Control read write"},
		{name: "modes of another class", class: share, more: "a2a:mode acl:Append", asks: "control append"},
		{name: "the same as the action", class: grant, more: "a2a:mode acl:Control", asks: "Control"},
		{name: "an unknown mode", class: grant, more: "a2a:mode acl:Own", refused: "an access mode"},
		{name: "the text of a mode", class: share, more: `a2a:mode "http://www.w3.org/ns/auth/acl#Read"`, refused: "an access mode"},
		{name: "a recipient", class: grant, more: "schema:recipient <urn:r>", asks: "Control", recipient: "urn:r"},
		{name: "a recipient by another property", class: share, more: "<urn:to> <urn:r>", asks: "control", recipient: "urn:r"},
		{name: "by both", class: share, more: "<urn:to> <urn:r> ; schema:recipient <urn:r>", asks: "control", recipient: "urn:r"},
		{name: "by both, another", class: share, more: "<urn:to> <urn:r> ; schema:recipient <urn:s>", refused: "found another"},
		{name: "the receiver's own", class: grant, more: "schema:recipient <urn:r>", own: own("recipient", "urn:r"), asks: "Control", recipient: "urn:r"},
		{name: "not the receiver's own", class: grant, more: "schema:recipient <urn:r>", own: own("recipient", "urn:s"), refused: "found another"},
		{name: "not the receiver's own by its IRI", class: grant, more: "schema:recipient <urn:r>", own: own("http://www.w3.org/ns/odrl/2/recipient", "urn:s"), refused: "found another"},
		{name: "two recipients", class: grant, more: "schema:recipient <urn:r>, <urn:s>", refused: "at most one recipient"},
		{name: "a recipient that is a text", class: grant, more: `schema:recipient "urn:r"`, refused: "at most one recipient"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			more := tt.more
			if more != "" {
				more = "; " + more
			}
			d, err := turtle.Parse([]byte(`@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix acl: <http://www.w3.org/ns/auth/acl#> . @prefix schema: <https://schema.org/> .
<urn:i> a a2a:Intent ; a2a:action [ a <`+tt.class+`> ; <urn:what> <`+target+`> `+more+` ] .`), turtle.Options{})
			require.NoError(t, err)
			in, err := m.ReadIntent(d, intentOf(t, d), tt.own)
			if tt.refused != "" {
				require.ErrorContains(t, err, tt.refused)
				require.Empty(t, in.Asks)
				return
			}
			require.NoError(t, err)
			var got []string
			for _, ask := range in.Asks {
				got = append(got, strings.TrimPrefix(ask.Action, "http://www.w3.org/ns/auth/acl#"))
				require.Equal(t, target, ask.Target)
				if tt.recipient == "" {
					require.Empty(t, ask.Attributes["recipient"])
				} else {
					require.Len(t, ask.Attributes["recipient"], 1)
					require.Equal(t, tt.recipient, ask.Attributes["recipient"][0].String())
				}
			}
			require.Equal(t, tt.asks, strings.Join(got, " "))
		})
	}
}
