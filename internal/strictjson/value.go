package strictjson

import (
	"iter"
	"math"
	"sort"
	"strconv"
	"unsafe"

	"github.com/rdfproto/rdfproto/internal/decimal"
)

// Kind says what a value is.
type Kind uint8

// The kinds of JSON values. The zero Kind is that of the zero [Value].
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind's name with its article, as messages use it.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "an array"
	case Object:
		return "an object"
	}
	return "nothing"
}

// document is a parsed text. It does not change after Parse.
type document struct {
	src   []byte
	text  []byte // strings that had escapes, without them
	nodes []node // the children of a container stand together; the root is last
}

// node is one value or member name.
type node struct {
	off   uint32 // of its first byte in src
	start uint32 // string, number: of its text in src or text; array, object: index of the first child
	n     uint32 // string, number: bytes; array: elements; object: members; bool: 1 is true
	kind  Kind
	inBuf bool // the text is in document.text
}

// Value is one value of a document, or one member name (as a String). It is a
// handle of two words, cheap to copy, immutable and safe for concurrent use.
// Two Values are equal by == when they are the same place of the same document.
// The zero Value is absent: every method answers for it as for a value of the
// wrong kind, so that look-ups can be chained.
//
// Strings that it returns share the document's memory: keeping one keeps the
// document.
type Value struct {
	d *document
	i uint32
}

func (v Value) node() *node { return &v.d.nodes[v.i] }

// Kind returns what the value is, Absent for the zero Value.
func (v Value) Kind() Kind {
	if v.d == nil {
		return Absent
	}
	return v.node().kind
}

// Ref names a value or member name within its document, in a form that holds no
// memory.
type Ref uint32

// Ref returns the Ref of the value, 0 for the zero Value.
func (v Value) Ref() Ref { return Ref(v.i) }

// Deref returns the value of the document that v is of, which must be the one
// that r came from.
func (v Value) Deref(r Ref) Value { return Value{v.d, uint32(r)} }

// Size returns the number of values and member names of the whole document that
// v is of.
func (v Value) Size() int {
	if v.d == nil {
		return 0
	}
	return len(v.d.nodes)
}

// Exists reports whether v is a value at all.
func (v Value) Exists() bool { return v.d != nil }

// SameDocument reports whether v and w are of one document.
func (v Value) SameDocument(w Value) bool { return v.d == w.d }

// IsNull reports whether v is null. An absent value is not.
func (v Value) IsNull() bool { return v.Kind() == Null }

// Str returns the text of a string, without escapes, and whether v is one.
func (v Value) Str() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return v.d.str(v.node()), true
}

// Number returns the text of a number as it was written, and whether v is one.
// It follows the grammar of RFC 8259, section 6, and its value rounds to a
// finite double.
func (v Value) Number() (string, bool) {
	if v.Kind() != Number {
		return "", false
	}
	return v.d.str(v.node()), true
}

// Float64 returns the double nearest to a number, and whether v is one.
func (v Value) Float64() (float64, bool) {
	s, ok := v.Number()
	if !ok {
		return 0, false
	}
	return decimal.Double(s), true
}

// Int64 returns the value of a number written without fraction and exponent,
// and whether v is one that an int64 holds.
func (v Value) Int64() (int64, bool) {
	s, ok := v.Number()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// Bool returns the value of a boolean, and whether v is one.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.node().n == 1, true
}

// Len returns the number of elements of an array or members of an object, and
// 0 for other values.
func (v Value) Len() int {
	if k := v.Kind(); k != Array && k != Object {
		return 0
	}
	return int(v.node().n)
}

// Index returns the i-th element of an array in constant time, and the zero
// Value when v is no array or has none such.
func (v Value) Index(i int) Value {
	if v.Kind() != Array || i < 0 || i >= int(v.node().n) {
		return Value{}
	}
	return Value{v.d, v.node().start + uint32(i)}
}

// Items returns the elements of an array with their indexes, in order; none
// for other values.
func (v Value) Items() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		for i := range v.Len() {
			if !yield(i, v.Index(i)) {
				return
			}
		}
	}
}

// Member is a member of an object.
type Member struct {
	Name  Value // a String
	Value Value
}

// Str returns the member's name, without escapes.
func (m Member) Str() string {
	s, _ := m.Name.Str()
	return s
}

// Member returns the i-th member of an object in constant time, in the order of
// the text, and the zero Member when v is no object or has none such.
func (v Value) Member(i int) Member {
	if v.Kind() != Object || i < 0 || i >= int(v.node().n) {
		return Member{}
	}
	at := v.node().start + 2*uint32(i)
	return Member{Value{v.d, at}, Value{v.d, at + 1}}
}

// Members returns the members of an object by name, in the order of the text;
// none for other values.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i := range v.Len() {
			m := v.Member(i)
			if !m.Name.Exists() || !yield(m.Str(), m.Value) {
				return
			}
		}
	}
}

// Get returns the value of the member with a name, or the zero Value when v is not an
// object or has no such member. It looks at every member: to look for many names in one
// object, iterate instead.
func (v Value) Get(name string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	o := v.node()
	for at, end := o.start, o.start+2*o.n; at < end; at += 2 {
		if n := &v.d.nodes[at]; int(n.n) == len(name) && v.d.str(n) == name {
			return Value{v.d, at + 1}
		}
	}
	return Value{}
}

