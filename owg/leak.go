package owg

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// leak is a name that must not be given away, and where the workflow has it.
type leak struct {
	name string // in lower case
	what string
	at   strictjson.Value
	// word: the name is nothing but a word, and says nothing to who does not know the
	// workflow. A task "season" is no leak in "deliver the season".
	word bool
}

// secrets are the names of a workflow that tell who and what is behind the work
// (section C.5): participants and whom they work for, their cards and identities,
// hosts, executors, tasks, assets and scopes.
type secrets struct{ all []leak }

func (w *Workflow) secrets() *secrets {
	s := &secrets{}
	seen := map[string]bool{}
	add := func(what, name string, at strictjson.Value, weak bool) {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" || seen[name] {
			return
		}
		seen[name] = true
		s.all = append(s.all, leak{name, what, at, weak && isWord(name)})
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
		if text, ok := v.Str(); ok && strings.Contains(text, "://") {
			if u, err := url.Parse(text); err == nil {
				add("a host", u.Hostname(), v, false)
			}
		}
	})
	return s
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

// isWord reports whether a name is made of letters alone.
func isWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) < 0
}

// but returns the secrets without some names.
func (s *secrets) but(names ...string) *secrets {
	allowed := map[string]bool{}
	for _, n := range names {
		allowed[strings.ToLower(strings.TrimSpace(n))] = true
	}
	out := &secrets{}
	for _, l := range s.all {
		if !allowed[l.name] {
			out.all = append(out.all, l)
		}
	}
	return out
}

// in finds a secret in a text: as a whole, between characters that are part of no
// name, without regard to case.
func (s *secrets) in(text string, b *budget) (*leak, error) {
	text = strings.ToLower(text)
	for i := range s.all {
		l := &s.all[i]
		if l.word {
			continue
		}
		if err := b.spend(1 + len(text)/256); err != nil {
			return nil, err
		}
		if hasToken(text, l.name) {
			return l, nil
		}
	}
	return nil, nil
}

func hasToken(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		first, _ := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		if !(inName(before) && inName(first)) && !(inName(after) && inName(last)) {
			return true
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		at = i + n
	}
}

// inName reports whether a character goes on in a name. A hyphen does not: it also
// joins names.
func inName(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
