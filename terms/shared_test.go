package terms_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/terms"
)

// beside returns a folder that lies beside the suites, and skips t when it is not
// there.
func beside(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(suite.Dir(t, "."), "..", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not beside the suites", name)
	}
	return dir
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return data
}

// shared is the pair RP-SOW-1 and RP-SOW-2, as section B.4 has them.
func shared(t *testing.T) pair {
	t.Helper()
	var v struct {
		Standing json.RawMessage `json:"sow_standing"`
	}
	require.NoError(t, json.Unmarshal(readFile(t, beside(t, "spec"), "vectors-card-terms-owg.json"), &v))
	b, err := canon.JCS(v.Standing)
	require.NoError(t, err)
	one := string(b)
	two := with(t, one,
		`"grade":"evidence","provider":{`, `"grade":"evidence","offered_to":{"agent":"`+sharedReader+`","expires_at":"2026-12-31T00:00:00Z","grade":"enforced","owner":"Harbor & Line Outfitters"},"provider":{`,
		"sow_gm6da297af1gr5b9", "sow_jctpyy04j9adm2jv",
		"HTxgwgzelD523HUlmkD0nyVUZlRJrjQOFwJv7xEuT-WNllmwjT86dYqp1G06Mw8vcObiAslTXk0NU87r6sbACA", "N88eH4cSgnnrlfs4ULIMIhMnTtNSKGfKtWicO0VL3b1N4tW9WDAiV98LxUglaINrqPRz7rA0CqP3UY1uF_dJAg")
	return pair{
		standing: one, directed: two, amount: `"per_task":250000`, raised: `"per_task":250001`,
		second: [2]string{"2026-10-01T09:00:00Z", "2026-10-01T09:00:01Z"},
		agreed: force(t, with(t, template, `"client": null`, `"client": {"agent": "a", "owner": "b"}`)),
	}
}

const sharedReader = "UBMBH4BK6EIHQFVMHLSABFSQXB3JXUFZOXVZQTIERO33AD4HHAI3D7QP"

// TestSharedVectors reproduces the identifier, signature and digest of RP-SOW-1 and
// RP-SOW-2, and what section B.4 says about the usual mistakes.
func TestSharedVectors(t *testing.T) {
	t.Parallel()
	p := shared(t)
	for _, row := range []struct{ name, doc, id, digest string }{
		{"RP-SOW-1", p.standing, "sow_gm6da297af1gr5b9", "sha256:720576e801788a0ed89b9966a3b7e08afda7d948f706c91c68f6324ba3ace11d"},
		{"RP-SOW-2", p.directed, "sow_jctpyy04j9adm2jv", "sha256:9c42c6111d6f6d684ffbd409f655312c59b2786a26c4cd06b637259273c245f9"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := parse(t, row.doc)
			id, err := d.MintID()
			require.NoError(t, err)
			require.Equal(t, row.id, id)
			require.Equal(t, row.id, d.ID())
			dg, err := d.Digest()
			require.NoError(t, err)
			require.Equal(t, row.digest, dg.String())
			r := verifyOne(t, row.doc, terms.Options{Channel: terms.Restricted, Me: sharedReader})
			require.Equal(t, terms.Stated, r.Terms)
			require.Empty(t, r.Entries[0].Warnings)
			require.Equal(t, "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK", r.Entries[0].ProviderKey)
			require.Equal(t, row.name == "RP-SOW-2", r.Entries[0].Directed)
			// Signing it again gives the same signature.
			_, text := keyPair(t, 0)
			s, err := terms.ParseSeed(text)
			require.NoError(t, err)
			unsigned := regexp.MustCompile(`"signatures":\[.*?\],`).ReplaceAllString(row.doc, "")
			again, err := terms.Sign(parse(t, unsigned), s, terms.SignOptions{At: noon()})
			require.NoError(t, err)
			sig := regexp.MustCompile(`"sig":"[^"]+"`)
			require.Equal(t, sig.FindString(row.doc), sig.FindString(string(again)))
		})
	}
	d := parse(t, p.standing)
	hashed, err := d.HashedBytes()
	require.NoError(t, err)
	require.Equal(t, "sha256:850cd5092753c30c1569500037c6578d25e6f6286c3661876a91a78728ef7374", canon.Sum(hashed).String())
	signed, err := d.SignedBytes()
	require.NoError(t, err)
	require.Len(t, signed, 1372)
	require.Equal(t, "sha256:a2cef6b63f737915cb351875075309bfe854120c0d57230436616bdaac279584", canon.Sum(signed).String())
	committed, err := d.CommittedBytes()
	require.NoError(t, err)
	require.Len(t, committed, 1589)
	require.NotEqual(t, "sow_mhcnx69dhbptpjcb", d.ID(), "the identifier of the signed exclusion")
	require.NotEqual(t, "sow_qugnkcjhkpbqyflj", d.ID(), "the identifier in RFC 4648")

	doc := string(readFile(t, beside(t, "spec"), "card-terms-owg.md"))
	require.Contains(t, doc, "\n"+string(committed)+"\n", "the committed bytes as the requirements print them")
}

// The table of section B.11 and every one-byte change, with the shared documents.
func TestSharedNegativeCases(t *testing.T) {
	t.Parallel()
	p := shared(t)
	negativeCases(t, p)
	t.Run("damage", func(t *testing.T) {
		t.Parallel()
		damageContent(t, p.standing)
		damageContent(t, p.directed)
	})
}

// The declaration that the primary text prints is read as it says.
func TestPublishedDeclaration(t *testing.T) {
	t.Parallel()
	text := string(readFile(t, beside(t, "spec"), "sources", "a2a-terms.txt"))
	_, text, found := strings.Cut(text, "3. The declaration\n")
	require.True(t, found)
	start, end := strings.IndexByte(text, '{'), strings.Index(text, "\n}\n")
	declared := terms.ReadDeclaration(card(t, `{"capabilities":{"extensions":[`+text[start:end+2]+`]},"skills":[{"id":"reconcile-statement"}]}`), terms.Limits{})
	require.True(t, declared.Declared)
	require.Empty(t, declared.Code)
	require.Empty(t, declared.Findings)
	require.Equal(t, "0.18.0-draft", declared.SOWSpec)
	require.Len(t, declared.Entries, 1)
	e := declared.Entries[0]
	require.Empty(t, e.Code)
	require.Empty(t, e.Findings)
	require.Equal(t, "https://stonework.example/terms/reconcile-statement.sow.json", e.URL)
	require.Equal(t, someDigest, e.Digest.String())
	require.Equal(t, "sow_k7m2q4x9w3e6r8t1", e.SOW)
	require.Equal(t, "reconcile-statement", e.Offering)
}
