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

// find returns the folder that an environment variable names. Without the variable it is
// the one with a name in ../shared from the module's root, or "" if that is not there.
func find(t testing.TB, variable, name string) string {
	t.Helper()
	if dir := os.Getenv(variable); dir != "" {
		return dir
	}
	dir := filepath.Join(moduleRoot(t), "..", "shared", name)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return dir
}

// folder returns the folder name within one that [find] finds by variable and all. t is
// skipped when the latter is not there, and fails when name is missing in it; what says
// in messages what name is.
func folder(t testing.TB, variable, all, what, name string) string {
	t.Helper()
	in := find(t, variable, all)
	if in == "" {
		t.Skipf("the %s %s is not here: set %s to the folder that holds the %s", what, name, variable, all)
	}
	dir := filepath.Join(in, name)
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatalf("%s %s: %v", what, name, err)
	}
	if !info.IsDir() {
		t.Fatalf("%s %s: %s is not a folder", what, name, dir)
	}
	return dir
}

// Dir returns the folder of a suite. Without suites it skips t; with suites but
// without this one t fails.
func Dir(t testing.TB, name string) string {
	t.Helper()
	return folder(t, Variable, "suites", "suite", name)
}

// moduleRoot returns the root of the main module, also for the tests of a module that is
// nested in it.
func moduleRoot(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(mod), "module github.com/rdfproto/rdfproto\n") {
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
