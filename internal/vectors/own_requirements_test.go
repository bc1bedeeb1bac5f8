package vectors_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// requirementPages are those that list requirements, each in a sentence.
var requirementPages = []struct{ name, title string }{
	{"a2a-rdf", "RDF Protocol Documents"}, {"authority", "Authority"}, {"signed-cards", "Signed cards"}, {"terms", "Terms"}, {"owg", "Workflows"},
}

// withoutCase says of each requirement without a case of its own why, or under which other
// its cases stand.
func withoutCase() map[string]string {
	all := map[string]string{}
	say := func(why string, ids ...string) {
		for _, id := range ids {
			all[id] = why
		}
	}
	const network, program, choice = "needs a network", "of a program, not of what comes of a message", "each chooses its bound"
	say(network, "FETCH-1", "FETCH-2", "FETCH-3", "FETCH-4", "FETCH-6", "FETCH-7", "FETCH-8", "FETCH-9", "FETCH-12", "FETCH-13", "F-1", "F-3", "F-4", "F-5", "F-7", "CARD-4", "CARD-7", "AZ-2.7")
	say(program, "DG-8", "HS-6", "HS-15", "SEC-6", "GEN-1", "GEN-2", "GEN-3", "GEN-4", "HASH-10", "BIND-7", "CARD-14", "CARD-16", "PARSE-4", "PARSE-11", "J-7", "INT-5", "AZ-0.2", "AZ-1.2", "AZ-2.1", "AZ-2.3", "AZ-5.2", "AZ-7.2", "D-3", "O-4", "V-22", "BIND-10")
	say(choice, "VAL-1", "VAL-2", "VAL-4", "SEC-1")
	say("every case", "AZ-0.1", "AZ-0.3", "CARD-9", "RPL-1")
	say("a rule for other versions of the extension", "HASH-8", "VER-1", "VER-5")
	for id, other := range map[string]string{
		"HASH-1": "HASH-6", "FETCH-5": "HASH-3", "CARD-12": "HASH-2", "VER-2": "HASH-2", "VER-4": "HASH-2", "SEC-5": "HSR-1", "SEC-8": "DG-1", "AZ-1.4": "AZ-2.6", "AZ-1.8": "1.9", "AZ-6.3": "AZ-6.1", "AZ-3.8": "AZ-3.9", "AZ-3.11": "AZ-3.10",
	} {
		all[id] = "see " + other
	}
	return all
}

// TestOwnVectorsRequirements: the page that says which cases a requirement has is as the
// cases say it, and every requirement has a case or a reason.
func TestOwnVectorsRequirements(t *testing.T) {
	t.Parallel()
	cases := map[string][]string{}
	for _, s := range ownSuites(t) {
		for _, c := range s.cases {
			for clause := range strings.SplitSeq(c.clause, ", ") {
				cases[clause] = append(cases[clause], s.name+"/"+c.name)
			}
		}
	}
	var b strings.Builder
	b.WriteString("# Requirements and their cases\n\nOf each requirement of [docs/requirements.md](../../docs/requirements.md) the cases that are about it, in the order of\ntheir manifests; the first few where there are many: all of them have it among their\n`clauses`. Made by `go test ./internal/vectors -run TestOwnVectors -update`.\n")
	reasons := withoutCase()
	listed, reasoned := map[string]bool{}, map[string]bool{}
	row := func(id, what string) {
		if all := cases[id]; len(all) > 0 {
			fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", id, what, len(all), abridged(all))
			return
		}
		why, ok := reasons[id]
		assert.True(t, ok, "%s has no case, and no reason for that", id)
		if other, ok := strings.CutPrefix(why, "see "); ok {
			assert.NotEmpty(t, cases[other], "%s: %s", id, why)
		}
		reasoned[id] = true
		fmt.Fprintf(&b, "| %s | %s | | %s |\n", id, what, why)
	}
	requirement := regexp.MustCompile(`(?m)^\| ([A-Z]+-[0-9]+(?:\.[0-9]+)?[a-z]?) \| ([^|]*) \|`)
	for _, page := range requirementPages {
		text, err := os.ReadFile(filepath.FromSlash("../../docs/" + page.name + ".md"))
		require.NoError(t, err)
		found := requirement.FindAllStringSubmatch(string(text), -1)
		require.Greater(t, len(found), 10, page.name)
		fmt.Fprintf(&b, "\n## %s\n\n| id | demanded | cases | which |\n|---|---|---|---|\n", page.title)
		for _, m := range found {
			if !listed[m[1]] {
				listed[m[1]] = true
				row(m[1], m[2])
			}
		}
	}
	b.WriteString("\n## Sections\n\n| cited as | cases | which |\n|---|---|---|\n")
	for _, clause := range slices.Sorted(maps.Keys(cases)) {
		if !listed[clause] {
			fmt.Fprintf(&b, "| %s | %d | %s |\n", clause, len(cases[clause]), abridged(cases[clause]))
		}
	}
	for id := range reasons {
		assert.True(t, reasoned[id] || len(cases[id]) > 0, "a reason is given for %s, which no page lists", id)
	}
	file := filepath.FromSlash(ownFolder + "/REQUIREMENTS.md")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(text), "go test ./internal/vectors -run TestOwnVectors -update")
}

// abridged lists cases, the first few if there are many.
func abridged(all []string) string {
	const most = 6
	shown := all[:min(len(all), most)]
	text, folder := "", ""
	for i, name := range shown {
		dir, rest, _ := strings.Cut(name, "/")
		if dir == folder {
			name = rest
		}
		folder = dir
		if i > 0 {
			text += ", "
		}
		text += "`" + name + "`"
	}
	if len(all) > most {
		text += " …"
	}
	return text
}
