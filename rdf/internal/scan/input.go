package scan

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
)

// Check refuses a document that is larger than the limit or is not UTF-8.
func Check(data []byte, limits rdf.Limits, file string) error {
	if int64(len(data)) > limits.Bytes {
		return TooLarge(limits, file)
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

// ReadAll reads a document, which must not be larger than the limit. It never reads
// more than one byte beyond that.
func ReadAll(r io.Reader, limits rdf.Limits, file string) ([]byte, error) {
	limits = limits.OrPeer()
	data, err := io.ReadAll(io.LimitReader(r, limits.Bytes+1))
	if err != nil {
		return nil, ReadError(err, file)
	}
	if int64(len(data)) > limits.Bytes {
		return nil, TooLarge(limits, file)
	}
	return data, nil
}

// TooLarge returns the error for a document that is larger than the limit.
func TooLarge(limits rdf.Limits, file string) error {
	return &rdf.LimitError{Limit: rdf.LimitBytes, Max: limits.Bytes, Place: rdf.Place{File: file}}
}

// ReadError wraps what an [io.Reader] failed with.
func ReadError(err error, file string) error {
	if file == "" {
		file = "the document"
	}
	return fmt.Errorf("reading %s: %w", file, err)
}

// Error adds a place, that of an offset of data, to an error of the [rdf.Builder].
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
