package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
)

// TestReportTurtle prints reports on documents that would write to a terminal: the text
// shows all that it holds, and the graph is that of the report.
func TestReportTurtle(t *testing.T) {
	t.Parallel()
	const shape = "@prefix sh: <http://www.w3.org/ns/shacl#> .\n@prefix e: <http://e/> .\ne:S a sh:NodeShape ; sh:targetSubjectsOf e:p ; sh:property [ sh:path e:p ; sh:nodeKind sh:IRI"
	const plain = shape + " ] .\n"
	for _, row := range []struct{ name, shapes, data, contains string }{
		{"nothing to escape", plain, "@prefix e: <http://e/> . e:ä e:p 'Grüße\t世界\\u0007' .", "sh:focusNode e:ä"},
		{"a control character of C1", plain, "<http://e/x> <http://e/p> '\u009b31m\u0085' .", `"\u009B31m\u0085"`},
		{"DEL", plain, "<http://e/x> <http://e/p> '\\u007F' .", `"\u007F"`},
		{"marks of direction", plain, "<http://e/x> <http://e/p> 'a\u202eb\u2066c\u200fd' .", `"a\u202Eb\u2066c\u200Fd"`},
		{"a byte order mark", plain, "<http://e/x> <http://e/p> '\ufeff'@en .", `"\uFEFF"@en`},
		{"a tag beyond the first plane", plain, "<http://e/x> <http://e/p> '\U000e0041' .", `"\U000E0041"`},
		{"after a backslash", plain, "<http://e/x> <http://e/p> '\\\\\u009b' .", `"\\\u009B"`},
		{"a datatype", plain, "<http://e/x> <http://e/p> 'a'^^<http://f/\u202e> .", `"a"^^<http://f/\u202E>`},
		{"a message", shape + "; sh:message '\u009b2J' ] .", "<http://e/x> <http://e/p> 1 .", `sh:resultMessage "\u009B2J"`},
		{"an IRI", plain, "<http://f/\u009b> <http://e/p> 1 .", `<http://f/\u009B>`},
		{"an IRI that a prefix shortens", plain, "@prefix e: <http://e/> . e:a\ufeffb e:p 1 .", `<http://e/a\uFEFFb>`},
		{"an IRI that two prefixes shorten", plain, "@prefix e: <http://e/> . @prefix f: <http://e/a> . f:\u200d e:p 1 . f:b e:p 1 .", `<http://e/a\u200D>`},
		{"IRIs that some prefixes shorten together", plain, "@prefix e: <http://e/> . @prefix f: <http://e/a> . @prefix g: <http://e/ab> . @prefix h: <http://e/ab> . f:\u200d e:p 1 . g:\u200d e:p 1 . h:c e:p 1 .", `<http://e/ab\u200D>`},
		{"a namespace", plain, "@prefix f: <http://f/\u202e/> . f:a <http://e/p> 1 .", `<http://f/\u202E/a>`},
		{"a name of a prefix", plain, "@prefix f\u200d: <http://f/> . f\u200d:a <http://e/p> 1 .", `<http://f/a>`},
		{"a label", plain, "_:a\ufeffb <http://e/p> 1, 2 . _:a\u200d <http://e/p> 1, _:a\ufeffb .", "sh:focusNode _:"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			shapes, data := filepath.Join(dir, "s.ttl"), filepath.Join(dir, "d.ttl")
			require.NoError(t, os.WriteFile(shapes, []byte(row.shapes), 0o600))
			require.NoError(t, os.WriteFile(data, []byte(row.data), 0o600))
			r := call(t, "", "validate", "--report", "turtle", "--shape", shapes, data)
			require.Equal(t, cli.StatusNo, r.status, r.stderr)
			require.Empty(t, strings.IndexFunc(r.out, func(c rune) bool { return c != '\n' && !unicode.IsPrint(c) })+1, "%q", r.out)
			require.Contains(t, r.out, row.contains)

			parsed := func(text string) *rdf.Dataset {
				d, err := turtle.Parse([]byte(text), turtle.Options{})
				require.NoError(t, err)
				return d
			}
			p, err := shacl.Compile(parsed(row.shapes).Default(), shacl.CompileOptions{})
			require.NoError(t, err)
			report, err := p.Validate(t.Context(), parsed(row.data).Default(), shacl.Options{})
			require.NoError(t, err)
			want, err := report.Dataset(rdf.Local())
			require.NoError(t, err)
			hash := func(d *rdf.Dataset) string {
				h, err := canon.Hash(t.Context(), d, canon.Options{})
				require.NoError(t, err)
				return h.String()
			}
			require.Equal(t, hash(want), hash(parsed(r.out)), r.out)
		})
	}
}
