package terms_test

import (
	"context"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/terms"
)

// Whatever the document, nothing panics, the report is consistent, and only what the
// one key of the tests signed is stated.
func FuzzDocument(f *testing.F) {
	for _, doc := range []string{template, sign(f, template), sign(f, priced(f, metered)), sign(f, priced(f, unpriced)), sign(f, to(f, template, offer(reader(f))))} {
		f.Add([]byte(doc))
	}
	f.Add([]byte(`{"signatures":[{"role":"provider","key":1,"sig":"","signed_at":[]}],"parties":{"offered_to":[]}}`))
	for _, seed := range suite.Seeds(f, suite.Proposals) {
		f.Add(seed.Data)
	}
	me := reader(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := terms.Parse(data, terms.Limits{DocumentBytes: 32 << 10})
		if err != nil {
			codeOf(t, err)
			return
		}
		committed, err := d.CommittedBytes()
		require.NoError(t, err)
		// The canonical form is its own, and has the same three byte strings.
		again, err := terms.Parse(committed, terms.Limits{})
		require.NoError(t, err)
		for _, of := range []func(*terms.Document) ([]byte, error){(*terms.Document).CommittedBytes, (*terms.Document).SignedBytes, (*terms.Document).HashedBytes} {
			x, err := of(d)
			require.NoError(t, err)
			y, err := of(again)
			require.NoError(t, err)
			require.Equal(t, string(x), string(y))
		}
		c := card(t, cardText(extension(entry(docURL, canon.Sum(committed).String()))))
		o := terms.Options{At: noon(), Fetcher: docs{docURL: string(data)}, Channel: terms.Restricted, Me: me}
		r, err := terms.Verify(context.Background(), terms.Subject{Card: c}, o)
		require.NoError(t, err)
		consistent(t, r)
		printed(t, r)
		if out, err := terms.Sign(d, seed(t, 1), terms.SignOptions{At: noon()}); err == nil {
			_, err := terms.Parse(out, terms.Limits{})
			require.NoError(t, err)
		}
		found, err := terms.Lint(context.Background(), terms.Subject{Card: c}, o)
		require.NoError(t, err)
		if r.Terms == terms.Stated {
			for _, l := range found {
				require.Contains(t, []terms.Code{"", terms.CodeGradeClaim, terms.CodeJSONPrecision}, errorCode(l), "what readers verify, lint lets pass")
			}
		}
	})
}

func errorCode(f terms.LintFinding) terms.Code {
	if f.Level == terms.Wrong {
		return f.Code
	}
	return ""
}

func printed(t *testing.T, r *terms.Report) {
	t.Helper()
	all := r.Lines()
	for _, p := range r.Proposals() {
		all = append(append(all, p.Lines()...), p.Summary())
	}
	for _, l := range all {
		for _, c := range l {
			require.True(t, unicode.IsPrint(c), "%q", l)
		}
	}
}

// Whatever the declaration, nothing panics, and what is stated is the document that
// the card commits to.
func FuzzDeclaration(f *testing.F) {
	doc := sign(f, template)
	f.Add([]byte(cardText(extension(entry(docURL, ownDigest)))))
	f.Add([]byte(cardText(extension(entry(docURL, ownDigest), entry(docURL, someDigest)), extension())))
	f.Add([]byte(`{"capabilities":{"extensions":[{"uri":"` + terms.ExtensionURI + `","required":true,"params":{"x":1,"proposals":[{"url":1,"digest":[],"sow":{},"offering":null,"y":0},null]}}]}}`))
	for _, seed := range suite.Seeds(f, suite.Cards) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := agentcard.Parse(data, agentcard.Limits{CardBytes: 16 << 10})
		if err != nil {
			return
		}
		r, err := terms.Verify(context.Background(), terms.Subject{Card: c}, terms.Options{At: noon(), Fetcher: docs{docURL: doc}})
		require.NoError(t, err)
		consistent(t, r)
		printed(t, r)
		for _, p := range r.Proposals() {
			require.Equal(t, ownDigest, p.Digest().String())
			require.Equal(t, docURL, p.URL())
		}
		_, err = terms.Lint(context.Background(), terms.Subject{Card: c}, terms.Options{At: noon(), Fetcher: docs{docURL: doc}})
		require.NoError(t, err)
	})
}

// Keys, seeds and files of owners' keys: what a seed signs says its key, and that is one.
func FuzzKeys(f *testing.F) {
	_, text := keyPair(f, 1)
	document, err := terms.Parse([]byte(template), terms.Limits{})
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(ownKey))
	f.Add([]byte(`{"Linden Translation":["` + ownKey + `"]}`))
	for _, seed := range suite.Seeds(f, suite.KeySets) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := terms.ParseSeed(data); err == nil {
			require.True(t, terms.ValidKey(s.Key()))
			signed, err := terms.Sign(document, s, terms.SignOptions{At: noon()})
			require.NoError(t, err)
			require.Contains(t, string(signed), s.Key())
		}
		if terms.ValidKey(string(data)) {
			require.Len(t, data, 56)
		}
		if _, err := terms.ParseOwnerKeys(data, terms.Limits{}); err != nil {
			codeOf(t, err)
		}
	})
}
