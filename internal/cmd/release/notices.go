package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// noticeFile is a file of a module that its licence wants to go with copies of it.
var noticeFile = regexp.MustCompile(`(?i)^(LICEN[CS]E|COPYING|NOTICE|COPYRIGHT|PATENTS)([.-].*)?$`)

// notices returns the licences of all modules that are in programs, and of Go's own
// library. A module without one is an error.
func notices(ctx context.Context, built []build) ([]byte, error) {
	goRoot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	folders := map[string]string{"the Go standard library": strings.TrimSpace(string(goRoot))}
	for _, b := range built {
		for _, m := range b.info.Deps {
			if m.Replace != nil {
				return nil, fmt.Errorf("%s is replaced", m.Path)
			}
			folders[m.Path+" "+m.Version] = ""
		}
	}
	if err := moduleFolders(ctx, folders); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("The programs contain the following works, under the licences that follow them.\n")
	for _, module := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(folders[module])
		if err != nil {
			return nil, fmt.Errorf("the folder of %s: %w", module, err)
		}
		found := false
		for _, e := range entries {
			if e.IsDir() || !noticeFile.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folders[module], e.Name()))
			if err != nil {
				return nil, err
			}
			found = true
			fmt.Fprintf(&out, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), module, e.Name(), bytes.TrimSpace(text))
		}
		if !found {
			return nil, fmt.Errorf("%s: no licence was found in it", module)
		}
	}
	return out.Bytes(), nil
}

// moduleFolders fills in where modules are.
func moduleFolders(ctx context.Context, folders map[string]string) error {
	list, err := exec.CommandContext(ctx, "go", "list", "-m", "-json", "all").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(list))
	for {
		var m struct{ Path, Version, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if name := m.Path + " " + m.Version; m.Dir != "" {
			if _, ok := folders[name]; ok {
				folders[name] = m.Dir
			}
		}
	}
}
