package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// build is a program that was built.
type build struct {
	program string
	data    []byte
	info    *buildinfo.BuildInfo
}

// build builds a program for a target and checks what it says of itself.
func (t target) build(ctx context.Context, program, version, dir string) (build, error) {
	b := build{program: program}
	path := filepath.Join(dir, t.executable(program))
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", path, "./cmd/"+program)
	// What the caller's environment would change of the result is set.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), ofGo),
		"CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off", "GOTOOLCHAIN=local", "GO111MODULE=on")
	if out, err := cmd.CombinedOutput(); err != nil {
		return b, fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	var err error
	if b.data, err = os.ReadFile(path); err != nil {
		return b, err
	}
	if b.info, err = buildinfo.Read(bytes.NewReader(b.data)); err != nil {
		return b, err
	}
	settings := map[string]string{}
	for _, s := range b.info.Settings {
		settings[s.Key] = s.Value
	}
	switch {
	case b.info.Main.Version != version:
		return b, fmt.Errorf("%s says that it is version %s, expected %s: is the commit tagged?", program, b.info.Main.Version, version)
	case settings["vcs.modified"] != "false" || settings["vcs.revision"] == "":
		return b, fmt.Errorf("%s is not built from a clean checkout", program)
	}
	return b, nil
}

// ofGo says whether a variable of the environment is among those that [target.build] sets.
func ofGo(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{
		"CGO_ENABLED", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOFLAGS", "GOEXPERIMENT", "GOFIPS140", "GOWORK", "GOTOOLCHAIN", "GO111MODULE",
	}, name)
}
