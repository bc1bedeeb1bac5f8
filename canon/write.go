package canon

import (
	"context"
	"io"

	"github.com/rdfproto/rdfproto/rdf"
)

// Write writes the canonical N-Quads of a dataset to w, some lines at a time, and
// returns what that spent of the limits. It needs no memory for the text, which can be a
// thousand times larger than the dataset: a long IRI is one term, and is written for
// every quad. The caller bounds how much is written by an error of w, after which
// nothing more is. It fails as [Canonicalize] does, with the error of w, and is safe for
// concurrent use if w is.
func Write(ctx context.Context, w io.Writer, d *rdf.Dataset, o Options) (Work, error) {
	s := states.Get().(*state)
	defer s.release()
	if err := s.canonicalize(ctx, d, o); err != nil {
		return Work{}, err
	}
	if err := s.serializeTo(w); err != nil {
		return Work{}, err
	}
	return Work{Permutations: int(s.permutations), Calls: int(s.calls)}, nil
}

// serializeTo writes the serialized canonical form (section 5).
func (s *state) serializeTo(w io.Writer) error {
	lines, err := s.canonicalLines()
	if err != nil {
		return err
	}
	buf := s.hasher.buf[:0]
	for len(lines) > 0 {
		if buf, lines, err = s.appendLines(buf, lines); err != nil {
			return err
		}
		if len(buf) >= hasherBytes || len(lines) == 0 {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	s.hasher.buf = buf
	return nil
}
