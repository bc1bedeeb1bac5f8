package owg

import (
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// leak is a name that must not be given away, and where the workflow has it.
type leak struct {
	name string // folded
	what string
	at   strictjson.Value
	// weak: the name tells nothing where it is published anyway, as the task "season" is
	// by the id "season-one".
	weak bool
}

// secrets are the names of a workflow that tell who and what is behind the work
// (section C.5): participants and whom they work for, their cards and identities,
// hosts, executors, tasks, assets and scopes.
type secrets struct{ all []leak }

func (w *Workflow) secrets(b *budget) (*secrets, error) {
	s := &secrets{}
	var failed error
	seen := map[string]int{}
	add := func(what, name string, at strictjson.Value, weak bool) {
		if failed != nil {
			return
		}
		if name, failed = fold(name, b); failed != nil {
			return
		}
		if i, ok := seen[name]; ok {
			s.all[i].weak = s.all[i].weak && weak
		} else if name != "" {
			seen[name] = len(s.all)
			s.all = append(s.all, leak{name, what, at, weak})
		}
	}
	text := func(what string, of strictjson.Value, name string) {
		if v, ok := of.Get(name).Str(); ok {
			add(what, v, of.Get(name), false)
		}
	}
	for i := range w.participants {
		p := &w.participants[i]
		add("a participant", p.ID, p.at.Get("id"), false)
		text("a participant", p.at, "name")
		text("a participant", p.at, "title")
		add("an organization", p.WorksFor, p.at.Get("works_for"), false)
		add("an operator", p.OperatedBy, p.at.Get("operated_by"), false)
		add("an agent card", p.AgentCard, p.at.Get("agent_card"), false)
		add("an identity", p.Identity, p.at.Get("identity"), false)
		for _, scope := range p.Scope {
			add("a scope", scope, p.at.Get("identity"), true)
		}
	}
	for i := range w.tasks {
		t := &w.tasks[i]
		add("a performer", t.PerformedBy, t.at.Get("performed_by"), false)
		add("an executor", t.Executor, t.at.Get("executor"), false)
		add("an executor", t.Ref, t.at.Get("executor"), false)
		add("a task", t.ID, t.at.Get("id"), true)
		if d := t.Delegation; d != nil {
			add("a delegator", d.By, d.at, false)
			for _, scope := range d.Scope {
				add("a scope", scope, d.at, true)
			}
		}
		for _, asset := range append(slices.Clip(t.Used), t.Produced...) {
			add("an asset", asset, t.at, true)
		}
	}
	for _, v := range w.root.Get("assets").Items() {
		id, ok := v.Str()
		if !ok {
			id, _ = v.Get("id").Str()
		}
		add("an asset", id, v, true)
	}
	walk(w.root, func(v strictjson.Value) {
		if text, ok := v.Str(); ok {
			for _, host := range hosts(text) {
				add("a host", host, v, false)
			}
		}
	})
	return s, failed
}

// hosts returns the host of every URL in a text, which may be prose.
func hosts(text string) (out []string) {
	for {
		_, rest, ok := strings.Cut(text, "://")
		if !ok {
			return out
		}
		text = rest
		host := rest
		if end := strings.IndexAny(rest, "/?#\\ \t\r\n\"'<>(){},;|`"); end >= 0 {
			host = rest[:end]
		}
		if u, err := url.Parse("//" + host); err == nil {
			host = u.Hostname()
		} else {
			host = host[strings.LastIndexByte(host, '@')+1:]
		}
		if host = strings.Trim(host, "."); host != "" {
			out = append(out, host)
		}
	}
}

// walk visits every value of a document.
func walk(v strictjson.Value, visit func(strictjson.Value)) {
	visit(v)
	for _, e := range v.Items() {
		walk(e, visit)
	}
	for _, m := range v.Members() {
		walk(m, visit)
	}
}

// but returns the secrets without the allowed names. Of tasks, assets and scopes it also
// leaves out those that are published anyway: under that very name, or, if the name is a
// single word, as a word of the id or of an allowed name.
func (s *secrets) but(allowed, published []string, id string, b *budget) (*secrets, error) {
	names, weak, words := map[string]bool{}, map[string]bool{}, map[string]bool{}
	id, err := fold(id, b)
	if err != nil {
		return nil, err
	}
	addWords(words, id)
	for _, n := range allowed {
		if n, err = fold(n, b); err != nil {
			return nil, err
		}
		names[n] = true
		addWords(words, n)
	}
	for _, n := range published {
		if n, err = fold(n, b); err != nil {
			return nil, err
		}
		weak[n] = true
	}
	out := &secrets{}
	for _, l := range s.all {
		if !names[l.name] && !(l.weak && (weak[l.name] || words[l.name] && isWord(l.name))) {
			out.all = append(out.all, l)
		}
	}
	return out, nil
}

// addWords adds the words of a text: what stands between characters that are not part of a
// name.
func addWords(words map[string]bool, text string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !inName(r) }) {
		words[word] = true
	}
}

