package reference

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

// remedies is what to do about each code, and in which sections the page lists them.
//
//go:embed remedies.txt
var remedies string

// table is the codes of one package with their texts.
type table struct {
	name  string // as sections of remedies.txt name it
	about string // who prints them
	codes []string
	text  func(code string) string
}

func of[C ~string](name, about string, codes []C, text func(C) string) table {
	t := table{name: name, about: about, text: func(code string) string { return text(C(code)) }}
	for _, c := range codes {
		t.codes = append(t.codes, string(c))
	}
	return t
}

// tables returns every table of codes beside that of package protocol, in the order of
// the page.
func tables() []table {
	findings, warnings := protocol.FindingCodes()
	decision := authz.Codes()
	own := decision[:len(decision)-len(vc.Codes())] // the rest is that of package vc
	return []table{
		of("rdf", "Any reader of RDF.", rdf.Codes(), rdf.Code.Text),
		of("rdf/jsonld, JSON text", "What is no JSON of one meaning, beside the codes above.", jsonld.SyntaxCodes(), jsonld.SyntaxText),
		of("rdf/jsonld", "JSON-LD. Codes that the specification has are spelt as it spells them.", jsonld.Codes(), jsonld.Code.Text),
		of("shacl", "Shapes that are refused, the limit of their work, and warnings.", shacl.Codes(), shacl.Code.Meaning),
		of("protocol, reviews", "What a review of a Protocol Document finds. The first six keep a document from being accepted; the others are warnings, and those of `shacl` come besides.", append(findings, warnings...), protocol.FindingCode.Text),
		of("odrl", "Policies and their decisions.", odrl.Codes(), odrl.Code.Text),
		of("odrl/delegation", "Chains of policies. To others all denials are one, `POLICY_DENIED`.", delegation.Codes(), delegation.Code.Text),
		of("authz/vc", "Credentials, presentations and status lists.", vc.Codes(), vc.Code.Text),
		of("authz", "Decisions on an action. The codes of `authz/vc` come besides.", own, authz.Code.Text),
		of("agentcard", "Agent Cards, their signatures and keys.", agentcard.Codes(), agentcard.Code.Text),
		of("terms", "Standing proposals that a card points at.", terms.Codes(), terms.Code.Text),
		of("owg", "Workflows, hand-offs and records.", owg.Codes(), owg.Code.Text),
		of("fetch", "What could not be fetched.", fetch.Codes(), fetch.Code.Text),
		of("internal/cli", "The command line itself.", cli.Codes(), cli.Code.Text),
		of("internal/service", "The HTTP service itself, when it gives no verdict.", service.Codes(), service.Code.Text),
		of("internal/service, commands", "The commands of `rdfprotod`. The codes of `internal/cli` come besides, and those of the packages that judge.", service.CommandCodes(), service.CommandCode.Text),
	}
}

// section is a part of remedies.txt: codes of one table under one heading.
type section struct {
	table, title string
	codes        []string
	remedy       map[string]string
}

// sections reads remedies.txt.
func sections(text string) ([]section, error) {
	var all []section
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "["):
			name := strings.Trim(line, "[]")
			all = append(all, section{table: name, title: name, remedy: map[string]string{}})
			continue
		}
		codes, remedy, ok := strings.Cut(line, ": ")
		if !ok || len(all) == 0 {
			return nil, fmt.Errorf("line %d of the remedies: expected codes, a colon and a remedy", i+1)
		}
		s := &all[len(all)-1]
		for _, code := range strings.Split(codes, " | ") {
			if s.remedy[code] != "" {
				return nil, fmt.Errorf("line %d of the remedies: %s stands twice", i+1, code)
			}
			s.codes, s.remedy[code] = append(s.codes, code), remedy
		}
	}
	return all, nil
}

