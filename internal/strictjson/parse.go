package strictjson

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/internal/decimal"
)

// Parse reads one JSON text. The result shares no memory with data. When it fails, with
// an [*Error], there is no result: a text is read as a whole or not at all.
func Parse(data []byte, limits Limits) (Value, error) {
	limits = limits.OrDefault()
	if int64(len(data)) <= limits.Bytes {
		data = bytes.Clone(data)
	}
	return parse(data, limits)
}

// Borrow reads one JSON text as Parse does, but the result shares the memory of data:
// the caller must not let anybody change data as long as a Value of it, or a string of
// one, is in use.
func Borrow(data []byte, limits Limits) (Value, error) {
	return parse(data, limits.OrDefault())
}

func parse(data []byte, limits Limits) (Value, error) {
	// Room that is enough for most texts. It stays on the Go stack: only the document
	// leaves this function.
	var pending [32]node
	var open [8]frame
	p := parser{limits: limits, document: new(document), pending: pending[:0], open: open[:0]}
	if int64(len(data)) > limits.Bytes {
		p.src = data[:limits.Bytes]
		return Value{}, p.over(LimitBytes, limits.Bytes, len(p.src))
	}
	p.src = data
	if err := p.checkText(); err != nil {
		return Value{}, err
	}
	// Most nodes are strings, and a string has two quotes; where that is not
	// so, append makes room.
	const most = 1 << 18
	quotes := bytes.Count(data, []byte{'"'})
	p.nodes = make([]node, 0, min(quotes*2/3, most)+4)
	if err := p.run(); err != nil {
		return Value{}, err
	}
	return Value{p.document, uint32(len(p.nodes) - 1)}, nil
}

// parser reads a text with a stack of its own. A value waits in pending until its
// container closes; then all children move to nodes together, side by side, so that
// each is found by its index.
type parser struct {
	*document
	limits  Limits
	pending []node
	open    []frame
	values  int
}

// frame is an open container.
type frame struct {
	off    uint32 // of its bracket
	base   uint32 // index in pending of its first child
	object bool
}

// checkText refuses what is not a Unicode text as a whole.
func (p *parser) checkText() *Error {
	if bytes.HasPrefix(p.src, []byte("\uFEFF")) {
		return p.refuse(CodeByteOrderMark, 0, "the text begins with a byte order mark (U+FEFF)")
	}
	if utf8.Valid(p.src) {
		return nil
	}
	off := 0
	for {
		r, n := utf8.DecodeRune(p.src[off:])
		if r == utf8.RuneError && n <= 1 {
			return p.refuse(CodeInvalidUTF8, off, fmt.Sprintf("byte 0x%02X is not UTF-8 here", p.src[off]))
		}
		off += n
	}
}

// run reads the text (RFC 8259, section 2: ws value ws).
func (p *parser) run() error {
	i, name := 0, false // name: a member's name comes next
	for {
		i = p.space(i)
		if name {
			next, err := p.name(i)
			if err != nil {
				return err
			}
			i, name = p.space(next), false
		}
		var (
			next   int
			err    *Error
			opened bool
		)
		if next, opened, err = p.value(i); err != nil {
			return err
		}
		i = next
		if opened {
			f := &p.open[len(p.open)-1]
			i = p.space(i)
			if i >= len(p.src) || p.src[i] != f.closing() {
				name = f.object
				continue
			}
		}
		// A value is complete, or an empty container is about to be: close
		// what closes here, up to the next comma.
		for {
			if len(p.open) == 0 {
				i = p.space(i)
				if i < len(p.src) {
					return p.refuse(CodeTrailingData, i, "expected the end of the text after the value, found "+p.found(i))
				}
				p.nodes = append(p.nodes, p.pending[0])
				return nil
			}
			f := &p.open[len(p.open)-1]
			i = p.space(i)
			if i < len(p.src) && p.src[i] == ',' {
				i, name = i+1, f.object
				break
			}
			if i >= len(p.src) || p.src[i] != f.closing() {
				return p.refuse(CodeSyntax, i, fmt.Sprintf("expected %q or %q, found %s", ",", string(f.closing()), p.found(i)))
			}
			if err := p.close(); err != nil {
				return err
			}
			i++
		}
	}
}

