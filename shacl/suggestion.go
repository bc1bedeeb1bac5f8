package shacl

import (
	"strings"

	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// suggestion returns a hint at the property of shapes that was probably meant by an IRI
// of the SHACL namespace, "" where there is none.
func suggestion(iri string) string {
	known := []string{
		vocab.SHTargetClass, vocab.SHTargetNode, vocab.SHTargetSubjectsOf, vocab.SHTargetObjectsOf, vocab.SHPath,
		vocab.SHSeverity, vocab.SHMessage, vocab.SHDeactivated, vocab.SHName, vocab.SHDescription, vocab.SHDefaultValue,
	}
	for i := range parameters {
		known = append(known, parameters[i].iri)
	}
	return nearest(strings.TrimPrefix(iri, vocab.SH), known)
}

// nearest returns a hint at the known term that a local name is probably a slip for, ""
// where there is none.
func nearest(local string, known []string) string {
	const longest = 64 // no known name is nearly as long, and a document may have many that are much longer
	if len(local) > longest {
		return ""
	}
	local = strings.ToLower(local)
	best, bestDistance := "", 3 // more than two changes make another word
	for _, iri := range known {
		if d := distance(local, strings.ToLower(iri[strings.LastIndexByte(iri, '#')+1:]), bestDistance); d < bestDistance {
			best, bestDistance = iri, d
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + shortenIRI(best) + "?"
}

// distance returns the Levenshtein distance of two names, or most when it is not
// less than that.
func distance(a, b string, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], most)
}