// match gives every section its table: that of its name, or of what stands before the
// comma. Every code of a table stands in one of its sections, and nothing else does.
func match(all []section, tables []table) (map[string][]section, error) {
	byTable := map[string][]section{}
	for _, s := range all {
		name := s.title
		if !has(tables, name) {
			name, s.title, _ = strings.Cut(s.title, ", ")
		} else {
			s.title = ""
		}
		if !has(tables, name) {
			return nil, fmt.Errorf("the remedies have a section for %s, which has no codes", s.table)
		}
		byTable[name] = append(byTable[name], s)
	}
	for _, t := range tables {
		open := map[string]bool{}
		for _, code := range t.codes {
			open[code] = true
		}
		for _, s := range byTable[t.name] {
			for _, code := range s.codes {
				if !open[code] {
					return nil, fmt.Errorf("the remedies have %s twice in %s, or it is no code of that package", code, t.name)
				}
				delete(open, code)
			}
		}
		for _, code := range t.codes {
			if open[code] {
				return nil, fmt.Errorf("code %s of %s has no remedy", code, t.name)
			}
		}
	}
	return byTable, nil
}

func has(tables []table, name string) bool {
	for _, t := range tables {
		if t.name == name {
			return true
		}
	}
	return false
}

const errorsHead = `# Codes

Every refusal, every no and every warning has a code that does not change: programs branch on it, and the command line prints it in brackets at the end of a line. The words before it are for people and may change.

    rdfproto: error: intent.ttl:1:17: the IRI reference <x> is relative and there is no base [relative-iri]

A code says what kind of thing is wrong; the message says what was expected, what came and where. With ` + "`--json`" + ` the code is the member ` + "`code`" + ` of the verdict. Some packages have a code of the same name, which then means the same of another document: search for the code, and where it stands twice take the table of the package that judged.

Why was a message refused? ` + "`rdfproto message check`" + ` shows it step by step, with what does not conform. In a program that is the ` + "`Trace`" + ` and the ` + "`Report`" + ` of an ` + "`engine.Outcome`" + `, in an answer of [the service](service.md#routes) ` + "`trace`" + ` and ` + "`report`" + `. ` + "`rdfproto authz audit`" + ` makes a recorded decision on authority again ([authority.md](authority.md#record-and-audit)).

This page is made from the tables of the packages by ` + "`go run ./internal/cmd/reference`" + `.

## Between agents

The codes of package ` + "`protocol`" + ` are what one agent tells another: the value of the metadata key ` + "`%s`" + `. No code ever permits natural language. What a code of this table says of the payload is all that a peer gets; the reasons stay here.

| code | meaning | remedy of the sender | JSON-RPC | gRPC | HTTP |
|---|---|---|---|---|---|
`

// Errors returns docs/errors.md. It fails when a code has no text or no remedy.
func Errors() ([]byte, error) {
	all, err := sections(remedies)
	if err != nil {
		return nil, err
	}
	tables := tables()
	byTable, err := match(all, tables)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, errorsHead, protocol.KeyError)
	for _, c := range protocol.Codes() {
		s, _ := c.Status()
		fmt.Fprintf(&b, "| `%s` | %s | %s | %d | %s | %d |\n", c, cell(s.Text), cell(s.Remedy), s.JSONRPC, s.GRPC, s.HTTP)
	}
	many := protocol.TooMany()
	fmt.Fprintf(&b, "\nWhere a bound on rate was reached, `%s` is %s in gRPC and %d in HTTP: %s.\n", protocol.CodeLimitExceeded, many.GRPC, many.HTTP, many.Remedy)
	for _, t := range tables {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", t.name, t.about)
		for _, s := range byTable[t.name] {
			if s.title != "" {
				fmt.Fprintf(&b, "\n### %s: %s\n", t.name, s.title)
			}
			b.WriteString("\n| code | meaning | remedy |\n|---|---|---|\n")
			for _, code := range s.codes {
				text := t.text(code)
				if text == "" {
					return nil, fmt.Errorf("code %s of %s has no text", code, t.name)
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", code, cell(text), cell(s.remedy[code]))
			}
		}
	}
	b.WriteString(errorsTail)
	return []byte(b.String()), nil
}

const errorsTail = `
## Limits

` + "`limit-exceeded`, `LIMIT_EXCEEDED`, `JSON_TOO_LARGE` and `JSON_TOO_DEEP`" + ` name the limit in their message. [limits.md](limits.md) lists all with their numbers and reasons, and ` + "`--limit NAME=VALUE`" + ` changes one for a call. There is no unlimited. What reached a limit has no verdict: it neither conforms nor does it not.
`

// cell makes a text fit for a table of Markdown.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
