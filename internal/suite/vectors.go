package suite

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// VectorsVariable is the environment variable that names the folder of the
// protocol's public vectors. They are looked for as suites are, in
// ../shared/vectors from the module's root without it.
const VectorsVariable = "RDFPROTO_VECTORS"

// Vector is one case of a suite of vectors. Input and Expected are as in its
// file; names of files in Input are relative to Dir.
type Vector struct {
	ID        string
	Operation string
	Input     json.RawMessage
	Expected  json.RawMessage
	Dir       string
}

// Vectors returns the folder of a suite of vectors. Without vectors it skips t;
// with vectors but without this suite t fails.
func Vectors(t testing.TB, name string) string {
	t.Helper()
	return folder(t, VectorsVariable, "vectors", "suite of vectors", name)
}

// VectorCases returns the cases of a suite of vectors in the order of its
// manifest. It fails t unless the suite has the recorded number of them.
func VectorCases(t testing.TB, name string, want int) []Vector {
	t.Helper()
	dir := Vectors(t, name)
	var manifest struct {
		Cases []struct {
			ID   string `json:"id"`
			Path string `json:"path"`
		} `json:"cases"`
	}
	if err := json.Unmarshal(ReadFile(t, filepath.Join(dir, "manifest.json")), &manifest); err != nil {
		t.Fatalf("vectors %s: %v", name, err)
	}
	if len(manifest.Cases) != want {
		t.Fatalf("vectors %s: %d cases, recorded are %d", name, len(manifest.Cases), want)
	}
	cases := make([]Vector, 0, want)
	for _, c := range manifest.Cases {
		file := filepath.Join(dir, filepath.FromSlash(c.Path))
		var v Vector
		if err := json.Unmarshal(ReadFile(t, file), &v); err != nil {
			t.Fatalf("vector %s: %v", c.ID, err)
		}
		if v.ID != c.ID {
			t.Fatalf("vector %s says that it is %s", c.ID, v.ID)
		}
		v.Dir = filepath.Dir(file)
		cases = append(cases, v)
	}
	return cases
}

// CasesVariable is the environment variable that names the folder of the
// project's regression cases; ../shared/cases from the module's root without it.
const CasesVariable = "RDFPROTO_CASES"

// CaseDir returns the folder of one regression case. Without cases it skips t;
// with cases but without this one t fails.
func CaseDir(t testing.TB, name string) string {
	t.Helper()
	return folder(t, CasesVariable, "cases", "case", name)
}
