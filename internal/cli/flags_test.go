package cli_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// TestRepeatedFlags gives every flag of every command twice: one that takes a list says so
// in its help, any other is refused.
func TestRepeatedFlags(t *testing.T) {
	t.Parallel()
	// In the help a flag has its name, perhaps a name for its value, and two spaces before
	// its description, which goes on on lines with more indent.
	flag := regexp.MustCompile(`(?m)^      --(\S+)( \S+)?  +((?:.|\n {8,})*)`)
	lists, single := 0, 0
	eachHelp(t, func(path []string, help result) {
		_, flags, _ := strings.Cut(help.out, "\nFlags:\n")
		for _, m := range flag.FindAllStringSubmatch(flags, -1) {
			name, value, description := "--"+m[1], "=1", m[3]
			if m[2] == "" {
				value = ""
			}
			args := append(slices.Clip(path), name+value, name+value)
			r := call(t, "", args...)
			require.Equal(t, cli.StatusCall, r.status, args)
			if strings.Contains(description, "(repeatable") {
				lists++
				require.NotContains(t, r.stderr, "more than once", args)
				continue
			}
			single++
			require.Contains(t, r.stderr, "error: "+name+": given more than once, expected one value [usage]\n", args)
		}
	})
	require.Greater(t, lists, 30)
	require.Greater(t, single, 100)
}

// TestEmptyFlags gives every flag of every command that takes a value an empty one, as of a
// shell variable that is not set. It is refused: taken for no flag, it would leave out
// what the flag asks for, such as a trust store or what a workflow received.
func TestEmptyFlags(t *testing.T) {
	t.Parallel()
	flag := regexp.MustCompile(`(?m)^      --(\S+) (\S+)  +`)
	empty := 0
	eachHelp(t, func(path []string, help result) {
		_, flags, _ := strings.Cut(help.out, "\nFlags:\n")
		for _, m := range flag.FindAllStringSubmatch(flags, -1) {
			name := "--" + m[1]
			if name == "--limit" { // which says what it expects
				continue
			}
			empty++
			args := append(slices.Clip(path), name+"=")
			r := call(t, "", args...)
			require.Equal(t, cli.StatusCall, r.status, args)
			require.Regexp(t, "error: "+name+": expected a (value, found an empty one|number, found \"\") \\[usage\\]\n", r.stderr, args)
		}
	})
	require.Greater(t, empty, 100)
}
