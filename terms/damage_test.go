package terms_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/damage"
	"github.com/rdfproto/rdfproto/terms"
)

// TestDamage damages every accepted document in every small way. Under the digest in the
// card, each is refused or is the same document. Under its own digest, which a forged card
// could have, each is refused or its signed content is the same.
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
				every = 9 // they differ by a clause
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
		every = 33 // with the race detector it takes ten times as long
	}
	check := func(change damage.Change, damaged []byte) {
		got, err := canon.JCS(damaged)
		r := verify(t, cardText(extension(entry(docURL, canon.Sum(committed).String()))), docs{docURL: string(damaged)}, o)
		same := err == nil && bytes.Equal(got, committed)
		require.Equal(t, same, r.Terms == terms.Stated, "%s: %s", change, damaged)
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
		require.Equal(t, string(signed), string(again), "%s was not noticed: %s", change, damaged)
	}
	for change, damaged := range damage.Every(every, damage.Bytes(doc)) {
		check(change, damaged)
	}
	for change, damaged := range damage.Every(every, damage.Values(doc)) {
		check(change, damaged)
	}
}

// Every one-byte change of the signed bytes makes the signature fail: it covers all of
// them.
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

// A card whose declaration is damaged in any small way is refused, or commits to the same
// documents.
func TestDamagedDeclaration(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	good := extension(entry(docURL, digest(t, doc)))
	before, after, found := strings.Cut(cardText(good), good)
	require.True(t, found)
	n := 0
	for change, damaged := range damage.Bytes([]byte(good)) {
		text := before + string(damaged) + after
		if _, err := canon.JCS([]byte(text)); err != nil {
			continue
		}
		n++
		r := verify(t, text, docs{docURL: doc}, terms.Options{})
		if r.Terms == terms.Stated {
			for _, p := range r.Proposals() {
				require.Equal(t, ownDigest, p.Digest().String(), "%s: %s", change, damaged)
			}
		}
	}
	require.Greater(t, n, len(good))
}
