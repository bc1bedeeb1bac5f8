package jsonld_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	table := contexts(t, map[string]string{"ex:c": `{"@context":{"p":"ex:p"}}`})
	const pinned = len(`{"@context":{"p":"https://e.example/p"}}`)
	nested := func(n int) string {
		return strings.Repeat(`{"ex:p":`, n) + `"v"` + strings.Repeat(`}`, n)
	}
	for _, tt := range []struct {
		name        string
		limits      rdf.Limits
		processing  jsonld.Limits
		within, one string // the second is one too many
		limit       rdf.LimitName
	}{
		{"bytes", rdf.Limits{Bytes: 20}, jsonld.Limits{}, `{"urn:p":"abcdefghi"}`[:0] + `{"urn:p":"abcdefgh"}`, `{"urn:p":"abcdefghi"}`, rdf.LimitBytes},
		{"quads", rdf.Limits{Quads: 2}, jsonld.Limits{}, `{"ex:p":["a","b"]}`, `{"ex:p":["a","b","c"]}`, rdf.LimitQuads},
		{"blank nodes", rdf.Limits{BlankNodes: 2}, jsonld.Limits{}, `{"ex:p":{}}`, `{"ex:p":[{},{}]}`, rdf.LimitBlankNodes},
		{"blank nodes of a list", rdf.Limits{BlankNodes: 2}, jsonld.Limits{}, `{"ex:p":{"@list":[1]}}`, `{"ex:p":{"@list":[1,2]}}`, rdf.LimitBlankNodes},
		{"blank nodes with labels", rdf.Limits{BlankNodes: 1}, jsonld.Limits{}, `{"@id":"_: ","ex:p":1}`, `[{"@id":"_: ","ex:p":1},{"@id":"_:/","ex:p":1}]`, rdf.LimitBlankNodes},
		{"IRI bytes", rdf.Limits{IRIBytes: 50}, jsonld.Limits{}, `{"urn:p":{"@id":"urn:` + strings.Repeat("x", 46) + `"}}`, `{"urn:p":{"@id":"urn:` + strings.Repeat("x", 47) + `"}}`, rdf.LimitIRIBytes},
		{"IRI bytes of a property", rdf.Limits{IRIBytes: 50}, jsonld.Limits{}, `{"urn:` + strings.Repeat("x", 46) + `":1}`, `{"urn:` + strings.Repeat("x", 47) + `":1}`, rdf.LimitIRIBytes},
		{"IRI bytes of a mapping", rdf.Limits{IRIBytes: 50}, jsonld.Limits{}, `{"@context":{"a":"urn:a:","b":"a:` + strings.Repeat("x", 44) + `"}}`, `{"@context":{"a":"urn:a:","b":"a:` + strings.Repeat("x", 45) + `"}}`, rdf.LimitIRIBytes},
		{"literal bytes", rdf.Limits{LiteralBytes: 5}, jsonld.Limits{}, `{"ex:p":"abcde"}`, `{"ex:p":"abcdef"}`, rdf.LimitLiteralBytes},
		{"literal bytes of JSON", rdf.Limits{LiteralBytes: 5}, jsonld.Limits{}, `{"ex:p":{"@type":"@json","@value":[1,2]}}`, `{"ex:p":{"@type":"@json","@value":[1,20]}}`, rdf.LimitLiteralBytes},
		{"nesting", rdf.Limits{Nesting: 5}, jsonld.Limits{}, nested(5), nested(6), rdf.LimitNesting},
		{"default nesting", rdf.Limits{}, jsonld.Limits{}, nested(64), nested(65), rdf.LimitNesting},
		{"terms that need each other", rdf.Limits{Nesting: 3}, jsonld.Limits{}, `{"@context":{"a":"b:","b":"c:","c":"urn:c:"}}`, `{"@context":{"a":"b:","b":"c:","c":"d:","d":"urn:d:"}}`, rdf.LimitNesting},
		{"term bytes", rdf.Limits{TermBytes: 100}, jsonld.Limits{}, `{"urn:p":"` + strings.Repeat("x", 50) + `"}`, `{"urn:p":"` + strings.Repeat("x", 100) + `"}`, rdf.LimitTermBytes},
		{"values", rdf.Limits{}, jsonld.Limits{Values: 4}, `{"ex:p":[1,2]}`, `{"ex:p":[1,2,3]}`, jsonld.LimitValues},
		{"members", rdf.Limits{}, jsonld.Limits{Members: 2}, `{"ex:p":1,"ex:q":2}`, `{"ex:p":1,"ex:q":2,"ex:r":3}`, jsonld.LimitMembers},
		{"contexts", rdf.Limits{}, jsonld.Limits{Contexts: 2}, `{"@context":[{},{}]}`, `{"@context":[{},{},null]}`, jsonld.LimitContexts},
		{"contexts in nodes", rdf.Limits{}, jsonld.Limits{Contexts: 2}, `[{"@context":{}},{"@context":{}},{"@context":{}},{"@context":[]},{"@context":{ }}]`, `[{"@context":{"a":"ex:a"}},{"@context":{"b":"ex:b"}},{"@context":{"c":"ex:c"}}]`, jsonld.LimitContexts},
		{"scoped contexts", rdf.Limits{}, jsonld.Limits{Contexts: 3}, `{"@context":{"p":{"@id":"ex:p","@context":{}}},"p":[1,2,3]}`, `{"@context":{"p":{"@id":"ex:p","@context":{}},"q":{"@id":"ex:q","@context":{}}},"p":1}`, jsonld.LimitContexts},
		{"context bytes", rdf.Limits{}, jsonld.Limits{ContextBytes: int64(pinned)}, `[{"@context":"ex:c"},{"@context":["ex:c"]}]`, `{"@context":["ex:c",{"a":"p:x","p":"u:"}]}`, jsonld.LimitContextBytes},
		{"term definitions", rdf.Limits{}, jsonld.Limits{Definitions: 3}, `{"@context":[{"a":"ex:a","b":"ex:b"},{"a":"ex:a"}]}`, `{"@context":[{"a":"ex:a","b":"ex:b"},{"a":"ex:a","c":"ex:c"}]}`, jsonld.LimitDefinitions},
		{"term definitions that are copied", rdf.Limits{}, jsonld.Limits{Definitions: 8}, `{"@context":[{"a":"ex:"},{"b":"ex:"},{"c":"ex:"},{"d":"ex:"},{"e":"ex:"},{"f":"ex:"}]}`,
			`{"@context":[{"a":"ex:"},{"b":"ex:"},{"c":"ex:"},{"d":"ex:"},{"e":"ex:"},{"f":"ex:"},{"g":"ex:"}]}`, jsonld.LimitDefinitions},
		{"expanded objects", rdf.Limits{}, jsonld.Limits{Elements: 3}, `{"ex:p":[1,2]}`, `{"ex:p":[1,2,3]}`, jsonld.LimitElements},
		{"ways to spell a long IRI", rdf.Limits{TermBytes: 3000}, jsonld.Limits{}, `{"@context":{"@base":"ex:` + strings.Repeat("x", 1000) + `/"},"ex:p":[{"@id":"a"},{"@id":"a"},{"@id":"./a"}]}`,
			`{"@context":{"@base":"ex:` + strings.Repeat("x", 1000) + `/"},"ex:p":[{"@id":"a"},{"@id":"./a"},{"@id":"././a"}]}`, rdf.LimitTermBytes},
		{"a long name of many nodes in a map", rdf.Limits{TermBytes: 3000}, jsonld.Limits{}, `{"@context":{"m":{"@id":"ex:m","@container":"@index","@index":"ex:i"}},"m":{"` + strings.Repeat("x", 1000) + `":[{},{},{}]}}`,
			`{"@context":{"m":{"@id":"ex:m","@container":"@index","@index":"ex:i"}},"m":{"` + strings.Repeat("x", 1000) + `":[{},{},{},{}]}}`, rdf.LimitTermBytes},
		{"a long IRI of many terms", rdf.Limits{}, jsonld.Limits{ContextBytes: 1000}, `{"@context":{"a":"ex:` + strings.Repeat("x", 300) + `","b":"a","c":{"@id":"ex:c","@type":"a"}}}`,
			`{"@context":{"a":"ex:` + strings.Repeat("x", 300) + `","b":"a","c":{"@id":"ex:c","@type":"a"},"d":"a"}}`, jsonld.LimitContextBytes},
		{"a long base of many", rdf.Limits{}, jsonld.Limits{ContextBytes: 1000}, `{"@context":[{"@base":"ex:` + strings.Repeat("x/", 200) + `"},{"@base":"a"},{"@base":"b"}]}`,
			`{"@context":[{"@base":"ex:` + strings.Repeat("x/", 200) + `"},{"@base":"a"},{"@base":"b"},{"@base":"c"}]}`, jsonld.LimitContextBytes},
		{"a long language of many strings", rdf.Limits{TermBytes: 3100}, jsonld.Limits{}, `{"@context":{"@language":"en` + strings.Repeat("-abcdefgh", 110) + `"},"ex:p":["","",""]}`,
			`{"@context":{"@language":"en` + strings.Repeat("-abcdefgh", 110) + `"},"ex:p":["","","",""]}`, rdf.LimitTermBytes},
		{"a long prefix of a name in many contexts", rdf.Limits{TermBytes: 3100}, jsonld.Limits{}, `{"@context":{"p":"ex:` + strings.Repeat("x", 1000) + `:"},"@graph":[{"p:1":1,"ex:p":1},{"p:1":1},{"@context":{"a":"ex:a"},"p:1":1},{"@context":{"b":"ex:b"},"p:1":1}]}`,
			`{"@context":{"p":"ex:` + strings.Repeat("x", 1000) + `:"},"@graph":[{"p:1":1,"ex:p":1},{"p:1":1},{"@context":{"a":"ex:a"},"p:1":1},{"@context":{"b":"ex:b"},"p:1":1},{"@context":{"c":"ex:c"},"p:1":1}]}`, rdf.LimitTermBytes},
		{"a long prefix of names within a typed node", rdf.Limits{TermBytes: 1000}, jsonld.Limits{}, `{"@context":{"T":{"@id":"ex:T","@context":{"p":"ex:` + strings.Repeat("x", 300) + `:"}}},"@id":"ex:s","@type":"T","ex:q":{"@id":"ex:o","p:1":1}}`,
			`{"@context":{"T":{"@id":"ex:T","@context":{"p":"ex:` + strings.Repeat("x", 300) + `:"}}},"@id":"ex:s","@type":"T","ex:q":{"@id":"ex:o","p:1":1,"p:2":1,"p:3":1,"p:4":1}}`, rdf.LimitTermBytes},
		{"a long datatype of a term in many contexts", rdf.Limits{TermBytes: 3100}, jsonld.Limits{}, `{"@context":{"p":{"@id":"ex:p","@type":"ex:` + strings.Repeat("x", 1000) + `"}},"@graph":[{"p":["1","2"]},{"@context":{"a":"ex:a"},"p":"1"},{"@context":{"b":"ex:b"},"p":"1"}]}`,
			`{"@context":{"p":{"@id":"ex:p","@type":"ex:` + strings.Repeat("x", 1000) + `"}},"@graph":[{"p":["1","2"]},{"@context":{"a":"ex:a"},"p":"1"},{"@context":{"b":"ex:b"},"p":"1"},{"@context":{"c":"ex:c"},"p":"1"}]}`, rdf.LimitTermBytes},
		{"a long scoped context, over other terms again", rdf.Limits{}, jsonld.Limits{ContextBytes: 3500}, `{"@context":{"p":{"@id":"ex:p","@context":{"@language":"en` + strings.Repeat("-abcdefgh", 110) + `"}}},"ex:q":[{"p":1},{"p":1},{"@context":{"a":"ex:a"},"p":1},{"@context":{"b":"ex:b"},"p":1}]}`,
			`{"@context":{"p":{"@id":"ex:p","@context":{"@language":"en` + strings.Repeat("-abcdefgh", 110) + `"}}},"ex:q":[{"@context":{"a":"ex:a"},"p":1},{"@context":{"b":"ex:b"},"p":1},{"@context":{"c":"ex:c"},"p":1},{"@context":{"d":"ex:d"},"p":1}]}`, jsonld.LimitContextBytes},
		{"what is no term", rdf.Limits{TermBytes: 120}, jsonld.Limits{}, `{"ex:p":{"@id":"` + strings.Repeat("x", 50) + `"}}`, `{"ex:p":[{"@id":"` + strings.Repeat("x", 80) + `"},{"@id":"` + strings.Repeat("y", 80) + `"}]}`, rdf.LimitTermBytes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := jsonld.Options{Limits: tt.limits, ProcessingLimits: tt.processing, Contexts: table, Lossy: true, File: "x.jsonld"}
			_, err := jsonld.Parse([]byte(expand.Replace(tt.within)), o)
			require.NoError(t, err)
			_, err = jsonld.Parse([]byte(expand.Replace(tt.one)), o)
			var e *rdf.LimitError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, tt.limit, e.Limit)
			assert.Positive(t, e.Max)
			assert.Equal(t, "x.jsonld", e.Place.File)
			if tt.limit != rdf.LimitBytes {
				assert.Positive(t, e.Place.Line, err)
			}
		})
	}
}

