package strictjson

import "unicode/utf8"

// place returns line and column of an offset.
func place(src []byte, off int) (line, column int) {
	return advance(src, 0, off, 1, 1)
}

// advance moves a place from one offset to a later one. CR, LF and CR LF each
// end a line.
func advance(src []byte, from, to, line, column int) (int, int) {
	for i := from; i < to; i++ {
		switch c := src[i]; {
		case c == '\n' && i > 0 && src[i-1] == '\r':
			// The CR ended the line.
		case c == '\n' || c == '\r':
			line++
			column = 1
		case utf8.RuneStart(c):
			column++
		}
	}
	return line, column
}

// Locator finds the places of many values of one document. Making it reads the
// document once; every look-up then reads a small fixed amount. It is immutable
// and safe for concurrent use.
type Locator struct {
	src    []byte
	stones []stone // one every stride bytes
}

type stone struct{ line, column uint32 }

const stride = 128

// Locator returns the Locator of the document that v is of. That of the zero
// Value gives 0, 0 for everything.
func (v Value) Locator() *Locator {
	if v.d == nil {
		return &Locator{}
	}
	l := &Locator{src: v.d.src, stones: make([]stone, 0, len(v.d.src)/stride+1)}
	line, column := 1, 1
	for off := 0; off < len(l.src); off += stride {
		l.stones = append(l.stones, stone{uint32(line), uint32(column)})
		line, column = advance(l.src, off, min(off+stride, len(l.src)), line, column)
	}
	return l
}

// Place returns line and column of an offset of the document, as [Value.Offset]
// gives it.
func (l *Locator) Place(offset int) (line, column int) {
	n := offset / stride
	if offset < 0 || n >= len(l.stones) {
		return 0, 0
	}
	s := l.stones[n]
	return advance(l.src, n*stride, min(offset, len(l.src)), int(s.line), int(s.column))
}
