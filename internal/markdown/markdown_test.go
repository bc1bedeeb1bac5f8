package markdown_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/markdown"
)

const page = "# A page\n\n```sh\nrun one   # a comment\n\nrun two#2\n```\nText.\n```json a.json\n{}\n```\n```sh\nrun three\n```\n```text\nnot closed"

func TestBlocks(t *testing.T) {
	t.Parallel()
	require.Equal(t, []markdown.Block{
		{"sh", "run one   # a comment\n\nrun two#2\n"}, {"json a.json", "{}\n"}, {"sh", "run three\n"}, {"text", "not closed"},
	}, markdown.Blocks(page))
	require.Equal(t, []string{"{}\n"}, markdown.Texts(page, "json a.json"))
	require.Empty(t, markdown.Texts(page, "json"))
	require.Equal(t, []string{"run one", "run two#2", "run three"}, markdown.Commands(page))
	require.Empty(t, markdown.Blocks("no block"))
}

func TestLike(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		line, shown string
		like        bool
	}{
		{"a b", "a b", true},
		{"a b", "a", false},
		{"a b", "b", false},
		{"a b c", "a ...", true},
		{"a b c", "... c", true},
		{"a b c", "a ... c", true},
		{"a b c d", "a ... c ... d", false},
		{"a b c x d", "a ... c ... d", true},
		{"a b c", "a ... d ... c", false},
		{"xa b", "a ...", false},
		{"a bx", "... b", false},
		{"", "", true},
		{"a", "...", true},
	} {
		require.Equal(t, row.like, markdown.Like(row.line, row.shown), "%q %q", row.line, row.shown)
	}
}
