package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
)

// goal is a ratio to reach.
type goal struct {
	title string
	key
	own   string // the peer that is ours
	peers []string
	most  float64 // own ÷ the best of peers
	rss   float64 // likewise of peak memory; 0: no goal
	than  string  // the workload of the peers where it is another one
}

// goals returns the ratios to reach, a row each.
func goals() []goal {
	serd, canonize := []string{"serd"}, []string{"n3+rdf-canonize", "n3+rdf-canonize-sync"}
	jsonld := []string{"jsonld-toRDF", "oxigraph-parse", "json-gold"}
	jena, gold := []string{"jena"}, []string{"json-gold"}
	const tiny = "protocol-document.ttl+intent.ttl"
	const k7, chain200 = "poison-K7.nq", "poison-chain200.nq"
	rows := []goal{
		{"read Turtle, 10,000 triples", key{"parse", "doc-10k.ttl"}, "own", serd, 0.9, 0, ""},
		{"read Turtle, 100,000 triples", key{"parse", "doc-100k.ttl"}, "own", serd, 0.9, 0, ""},
		{"read Turtle, a million triples", key{"parse", "doc-1m.ttl"}, "own", serd, 0.9, 0, ""},
		{"read N-Quads, 10,000", key{"parse", "doc-10k.nt"}, "own", serd, 0.9, 0, ""},
		{"read N-Quads, a million", key{"parse", "doc-1m.nt"}, "own", serd, 0.9, 0, ""},
		{"read JSON-LD, 1,000 triples", key{"parse", "doc-1k.jsonld"}, "own", jsonld, 0.25, 0, ""},
		{"read JSON-LD, 10,000 triples", key{"parse", "doc-10k.jsonld"}, "own", jsonld, 0.25, 0, ""},
		{"hash the tiny Protocol Document", key{"hash", "protocol-document.ttl"}, "own", canonize, 0.2, 0, ""},
		{"canonicalize 10,000 quads, no blank nodes", key{"c14n", "c14n-nobn-10k.nq"}, "own", canonize, 0.15, 0, ""},
		{"canonicalize 10,000 quads, unique blank nodes", key{"c14n", "c14n-uniq-10k.nq"}, "own", canonize, 0.15, 0, ""},
		{"canonicalize 10,000 quads, lists", key{"c14n", "c14n-lists-10k.nq"}, "own", canonize, 0.15, 0, ""},
	}
	for _, graph := range []string{"K6", "K7", "petersen", "torus2x8", "chain200"} {
		rows = append(rows, goal{"canonicalize the poison graph " + graph + ", limits raised", key{"c14n", "poison-" + graph + ".nq"}, "own-raised", gold, 0.1, 0, ""})
	}
	return append(rows,
		goal{"refuse the poison graph K8, to canonicalizing K7", key{"c14n", "poison-K8.nq"}, "own-refused", gold, 0.1, 0, k7},
		goal{"canonicalize the poison graph chain1000, to chain200", key{"c14n", "poison-chain1000.nq"}, "own", gold, 1, 0, chain200},
		goal{"validate the tiny intent, prepared", key{"shacl", tiny}, "own", jena, 0.7, 0, ""},
		goal{"validate the tiny intent, from both texts", key{"e2e", tiny}, "own", jena, 0.1, 0, ""},
		goal{"validate 1,000 focus nodes", key{"shacl", "shapes.ttl+shacl-1k.ttl"}, "own", jena, 0.1, 0.25, ""},
		goal{"validate 10,000 focus nodes", key{"shacl", "shapes.ttl+shacl-10k.ttl"}, "own", jena, 0.1, 0.25, ""},
		goal{"validate 100,000 focus nodes", key{"shacl", "shapes.ttl+shacl-100k.ttl"}, "own", jena, 0.1, 0.25, ""},
		goal{"`rdfproto hash`, the whole process", key{"cli", "tiny"}, "own-hash", []string{"go-http-process"}, 1.2, 0, ""},
		goal{"verify a credential (`eddsa-rdfc-2022`)", key{"vc", "x"}, "own", []string{"json-gold+ed25519"}, 0.25, 0, ""},
	)
}

// steps are pairs of workloads of which the second is ten times as large.
var steps = [...]struct{ title, op, small, large string }{
	{"read Turtle", "parse", "doc-10k.ttl", "doc-100k.ttl"},
	{"canonicalize, no blank nodes", "c14n", "c14n-nobn-10k.nq", "c14n-nobn-100k.nq"},
	{"canonicalize, unique blank nodes", "c14n", "c14n-uniq-10k.nq", "c14n-uniq-100k.nq"},
	{"canonicalize, lists", "c14n", "c14n-lists-10k.nq", "c14n-lists-100k.nq"},
}