func (f *frame) closing() byte {
	if f.object {
		return '}'
	}
	return ']'
}

// space returns the offset of the first byte that is not white space.
func (p *parser) space(i int) int {
	for i < len(p.src) && p.src[i] <= ' ' {
		switch p.src[i] {
		case ' ', '\n', '\r', '\t':
			i++
		default:
			return i
		}
	}
	return i
}

// name reads a member's name and its colon (RFC 8259, section 4).
func (p *parser) name(i int) (int, *Error) {
	if i >= len(p.src) || p.src[i] != '"' {
		return i, p.refuse(CodeSyntax, i, "expected a member name in quotes, found "+p.found(i))
	}
	if f := &p.open[len(p.open)-1]; (len(p.pending)-int(f.base))/2 >= p.limits.Members {
		return i, p.over(LimitMembers, int64(p.limits.Members), i)
	}
	i, err := p.string(i)
	if err != nil {
		return i, err
	}
	i = p.space(i)
	if i >= len(p.src) || p.src[i] != ':' {
		return i, p.refuse(CodeSyntax, i, `expected ":" after a member name, found `+p.found(i))
	}
	return i + 1, nil
}

// value reads a value, or the opening bracket of one (RFC 8259, section 3).
func (p *parser) value(i int) (next int, opened bool, err *Error) {
	if p.values++; p.values > p.limits.Values {
		return i, false, p.over(LimitValues, int64(p.limits.Values), i)
	}
	if i >= len(p.src) {
		return i, false, p.refuse(CodeSyntax, i, "expected a value, found "+p.found(i))
	}
	switch c := p.src[i]; c {
	case '"':
		next, err = p.string(i)
		return next, false, err
	case '{', '[':
		if len(p.open) >= p.limits.Depth {
			return i, false, p.over(LimitDepth, int64(p.limits.Depth), i)
		}
		p.open = append(p.open, frame{uint32(i), uint32(len(p.pending)), c == '{'})
		return i + 1, true, nil
	case 't':
		return p.literal(i, "true", node{off: uint32(i), kind: Bool, n: 1})
	case 'f':
		return p.literal(i, "false", node{off: uint32(i), kind: Bool})
	case 'n':
		return p.literal(i, "null", node{off: uint32(i), kind: Null})
	default:
		if c == '-' || '0' <= c && c <= '9' {
			next, err = p.number(i)
			return next, false, err
		}
		return i, false, p.refuse(CodeSyntax, i, "expected a value, found "+p.found(i))
	}
}

func (p *parser) literal(i int, word string, n node) (int, bool, *Error) {
	if len(p.src)-i < len(word) || string(p.src[i:i+len(word)]) != word {
		return i, false, p.refuse(CodeSyntax, i, "expected a value, found a name that is none of true, false and null")
	}
	p.pending = append(p.pending, n)
	return i + len(word), false, nil
}

// close moves the children of the innermost container to their place and leaves
// the container itself as a value of the one around it.
func (p *parser) close() *Error {
	f := p.open[len(p.open)-1]
	children := p.pending[f.base:]
	n := node{off: f.off, start: uint32(len(p.nodes)), n: uint32(len(children)), kind: Array}
	if f.object {
		if err := p.checkNames(children); err != nil {
			return err
		}
		n.kind, n.n = Object, n.n/2
	}
	p.nodes = append(p.nodes, children...)
	p.pending = append(p.pending[:f.base], n)
	p.open = p.open[:len(p.open)-1]
	return nil
}

// checkNames refuses a name that stands twice. Members are name and value by
// turns. A few names are compared with each other; many go through a map, whose
// hash no document can foresee.
func (p *parser) checkNames(members []node) *Error {
	const few = 16
	if len(members) <= 2*few {
		for i := 2; i < len(members); i += 2 {
			for j := 0; j < i; j += 2 {
				if members[i].n == members[j].n && p.textOf(&members[i]) == p.textOf(&members[j]) {
					return p.duplicate(&members[i])
				}
			}
		}
		return nil
	}
	seen := make(map[string]struct{}, len(members)/2)
	for i := 0; i < len(members); i += 2 {
		seen[p.textOf(&members[i])] = struct{}{}
		if len(seen) <= i/2 {
			return p.duplicate(&members[i])
		}
	}
	return nil
}

