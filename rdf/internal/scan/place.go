package scan

import (
	"bytes"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
)

// BOM is the UTF-8 signature that a document may begin with.
const BOM = "\uFEFF"

// AfterBOM returns the offset after a byte order mark at the start of data.
func AfterBOM(data []byte) int {
	if bytes.HasPrefix(data, []byte(BOM)) {
		return len(BOM)
	}
	return 0
}

// Tracker finds the places of offsets. When they ascend, as they mostly do, the cost
// grows with the text and not with the number of places. The zero Tracker begins at
// the start of the text.
type Tracker struct {
	off, line, column int // the place of off; line counts from 0 here
}

// At returns the place of an offset of data. A byte order mark at the start
// takes no column.
func (t *Tracker) At(data []byte, off int) rdf.Pos {
	if off < t.off || t.off == 0 {
		*t = Tracker{off: AfterBOM(data)}
	}
	for t.off < off {
		c := data[t.off]
		t.off++
		switch {
		case c == '\n', c == '\r' && (t.off == len(data) || data[t.off] != '\n'):
			t.line++
			t.column = 0
		case utf8.RuneStart(c):
			t.column++
		}
	}
	return rdf.Pos{Line: uint32(t.line) + 1, Column: uint32(t.column) + 1}
}

// Place returns the place of an offset of data.
func Place(file string, data []byte, off int) rdf.Place {
	var t Tracker
	p := t.At(data, min(off, len(data)))
	return rdf.Place{File: file, Line: int(p.Line), Column: int(p.Column)}
}
