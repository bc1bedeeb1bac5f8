// Command release builds the archives of a release, its list of parts and its checksums.
// It works in a clean checkout of the commit, which release/build.sh makes:
//
//	release -version v1.2.3 -out DIR [OS/ARCH...]
//
// The same commit, version and release of Go give the same bytes, wherever and whenever
// they are built: paths are trimmed, no C compiler takes part, files bear the time of the
// commit, and nothing of the machine is asked.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// programs are what a release has.
func programs() []string { return []string{"rdfproto", "rdfprotod"} }

// targets are what a release is built for.
func targets() []target {
	var out []target
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			out = append(out, target{system, arch})
		}
	}
	return out
}

// target is a platform, in Go's words.
type target struct{ system, arch string }

func (t target) String() string { return t.system + "/" + t.arch }

// executable is the name of a program's file.
func (t target) executable(program string) string {
	if t.system == "windows" {
		return program + ".exe"
	}
	return program
}

func main() {
	version := flag.String("version", "", "the `VERSION` that is released, as v1.2.3")
	out := flag.String("out", "", "the `DIR` to write into; it must be empty or not there")
	flag.Parse()
	if err := run(context.Background(), *version, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, version, out string, only []string) error {
	if version == "" || out == "" {
		return errors.New("expected -version and -out")
	}
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", out)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	released, err := commitTime(ctx)
	if err != nil {
		return err
	}
	shared, err := documents(version, released)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, t := range chosen {
		if err := t.release(ctx, version, released, shared, work, out); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return checksums(out)
}

// choose returns the targets of a call, all for none.
func choose(only []string) ([]target, error) {
	if len(only) == 0 {
		return targets(), nil
	}
	var out []target
	for _, name := range only {
		i := slices.IndexFunc(targets(), func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown target %q, expected one of %v", name, targets())
		}
		out = append(out, targets()[i])
	}
	return out, nil
}

// commitTime returns the time of the commit that is checked out.
func commitTime(ctx context.Context) (time.Time, error) {
	text, err := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct").Output()
	if err != nil {
		return time.Time{}, fmt.Errorf("the time of the commit: %w", err)
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("the time of the commit: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// release writes the archive of a target and the list of its parts.
func (t target) release(ctx context.Context, version string, released time.Time, shared []file, work, out string) error {
	name := "rdfproto_" + strings.TrimPrefix(version, "v") + "_" + t.system + "_" + t.arch
	files := slices.Clone(shared)
	var built []build
	for _, program := range programs() {
		b, err := t.build(ctx, program, version, filepath.Join(work, name))
		if err != nil {
			return err
		}
		built = append(built, b)
		files = append(files, file{name: t.executable(program), data: b.data, executable: true})
	}
	notices, err := notices(ctx, built)
	if err != nil {
		return err
	}
	files = append(files, file{name: "THIRD-PARTY-LICENSES.txt", data: notices})
	archive, extension, err := t.archive(name, files, released)
	if err != nil {
		return err
	}
	parts, err := bill(version, released, t, built)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, name+extension), archive, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, name+".cdx.json"), parts, 0o644)
}

// checksums writes SHA256SUMS, which `sha256sum -c` reads.
func checksums(dir string) error {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return err
	}
	var sums []byte
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums, 0o644)
}