func TestDefaultLimitsArePeers(t *testing.T) {
	t.Parallel()
	peer, local := jsonld.Peer(), jsonld.Local()
	for name, pair := range map[string][2]int64{
		"values": {int64(peer.Values), int64(local.Values)}, "members": {int64(peer.Members), int64(local.Members)},
		"contexts": {int64(peer.Contexts), int64(local.Contexts)}, "context bytes": {peer.ContextBytes, local.ContextBytes},
		"definitions": {int64(peer.Definitions), int64(local.Definitions)}, "elements": {int64(peer.Elements), int64(local.Elements)},
	} {
		assert.Positive(t, pair[0], name)
		assert.Greater(t, pair[1], pair[0], name)
	}
	_, err := jsonld.Parse([]byte(`{"@context":[`+strings.Repeat(`{},`, peer.Contexts)+`{}]}`), jsonld.Options{ProcessingLimits: jsonld.Limits{Contexts: -1}})
	var e *rdf.LimitError
	require.ErrorAs(t, err, &e)
	assert.EqualValues(t, peer.Contexts, e.Max)
}

// Hostile documents under the limits for local files, which are the widest in
// use: refused, or read, at a cost in proportion to their size.
func TestHostileDocuments(t *testing.T) {
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "%", fmt.Sprint(i)))
		}
		return b.String()
	}
	table := map[string]string{
		"ex:c/twice": `{"@context":["twice","twice"]}`,
		"ex:c/cycle": `{"@context":{"p":{"@id":"ex:p","@context":"cycle"},"q":{"@id":"ex:q","@context":["cycle","cycle"]}}}`,
	}
	for i := range 20 {
		// Every context has fifty ways to the next one.
		table[fmt.Sprintf("ex:c/wide%d", i)] = `{"@context":{` + repeat(50, fmt.Sprintf(`"t%%":{"@id":"ex:t%%","@context":"wide%d"},`, i+1)) + `"p":"ex:p"}}`
	}
	table["ex:c/wide20"] = `{"@context":{"q":"ex:q"}}`
	pins := contexts(t, table)
	deep := func(n int, open, close string) string {
		return strings.Repeat(open, n) + "1" + strings.Repeat(close, n)
	}
	big := repeat(5_000, `"t%":"ex:t%",`)
	few, said := repeat(20, `"t%":"ex:t%",`), repeat(20, `"t%":1,`)+`"ex:t":1` // so many that maps of them are looked into by hash
	for _, tt := range []struct {
		name, document string
		limit          rdf.LimitName // "" when another error, or none, is right
		ok             bool
	}{
		{"ten thousand objects deep", deep(10_000, `{"ex:p":`, `}`), rdf.LimitNesting, false},
		{"ten thousand arrays deep", deep(10_000, `[`, `]`), rdf.LimitNesting, false},
		{"ten thousand arrays open", strings.Repeat(`[`, 10_000), rdf.LimitNesting, false},
		{"ten thousand scoped contexts deep", `{"@context":` + deep(10_000, `{"p":{"@id":"ex:p","@context":`, `}}`) + `}`, rdf.LimitNesting, false},
		{"as deep as it may be", deep(999, `{"ex:p":`, `}`), "", true},
		{"as deep as contexts may be", `{"@context":` + strings.Repeat(`{"p":{"@id":"ex:p","@context":`, 400) + `{}` + strings.Repeat(`}}`, 400) + `}`, "", true},
		{"a million members", `{` + repeat(1_000_000, `"ex:%":1,`) + `"ex:p":1}`, jsonld.LimitMembers, false},
		{"a million terms", `{"@context":{` + repeat(1_000_000, `"t%":"ex:",`) + `"p":"ex:p"}}`, jsonld.LimitMembers, false},
		{"a hundred thousand contexts in an array", `{"@context":[` + repeat(100_000, `{"t%":"ex:"},`) + `{}]}`, jsonld.LimitDefinitions, false},
		{"a hundred thousand empty contexts in an array", `{"@context":[` + repeat(100_000, `{},`) + `{}]}`, jsonld.LimitContexts, false},
		{"contexts on top of a large one", `[{"@context":{` + big + `"p":"ex:p"},"ex:p":[` + repeat(20_000, `{"@context":{"a%":"ex:a"},"p":{"@context":{"b%":"ex:b"}}},`) + `1]}]`, jsonld.LimitContexts, false},
		{"copies of a large context", `[{"@context":[{` + big + `"p":"ex:p"},{"a":"ex:"},{"b":"ex:"},{"c":"ex:"},{"d":"ex:"},{"e":"ex:"}],"ex:p":[` + repeat(9_000, `{"@context":{"a%":"ex:a"}},`) + `1]}]`, jsonld.LimitDefinitions, false},
		{"long prefix, many terms", `{"@context":{"p":"ex:` + strings.Repeat("x", 60_000) + `/",` + repeat(100_000, `"t%":"p:%",`) + `"q":"ex:q"}}`, jsonld.LimitContextBytes, false},
		{"long prefix, many identifiers", `{"@context":{"p":"ex:` + strings.Repeat("x", 60_000) + `/"},"@id":"ex:s","ex:p":[` + repeat(60_000, `{"@id":"p:x"},`) + `1]}`, "", true},
		{"long language, many strings", `{"@context":{"@language":"a` + strings.Repeat("-bbbbbbbb", 6_000) + `"},"@id":"ex:s","ex:p":[` + repeat(20_000, `"%",`) + `""]}`, "", true},
		{"chain of terms", `{"@context":{` + repeat(100_000, `"t%":"t%x:",`) + `"p":"ex:p"}}`, "", true},
		{"chain of terms that need each other", `{"@context":{` + func() string {
			var b strings.Builder
			for i := range 100_000 {
				fmt.Fprintf(&b, `"t%d":"t%d:",`, i, i+1)
			}
			return b.String()
		}() + `"t100000":"ex:"}}`, rdf.LimitNesting, false},
		{"cycle of terms", `{"@context":{"a":"b:","b":"c:","c":"a:"}}`, "", false},
		{"exponential remote contexts", `{"@context":"ex:c/twice"}`, "", false},
		{"remote contexts that scope themselves", `{"@context":"ex:c/cycle","@id":"ex:s","p":{"@id":"ex:o","q":{"@id":"ex:n","q":{"@id":"ex:m","p":{}}}}}`, "", true},
		{"remote contexts with a billion ways through", `{"@context":"ex:c/wide0","@id":"ex:s","p":1,"t1":{"t2":{"p":1}}}`, "", true},
		{"remote contexts with a billion ways, imported", `{"@context":{"@import":"ex:c/wide0"},"@id":"ex:s","p":1}`, "", true},
		{"references to contexts that are not there", `{"@context":{"j":{"@id":"ex:j","@type":"@json"}},"@id":"ex:s","j":[` + repeat(30_000, `{"@context":"ex:%"},`) + `1],"ex:p":[` + repeat(30_000, `{"@type":"@json","@value":{"@context":"ex:%"}},`) + `1]}`, "", true},
		{"protected term compared many times", `{"@context":[{"@protected":true,"p":{"@id":"ex:p","@context":{` + big + `"q":"ex:q"}}},` + repeat(5_000, `{"x%":"ex:x"},{"p":{"@id":"ex:p","@context":{}}},`) + `{}]}`, "", false},
		{"a long name of a list", `{"@context":{` + few + `"` + strings.Repeat("n", 4<<20) + `":"ex:p"},"@id":"ex:s","` + strings.Repeat("n", 4<<20) + `":{"@context":{},"@list":[{` + said + `},` + repeat(50_000, `%,`) + `1]}}`, "", true},
		{"a long name with its own context", `{"@context":{` + few + `"` + strings.Repeat("n", 4<<20) + `":{"@id":"ex:p","@context":{}}},"@id":"ex:s","` + strings.Repeat("n", 4<<20) + `":[{` + said + `},` + repeat(50_000, `%,{},[],`) + `1]}`, "", true},
		{"a long index of many maps", `{"@context":{` + few + `"m":{"@id":"ex:m","@container":"@index","@index":"ex:` + strings.Repeat("n", 4<<20) + `##"}},"@id":"ex:s","ex:p":[{` + said + `},` + repeat(50_000, `{"m":{}},`) + `1]}`, "", true},
		{"a long index of many maps, with its own context", `{"@context":{` + few + `"m":{"@id":"ex:m","@container":"@index","@index":"ex:` + strings.Repeat("n", 1<<20) + `##","@context":{"m":{"@id":"ex:m","@container":"@index","@index":"ex:` + strings.Repeat("n", 1<<20) + `##"}}}},"@id":"ex:s","ex:p":[{` + said + `},` + repeat(50_000, `{"m":{}},`) + `1]}`, "", true},
		{"wide index map", `{"@context":{"m":{"@id":"ex:m","@container":"@index","@index":"ex:i"}},"@id":"ex:s","m":{` + repeat(50_000, `"k%":[{},{}],`) + `"k":{}}}`, "", true},
		{"one set of many within sets", `{"@id":"ex:s","ex:p":` + strings.Repeat(`{"@set":`, 300) + `[` + repeat(20_000, `%,`) + `1]` + strings.Repeat(`}`, 300) + `}`, "", true},
		{"one list of many", `{"@id":"ex:s","ex:p":{"@list":[` + repeat(100_000, `%,`) + `1]}}`, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data := []byte(expand.Replace(tt.document))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := jsonld.Parse(data, jsonld.Options{Limits: rdf.Local(), ProcessingLimits: jsonld.Local(), Contexts: pins})
			runtime.ReadMemStats(&after)
			assert.Equal(t, tt.ok, err == nil, err)
			if tt.limit != "" {
				var e *rdf.LimitError
				require.ErrorAs(t, err, &e)
				assert.Equal(t, tt.limit, e.Limit)
			}
			// All that was ever allocated, garbage included.
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(200<<20))
		})
	}
}