// isWord reports whether a name is made of letters alone.
func isWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) < 0
}

// in finds a secret in a text, in any spelling: as a whole, between characters that are
// not part of a name.
func (s *secrets) in(text string, b *budget) (*leak, error) {
	all, err := spellings(text, b)
	if err != nil {
		return nil, err
	}
	for _, text := range all {
		for i := range s.all {
			l := &s.all[i]
			found, err := hasToken(text, l.name, b)
			if err != nil {
				return nil, err
			}
			if found {
				return l, nil
			}
		}
	}
	return nil, nil
}

// spellings returns a text as readers may see it, folded: as it is, and without the
// escapes of HTML and of URLs.
func spellings(text string, b *budget) (out []string, err error) {
	var plain []string
	for _, p := range []string{text, html.UnescapeString(text), unescaped(text), unescaped(html.UnescapeString(text))} {
		if !slices.Contains(plain, p) {
			plain = append(plain, p)
		}
	}
	for _, p := range plain {
		if p, err = fold(p, b); err != nil {
			return nil, err
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

// unescaped undoes the percent escapes of URLs, and leaves everything else.
func unescaped(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// fold makes texts that look alike the same: by compatibility (NFKC), in lower case,
// without invisible characters, with one space for white space. Similar letters of other
// scripts stay different. That is work for characters outside of ASCII: one of them can
// stand for eighteen, and take microseconds.
func fold(s string, b *budget) (string, error) {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		var all strings.Builder
		for rest := s; rest != ""; {
			n := piece(rest)
			plain := norm.NFKC.String(rest[:n])
			if err := b.spend(4 * len(plain)); err != nil { // of some fifty nanoseconds a byte
				return "", err
			}
			for _, r := range plain {
				if r < utf8.RuneSelf || !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Variation_Selector, r) && r != '\u034f' {
					all.WriteRune(r)
				}
			}
			rest = rest[n:]
		}
		s = all.String()
	}
	return strings.Join(strings.Fields(strings.ToLower(s)), " "), nil
}

// piece returns how much of a text can be normalized by itself, some thousands of bytes
// where it can be cut.
func piece(s string) int {
	const enough = 4096
	for n := range s {
		if n >= enough && norm.NFKC.PropertiesString(s[n:]).BoundaryBefore() {
			return n
		}
	}
	return len(s)
}

// hasToken reports whether a text has a name between characters that are not part of a
// name.
func hasToken(text, name string, b *budget) (bool, error) {
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	for at := 0; ; {
		if err := b.spend(1 + len(text[at:])/64); err != nil { // a text that nearly has the name takes a nanosecond a byte
			return false, err
		}
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false, nil
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !(inName(before) && inName(first)) && !(inName(after) && inName(last)) {
			return true, nil
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		at = i + n
		for inName(first) && at < len(text) { // the next can only begin after this word
			r, n := utf8.DecodeRuneInString(text[at:])
			if !inName(r) {
				break
			}
			at += n
		}
	}
}

// inName reports whether a character can be within a name. A hyphen cannot: it also
// joins names.
func inName(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
