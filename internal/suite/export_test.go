package suite

import "testing"

// Kinds returns all kinds.
func Kinds() []Kind {
	var all []Kind
	for k := Kind(1); k < kinds; k++ {
		all = append(all, k)
	}
	return all
}

// SeedsOf returns the seeds of a kind when the suites, vectors and cases are in some
// folders, "" for one that is not there.
func SeedsOf(t testing.TB, kind Kind, inSuites, inVectors, inCases string) []Seed {
	t.Helper()
	return seeds(t, folders{own: moduleRoot(t), suites: inSuites, vectors: inVectors, cases: inCases}, mostSeeds, []Kind{kind})
}

// PatternsIn returns the patterns of all sources below the folder that a variable names.
func PatternsIn(variable string) []string {
	var all []string
	for _, k := range Kinds() {
		for _, s := range k.sources() {
			if [origins]string{"", Variable, VectorsVariable, CasesVariable}[s.in] == variable {
				all = append(all, s.pattern)
			}
		}
	}
	return all
}

// Folder returns the folder that a variable names, or the one of a name in its place.
func Folder(t testing.TB, variable, name string) string { return find(t, variable, name) }
