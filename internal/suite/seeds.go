package suite

import (
	"flag"
	"path/filepath"
	"testing"
)

// Seed is a text that fuzzing begins with. Name is where it is from, below the folder
// of the suites, vectors or cases, or below the module; what was taken out of a text
// may have a name of its own, as its [Kind] says.
type Seed struct {
	Name string
	Data []byte
}

const (
	// largestSeed is how long a seed may be: mutation does little to longer ones, and
	// every one is run by every go test.
	largestSeed = 12 << 10
	// mostSeeds is how many of a kind are taken, at even distances when there are more:
	// more would make every go test slower.
	mostSeeds = 500
	// mostMutated is the same for go test -short, and for go test -fuzz, which first
	// measures what each seed covers and in a short run would do nothing else.
	mostMutated = 100
)

// Seeds returns the texts of some kinds, each once, in an order that depends on the
// files alone: those of the project, and of the suites, vectors and cases where these
// are there. t fails when a file pattern matches nothing in a folder that is there, and
// when there is no text at all.
func Seeds(t testing.TB, kinds ...Kind) []Seed {
	t.Helper()
	if len(kinds) == 0 {
		t.Fatal("no kind of seeds is asked for")
	}
	most := mostSeeds
	if f := flag.Lookup("test.fuzz"); testing.Short() || f != nil && f.Value.String() != "" {
		most = mostMutated
	}
	return seeds(t, findFolders(t), most, kinds)
}

// folders says where each [origin] is, "" where it is not.
type folders [origins]string

func findFolders(t testing.TB) folders {
	t.Helper()
	return folders{
		own: moduleRoot(t), suites: find(t, Variable, "suites"),
		vectors: find(t, VectorsVariable, "vectors"), cases: find(t, CasesVariable, "cases"),
	}
}

// seeds returns at most so many texts of each kind.
func seeds(t testing.TB, at folders, most int, kinds []Kind) []Seed {
	t.Helper()
	var all []Seed
	known := map[string]bool{}
	for _, kind := range kinds {
		var some []Seed
		for _, from := range kind.sources() {
			for _, s := range from.seeds(t, at) {
				if text := string(s.Data); !known[text] {
					known[text] = true
					some = append(some, s)
				}
			}
		}
		n := min(len(some), most)
		for i := range n {
			all = append(all, some[i*len(some)/n])
		}
	}
	if len(all) == 0 {
		t.Fatalf("no seed of the kinds %v", kinds)
	}
	return all
}

// seeds returns the texts of a source. t fails where there is none.
func (s source) seeds(t testing.TB, at folders) []Seed {
	t.Helper()
	dir := at[s.in]
	if dir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(s.pattern)))
	if err != nil {
		t.Fatalf("%s: %v", s.pattern, err)
	}
	var found []Seed
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		seed := Seed{Name: filepath.ToSlash(name), Data: ReadFile(t, file)}
		taken := []Seed{seed}
		if s.take != nil {
			taken = s.take(seed)
		}
		for _, one := range taken {
			if len(one.Data) <= largestSeed {
				found = append(found, one)
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("no seed matches %s in %s", s.pattern, dir)
	}
	return found
}
