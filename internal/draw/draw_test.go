package draw_test

import (
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/draw"
)

func sample() *draw.Drawing {
	long := strings.Repeat("long-", 60)
	return &draw.Drawing{
		Name: "lineage", Title: "title " + long, OK: true,
		Nodes: []draw.Node{
			{Text: "a <b> & \"c\"", Round: true}, {Text: long, Row: 1}, {Text: "\x00\x1b[31m", Row: 2}, {Text: "d", Row: 2, Column: 1}, {Text: "alone", Row: 3, Column: 2},
			{Text: strings.Repeat("長い", 40), Row: 3},
		},
		Edges: []draw.Edge{
			{From: 0, To: 1, Text: "by " + long, Note: "note " + long}, {From: 1, To: 2, Broken: true, Text: "broken"},
			{From: 1, To: 3, Text: "across", Note: "columns"}, {From: 0, To: 2}, {From: 5, To: 0},
		},
	}
}

func TestDOT(t *testing.T) {
	t.Parallel()
	d := draw.Drawing{
		Name: "authority", Title: `say "no" \ yes`,
		Nodes: []draw.Node{{Text: "a", Round: true}, {Text: "b\nc", Row: 1}, {Text: "alone", Column: 1}},
		Edges: []draw.Edge{{From: 0, To: 1, Text: "x", Note: "y", Broken: true}},
	}
	require.Equal(t, `digraph authority {
  label="say \"no\" \\ yes";
  node [shape=box];
  "a" [style=rounded];
  "alone";
  "a" -> "b c" [label="x (y)", color=red];
}
`, d.DOT())
}

// TestDOTOfLongTexts: a text that many edges lead to or from is not written for each of them,
// and is no other one.
func TestDOTOfLongTexts(t *testing.T) {
	t.Parallel()
	const n = 10_000
	long := strings.Repeat("long", 25_000)
	d := draw.Drawing{Name: "lineage", Nodes: []draw.Node{{Text: long + "1", Round: true}, {Text: long + "2"}, {Text: long + "1", Round: true}, {Text: "0"}}}
	for range n {
		d.Edges = append(d.Edges, draw.Edge{From: 0, To: 3}, draw.Edge{From: 3, To: 2})
	}
	text := d.DOT()
	require.Less(t, len(text), n*100)
	begin, _, _ := strings.Cut(text, " [label=\"\", color=")
	cut := strings.Repeat("long", 10) + "lo…ng" + strings.Repeat("long", 10)
	require.Equal(t, "digraph lineage {\n  label=\"\";\n  node [shape=box];\n"+
		"  \"\t0\" [label=\""+cut+"1\"];\n  \"\t1\" [label=\""+cut+"2\"];\n"+
		"  \"\t0\" [style=rounded];\n  \"\t1\";\n  \"\t0\" [style=rounded];\n  \"\t0\" -> \"0\"", begin)
	require.Equal(t, n, strings.Count(text, "  \"0\" -> \"\t0\" ["))
}

// TestSVG reads the picture again: it is XML, and no text leaves its box or the
// picture.
func TestSVG(t *testing.T) {
	t.Parallel()
	for _, wide := range []bool{false, true} {
		d := sample()
		d.Wide = wide
		svg := d.SVG()
		decoder := xml.NewDecoder(strings.NewReader(svg))
		for {
			_, err := decoder.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
		}
		number := func(s string) int {
			n, err := strconv.Atoi(s)
			require.NoError(t, err)
			return n
		}
		size := regexp.MustCompile(`width="(\d+)" height="(\d+)"`).FindStringSubmatch(svg)
		width, height := number(size[1]), number(size[2])
		texts := regexp.MustCompile(`<text x="(\d+)" y="(\d+)"( fill="[^"]*")?( font-size="14")?>([^<]*)</text>`).FindAllStringSubmatch(svg, -1)
		require.Len(t, texts, 1+6+3)
		for _, m := range texts {
			// Courier is 0.6 of its size wide, in SVG viewers up to 0.62.
			size := 12.0
			if m[4] != "" {
				size = 14
			}
			text := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(m[5])
			wide := regexp.MustCompile(`\p{Han}|\p{Hiragana}`).FindAllString(text, -1)
			end := float64(number(m[1])) + 0.62*size*float64(utf8.RuneCountInString(text)) + 0.5*size*float64(len(wide))
			require.Less(t, end, float64(width), m[0])
			require.Less(t, number(m[2]), height)
		}
		boxes := regexp.MustCompile(`<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"`).FindAllStringSubmatch(svg, -1)
		require.Len(t, boxes, 6)
		for i, a := range boxes {
			require.LessOrEqual(t, number(a[1])+number(a[3]), width)
			require.LessOrEqual(t, number(a[2])+number(a[4]), height)
			for _, b := range boxes[:i] {
				apart := number(a[1]) >= number(b[1])+number(b[3]) || number(b[1]) >= number(a[1])+number(a[3]) ||
					number(a[2]) >= number(b[2])+number(b[4]) || number(b[2]) >= number(a[2])+number(a[4])
				require.True(t, apart, "%s overlaps %s", a[0], b[0])
			}
		}
	}
}
