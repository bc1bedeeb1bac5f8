// Command baseline measures what operations of the hot path allocate, which does
// not depend on the machine, and compares it with figures that were kept:
//
//	baseline FILE          # fails where one is more than a tenth above its figure
//	baseline -update FILE  # writes the figures
//
// It runs in the module's root, whose testdata it reads.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

func main() {
	update := flag.Bool("update", false, "write the figures to FILE in place of comparing them")
	flag.Parse()
	failed, err := run(context.Background(), os.Stdout, flag.Args(), *update)
	if err != nil {
		fmt.Fprintln(os.Stderr, "baseline:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// figure is what one call of an operation allocates.
type figure struct{ allocations, bytes uint64 }

func run(ctx context.Context, w io.Writer, args []string, update bool) (failed bool, err error) {
	if len(args) != 1 {
		return false, fmt.Errorf("usage: baseline [-update] FILE")
	}
	operations, err := prepare(ctx)
	if err != nil {
		return false, err
	}
	measured := map[string]figure{}
	for _, o := range operations {
		if measured[o.name], err = measure(o.run); err != nil {
			return false, fmt.Errorf("%s: %w", o.name, err)
		}
	}
	if update {
		return false, os.WriteFile(args[0], format(operations, measured), 0o644)
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return false, err
	}
	kept, err := parse(string(text))
	if err != nil {
		return false, fmt.Errorf("%s: %w", args[0], err)
	}
	return compare(w, operations, measured, kept), nil
}

// compare prints what changed and reports whether that is to be refused: more
// than a tenth above a figure, or a list of operations that is another.
func compare(w io.Writer, operations []operation, measured, kept map[string]figure) (failed bool) {
	for _, o := range operations {
		now := measured[o.name]
		was, ok := kept[o.name]
		delete(kept, o.name)
		if !ok {
			fmt.Fprintf(w, "%s: no figure is kept\n", o.name)
			failed = true
			continue
		}
		for _, f := range []struct {
			what     string
			now, was uint64
		}{{"allocations", now.allocations, was.allocations}, {"bytes", now.bytes, was.bytes}} {
			switch {
			case 10*f.now > 11*f.was:
				fmt.Fprintf(w, "%s: %d %s, more than a tenth above %d\n", o.name, f.now, f.what, f.was)
				failed = true
			case 10*f.now < 9*f.was:
				fmt.Fprintf(w, "%s: %d %s, less than %d: keep the new figure with -update\n", o.name, f.now, f.what, f.was)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		fmt.Fprintf(w, "%s: no such operation\n", name)
		failed = true
	}
	return failed
}

// measure runs an operation until pools are filled, and then counts over many
// runs. No collection empties the pools in between, and nothing else runs.
func measure(run func() error) (figure, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const warmUps, runs = 20, 200
	var before, after runtime.MemStats
	for i := range warmUps + runs {
		if i == warmUps {
			runtime.ReadMemStats(&before)
		}
		if err := run(); err != nil {
			return figure{}, err
		}
	}
	runtime.ReadMemStats(&after)
	return figure{(after.Mallocs - before.Mallocs) / runs, (after.TotalAlloc - before.TotalAlloc) / runs}, nil
}

const header = `# What one operation of the hot path allocates: name, allocations, bytes.
# Made by: go run ./internal/cmd/baseline -update bench/baseline.txt
`

func format(operations []operation, measured map[string]figure) []byte {
	var b strings.Builder
	b.WriteString(header)
	for _, o := range operations {
		fmt.Fprintf(&b, "%-22s %6d %9d\n", o.name, measured[o.name].allocations, measured[o.name].bytes)
	}
	return []byte(b.String())
}

func parse(text string) (map[string]figure, error) {
	kept := map[string]figure{}
	for n, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var name string
		var f figure
		if _, err := fmt.Sscanf(line, "%s %d %d", &name, &f.allocations, &f.bytes); err != nil {
			return nil, fmt.Errorf("line %d: expected a name and two numbers, found %q", n+1, line)
		}
		kept[name] = f
	}
	return kept, nil
}
