package strictjson

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/rdfproto/rdfproto/internal/decimal"
)

// Canonicalize reads a text as [Parse] does and returns its canonical form, see
// [Value.Canonical].
func Canonicalize(data []byte, limits Limits) ([]byte, error) {
	v, err := Parse(data, limits)
	if err != nil {
		return nil, err
	}
	return v.Canonical()
}

// canonicalDepth is how deep what is made canonical may be nested, whatever
// [Limits.Depth] was: the canonicalizer calls itself.
const canonicalDepth = 10_000

var (
	errAbsent = errors.New("canonical JSON: nothing to make canonical")
	errDeep   = errors.New("canonical JSON: nested deeper than " + strconv.Itoa(canonicalDepth))
)

// Canonical returns the value in the canonical form of the JSON Canonicalization
// Scheme (RFC 8785): no white space, members sorted by UTF-16 code units,
// numbers as ECMAScript writes the doubles they are nearest to. That of an
// absent value is an error, and of one that is nested deeper than 10,000.
func (v Value) Canonical() ([]byte, error) {
	if v.d == nil {
		return nil, errAbsent
	}
	c := canonicalizer{d: v.d, out: make([]byte, 0, len(v.Source()))}
	if err := c.value(v.node(), canonicalDepth); err != nil {
		return nil, err
	}
	return c.out, nil
}

type canonicalizer struct {
	d     *document
	out   []byte
	names []uint32 // scratch of object: the names of the members of all open objects
}

// value appends a value that may hold others to a depth.
func (c *canonicalizer) value(n *node, depth int) error {
	switch n.kind {
	case Null:
		c.out = append(c.out, "null"...)
	case Bool:
		c.out = strconv.AppendBool(c.out, n.n == 1)
	case Number:
		c.number(c.d.str(n))
	case String:
		c.string(c.d.str(n))
	case Array:
		return c.array(n, depth-1)
	case Object:
		return c.object(n, depth-1)
	}
	return nil
}

func (c *canonicalizer) array(n *node, depth int) error {
	if depth < 0 {
		return errDeep
	}
	c.out = append(c.out, '[')
	for i := range n.n {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		if err := c.value(&c.d.nodes[n.start+i], depth); err != nil {
			return err
		}
	}
	c.out = append(c.out, ']')
	return nil
}

func (c *canonicalizer) object(n *node, depth int) error {
	if depth < 0 {
		return errDeep
	}
	from := len(c.names)
	for i := range n.n {
		c.names = append(c.names, n.start+2*i)
	}
	slices.SortFunc(c.names[from:], func(a, b uint32) int {
		return compareUTF16(c.d.str(&c.d.nodes[a]), c.d.str(&c.d.nodes[b]))
	})
	c.out = append(c.out, '{')
	for i := range int(n.n) {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		name := c.names[from+i] // the slice moves when an inner object needs room
		c.string(c.d.str(&c.d.nodes[name]))
		c.out = append(c.out, ':')
		if err := c.value(&c.d.nodes[name+1], depth); err != nil {
			return err
		}
	}
	c.out = append(c.out, '}')
	c.names = c.names[:from]
	return nil
}

// compareUTF16 compares two texts by their UTF-16 code units (section 3.2.3 of RFC 8785).
//
// UTF-8 sorts by code point, and so does UTF-16, but that what lies beyond U+FFFF, whose
// UTF-8 begins with F0 and more, is before U+E000 to U+FFFF, which begin with EE and EF.
// Bytes behind the first of a character are all below.
func compareUTF16(a, b string) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	}
	return cmp.Compare(len(a), len(b))
}

// string appends a string with the escapes of section 3.2.2.2, no others.
func (c *canonicalizer) string(s string) {
	c.out = append(c.out, '"')
	from := 0
	for i := range len(s) {
		b := s[i]
		if b >= ' ' && b != '"' && b != '\\' {
			continue
		}
		c.out = append(c.out, s[from:i]...)
		from = i + 1
		switch b {
		case '"', '\\':
			c.out = append(c.out, '\\', b)
		case '\b':
			c.out = append(c.out, `\b`...)
		case '\t':
			c.out = append(c.out, `\t`...)
		case '\n':
			c.out = append(c.out, `\n`...)
		case '\f':
			c.out = append(c.out, `\f`...)
		case '\r':
			c.out = append(c.out, `\r`...)
		default:
			const digits = "0123456789abcdef"
			c.out = append(c.out, '\\', 'u', '0', '0', digits[b>>4], digits[b&15])
		}
	}
	c.out = append(append(c.out, s[from:]...), '"')
}

// number appends a number as section 3.2.2.3 has it: as Number::toString of ECMAScript
// writes the double that it is nearest to.
func (c *canonicalizer) number(s string) {
	f := decimal.Double(s) // finite: Parse refuses others
	switch abs := math.Abs(f); {
	case f == 0: // of either sign
		c.out = append(c.out, '0')
	case abs >= 1e-6 && abs < 1e21:
		c.out = strconv.AppendFloat(c.out, f, 'f', -1, 64)
	default:
		c.out = strconv.AppendFloat(c.out, f, 'e', -1, 64)
		// Go writes an exponent with at least two digits, ECMAScript with one.
		if n := len(c.out); c.out[n-2] == '0' && c.out[n-4] == 'e' {
			c.out = append(c.out[:n-2], c.out[n-1])
		}
	}
}
