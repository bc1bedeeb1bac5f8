package oracle

import (
	"encoding/json"
	"maps"
	"slices"
)

// Shrink leaves out parts of a list as long as what is left still holds, first
// many at once, then one by one. Nothing that it returns can be left out alone.
func Shrink[T any](items []T, holds func([]T) bool) []T {
	for size := max(len(items)/2, 1); ; {
		changed := false
		for at := 0; at < len(items); {
			rest := slices.Concat(items[:at], items[min(at+size, len(items)):])
			if len(rest) < len(items) && holds(rest) {
				items, changed = rest, true
				continue
			}
			at += size
		}
		switch {
		case size > 1:
			size /= 2
		case !changed:
			return items
		}
	}
}

// ShrinkJSON makes a JSON value, as package encoding/json reads it, smaller as
// long as it still holds: members and items are left out, and values are
// replaced by what is in them.
func ShrinkJSON(v any, holds func(any) bool) any {
	for changed := true; changed; {
		changed = false
		for at := 0; ; {
			smaller, more := edit(v, at)
			if !more {
				break
			}
			if smaller != nil && holds(*smaller) {
				v, changed = *smaller, true
				continue
			}
			at++
		}
	}
	return v
}

// edit returns the value with the edit of a number, nil if that changes nothing,
// and whether there are edits of that number or above.
func edit(v any, at int) (*any, bool) {
	e := editor{at: at}
	out := e.value(v)
	if e.at >= 0 {
		return nil, false
	}
	return &out, true
}

// editor counts down to an edit on its way through a value.
type editor struct{ at int }

func (e *editor) now() bool { e.at--; return e.at == -1 }

func (e *editor) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		for _, name := range names {
			if e.now() {
				out := maps.Clone(v)
				delete(out, name)
				return out
			}
		}
		for _, name := range names {
			if e.now() {
				return v[name]
			}
		}
		for _, name := range names {
			if out := e.value(v[name]); e.at < 0 {
				changed := maps.Clone(v)
				changed[name] = out
				return changed
			}
		}
	case []any:
		for i := range v {
			if e.now() {
				return append(append([]any{}, v[:i]...), v[i+1:]...) // never nil
			}
		}
		for i := range v {
			if e.now() {
				return v[i]
			}
		}
		for i := range v {
			if out := e.value(v[i]); e.at < 0 {
				changed := slices.Clone(v)
				changed[i] = out
				return changed
			}
		}
	case string:
		// Long texts hide what is odd in them: halves, then single characters.
		runes := []rune(v)
		if len(runes) == 1 && e.now() {
			return ""
		}
		if len(runes) < 2 {
			return v
		}
		for _, half := range [][]rune{runes[:len(runes)/2], runes[len(runes)/2:]} {
			if e.now() {
				return string(half)
			}
		}
		for i := range min(len(runes), 40) {
			if e.now() {
				return string(slices.Concat(runes[:i], runes[i+1:]))
			}
		}
	case json.Number:
		if v != "1" && e.now() {
			return json.Number("1")
		}
	}
	return v
}
