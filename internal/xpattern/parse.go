package xpattern

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// node is a part of a regular expression.
type node struct {
	op       op
	class    class   // opClass
	sub      []*node // opConcat, opAlternate, opRepeat
	min, max int     // opRepeat; max -1 is no maximum
	lazy     bool    // opRepeat
}

type op uint8

const (
	opNothing   op = iota // matches no text
	opEmpty               // matches the empty text
	opClass               // matches a character of a class
	opBegin               // ^
	opEnd                 // $
	opTextBegin           // the start of the text, whatever the flags
	opTextEnd             // the end of the text, whatever the flags
	opConcat              // one after the other
	opAlternate           // one of them
	opRepeat              // sub[0] again and again
)

func concat(sub ...*node) *node {
	switch len(sub) {
	case 0:
		return &node{op: opEmpty}
	case 1:
		return sub[0]
	}
	return &node{op: opConcat, sub: sub}
}

func alternate(sub ...*node) *node {
	if len(sub) == 1 {
		return sub[0]
	}
	return &node{op: opAlternate, sub: sub}
}

func single(r rune) *node { return &node{op: opClass, class: class{items: []item{{lo: r, hi: r}}}} }

const (
	maxRepeat = 1000 // what Go's engine takes
	maxNested = 1000 // likewise
)

// states estimates how many states a matcher of n has, at most little more than
// maxStates.
func states(n *node) int {
	sum := 1
	for _, s := range n.sub {
		if sum += states(s); sum > maxStates {
			return maxStates + 1
		}
	}
	if n.op == opRepeat {
		sum *= max(n.min+1, n.max)
	}
	return min(sum, maxStates+1)
}

// parser is a recursive descent over the grammar of XSD 1.1 part 2, appendix
// G.3, with the changes of F&O 3.1, section 5.6.1. It stops at the first error.
type parser struct {
	src   []rune
	place []int // of each character in the pattern, from 1, and of its end
	i     int
	depth int
	flags flags
}

func parse(pattern string, f flags) (*node, error) {
	p := parser{flags: f}
	if err := p.load(pattern); err != nil {
		return nil, err
	}
	if f.quote {
		var out []*node
		for _, r := range p.src {
			out = append(out, single(r))
		}
		return concat(out...), nil
	}
	n, err := p.regExp()
	if err != nil {
		return nil, err
	}
	if p.i < len(p.src) {
		return nil, p.errorf(p.i, "')' without a '(' before it")
	}
	return n, nil
}

// load splits the pattern into characters and, with the flag x, removes the
// white space outside of classes.
func (p *parser) load(pattern string) error {
	n, open, escaped := 0, 0, false
	for i, r := range pattern {
		n++
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(pattern[i:]); size == 1 {
				return &Error{n, "the pattern is not UTF-8"}
			}
		}
		if p.flags.space && open == 0 && (r == ' ' || r == '\t' || r == '\n' || r == '\r') {
			continue
		}
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '[':
			open++
		case r == ']' && open > 0:
			open--
		}
		p.src = append(p.src, r)
		p.place = append(p.place, n)
	}
	p.place = append(p.place, n+1)
	return nil
}

func (p *parser) errorf(at int, format string, args ...any) *Error {
	return &Error{p.place[min(at, len(p.src))], fmt.Sprintf(format, args...)}
}

// end stands for the end of the pattern in peek.
const end rune = -1

func (p *parser) peek(ahead int) rune {
	if p.i+ahead < len(p.src) {
		return p.src[p.i+ahead]
	}
	return end
}

// regExp ::= branch ( '|' branch )*
func (p *parser) regExp() (*node, error) {
	var branches []*node
	for {
		b, err := p.branch()
		if err != nil {
			return nil, err
		}
		branches = append(branches, b)
		if p.peek(0) != '|' {
			return alternate(branches...), nil
		}
		p.i++
	}
}

// branch ::= piece*
func (p *parser) branch() (*node, error) {
	var pieces []*node
	for {
		switch p.peek(0) {
		case end, '|', ')':
			return concat(pieces...), nil
		}
		n, err := p.piece()
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, n)
	}
}

