package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/service"
)

// documents returns what archives of all targets have: the texts of the project with the
// pages that they link to, a manual page for each command, completions for shells.
func documents(version string, at time.Time) ([]file, error) {
	var out []file
	pages, err := filepath.Glob("docs/*")
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{"LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md"}, pages...) {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out = append(out, file{name: filepath.ToSlash(name), data: data})
	}
	for _, root := range []*cobra.Command{cli.Tree(), service.Tree()} {
		out = append(out, manual(root, version, at)...)
		scripts, err := completions(root)
		if err != nil {
			return nil, err
		}
		out = append(out, scripts...)
	}
	return out, nil
}

// completions returns the scripts that teach shells the commands of a program, by the
// names under which the shells look for them.
func completions(root *cobra.Command) ([]file, error) {
	var bash, zsh, fish bytes.Buffer
	for _, err := range []error{
		root.GenBashCompletionV2(&bash, true), root.GenZshCompletion(&zsh), root.GenFishCompletion(&fish, true),
	} {
		if err != nil {
			return nil, fmt.Errorf("completions of %s: %w", root.Name(), err)
		}
	}
	return []file{
		{name: "completions/bash/" + root.Name(), data: bash.Bytes()},
		{name: "completions/zsh/_" + root.Name(), data: zsh.Bytes()},
		{name: "completions/fish/" + root.Name() + ".fish", data: fish.Bytes()},
	}, nil
}
