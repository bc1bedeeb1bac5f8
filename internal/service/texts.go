package service

import (
	"fmt"
	"io"
	"mime"
	"strconv"

	"github.com/rdfproto/rdfproto/rdf"
)

// quote puts a text from outside between quotes.
func quote(s string) string { return `"` + rdf.Abbreviate(s) + `"` }

func number(n int64) string { return strconv.FormatInt(n, 10) }

// typeName returns the type of an error and not its text.
func typeName(err error) string { return fmt.Sprintf("%T", err) }

// isJSON reports whether a Content-Type, that a route reads, is JSON.
func isJSON(contentType string) bool {
	essence, _, err := mime.ParseMediaType(contentType)
	return err == nil && essence == jsonType
}

// readAtMost reads all of r, and fails when that is more than most bytes.
func readAtMost(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: expected at most %d bytes", name, most)
	}
	return data, err
}
