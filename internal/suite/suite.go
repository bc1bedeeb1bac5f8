package suite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Variable is the environment variable that names the folder of the suites.
const Variable = "RDFPROTO_SUITES"

// Dir returns the folder of a suite. Without suites it skips t; with suites but
// without this one t fails.
func Dir(t testing.TB, name string) string {
	t.Helper()
	all := os.Getenv(Variable)
	if all == "" {
		all = filepath.Join(moduleRoot(t), "..", "shared", "suites")
		if _, err := os.Stat(all); errors.Is(err, fs.ErrNotExist) {
			t.Skipf("the suite %s is not here: set %s to the folder that holds the suites", name, Variable)
		}
	}
	dir := filepath.Join(all, name)
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatalf("suite %s: %v", name, err)
	}
	if !info.IsDir() {
		t.Fatalf("suite %s: %s is not a folder", name, dir)
	}
	return dir
}

// moduleRoot is the folder above the test's package that holds the go.mod of the
// main module, which that of a module nested in it is not.
func moduleRoot(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && strings.HasPrefix(string(mod), "module github.com/rdfproto/rdfproto\n") {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}

// ReadFile reads a file of a suite.
func ReadFile(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
