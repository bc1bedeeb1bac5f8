package differential_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/oracle"
)

func canonicalText(text string) difference { return in("canonical", "", text) }

var labels = regexp.MustCompile(`_:[^\s<".]+(?:\.[^\s<".]+)*`)

// once excuses what vanishes when no quad has a blank node twice.
func once(d difference) bool {
	lines := strings.SplitAfter(d.text, "\n")
	for i, line := range lines {
		seen := map[string]bool{}
		for _, label := range labels.FindAllString(line, -1) {
			if seen[label] {
				at := strings.LastIndex(line, label)
				lines[i] = line[:at] + "<urn:once>" + line[at+len(label):]
				line = lines[i]
			}
			seen[label] = true
		}
	}
	text := strings.Join(lines, "")
	return text != d.text && d.agrees(text, d.base)
}

// varies excuses an implementation that does not agree with itself: it finds
// another form for the same dataset with other labels, in another order.
func varies(d difference) bool {
	names := []string{}
	for _, label := range labels.FindAllString(d.text, -1) {
		if !slices.Contains(names, label) {
			names = append(names, label)
		}
	}
	lines := strings.SplitAfter(strings.TrimSuffix(d.text, "\n")+"\n", "\n")
	r := rand.New(rand.NewPCG(1, 5))
	for range 24 {
		order := r.Perm(len(names))
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		text := labels.ReplaceAllStringFunc(strings.Join(lines, ""), func(label string) string {
			return fmt.Sprintf("_:v%d", order[slices.Index(names, label)])
		})
		if d.asks(text) != d.theirsIs {
			return true
		}
	}
	return false
}

func gonumCanonicalFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "depends on the labels and the order of its input where quads are alike but for their graph",
			Excuses: varies,
			Example: canonicalText("_:é<http://e.example/p>_:1 _:é.\n_:é2<http://e.example/q>_:é3.\n_:é<http://e.example/q>_:é3 _:é."), Want: "_:c14n0 <http://e.example/q> _:c14n2 .\n_:c14n1 <http://e.example/p> _:c14n3 _:c14n1 .\n_:c14n1 <http://e.example/q> _:c14n2 _:c14n1 .\n",
		},
		{
			Cause:   "hashes quads that are alike but for their graph otherwise (4.6.3)",
			Excuses: without(`(_:\S+)\s*<urn:g>\s*\.`, "$1 ."),
			Example: canonicalText("_:b0<http://e.example/p>_:b1.\n_:b1<http://e.example/p>_:b0 _:b0.\n_:b1<http://e.example/p>_:b0<urn:g>."), Want: "_:c14n0 <http://e.example/p> _:c14n1 <urn:g> .\n_:c14n0 <http://e.example/p> _:c14n1 _:c14n1 .\n_:c14n1 <http://e.example/p> _:c14n0 .\n",
		},
	}
}

func jsonGoldCanonicalFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "depends on the labels and the order of its input where quads are alike but for their graph",
			Excuses: varies,
			Example: canonicalText("_:c3<http://e.example/p>_:c0 _:g1.\n<http://e.example/p><urn:x:y>_:g0.\n_:c0<http://e.example/p>_:c3 _:g0."), Want: "<http://e.example/p> <urn:x:y> _:c14n1 .\n_:c14n2 <http://e.example/p> _:c14n3 _:c14n0 .\n_:c14n3 <http://e.example/p> _:c14n2 _:c14n1 .\n",
		},
		{
			Cause:   "hashes a quad twice that has a blank node twice (4.6.3)",
			Excuses: once,
			Example: canonicalText("_:c0<http://e.example/p>\"\ue000\".\n_:c1<http://e.example/q>_:c1.\n_:c0<http://e.example/q>_:c0."), Want: "_:c14n0 <http://e.example/q> _:c14n0 .\n_:c14n1 <http://e.example/p> \"\ue000\" .\n_:c14n1 <http://e.example/q> _:c14n1 .\n",
		},
		{
			Cause:   "hashes control characters as they are (appendix A)",
			Excuses: without(`\\[bft]|\\u00[01][0-9A-Fa-f]|\\u007[Ff]`, "x"),
			Example: canonicalText("_:e<http://e.example/p>\"F\\b\\t\".\n_:2<http://e.example/q>_:e."), Want: "_:c14n0 <http://e.example/p> \"F\\b\\t\" .\n_:c14n1 <http://e.example/q> _:c14n0 .\n",
		},
	}
}

func canonizeFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "depends on the labels and the order of its input where paths are equal and what they make is not (4.8.3, step 5.4)",
			Excuses: varies,
			Example: canonicalText("_:c3<http://e.example/p>_:c2 _:g0.\n_:c0<http://e.example/p>_:g0.\n_:c2<http://e.example/p>_:c3 _:g1.\n_:c1<http://e.example/p>_:c3 _:g1.\n_:c3<http://e.example/p>_:c1 _:g1.\n_:c2<http://e.example/p>_:c1 _:g0.\n_:c1<http://e.example/p>_:c2 _:g1.\n_:c0<http://e.example/p>_:g1."), Want: "_:c14n2 <http://e.example/p> _:c14n0 .\n_:c14n2 <http://e.example/p> _:c14n1 .\n_:c14n3 <http://e.example/p> _:c14n4 _:c14n0 .\n_:c14n3 <http://e.example/p> _:c14n5 _:c14n1 .\n_:c14n4 <http://e.example/p> _:c14n3 _:c14n1 .\n_:c14n4 <http://e.example/p> _:c14n5 _:c14n0 .\n_:c14n5 <http://e.example/p> _:c14n3 _:c14n0 .\n_:c14n5 <http://e.example/p> _:c14n4 _:c14n0 .\n",
		},
		{
			Cause:   "keeps labels that look like canonical ones (4.4.3, step 6)",
			Excuses: without(`_:c14n`, "_:x"),
			Example: canonicalText("_:c14n3 <a:> _:g .\n"), Want: "_:c14n1 <a:> _:c14n0 .\n",
		},
		{
			Cause:   "orders by UTF-16 code units (4.4.3, step 7)",
			Excuses: without(`[\x{10000}-\x{10FFFF}]`, "x"),
			Example: canonicalText("<a:> <a:> \"\U00010000\" .\n<a:> <a:> \"\uE000\" .\n"), Want: "<a:> <a:> \"\ue000\" .\n<a:> <a:> \"𐀀\" .\n",
		},
		{
			Cause:   "writes U+FFFE and U+FFFF as they are (appendix A)",
			Excuses: without(`\\uFFF[EF]`, "x"),
			Example: canonicalText(`<a:> <a:> "\uFFFE" .` + "\n"), Want: "<a:> <a:> \"\\uFFFE\" .\n",
		},
	}
}
