package damage

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// replacements are what every value of a JSON text is replaced by: each kind, empty
// and not, and what readers of JSON are known to differ on.
var replacements = []string{
	"null", "true", "false", "0", "-1", "1e400", "123456789012345678901234567890",
	`""`, `"x"`, `"urn:x"`, `"\ud800"`, `"\u0000"`, `"\u202e"`,
	"[]", "[[]]", "[1]", "[{}]", "{}", `{"":{}}`,
}

// Values yields the damages of one value of a JSON text: replaced, wrapped, made
// longer; an element dropped, doubled, added or swapped with the next; a member
// dropped, doubled, renamed or added, or its value swapped with the next; and the
// order of elements or members reversed. A text that strictjson refuses has none.
func Values(doc []byte) iter.Seq2[Change, []byte] {
	return func(yield func(Change, []byte) bool) {
		root, err := strictjson.Parse(doc, strictjson.Limits{})
		if err != nil {
			return
		}
		damageValue(root, func(kind string, v strictjson.Value, text string) bool {
			at := v.Offset()
			return yield(Change{Kind: kind, Offset: at, Pointer: v.Pointer()}, slices.Concat(doc[:at], []byte(text), doc[at+len(v.Source()):]))
		})
	}
}

// putFunc takes a document in which a text stands in the place of a value.
type putFunc func(kind string, v strictjson.Value, text string) bool

// damageValue damages a value and all within it, until put says no.
func damageValue(v strictjson.Value, put putFunc) bool {
	source := v.Source()
	for _, r := range replacements {
		if r != source && !put("replace a value", v, r) {
			return false
		}
	}
	if !put("wrap a value in an array", v, "["+source+"]") || !put("repeat a value in an array", v, "["+source+","+source+"]") ||
		!put("wrap a value in an object", v, `{"id":`+source+"}") || !put("make a value a string", v, strconv.Quote(source)) {
		return false
	}
	switch v.Kind() {
	case strictjson.String:
		return put("make a string longer", v, source[:len(source)-1]+` "`)
	case strictjson.Array:
		return damageArray(v, put)
	case strictjson.Object:
		return damageObject(v, put)
	default:
		return true
	}
}

// damageArray damages the elements of an array and then each within itself.
func damageArray(v strictjson.Value, put putFunc) bool {
	var elements []string
	for _, e := range v.Items() {
		elements = append(elements, e.Source())
	}
	list := func(kind string, elements []string) bool { return put(kind, v, "["+strings.Join(elements, ",")+"]") }
	for i, e := range elements {
		if !list("drop an element", slices.Delete(slices.Clone(elements), i, i+1)) ||
			!list("double an element", slices.Insert(slices.Clone(elements), i, e)) ||
			!list("add an element", slices.Insert(slices.Clone(elements), i, `"urn:x"`)) {
			return false
		}
		if i+1 < len(elements) {
			swapped := slices.Clone(elements)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			if !list("swap elements", swapped) {
				return false
			}
		}
	}
	if !list("add an element", append(slices.Clone(elements), `"x"`)) {
		return false
	}
	slices.Reverse(elements)
	if len(elements) > 1 && !list("reverse the elements", elements) {
		return false
	}
	for _, e := range v.Items() {
		if !damageValue(e, put) {
			return false
		}
	}
	return true
}

// damageObject damages the members of an object and then each value within itself.
func damageObject(v strictjson.Value, put putFunc) bool {
	n := v.Len()
	names, values, members := make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		m := v.Member(i)
		names[i], values[i] = m.Name.Source(), m.Value.Source()
		members[i] = names[i] + ":" + values[i]
	}
	object := func(kind string, members []string) bool { return put(kind, v, "{"+strings.Join(members, ",")+"}") }
	with := func(i int, member string) []string {
		changed := slices.Clone(members)
		changed[i] = member
		return changed
	}
	for i, name := range names {
		if !object("drop a member", slices.Delete(slices.Clone(members), i, i+1)) ||
			!object("double a member", append(slices.Clone(members), members[i])) ||
			!object("double a member as null", append(slices.Clone(members), name+":null")) ||
			!object("rename a member", with(i, `"x`+name[1:]+":"+values[i])) ||
			!object("change the case of a name", with(i, otherCase(name)+":"+values[i])) ||
			!object("add a member", slices.Insert(slices.Clone(members), i, `"added":"urn:x"`)) {
			return false
		}
		if i+1 < n {
			swapped := with(i, name+":"+values[i+1])
			swapped[i+1] = names[i+1] + ":" + values[i]
			if !object("swap values", swapped) {
				return false
			}
		}
	}
	if !object("add a member", append(slices.Clone(members), `"added":{}`)) {
		return false
	}
	slices.Reverse(members)
	if n > 1 && !object("reverse the members", members) {
		return false
	}
	for i := range n {
		if !damageValue(v.Member(i).Value, put) {
			return false
		}
	}
	return true
}

// otherCase returns a name with the case of its first letter changed.
func otherCase(name string) string {
	out := []byte(name)
	for i, c := range out {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			out[i] ^= 0x20
			break
		}
	}
	return string(out)
}
