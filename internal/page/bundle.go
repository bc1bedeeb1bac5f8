package page

import (
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/rdf"
)

// maxBundle is how large an authority input may be with its files: a chain of 16
// credentials and policies, each as large as it may be, does not fit, and none that
// anyone makes is near.
const maxBundle = 4 << 20

// Bundle is an input of authz check with the files that it names, in one text: the input,
// then for each file a line "-- NAME --" and its content. It is the format of txtar.
// Controller documents are the files below keys/.
type Bundle struct {
	Input string
	Files []BundleFile
}

// BundleFile is a file of a Bundle.
type BundleFile struct {
	Name    string
	Content string
	Line    int // of the bundle that the content begins in
}

// ParseBundle reads a bundle. It fails when the text is too large, and when two files have
// one name.
func ParseBundle(text string) (Bundle, error) {
	var b Bundle
	if len(text) > maxBundle {
		return b, fmt.Errorf("expected at most %d bytes, found %d", maxBundle, len(text))
	}
	content := &b.Input
	begin, offset, number := 0, 0, 0
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		number++
		if name, ok := marker(line); ok {
			*content = text[begin:offset]
			begin = offset + len(line)
			if seen[name] {
				return Bundle{}, &bundleError{fmt.Sprintf("the file %q is there twice", rdf.Abbreviate(name)), number, 1}
			}
			seen[name] = true
			b.Files = append(b.Files, BundleFile{Name: name, Line: number + 1})
			content = &b.Files[len(b.Files)-1].Content
		}
		offset += len(line)
	}
	*content = text[begin:]
	return b, nil
}

// marker returns the name in a line that begins a file.
func marker(line string) (string, bool) {
	name, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "-- ")
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(name, " --")
	name = strings.TrimSpace(name)
	return name, ok && name != ""
}

// reader returns what returns the content of a file, one and the same however often it is
// named.
func (b Bundle) reader() func(name string) ([]byte, error) {
	contents := make(map[string]string, len(b.Files))
	for _, f := range b.Files {
		contents[f.Name] = f.Content
	}
	return vectors.Once(func(name string) ([]byte, error) {
		content, ok := contents[name]
		if !ok {
			return nil, fmt.Errorf(`the file %q is named and not there: it begins after a line "-- %[1]s --"`, rdf.Abbreviate(name))
		}
		return []byte(content), nil
	})
}

// bundleError says what is wrong with a bundle, and where.
type bundleError struct {
	text         string
	line, column int
}

func (e *bundleError) Error() string { return e.text }
