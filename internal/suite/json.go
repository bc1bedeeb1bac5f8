package suite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Entry is an entry of a manifest in JSON: of the canonicalization suite or of
// a JSON-LD suite.
type Entry struct {
	ID    string   // without the "#"
	Types []string // as the manifest abbreviates them: "rdfc:RDFC10EvalTest"
	Name  string

	Action string // the input's path
	Input  string // the input as the manifest names it, relative to the suite
	Result string // the expected output's path; "" for refusals and syntax tests

	HashAlgorithm string // canonicalization: "SHA384" or ""
	Complexity    string // canonicalization: "low", "medium" or "high"

	ErrorCode string // JSON-LD: the error that is expected
	Option    Option // JSON-LD
}

// Option holds the options of a JSON-LD test.
type Option struct {
	Base                  string `json:"base"`
	ProcessingMode        string `json:"processingMode"`
	SpecVersion           string `json:"specVersion"`
	ExpandContext         string `json:"expandContext"`
	RDFDirection          string `json:"rdfDirection"`
	ProduceGeneralizedRDF bool   `json:"produceGeneralizedRdf"`
	Normative             *bool  `json:"normative"`

	ContentType string          `json:"contentType"`
	HTTPLink    json.RawMessage `json:"httpLink"`
	HTTPStatus  int             `json:"httpStatus"`
	RedirectTo  string          `json:"redirectTo"`
}

// Is reports whether one of the entry's types is name, with or without its
// prefix.
func (e Entry) Is(name string) bool {
	for _, t := range e.Types {
		if t == name || strings.HasSuffix(t, ":"+name) {
			return true
		}
	}
	return false
}

// Entries reads a suite's manifest in JSON, a file relative to the suite, and
// returns its base IRI and its entries. t fails unless there are want entries.
func Entries(t testing.TB, name, manifest string, want int) (base string, entries []Entry) {
	t.Helper()
	dir := Dir(t, name)
	var m struct {
		BaseIRI  string `json:"baseIri"`
		Entries  []canonEntry
		Sequence []jsonldEntry
	}
	if err := json.Unmarshal(ReadFile(t, filepath.Join(dir, manifest)), &m); err != nil {
		t.Fatalf("%s: %v", manifest, err)
	}
	path := func(file string) string {
		if file == "" {
			return ""
		}
		return filepath.Join(dir, file)
	}
	for _, c := range m.Entries {
		entries = append(entries, Entry{
			ID: strings.TrimPrefix(c.ID, "#"), Types: []string{c.Type}, Name: c.Name,
			Action: path(c.Action), Input: c.Action, Result: path(c.Result),
			HashAlgorithm: c.HashAlgorithm, Complexity: c.Complexity,
		})
	}
	for _, c := range m.Sequence {
		entries = append(entries, Entry{
			ID: strings.TrimPrefix(c.ID, "#"), Types: c.Type, Name: c.Name,
			Action: path(c.Input), Input: c.Input, Result: path(c.Expect),
			ErrorCode: c.ErrorCode, Option: c.Option,
		})
	}
	if len(entries) != want {
		t.Fatalf("suite %s: %d entries, recorded are %d", name, len(entries), want)
	}
	return m.BaseIRI, entries
}

type canonEntry struct {
	ID            string `json:"id"`
	Type          string `json:"type"`
	Name          string `json:"name"`
	Action        string `json:"action"`
	Result        string `json:"result"`
	HashAlgorithm string `json:"hashAlgorithm"`
	Complexity    string `json:"computationalComplexity"`
}

type jsonldEntry struct {
	ID        string   `json:"@id"`
	Type      []string `json:"@type"`
	Name      string   `json:"name"`
	Input     string   `json:"input"`
	Expect    string   `json:"expect"`
	ErrorCode string   `json:"expectErrorCode"`
	Option    Option   `json:"option"`
}

// Exists reports whether a file of a suite is there: a manifest may name one
// that its publishers left out.
func Exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