func (p *parser) textOf(n *node) string { return textOf(p.src, p.text, n) }

func (p *parser) duplicate(name *node) *Error {
	e := p.refuse(CodeDuplicateMember, int(name.off), "duplicate member "+abbreviate(p.textOf(name)))
	e.Pointer = string(appendPointer(p.pointer(len(p.open)-1), p.textOf(name)))
	return e
}

// string reads a string (RFC 8259, section 7) whose quote stands at i.
func (p *parser) string(i int) (int, *Error) {
	n := node{off: uint32(i), start: uint32(i + 1), kind: String}
	i++
	end := plain(p.src, i)
	if end < len(p.src) && p.src[end] == '"' {
		n.n = uint32(end - i)
		p.pending = append(p.pending, n)
		return end + 1, nil
	}
	n.start, n.inBuf = uint32(len(p.text)), true
	for {
		p.text = append(p.text, p.src[i:end]...)
		if end >= len(p.src) {
			return end, p.refuse(CodeSyntax, end, `expected a closing quote, found `+p.found(end))
		}
		switch c := p.src[end]; c {
		case '"':
			n.n = uint32(len(p.text)) - n.start
			p.pending = append(p.pending, n)
			return end + 1, nil
		case '\\':
			next, err := p.escape(end)
			if err != nil {
				return end, err
			}
			i = next
		default:
			return end, p.refuse(CodeSyntax, end, "a control character in a string must be escaped, found "+p.found(end))
		}
		end = plain(p.src, i)
	}
}

