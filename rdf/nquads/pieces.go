package nquads

import (
	"bytes"
	"errors"
	"io"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/internal/scan"
)

// pieceBytes is how much of a document is in memory at a time, unless a line is
// longer.
const pieceBytes = 1 << 20

// ReadInto reads an N-Quads document from r as one more document of b, whose
// limits hold in place of those of o. Only some lines of the document are in
// memory at a time. So the error is that of the first faulty line, where
// [ParseInto] checks the size and the encoding of the whole document first.
// Besides the errors of ParseInto it returns what r fails with, wrapped. After an
// error b holds a part of the document.
func ReadInto(b *rdf.Builder, r io.Reader, o Options) error { return readInto(b, r, o, true) }

// ReadTriplesInto reads an N-Triples document, as [ReadInto] does.
func ReadTriplesInto(b *rdf.Builder, r io.Reader, o Options) error { return readInto(b, r, o, false) }

func readInto(b *rdf.Builder, r io.Reader, o Options, quads bool) error {
	b.BeginDocument(o.File)
	p := pieces{r: r, left: b.Limits().Bytes, buf: make([]byte, 0, pieceBytes)}
	lines := 0
	for first := true; ; first = false {
		data, err := p.next()
		if err != nil && err != io.EOF {
			if errors.Is(err, errTooManyBytes) {
				return scan.TooLarge(b.Limits(), o.File)
			}
			return scan.ReadError(err, o.File)
		}
		piece := reader{b: b, data: data, file: o.File, quads: quads, places: o.Places, lines: uint32(lines)}
		if first {
			piece.pos = scan.AfterBOM(data)
		}
		failed := scan.Check(data, b.Limits(), o.File)
		if failed == nil {
			failed = piece.document()
		}
		if failed != nil {
			return moved(failed, lines)
		}
		if err == io.EOF {
			return nil
		}
		lines += bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r")) - bytes.Count(data, []byte("\r\n"))
	}
}

// moved turns the place of an error within a piece into one within the document,
// by the number of lines before the piece.
func moved(err error, lines int) error {
	var syntax *rdf.SyntaxError
	if errors.As(err, &syntax) && !syntax.Place.IsZero() {
		syntax.Place.Line += lines
	}
	var limit *rdf.LimitError
	if errors.As(err, &limit) && !limit.Place.IsZero() {
		limit.Place.Line += lines
	}
	return err
}

// pieces cuts what a reader gives into pieces that end at the end of a line.
type pieces struct {
	r    io.Reader
	left int64 // bytes that the document may still have
	buf  []byte
	used int // of buf, by the last piece
}

var errTooManyBytes = errors.New("too many bytes")

// next returns the next piece, which is valid until the call after, and io.EOF
// with the last one.
func (p *pieces) next() ([]byte, error) {
	p.buf = append(p.buf[:0], p.buf[p.used:]...)
	p.used = 0
	for {
		if len(p.buf) == cap(p.buf) {
			if end := lineEnd(p.buf); end > 0 {
				p.used = end
				return p.buf[:end], nil
			}
			p.buf = append(make([]byte, 0, 2*cap(p.buf)), p.buf...)
		}
		n, err := p.r.Read(p.buf[len(p.buf):cap(p.buf)])
		p.buf = p.buf[:len(p.buf)+n]
		if p.left -= int64(n); p.left < 0 {
			return nil, errTooManyBytes
		}
		if err != nil {
			p.used = len(p.buf)
			return p.buf, err
		}
	}
}

// lineEnd returns the offset after the last line that ends in data, 0 for none.
// A CR at the end of data may be half of a line's end.
func lineEnd(data []byte) int {
	if lf := bytes.LastIndexByte(data, '\n'); lf >= 0 {
		return lf + 1
	}
	return bytes.LastIndexByte(data[:max(len(data)-1, 0)], '\r') + 1
}
