package agentcard

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Level says how much a lint finding matters.
type Level uint8

// The levels.
const (
	Warning Level = iota // some implementation may read the card differently
	Wrong                // the card is not a card of A2A 1.0, or cannot be signed
)

// String returns "warning" or "error".
func (l Level) String() string {
	if l == Wrong {
		return "error"
	}
	return "warning"
}

// MarshalText returns the level's name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// LintFinding is something that keeps a card from meaning the same everywhere.
type LintFinding struct {
	Level Level `json:"level"`
	Finding
}

// largeCard is the size at which clients begin to complain.
const largeCard = 32 << 10

// Lint finds what keeps a card from being signed, verified and understood in the same
// way by all SDKs: errors first, then warnings, at most 1000 of each, in the order of the
// card. It verifies no signature.
func (c *Card) Lint() []LintFinding {
	l := &linter{card: c, places: c.root.Locator()}
	l.structure()
	l.readings()
	l.security()
	l.signatures()
	for _, f := range c.Declaration().Findings {
		l.add(Warning, f)
	}
	if len(c.data) > largeCard {
		l.add(Warning, Finding{Code: CodeLintSize, Text: fmt.Sprintf("the card has %d bytes; clients expect less than %d, and an extended card can hold the rest", len(c.data), largeCard)})
	}
	slices.SortStableFunc(l.found, func(a, b LintFinding) int { return int(b.Level) - int(a.Level) })
	return l.found
}

type linter struct {
	card   *Card
	places *strictjson.Locator
	found  []LintFinding
	counts [Wrong + 1]int // of found, by level
}

// full reports whether there are as many findings of a level as are kept. Of each level
// there is room for more than anybody reads: warnings leave no error out.
func (l *linter) full(level Level) bool {
	const most = 1000
	return l.counts[level] >= most
}

// add notes a finding.
func (l *linter) add(level Level, f Finding) {
	if l.full(level) {
		return
	}
	l.counts[level]++
	l.found = append(l.found, LintFinding{level, f})
}

// at notes a finding about a value.
func (l *linter) at(level Level, v strictjson.Value, code Code, format string, args ...any) {
	if l.full(level) { // before its pointer is made, which can be as long as the card
		return
	}
	line, column := l.places.Place(v.Offset())
	l.add(level, Finding{Code: code, Text: fmt.Sprintf(format, args...), Pointer: pointer(v), Line: line, Column: column})
}

// structure finds what the schema says.
func (l *linter) structure() {
	c := l.card
	if c.isV03() {
		l.at(Wrong, c.root, CodeCardV03, "expected a card of A2A 1.0, found one of 0.3")
		return
	}
	for _, e := range c.strip(Spec).problems {
		l.add(Wrong, e.finding())
	}
	for _, f := range c.missing() {
		l.add(Wrong, f)
	}
	for _, f := range c.imprecise() {
		l.add(Wrong, f)
	}
	if v, found := c.privateKey(); found {
		l.at(Wrong, v, CodeCardPrivateKey, "expected no private key in a card")
	}
	for _, name := range oldMembers {
		if v := c.root.Get(name); v.Exists() {
			l.at(Warning, v, CodeLintOldMember, "%s is a member of A2A 0.3; a server that adds it after signing breaks the signature", name)
		}
	}
	c.visit(func(v strictjson.Value, m message) {
		for i := range v.Len() {
			mem := v.Member(i)
			if f := fieldOf(m, mem.Str()); f != nil {
				l.field(mem, f)
			} else {
				l.unknown(mem, m)
			}
		}
	})
}

// field reports an empty REQUIRED array and a URL that is not secure.
func (l *linter) field(mem strictjson.Member, f *field) {
	if f.presence == required && mem.Value.Kind() == strictjson.Array && mem.Value.Len() == 0 {
		l.at(Warning, mem.Value, CodeLintEmptyRequired, "the REQUIRED array %s is empty", f.name)
	}
	if f.kind == text && isURL(f.name) {
		s, ok := mem.Value.Str()
		if u, err := url.Parse(s); ok && s != "" && (err != nil || u.Scheme != "https" || u.Host == "") && !secureScheme(u, err) {
			l.at(Warning, mem.Value, CodeLintURL, "expected an https URL for %s", f.name)
		}
	}
}

// unknown reports a member that is no field of m, unless it is one of A2A 0.3 or has the
// name of a field in the proto file: those are reported elsewhere.
func (l *linter) unknown(mem strictjson.Member, m message) {
	name := mem.Str()
	if m == agentCard && oldMember(name) || protoNamed(m, name) != nil {
		return
	}
	near := ""
	for _, f := range schema[m].fields {
		if strings.EqualFold(f.name, name) {
			near = "; some readers take it for " + f.name
		}
	}
	l.at(Warning, mem.Name, CodeLintUnknown, "%s has no member %s; the JavaScript and Python SDKs do not sign it%s", schema[m].name, shorten(name), near)
}

// oldMembers are the members of a card of A2A 0.3 that 1.0 does not have.
var oldMembers = [...]string{"url", "protocolVersion", "preferredTransport", "additionalInterfaces", "security", "supportsAuthenticatedExtendedCard"}

