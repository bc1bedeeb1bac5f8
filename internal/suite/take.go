package suite

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// references takes what stands between the pointed brackets of Turtle, whether or not
// the rest can be read.
func references(s Seed) []Seed {
	var all []Seed
	for _, m := range regexp.MustCompile(`<([^<>\n]*)>`).FindAllSubmatch(s.Data, -1) {
		all = append(all, Seed{s.Name, m[1]})
	}
	return all
}

// graph reads Turtle; what cannot be read, as some tests mean it, is empty.
func graph(s Seed) *rdf.Dataset {
	d, err := turtle.Parse(s.Data, turtle.Options{Base: root + s.Name, Limits: rdf.Local()})
	if err != nil {
		return rdf.NewBuilder(rdf.Limits{}).Dataset()
	}
	return d
}

// literals takes the lexical forms of Turtle. Their names are the datatypes.
func literals(s Seed) []Seed {
	var all []Seed
	for d, id := graph(s), rdf.ID(1); int(id) <= d.NumTerms(); id++ {
		if t := d.Term(id); t.Kind() == rdf.KindLiteral {
			all = append(all, Seed{t.Datatype(), []byte(t.Value())})
		}
	}
	return all
}

// patterns takes what sh:pattern says. Their names are the flags.
func patterns(s Seed) []Seed {
	var all []Seed
	d := graph(s)
	g := d.Default()
	pattern, flags := d.LookupIRI(vocab.SHPattern), d.LookupIRI(vocab.SHFlags)
	for q := range g.All().Quads() {
		if q.P == pattern {
			all = append(all, Seed{d.Value(g.Object(q.S, flags)), []byte(d.Value(q.O))})
		}
	}
	return all
}

// lines takes each line.
func lines(s Seed) []Seed {
	var all []Seed
	for line := range bytes.Lines(s.Data) {
		all = append(all, Seed{s.Name, bytes.TrimSuffix(line, []byte("\n"))})
	}
	return all
}

// doubles takes the numbers of lines that begin with their bits, as JSON.
func doubles(s Seed) []Seed {
	var all []Seed
	for _, line := range lines(s) {
		bits, _, _ := strings.Cut(string(line.Data), ",")
		if u, err := strconv.ParseUint(bits, 16, 64); err == nil {
			all = append(all, Seed{s.Name, strconv.AppendFloat(nil, math.Float64frombits(u), 'e', -1, 64)})
		}
	}
	return all
}

// inputs takes what the input of a case has under some names.
func inputs(names ...string) func(Seed) []Seed {
	return func(s Seed) []Seed {
		var c struct{ Input map[string]json.RawMessage }
		if json.Unmarshal(s.Data, &c) != nil {
			return nil
		}
		var all []Seed
		for _, name := range names {
			if text := c.Input[name]; text != nil {
				all = append(all, Seed{s.Name, text})
			}
		}
		return all
	}
}

// members takes the texts that members of some names have, however deep.
func members(names ...string) func(Seed) []Seed {
	return func(s Seed) []Seed {
		var v any
		if json.Unmarshal(s.Data, &v) != nil {
			return nil
		}
		var all []Seed
		for _, text := range textsOf(nil, v, names) {
			all = append(all, Seed{s.Name, []byte(text)})
		}
		return all
	}
}

// textsOf appends the strings that are values of members with one of the names.
func textsOf(to []string, v any, names []string) []string {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			to = textsOf(to, item, names)
		}
	case map[string]any:
		for _, name := range sortedNames(v) {
			if text, ok := v[name].(string); ok && slices.Contains(names, name) {
				to = append(to, text)
			}
			to = textsOf(to, v[name], names)
		}
	}
	return to
}

func sortedNames(v map[string]any) []string {
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// headers takes the protected headers of signatures, decoded.
func headers(s Seed) []Seed {
	var all []Seed
	for _, h := range members("protected")(s) {
		if text, err := base64.RawURLEncoding.DecodeString(string(h.Data)); err == nil {
			all = append(all, Seed{s.Name, text})
		}
	}
	return all
}
