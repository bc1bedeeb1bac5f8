package scan

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
)

// Check refuses a text that is larger than the limit or is not UTF-8.
func Check(data []byte, limits rdf.Limits, file string) error {
	if int64(len(data)) > limits.Bytes {
		return &rdf.LimitError{Limit: rdf.LimitBytes, Max: limits.Bytes, Place: rdf.Place{File: file}}
	}
	if utf8.Valid(data) {
		return nil
	}
	off := 0
	for off < len(data) {
		r, size := utf8.DecodeRune(data[off:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		off += size
	}
	return &rdf.SyntaxError{
		Code: rdf.CodeInvalidUTF8, Place: Place(file, data, off),
		Expected: "UTF-8", Found: fmt.Sprintf("byte 0x%02X", data[off]),
	}
}

// ReadAll reads a document that may be as large as the limit, and no more than
// one byte beyond it.
func ReadAll(r io.Reader, limits rdf.Limits, file string) ([]byte, error) {
	limits = limits.OrPeer()
	data, err := io.ReadAll(io.LimitReader(r, limits.Bytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", nameOf(file), err)
	}
	if int64(len(data)) > limits.Bytes {
		return nil, &rdf.LimitError{Limit: rdf.LimitBytes, Max: limits.Bytes, Place: rdf.Place{File: file}}
	}
	return data, nil
}

func nameOf(file string) string {
	if file == "" {
		return "the document"
	}
	return file
}

// Error gives the place of an offset to an error of the [rdf.Builder].
func Error(err error, file string, data []byte, off int) error {
	var term *rdf.TermError
	if errors.As(err, &term) {
		return &rdf.SyntaxError{Code: term.Code, Place: Place(file, data, off), Expected: term.Reason}
	}
	var limit *rdf.LimitError
	if errors.As(err, &limit) && limit.Place.IsZero() {
		return &rdf.LimitError{Limit: limit.Limit, Max: limit.Max, Place: Place(file, data, off)}
	}
	return err
}
