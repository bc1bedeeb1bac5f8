package vectors

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// maxFile bounds one file of a suite: they are examples of messages and documents.
const maxFile = 16 << 20

// manifest is the list of the cases of a suite.
type manifest struct {
	cases    []entry
	problems []string // why it is not what it should be
}

type entry struct{ id, path string }

// readFile reads a file of a suite.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("expected a path within the suite, found %q", name)
	}
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe waits for whoever writes to it
		return nil, fmt.Errorf("%s: expected a regular file", name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: expected at most %d bytes", name, maxFile)
	}
	return data, nil
}

func readJSON(fsys fs.FS, name string) (strictjson.Value, error) {
	data, err := readFile(fsys, name)
	if err != nil {
		return strictjson.Value{}, err
	}
	v, err := strictjson.Parse(data, strictjson.Limits{Bytes: maxFile})
	if err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	if v.Kind() != strictjson.Object {
		return v, fmt.Errorf("%s: expected an object, found %s", name, v.Kind())
	}
	return v, nil
}

// member is a member that an object may have.
type member struct {
	name     string
	kind     strictjson.Kind
	required bool
}

// checkMembers returns what is wrong with the members of an object.
func checkMembers(v strictjson.Value, known []member) []string {
	var problems []string
	for name := range v.Members() {
		if !slices.ContainsFunc(known, func(m member) bool { return m.name == name }) {
			problems = append(problems, fmt.Sprintf("unknown member %q", name))
		}
	}
	for _, m := range known {
		switch got := v.Get(m.name); {
		case !got.Exists() && m.required:
			problems = append(problems, fmt.Sprintf("the member %q is missing", m.name))
		case got.Exists() && got.Kind() != m.kind:
			problems = append(problems, fmt.Sprintf("the member %q is %s, not %s", m.name, got.Kind(), m.kind))
		}
	}
	return problems
}

// readManifest reads manifest.json. What it lists is read even if something else
// of it is wrong.
func readManifest(fsys fs.FS) (manifest, error) {
	root, err := readJSON(fsys, "manifest.json")
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return manifest{}, errors.New("there is no manifest.json")
		}
		return manifest{}, err
	}
	m := manifest{problems: checkMembers(root, []member{
		{"suite", strictjson.String, true}, {"spec", strictjson.String, true}, {"schemaVersion", strictjson.Number, true},
		{"caseCount", strictjson.Number, true}, {"cases", strictjson.Array, true},
		{"description", strictjson.String, false}, {"statementCompanion", strictjson.Object, false},
	})}
	if v, ok := root.Get("schemaVersion").Number(); ok && v != "1" {
		m.problems = append(m.problems, "schemaVersion "+v+" is not known")
	}
	seen := map[string]bool{}
	for i, v := range root.Get("cases").Items() {
		bad := checkMembers(v, []member{{"id", strictjson.String, true}, {"path", strictjson.String, true}})
		if v.Kind() != strictjson.Object {
			bad = []string{"expected an object, found " + v.Kind().String()}
		}
		for _, b := range bad {
			m.problems = append(m.problems, fmt.Sprintf("case %d of the manifest: %s", i+1, b))
		}
		id, _ := v.Get("id").Str()
		file, _ := v.Get("path").Str()
		if len(bad) > 0 {
			continue
		}
		if seen[id] || seen["path "+file] {
			m.problems = append(m.problems, fmt.Sprintf("the case %q is listed twice", id))
			continue
		}
		seen[id], seen["path "+file] = true, true
		m.cases = append(m.cases, entry{id, file})
	}
	if n, _ := root.Get("caseCount").Number(); n != fmt.Sprint(root.Get("cases").Len()) {
		m.problems = append(m.problems, fmt.Sprintf("the manifest counts %s cases and lists %d", n, root.Get("cases").Len()))
	}
	if len(m.cases) == 0 {
		m.problems = append(m.problems, "the manifest lists no case")
	}
	m.problems = append(m.problems, unlisted(fsys, seen)...)
	return m, nil
}

// unlisted finds folders of cases that the manifest does not list, whether a case
// stands in them or not.
func unlisted(fsys fs.FS, listed map[string]bool) []string {
	entries, err := fs.ReadDir(fsys, "cases")
	switch {
	case errors.Is(err, fs.ErrNotExist): // the cases that are listed will be missed
		return nil
	case err != nil:
		return []string{err.Error()}
	}
	var problems []string
	for _, e := range entries {
		if file := path.Join("cases", e.Name(), "case.json"); !e.Type().IsRegular() && !listed["path "+file] {
			problems = append(problems, fmt.Sprintf("the manifest does not list %q", file))
		}
	}
	return problems
}

// Case is one conformance case, as an operation sees it.
type Case struct {
	ID        string
	Operation string
	Input     strictjson.Value // an object
	Expected  strictjson.Value // an object with at least one member

	fsys fs.FS
	dir  string
}

// readCase reads a case.json.
func readCase(fsys fs.FS, e entry) (*Case, error) {
	root, err := readJSON(fsys, e.path)
	if err != nil {
		return nil, err
	}
	problems := checkMembers(root, []member{
		{"id", strictjson.String, true}, {"operation", strictjson.String, true}, {"input", strictjson.Object, true}, {"expected", strictjson.Object, true},
		{"title", strictjson.String, false}, {"spec", strictjson.String, false}, {"source", strictjson.String, false}, {"note", strictjson.String, false},
		{"clauses", strictjson.Array, false}, {"statements", strictjson.Array, false},
	})
	c := &Case{Input: root.Get("input"), Expected: root.Get("expected"), fsys: fsys, dir: path.Dir(e.path)}
	c.ID, _ = root.Get("id").Str()
	c.Operation, _ = root.Get("operation").Str()
	if c.ID != e.id {
		problems = append(problems, fmt.Sprintf("the case says that it is %q", c.ID))
	}
	if c.Expected.Kind() == strictjson.Object && c.Expected.Len() == 0 {
		problems = append(problems, "nothing is expected")
	}
	if len(problems) > 0 {
		return c, errors.New(strings.Join(problems, "; "))
	}
	return c, nil
}

// FS returns the files of the whole suite: what cases share stands beside the
// manifest.
func (c *Case) FS() fs.FS { return c.fsys }

// Open reads a file beside the case.
func (c *Case) Open(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("expected the name of a file beside the case, found %q", name)
	}
	return readFile(c.fsys, path.Join(c.dir, name))
}

// isFileName reports whether a text of a case names a file beside it. A text that
// is a document itself has white space, an IRI has a colon.
func isFileName(s string) bool {
	if !fs.ValidPath(s) || strings.ContainsAny(s, ": \t\r\n") {
		return false
	}
	switch path.Ext(s) {
	case ".ttl", ".nt", ".nq", ".jsonld", ".json":
		return true
	}
	return false
}

// Text returns a member of the input as text: what stands in the file that it
// names, which must be there, or the member itself. name is the file's name, ""
// for no file.
func (c *Case) Text(memberName string) (text []byte, name string, err error) {
	s, ok := c.Input.Get(memberName).Str()
	if !ok {
		return nil, "", fmt.Errorf("expected a string for %q, found %s", memberName, c.Input.Get(memberName).Kind())
	}
	if !isFileName(s) {
		return []byte(s), "", nil
	}
	text, err = c.Open(s)
	return text, s, err
}