// piece ::= atom quantifier?
func (p *parser) piece() (*node, error) {
	n, err := p.atom()
	if err != nil {
		return nil, err
	}
	r := &node{op: opRepeat, sub: []*node{n}}
	switch p.peek(0) {
	case '?':
		r.min, r.max = 0, 1
		p.i++
	case '*':
		r.min, r.max = 0, -1
		p.i++
	case '+':
		r.min, r.max = 1, -1
		p.i++
	case '{':
		if r.min, r.max, err = p.quantity(); err != nil {
			return nil, err
		}
	default:
		return n, nil
	}
	if p.peek(0) == '?' {
		r.lazy = true
		p.i++
	}
	return r, nil
}

// quantity reads '{n}', '{n,}' or '{n,m}'.
func (p *parser) quantity() (least, most int, err error) {
	start := p.i
	p.i++
	if least, err = p.number(start); err != nil {
		return 0, 0, err
	}
	most = least
	if p.peek(0) == ',' {
		p.i++
		most = -1
		if p.peek(0) != '}' {
			if most, err = p.number(start); err != nil {
				return 0, 0, err
			}
		}
	}
	if p.peek(0) != '}' {
		return 0, 0, p.errorf(start, "a quantity must be {n}, {n,} or {n,m}")
	}
	p.i++
	switch {
	case max(least, most) > maxRepeat:
		return 0, 0, p.errorf(start, "a repetition of more than %d is not supported", maxRepeat)
	case most >= 0 && least > most:
		return 0, 0, p.errorf(start, "the quantity {%d,%d} has its maximum below its minimum", least, most)
	}
	return least, most, nil
}

func (p *parser) number(start int) (int, error) {
	n, digits := 0, 0
	for ; '0' <= p.peek(0) && p.peek(0) <= '9'; p.i++ {
		n = min(10*n+int(p.peek(0)-'0'), maxRepeat+1)
		digits++
	}
	if digits == 0 {
		return 0, p.errorf(start, "a quantity must be {n}, {n,} or {n,m}")
	}
	return n, nil
}

// atom ::= NormalChar | charClass | '(' '?:'? regExp ')' | '^' | '$'
func (p *parser) atom() (*node, error) {
	at := p.i
	c := p.peek(0)
	switch c {
	case '^', '$':
		p.i++
		if c == '^' {
			return &node{op: opBegin}, nil
		}
		return &node{op: opEnd}, nil
	case '.':
		p.i++
		if p.flags.dotAll {
			return &node{op: opClass, class: class{negated: true}}, nil
		}
		return &node{op: opClass, class: class{negated: true, items: []item{{lo: '\n', hi: '\n'}, {lo: '\r', hi: '\r'}}}}, nil
	case '(':
		return p.group()
	case '[':
		c, err := p.charClassExpr()
		if err != nil {
			return nil, err
		}
		return &node{op: opClass, class: *c}, nil
	case '\\':
		it, err := p.escape()
		if err != nil {
			return nil, err
		}
		return &node{op: opClass, class: class{items: []item{it}}}, nil
	case '?', '*', '+', '{':
		return nil, p.errorf(at, "'%c' has nothing to repeat", c)
	case '}', ']':
		return nil, p.errorf(at, "'%c' must be escaped", c)
	}
	p.i++
	return single(c), nil
}

// group reads '(' '?:'? regExp ')'.
func (p *parser) group() (*node, error) {
	start := p.i
	if p.depth++; p.depth > maxNested {
		return nil, p.errorf(start, "more than %d groups are nested", maxNested)
	}
	p.i++
	if p.peek(0) == '?' {
		if p.peek(1) != ':' {
			return nil, p.errorf(start, "of the groups that begin with '(?' there is only '(?:': no lookaround, no names, no flags")
		}
		p.i += 2
	}
	n, err := p.regExp()
	if err != nil {
		return nil, err
	}
	if p.peek(0) != ')' {
		return nil, p.errorf(start, "the group is not closed")
	}
	p.i++
	p.depth--
	return n, nil
}

// escape reads what a backslash begins, in and outside of classes.
func (p *parser) escape() (item, error) {
	at := p.i
	c := p.peek(1)
	if c == end {
		return item{}, p.errorf(at, "a backslash at the end")
	}
	p.i += 2
	switch c {
	case 'n':
		return item{lo: '\n', hi: '\n'}, nil
	case 'r':
		return item{lo: '\r', hi: '\r'}, nil
	case 't':
		return item{lo: '\t', hi: '\t'}, nil
	case '\\', '|', '.', '?', '*', '+', '(', ')', '{', '}', '$', '-', '[', ']', '^':
		return item{lo: c, hi: c}, nil
	case 's', 'S', 'i', 'I', 'c', 'C', 'd', 'D', 'w', 'W':
		return item{escape: c}, nil
	case 'p', 'P':
		name, err := p.property(at)
		return item{escape: c, property: name}, err
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return item{}, p.errorf(at, "back-references are not supported: they cannot be matched in linear time")
	}
	return item{}, p.errorf(at, "there is no escape \\%s", shown(c))
}