// plain returns the offset of the first quote, backslash or control character
// from i on, eight bytes at a time.
func plain(src []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	for ; i+8 <= len(src); i += 8 {
		x := binary.LittleEndian.Uint64(src[i:])
		quote, slash := x^'"'*ones, x^'\\'*ones
		// The lowest high bit that is set is that of the first byte sought;
		// borrows only disturb bytes above it.
		if hit := ((quote-ones)&^quote | (slash-ones)&^slash | (x-' '*ones)&^x) & highs; hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for ; i < len(src); i++ {
		if c := src[i]; c == '"' || c == '\\' || c < ' ' {
			return i
		}
	}
	return i
}

// escape appends what the escape at i stands for and returns where it ends.
func (p *parser) escape(i int) (int, *Error) {
	if i+1 >= len(p.src) {
		return i, p.refuse(CodeSyntax, i+1, "expected an escape after a backslash, found "+p.found(i+1))
	}
	switch c := p.src[i+1]; c {
	case '"', '\\', '/':
		p.text = append(p.text, c)
	case 'b':
		p.text = append(p.text, '\b')
	case 'f':
		p.text = append(p.text, '\f')
	case 'n':
		p.text = append(p.text, '\n')
	case 'r':
		p.text = append(p.text, '\r')
	case 't':
		p.text = append(p.text, '\t')
	case 'u':
		return p.unicodeEscape(i)
	default:
		return i, p.refuse(CodeInvalidEscape, i, "a backslash before "+p.found(i+1)+" is not an escape")
	}
	return i + 2, nil
}

// unicodeEscape reads \uXXXX, or two of them for a character beyond U+FFFF, and returns
// the offset behind it.
func (p *parser) unicodeEscape(i int) (int, *Error) {
	r, ok := p.hex(i)
	if !ok {
		return i, p.refuse(CodeInvalidEscape, i, `\u must be followed by four hexadecimal digits`)
	}
	next := i + 6
	if utf16.IsSurrogate(r) {
		low, ok := p.hex(next)
		full := utf16.DecodeRune(r, low)
		if !ok || full == utf8.RuneError {
			return i, p.refuse(CodeLoneSurrogate, i, fmt.Sprintf(`\u%04X is half of a surrogate pair`, r))
		}
		r, next = full, next+6
	}
	p.text = utf8.AppendRune(p.text, r)
	return next, nil
}

// hex returns the number that a \uXXXX at i spells.
func (p *parser) hex(i int) (r rune, ok bool) {
	if i+6 > len(p.src) || p.src[i] != '\\' || p.src[i+1] != 'u' {
		return 0, false
	}
	for _, c := range p.src[i+2 : i+6] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// number reads a number (RFC 8259, section 6).
func (p *parser) number(i int) (int, *Error) {
	at := i
	if p.src[at] == '-' {
		at++
	}
	switch {
	case at < len(p.src) && p.src[at] == '0':
		at++
	case at < len(p.src) && '1' <= p.src[at] && p.src[at] <= '9':
		at = p.digits(at)
	default:
		return at, p.refuse(CodeSyntax, at, "expected a digit, found "+p.found(at))
	}
	top := at - i // the number is below ten to this power
	if at < len(p.src) && p.src[at] == '.' {
		end := p.digits(at + 1)
		if end == at+1 {
			return end, p.refuse(CodeSyntax, end, "expected a digit after the decimal point, found "+p.found(end))
		}
		at = end
	}
	if at < len(p.src) && p.src[at]|0x20 == 'e' {
		at++
		down := at < len(p.src) && p.src[at] == '-'
		if at < len(p.src) && (p.src[at] == '+' || p.src[at] == '-') {
			at++
		}
		end := p.digits(at)
		if end == at {
			return end, p.refuse(CodeSyntax, end, "expected a digit in the exponent, found "+p.found(end))
		}
		exponent := 0
		for _, c := range p.src[at:end] {
			exponent = min(10*exponent+int(c-'0'), math.MaxInt32) // more than there are digits
		}
		if down {
			exponent = -exponent
		}
		top += exponent
		at = end
	}
	if at < len(p.src) && (p.src[at] == '.' || '0' <= p.src[at] && p.src[at] <= '9') {
		return at, p.refuse(CodeSyntax, at, "expected the end of a number, found "+p.found(at))
	}
	n := node{off: uint32(i), start: uint32(i), n: uint32(at - i), kind: Number}
	const within = 308 // powers of ten up to this one are doubles
	if top > within && math.IsInf(decimal.Double(p.textOf(&n)), 0) {
		return i, p.refuse(CodeNumberRange, i, "a number beyond the largest double")
	}
	p.pending = append(p.pending, n)
	return at, nil
}

func (p *parser) digits(i int) int {
	for i < len(p.src) && '0' <= p.src[i] && p.src[i] <= '9' {
		i++
	}
	return i
}

// found names what stands at an offset.
func (p *parser) found(i int) string {
	if i >= len(p.src) {
		return "the end of the text"
	}
	r, _ := utf8.DecodeRune(p.src[i:])
	if strconv.IsGraphic(r) && r != ' ' {
		return strconv.Quote(string(r))
	}
	return fmt.Sprintf("U+%04X", r)
}

func (p *parser) over(limit LimitName, most int64, off int) *Error {
	e := p.refuse(CodeLimitExceeded, off, fmt.Sprintf("%s limit %d exceeded", limit, most))
	e.Limit, e.Max = limit, most
	return e
}

func (p *parser) refuse(code Code, off int, text string) *Error {
	line, column := place(p.src, off)
	return &Error{Code: code, Text: text, Offset: off, Line: line, Column: column, Pointer: string(p.pointer(len(p.open)))}
}

// pointer returns the JSON pointer of the value being read, through the first
// n open containers.
func (p *parser) pointer(n int) []byte {
	var dst []byte
	for k := range n {
		f := p.open[k]
		end := len(p.pending)
		if k+1 < len(p.open) {
			end = int(p.open[k+1].base)
		}
		count := end - int(f.base)
		switch {
		case !f.object:
			dst = strconv.AppendInt(append(dst, '/'), int64(count), 10)
		case count%2 == 1: // the last name has no value yet
			dst = appendPointer(dst, p.textOf(&p.pending[end-1]))
		}
	}
	return dst
}
