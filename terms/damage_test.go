package terms_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/terms"
)

// TestDamage damages every accepted document in every small way. Under the digest of
// the card each is refused, or is the same document. Under a digest of its own, as a
// forger of cards would give it, each is refused, or its signed content is the same.
func TestDamage(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{
		"fixed fee":          sign(t, template),
		"time and materials": sign(t, priced(t, metered)),
		"no charge":          sign(t, priced(t, unpriced)),
		"directed":           sign(t, to(t, template, offer(reader(t)))),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			every := 1
			if name != "fixed fee" {
				every = 8 // they differ by a clause
			}
			damageAll(t, []byte(doc), terms.Options{Channel: terms.Restricted, Me: reader(t)}, every)
		})
	}
}

func damageAll(t *testing.T, doc []byte, o terms.Options, every int) {
	t.Helper()
	committed, err := canon.JCS(doc)
	require.NoError(t, err)
	signed, err := parse(t, string(doc)).SignedBytes()
	require.NoError(t, err)
	require.Equal(t, terms.Stated, verifyOne(t, string(doc), o).Terms)
	if testing.Short() {
		every = 32 // with the race detector it takes ten times as long
	}
	kinds := map[string]int{}
	check := func(kind string, damaged []byte) {
		kinds[kind]++
		if kinds[kind]%every != 0 {
			return
		}
		got, err := canon.JCS(damaged)
		r := verify(t, cardText(extension(entry(docURL, canon.Sum(committed).String()))), docs{docURL: string(damaged)}, o)
		same := err == nil && bytes.Equal(got, committed)
		require.Equal(t, same, r.Terms == terms.Stated, "%s: %s", kind, damaged)
		if err != nil || same {
			return
		}
		r = verify(t, cardText(extension(entry(docURL, canon.Sum(got).String()))), docs{docURL: string(damaged)}, o)
		if r.Terms != terms.Stated {
			return
		}
		d, err := terms.Parse(damaged, terms.Limits{})
		require.NoError(t, err)
		again, err := d.SignedBytes()
		require.NoError(t, err)
		require.Equal(t, string(signed), string(again), "%s was not noticed: %s", kind, damaged)
	}
	for kind, damaged := range damages(doc) {
		check(kind, damaged)
	}
	require.Len(t, kinds, 7)
	for kind, damaged := range treeDamages(t, doc) {
		check(kind, damaged)
	}
	require.Greater(t, len(kinds), 15)
}

// Every one-byte change of the signed bytes makes the signature fail: there is no
// part of them that it does not cover.
func TestDamagedContent(t *testing.T) {
	t.Parallel()
	damageContent(t, sign(t, template))
}

func damageContent(t *testing.T, doc string) {
	t.Helper()
	d := parse(t, doc)
	committed, err := d.CommittedBytes()
	require.NoError(t, err)
	end := bytes.Index(committed, []byte(`"signatures":[`))
	require.Positive(t, end)
	after := bytes.IndexByte(committed[end:], ']') + end
	changed, tried := 0, 0
	for i := range committed {
		if i >= end && i <= after {
			continue
		}
		for _, bit := range []byte{1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80} {
			damaged := slices.Clone(committed)
			damaged[i] ^= bit
			own, err := canon.JCS(damaged)
			if err != nil {
				_, err := terms.Parse(damaged, terms.Limits{})
				codeOf(t, err)
				continue
			}
			changed++
			if testing.Short() && changed%16 != 0 {
				continue
			}
			tried++
			r := verify(t, cardText(extension(entry(docURL, canon.Sum(own).String()))), docs{docURL: string(damaged)}, terms.Options{Channel: terms.Restricted, Me: reader(t)})
			require.Equal(t, terms.NoneVerified, r.Terms, "%s", damaged)
		}
	}
	require.Greater(t, changed, len(committed), "most changes leave JSON")
	require.Greater(t, tried, len(committed)/16)
}

// damages yields every damage of one place in a text.
func damages(text []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for i := range text {
			before, after := text[:i], text[i+1:]
			for _, bit := range []byte{0x01, 0x20} {
				if !yield("flip", slices.Concat(before, []byte{text[i] ^ bit}, after)) {
					return
				}
			}
			if !yield("drop", slices.Concat(before, after)) ||
				!yield("duplicate", slices.Concat(before, text[i:i+1], text[i:])) ||
				!yield("truncate", slices.Clone(before)) ||
				!yield("insert", slices.Concat(before, []byte{"0x\"}], \\"[i%8]}, text[i:])) ||
				!yield("append", slices.Concat(text, text[i:i+1])) {
				return
			}
			if i > 0 && !yield("swap", slices.Concat(text[:i-1], []byte{text[i], text[i-1]}, after)) {
				return
			}
		}
	}
}

// treeDamages yields every damage of one value of a document: removed, renamed,
// replaced by a value of another kind, exchanged with its neighbour, repeated.
func treeDamages(t *testing.T, text []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		var tree any
		require.NoError(t, json.Unmarshal(text, &tree))
		emit := func(kind string) bool {
			b, err := json.Marshal(tree)
			require.NoError(t, err)
			return yield(kind, b)
		}
		others := []any{nil, false, true, "", "x", 0.0, []any{}, map[string]any{}, []any{map[string]any{}}}
		var walk func(v any, put func(any)) bool
		walk = func(v any, put func(any)) bool {
			for _, other := range others {
				put(other)
				if !emit(fmt.Sprintf("replaced by %v", other)) {
					return false
				}
			}
			put(v)
			switch v := v.(type) {
			case map[string]any:
				names := make([]string, 0, len(v))
				for name := range v {
					names = append(names, name)
				}
				slices.Sort(names)
				for i, name := range names {
					old := v[name]
					delete(v, name)
					if !emit("member removed") {
						return false
					}
					v[name+"_"] = old
					if !emit("member renamed") {
						return false
					}
					delete(v, name+"_")
					v[name] = old
					if i > 0 {
						last := names[i-1]
						v[name], v[last] = v[last], v[name]
						if !emit("members exchanged") {
							return false
						}
						v[name], v[last] = v[last], v[name]
					}
					if !walk(old, func(x any) { v[name] = x }) {
						return false
					}
				}
				v["added"] = "x"
				if !emit("member added") {
					return false
				}
				delete(v, "added")
			case []any:
				if len(v) > 0 {
					put(slices.Concat(v, v[:1]))
					if !emit("element repeated") {
						return false
					}
					put(v[1:])
					if !emit("element removed") {
						return false
					}
					put(v)
				}
				for i, old := range v {
					if !walk(old, func(x any) { v[i] = x }) {
						return false
					}
				}
			}
			return true
		}
		walk(tree, func(x any) { tree = x })
	}
}

// Every damage of an accepted card's declaration is refused, or commits to the same
// documents.
func TestDamagedDeclaration(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	good := extension(entry(docURL, digest(t, doc)))
	before, after, found := strings.Cut(cardText(good), good)
	require.True(t, found)
	n := 0
	for kind, damaged := range damages([]byte(good)) {
		text := before + string(damaged) + after
		if _, err := canon.JCS([]byte(text)); err != nil {
			continue
		}
		n++
		r := verify(t, text, docs{docURL: doc}, terms.Options{})
		if r.Terms == terms.Stated {
			for _, p := range r.Proposals() {
				require.Equal(t, ownDigest, p.Digest().String(), "%s: %s", kind, damaged)
			}
		}
	}
	require.Greater(t, n, len(good))
}