// Same reports whether v says what w says: the same but for white space, the order of
// members and the escapes of strings. Numbers are the same when they are written alike.
// It looks at no more of v than w has, and calls itself no deeper than w is nested. An
// absent value is not the same as any other, nor as itself.
func (v Value) Same(w Value) bool {
	if v.Kind() != w.Kind() || v.Len() != w.Len() {
		return false
	}
	switch v.Kind() {
	case Null:
		return true
	case Bool:
		return v.node().n == w.node().n
	case Number, String:
		return v.d.str(v.node()) == w.d.str(w.node())
	case Array:
		for i := range v.Len() {
			if !v.Index(i).Same(w.Index(i)) {
				return false
			}
		}
		return true
	case Object:
		for i := range v.Len() {
			if m := w.Member(i); !v.Get(m.Str()).Same(m.Value) {
				return false
			}
		}
		return true
	}
	return false
}

// Named returns the values of all members with a name, at any depth of the
// document that v is of, innermost first.
func (v Value) Named(name string) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.d == nil {
			return
		}
		for i := range v.d.nodes {
			o := &v.d.nodes[i]
			if o.kind != Object {
				continue
			}
			for at, end := o.start, o.start+2*o.n; at < end; at += 2 {
				if n := &v.d.nodes[at]; int(n.n) == len(name) && v.d.str(n) == name && !yield(Value{v.d, at + 1}) {
					return
				}
			}
		}
	}
}

// Source returns the value as it is written in the text.
func (v Value) Source() string {
	if v.d == nil {
		return ""
	}
	d := v.d
	// Behind the last child of a container nothing stands but white space and
	// closing brackets.
	at, open := v.i, 0
	for d.nodes[at].kind >= Array {
		open++
		o := &d.nodes[at]
		switch {
		case o.n == 0:
			return d.raw(int(v.node().off), d.closing(int(o.off)+1, open))
		case o.kind == Array:
			at = o.start + o.n - 1
		default:
			at = o.start + 2*o.n - 1
		}
	}
	last := &d.nodes[at]
	end := int(last.off) + int(last.n)
	switch last.kind {
	case Null:
		end = int(last.off) + len("null")
	case Bool:
		end = int(last.off) + len("true")
		if last.n == 0 {
			end++
		}
	case String:
		// A quote within the string stands behind a backslash.
		for end = int(last.off) + 1; d.src[end] != '"'; end++ {
			if d.src[end] == '\\' {
				end++
			}
		}
		end++
	}
	return d.raw(int(v.node().off), d.closing(end, open))
}

// raw returns a part of the text without copying.
func (d *document) raw(from, to int) string {
	return unsafe.String(&d.src[from], to-from)
}

// closing returns the offset behind the n-th closing bracket from off on.
func (d *document) closing(off, n int) int {
	for ; n > 0; off++ {
		if c := d.src[off]; c == ']' || c == '}' {
			n--
		}
	}
	return off
}

// At returns the outermost value, or the member name, that begins at an offset
// of the document that v is of, and the zero Value when none does.
func (v Value) At(offset int) Value {
	if v.d == nil {
		return Value{}
	}
	d, at := v.d, uint32(len(v.d.nodes)-1)
	for {
		o := &d.nodes[at]
		if int(o.off) == offset {
			return Value{d, at}
		}
		children := int(o.n)
		if o.kind == Object {
			children *= 2
		}
		if o.kind < Array {
			return Value{}
		}
		k := sort.Search(children, func(k int) bool { return int(d.nodes[o.start+uint32(k)].off) > offset }) - 1
		if k < 0 {
			return Value{}
		}
		at = o.start + uint32(k)
	}
}

// Offset returns where the value begins, in bytes from 0.
func (v Value) Offset() int {
	if v.d == nil {
		return 0
	}
	return int(v.node().off)
}

// Place returns where the value begins: line and column from 1, the column in
// Unicode characters. It reads the document up to there; for many places make a
// [Locator]. The zero Value gives 0, 0.
func (v Value) Place() (line, column int) {
	if v.d == nil {
		return 0, 0
	}
	return place(v.d.src, v.Offset())
}

// Pointer returns the JSON pointer (RFC 6901) of the value; that of a member's
// name is the member's. The zero Value gives "", as the root does.
func (v Value) Pointer() string {
	p, _ := v.PointerWithin(math.MaxInt)
	return p
}

// PointerWithin is Pointer for one of no more than so many bytes. It returns false for a
// longer one, which it does not make: a name can be as long as the document, and stand in the
// pointer of everything that it holds.
func (v Value) PointerWithin(most int) (string, bool) {
	if v.d == nil {
		return "", true
	}
	var p []byte
	d, target := v.d, v.node().off
	at := uint32(len(d.nodes) - 1)
	for at != v.i {
		o := &d.nodes[at]
		switch o.kind {
		case Array:
			k := sort.Search(int(o.n), func(k int) bool { return d.nodes[o.start+uint32(k)].off > target }) - 1
			p = strconv.AppendInt(append(p, '/'), int64(k), 10)
			at = o.start + uint32(k)
		case Object:
			k := sort.Search(int(o.n), func(k int) bool { return d.nodes[o.start+2*uint32(k)].off > target }) - 1
			name := o.start + 2*uint32(k)
			token := d.str(&d.nodes[name])
			if len(token) > most {
				return "", false
			}
			if p = appendPointer(p, token); name == v.i {
				at = v.i
				break
			}
			at = name + 1
		default:
			return string(p), true // not reached: a node stands within its ancestors
		}
		if len(p) > most {
			return "", false
		}
	}
	return string(p), true
}

func (d *document) str(n *node) string { return textOf(d.src, d.text, n) }

// textOf returns the text of a string or number without copying: the bytes that
// it shares are never written again.
func textOf(src, text []byte, n *node) string {
	if n.inBuf {
		src = text
	}
	return unsafe.String(unsafe.SliceData(src[n.start:]), n.n)
}
