package cli_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// BenchmarkRun is what a call costs beyond the start of the process.
func BenchmarkRun(b *testing.B) {
	dir := filepath.Join("..", "..", "testdata")
	for _, args := range [][]string{
		{"version"},
		{"hash", filepath.Join(dir, "grant-access.ttl")},
		{"validate", "--shape", filepath.Join(dir, "grant-access.ttl"), filepath.Join(dir, "intent.ttl")},
	} {
		b.Run(args[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if status := cli.Run(b.Context(), args, cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}); status != cli.StatusYes {
					b.Fatal(status)
				}
			}
		})
	}
}