// property reads '{' charProp '}' and checks that it exists.
func (p *parser) property(at int) (string, error) {
	if p.peek(0) != '{' {
		return "", p.errorf(at, "\\%c must be followed by a category or block in braces", p.src[at+1])
	}
	p.i++
	var name []rune
	for p.peek(0) != '}' {
		if p.peek(0) == end || len(name) > 100 {
			return "", p.errorf(at, "the name of a category or block is not closed with '}'")
		}
		name = append(name, p.peek(0))
		p.i++
	}
	p.i++
	if !isProperty(string(name)) {
		return "", p.errorf(at, "there is no category or block %q", string(name))
	}
	return string(name), nil
}

// charClassExpr ::= '[' '^'? charGroupPart+ ( '-' charClassExpr )? ']'
func (p *parser) charClassExpr() (*class, error) {
	start := p.i
	if p.depth++; p.depth > maxNested {
		return nil, p.errorf(start, "more than %d groups and classes are nested", maxNested)
	}
	p.i++
	c := &class{}
	if p.peek(0) == '^' {
		c.negated = true
		p.i++
	}
	for {
		switch {
		case p.peek(0) == end:
			return nil, p.errorf(start, "the class is not closed")
		case p.peek(0) == '[':
			return nil, p.errorf(p.i, "'[' in a class must be escaped, or follow '-' to subtract")
		case p.peek(0) == ']' && len(c.items) == 0:
			return nil, p.errorf(p.i, "a class must have a member; to mean ']' escape it")
		case p.peek(0) == ']':
			p.i++
			p.depth--
			return c, nil
		case p.peek(0) == '-' && p.peek(1) == '[':
			if len(c.items) == 0 {
				return nil, p.errorf(p.i, "there is nothing to subtract from")
			}
			p.i++
			minus, err := p.charClassExpr()
			if err != nil {
				return nil, err
			}
			if p.peek(0) != ']' && p.peek(0) != end {
				return nil, p.errorf(p.i, "a subtraction must be the last part of its class")
			}
			c.minus = minus
		default:
			it, err := p.charGroupPart(start)
			if err != nil {
				return nil, err
			}
			c.items = append(c.items, it)
		}
	}
}

// charGroupPart ::= singleChar | charRange | charClassEsc, with the rules of XSD
// 1.1 on which hyphens make a range. The class begins at start.
func (p *parser) charGroupPart(start int) (item, error) {
	at := p.i
	lo, err := p.groupChar(start)
	if err != nil || lo.escape != 0 || p.peek(0) != '-' {
		return lo, err
	}
	switch {
	case p.peek(1) == '[', p.peek(1) == ']', p.peek(1) == '-' && p.peek(2) == '[':
		return lo, nil // the hyphen subtracts or stands for itself
	case p.src[at] == '-' || p.peek(1) == '-':
		return item{}, p.errorf(at, "a hyphen at the end of a range must be escaped")
	}
	p.i++
	hi, err := p.groupChar(start)
	switch {
	case err != nil:
		return item{}, err
	case hi.escape != 0:
		return item{}, p.errorf(at, "a range must end with a single character")
	case lo.lo > hi.lo:
		return item{}, p.errorf(at, "the range %s-%s is out of order", shown(lo.lo), shown(hi.lo))
	}
	return item{lo: lo.lo, hi: hi.lo}, nil
}

func (p *parser) groupChar(start int) (item, error) {
	c := p.peek(0)
	switch c {
	case end:
		return item{}, p.errorf(start, "the class is not closed")
	case '\\':
		return p.escape()
	}
	p.i++
	return item{lo: c, hi: c}, nil
}

// shown writes a character for a message.
func shown(r rune) string {
	if unicode.IsGraphic(r) {
		return string(r)
	}
	return fmt.Sprintf("U+%04X", r)
}
