package attack_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/page"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
)

func programOperations() []operation {
	w := theWorld()
	status := func(run func(ctx context.Context, args []string, s cli.Streams) cli.Status, args ...string) func(ctx context.Context) (bool, error) {
		return func(ctx context.Context) (bool, error) {
			var out, stderr bytes.Buffer
			s := run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr})
			if s == cli.StatusYes && stderr.Len() > 0 {
				return false, fmt.Errorf("a yes with %s", &stderr)
			}
			return s == cli.StatusYes, nil
		}
	}
	grantFile := filepath.Join("..", "..", "testdata", "grant-access.ttl")
	folder := func() fs.FS { return os.DirFS(filepath.Join("..", "..", "testdata", "vectors", "authority")) }
	// Both wait for the command beside it.
	waiting := func(name string, run func(ctx context.Context) (bool, error)) operation {
		o := simple(name, run)
		o.racing = true
		return o
	}
	return []operation{
		waiting("internal/cli.Run", status(cli.Run, "hash", grantFile)),
		waiting("internal/cli.Program.Run", status(cli.Program{
			Name: "attack", Short: "Looks.", Long: "Looks.", Example: "attack look",
			Commands: func() []*cobra.Command {
				return []*cobra.Command{{Use: "look", Short: "Looks", Long: "Looks.", Example: "attack look", RunE: func(c *cobra.Command, _ []string) error { return c.Context().Err() }}}
			},
		}.Run, "look")),
		simple("internal/page.Judge", func(ctx context.Context) (bool, error) {
			out, err := page.Judge(ctx, page.Input{Document: page.Text{Text: string(w.document)}, Intent: page.Text{Text: string(w.intent)}, Now: noon}, &stream{seed: "page"})
			return err == nil && len(out.Trace) > 0 && len(out.Problems) == 0, err
		}),
		{name: "internal/service.NewJudge", begin: func(*testing.T) func(*ending) call {
			return func(*ending) call {
				dir := must(os.MkdirTemp("", "attack"))
				require1(os.WriteFile(filepath.Join(dir, "grant.ttl"), w.document, 0o600))
				require1(os.Mkdir(filepath.Join(dir, "keys"), 0o700))
				require1(os.WriteFile(filepath.Join(dir, "keys", "0.ttl"), w.profile, 0o600))
				require1(os.WriteFile(filepath.Join(dir, "config.json"), fmt.Appendf(nil, `{"agent":"https://alice.example/agent","documents":{%q:"grant.ttl"},"keys":"keys","profile":"auto",
"replay":{"store":"bolt","path":"seen.db"}}`, w.reviewed.Pin()), 0o600))
				config := must(service.ReadConfig(filepath.Join(dir, "config.json")))
				return call{
					run: func(ctx context.Context) (bool, error) {
						j, err := service.NewJudge(ctx, config, clockAtNoon, true)
						if err == nil {
							err = j.Close()
						}
						return err == nil, err
					},
					close: func() { _ = os.RemoveAll(dir) },
				}
			}
		}},
		{name: "internal/vectors.ReadKeyring", still: "controllers in JSON hold their keys", begin: func(*testing.T) func(*ending) call {
			keys := must(fs.Sub(folder(), "keyring"))
			return func(*ending) call {
				return call{run: func(ctx context.Context) (bool, error) {
					_, n, err := vectors.ReadKeyring(ctx, keys, vc.Limits{})
					return n > 0, err
				}}
			}
		}},
		{name: "internal/vectors.Documents.Document", still: "it looks into memory", begin: func(*testing.T) func(*ending) call {
			d := must(vectors.ReadDocuments(must(strictjson.Parse([]byte(`{"https://p0.example/doc":"a.ttl"}`), strictjson.Limits{})).Get("none"), nil))
			return func(*ending) call {
				return call{run: func(ctx context.Context) (bool, error) {
					_, err := d.Document(ctx, "https://p0.example/doc")
					return err != nil, nil // a URL that is not there cannot be read
				}}
			}
		}},
		simple("internal/vectors.Run", func(ctx context.Context) (bool, error) {
			r := vectors.Run(ctx, "authority", folder(), vectors.Operations())
			passed, failed := vectors.Count([]vectors.Report{r})
			return passed > 0 && failed == 0, nil
		}),
	}
}