func oldMember(name string) bool { return slices.Contains(oldMembers[:], name) }

func isURL(name string) bool { return name == "url" || strings.HasSuffix(name, "Url") }

// secureScheme reports whether a URL is acceptable although it is not https: gRPC
// endpoints are written without a scheme or with their own.
func secureScheme(u *url.URL, err error) bool {
	if err != nil {
		return true // "host:443" is no URL, and is how gRPC names its endpoints
	}
	switch u.Scheme {
	case "", "grpcs", "wss", "dns":
		return true
	}
	return u.Opaque != "" // "host.example:443"
}

// readings finds where implementations sign different bytes (C-R5).
func (l *linter) readings() {
	c := l.card
	spec := c.strip(Spec)
	if len(spec.problems) > 0 {
		return
	}
	sdk := c.strip(SDK)
	want, err := c.Payload(Spec)
	if err != nil {
		return
	}
	for _, r := range []Reading{SDK, Raw} {
		got, err := c.Payload(r)
		if err != nil || string(got) == string(want) {
			continue
		}
		other := sdk
		if r == Raw {
			other = c.strip(Raw)
		}
		found, at := differing(spec, other)
		for i, d := range found {
			l.at(Warning, at[i], CodeLintAmbiguous, "implementations sign different bytes: this member is %s under the reading spec, %s under the reading %s", d.Spec, d.Other, r)
		}
	}
	clean, err1 := c.Payload(SDK)
	old, err2 := c.Payload(PythonLegacy)
	if err1 == nil && err2 == nil && string(clean) != string(old) {
		l.add(Warning, Finding{Code: CodeLintPython, Text: "the card has characters beyond ASCII or numbers with a fraction or an exponent, which Python SDKs up to 1.1 sign in another form"})
	}
}

// security finds security requirements that let callers in without authentication, or
// name a scheme that is not there.
func (l *linter) security() {
	defined := map[string]bool{}
	for name := range l.card.root.Get("securitySchemes").Members() {
		defined[name] = true
	}
	l.card.visit(func(v strictjson.Value, m message) {
		if m != securityRequirement {
			return
		}
		names := v.Get("schemes")
		if names.Len() == 0 {
			l.at(Warning, v, CodeLintOpen, "an empty requirement is an alternative without authentication, and the SDKs do not sign it")
		}
		for i := range names.Len() {
			if mem := names.Member(i); !defined[mem.Str()] {
				l.at(Warning, mem.Name, CodeLintScheme, "the card defines no security scheme %s", shorten(mem.Str()))
			}
		}
	})
}

// signatures finds signature entries that would be refused with any key.
func (l *linter) signatures() {
	entries, e := l.card.signatures()
	if e != nil {
		l.add(Wrong, e.finding())
		return
	}
	if len(entries) == 0 {
		l.add(Warning, Finding{Code: CodeLintUnsigned, Text: "the card is not signed"})
	}
	for _, v := range entries {
		s, err := readSignature(v, l.card.limits)
		if err != nil {
			l.add(Wrong, err.finding())
			continue
		}
		for _, w := range s.warnings {
			l.add(Warning, w)
		}
		if !slices.Contains(DefaultAlgorithms(), s.alg) {
			l.at(Warning, v, CodeLintSignature, "the algorithm %s is not accepted by default", shorten(s.algName))
		} else if code, text := s.checkShape(); code != "" {
			l.at(Wrong, v, code, "%s", text)
		}
		if s.limitedBy != "" {
			l.at(Wrong, v, CodeSigExpired, "%s", s.limited("the signature"))
		}
		if s.hasJKU && originOf(s.jku) == "" {
			l.at(Warning, v, CodeLintSignature, "expected an https URL for jku")
		}
	}
}

// missing lists the REQUIRED members that a card lacks, at every level.
func (c *Card) missing() []Finding {
	const most = 100 // finding a place reads the document up to it
	var out []Finding
	c.visit(func(v strictjson.Value, m message) {
		for _, f := range schema[m].fields {
			if f.presence != required || len(out) >= most || m == agentCardSignature {
				continue
			}
			if got := v.Get(f.name); !got.Exists() || got.IsNull() {
				out = append(out, findAt(v, CodeCardRequired, "expected the REQUIRED member %s of %s", f.name, schema[m].name))
			}
		}
	})
	return out
}

// visit calls see for every object of the card that the schema knows, with its
// message type, outermost first.
func (c *Card) visit(see func(strictjson.Value, message)) { visit(c.root, agentCard, see) }

func visit(v strictjson.Value, m message, see func(strictjson.Value, message)) {
	if v.Kind() != strictjson.Object {
		return
	}
	see(v, m)
	for i := range v.Len() {
		mem := v.Member(i)
		f := fieldOf(m, mem.Str())
		if f == nil {
			continue
		}
		switch f.kind {
		case single:
			visit(mem.Value, f.of, see)
		case list:
			for _, e := range mem.Value.Items() {
				visit(e, f.of, see)
			}
		case singleMap:
			for _, e := range mem.Value.Members() {
				visit(e, f.of, see)
			}
		}
	}
}
