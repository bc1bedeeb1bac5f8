package nquads

import (
	"fmt"
	"io"

	"github.com/rdfproto/rdfproto/rdf"
)

// Append appends a dataset as N-Quads to dst, with the escapes of canonical
// N-Quads (RDFC-1.0, appendix A) and the quads in the dataset's order. Anonymous
// blank nodes get labels that no other has.
func Append(dst []byte, d *rdf.Dataset) []byte {
	for q := range d.Quads() {
		dst = appendQuad(dst, d, q)
	}
	return dst
}

func appendQuad(dst []byte, d *rdf.Dataset, q rdf.Quad) []byte {
	dst = append(d.AppendTerm(dst, q.S), ' ')
	dst = append(d.AppendTerm(dst, q.P), ' ')
	dst = append(d.AppendTerm(dst, q.O), ' ')
	if q.G != 0 {
		dst = append(d.AppendTerm(dst, q.G), ' ')
	}
	return append(dst, '.', '\n')
}

// Write writes a dataset as [Append] does. It fails as w does.
func Write(w io.Writer, d *rdf.Dataset) error {
	const piece = 64 << 10
	buf := make([]byte, 0, piece+4<<10)
	for q := range d.Quads() {
		if buf = appendQuad(buf, d, q); len(buf) < piece {
			continue
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	if len(buf) == 0 {
		return nil
	}
	_, err := w.Write(buf)
	return err
}

// WriteTriples writes a dataset as N-Triples, as [Write] does. It fails when
// the dataset has named graphs, which N-Triples cannot say.
func WriteTriples(w io.Writer, d *rdf.Dataset) error {
	if names := d.GraphNames(); len(names) > 0 {
		return fmt.Errorf("the dataset has %d named graphs, which N-Triples cannot hold", len(names))
	}
	return Write(w, d)
}