// writeReport writes the Markdown of a comparison.
func writeReport(w io.Writer, lines []measurement, date, machine string) {
	r := collect(lines)
	if date != "" {
		date = "Measured on " + date + ". "
	}
	if machine == "" {
		machine = fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	}
	fmt.Fprintf(w, `# Performance

%sOwn time ÷ the other's, both measured in one run, interleaved; below 1 is faster. Only the ratio says something of another machine. The machine: %s; %s, without cgo. A time is the median over the rounds, each of which is a median itself, with the least and the greatest in parentheses. Made by `+"`bench/compare.sh`"+`.

The others do less in places: serd expands no names and keeps no dataset; none bounds its work. What takes the time, and what was done about it, is in [profiles.md](profiles.md).

| operation | own | other | its time | own ÷ other | goal | memory ÷ other |
|---|---|---|---|---|---|---|
`, date, machine, runtime.Version())
	for _, g := range goals() {
		own := r.of[g.key][g.own]
		theirs := g.key
		if g.than != "" {
			theirs.workload = g.than
		}
		peer, other := r.best(theirs, g.peers...)
		if own == nil || other == nil {
			fmt.Fprintf(w, "| %s | not measured | | | | ≤ %g | |\n", g.title, g.most)
			continue
		}
		fmt.Fprintf(w, "| %s | %v | %s | %v | %s | ≤ %g | %s |\n",
			g.title, own, peer, other, verdict(own.median()/other.median(), g.most), g.most, memory(own, other, g.rss))
	}
	if own, verify := r.of[key{"vc", "x"}]["own"], r.of[key{"limit", "x"}]["ed25519-verify"]; own != nil && verify != nil {
		fmt.Fprintf(w, "| the same, to one ed25519 verification | %v | crypto/ed25519 | %v | %s | ≤ 3 | |\n", own, verify, verdict(own.median()/verify.median(), 3))
	}
	fmt.Fprintf(w, "\n## Growth\n\n![Time and peak memory against the number of triples](growth.svg)\n\nFrom 10,000 to 100,000 triples, ten times as many:\n\n| operation | 10,000 | 100,000 | times | goal |\n|---|---|---|---|---|\n")
	for _, s := range steps {
		small, large := r.of[key{s.op, s.small}]["own"], r.of[key{s.op, s.large}]["own"]
		if small == nil || large == nil {
			fmt.Fprintf(w, "| %s | not measured | | | ≤ 12 |\n", s.title)
			continue
		}
		fmt.Fprintf(w, "| %s | %v | %v | %s | ≤ 12 |\n", s.title, small, large, verdict(large.median()/small.median(), 12))
	}
	fmt.Fprintf(w, "\n## All measurements\n\n| operation | workload | own | other | its time | own ÷ other |\n|---|---|---|---|---|---|\n")
	for _, k := range r.order {
		r.writeAll(w, k)
	}
}

// verdict writes a ratio, in bold where the goal is missed.
func verdict(ratio, most float64) string {
	if ratio > most {
		return fmt.Sprintf("**%.2g**", ratio)
	}
	return fmt.Sprintf("%.2g", ratio)
}

func memory(own, other *rounds, most float64) string {
	if most == 0 || other.rss == 0 {
		return ""
	}
	return verdict(own.rss/other.rss, most) + fmt.Sprintf(" (goal ≤ %g)", most)
}

func isOwn(peer string) bool { return peer == "own" || strings.HasPrefix(peer, "own-") }

// writeAll writes a row for each own measurement and each other of the same
// operation on the same workload. Of whole processes ours are named own-COMMAND.
func (r results) writeAll(w io.Writer, k key) {
	var own, others []string
	for peer := range r.of[k] {
		if isOwn(peer) {
			own = append(own, peer)
		} else {
			others = append(others, peer)
		}
	}
	slices.Sort(own)
	slices.SortFunc(others, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.of[k][a].median(), r.of[k][b].median()), cmp.Compare(a, b))
	})
	for _, o := range own {
		for _, other := range others {
			ours, its := r.of[k][o], r.of[k][other]
			task := strings.TrimPrefix(strings.TrimPrefix(o, "own"), "-")
			if k.op == "cli" && !sameTask(other, task) {
				continue
			}
			fmt.Fprintf(w, "| %s | %s | %v | %s | %v | %.2g |\n", strings.TrimSpace(k.op+" "+task), k.workload, ours, other, its, ours.median()/its.median())
		}
	}
}

// sameTask reports whether a whole process does the task of ours, or nothing
// that has a name and so is a floor.
func sameTask(other, task string) bool {
	if strings.Contains(other, task) {
		return true
	}
	return !slices.ContainsFunc([]string{"parse", "hash", "validate"}, func(t string) bool { return strings.Contains(other, t) })
}
