package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

func (a *app) agreementsCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "agreements COMMAND",
		Short: "list and withdraw the agreements of an agent",
		Long: `Works on the agreements on Protocol Documents that an agent keeps in the file of
its store. Only one process can have the file open: the agent must not be
running.`,
		Example: `  rdfproto agreements list --store agent.db
  rdfproto agreements list --store agent.db --json`,
	}, a.agreementsListCommand(), a.agreementsWithdrawCommand())
}

// agreementStore is the store that a command works on.
type agreementStore struct{ file string }

func addStoreFlag(cmd *cobra.Command) *agreementStore {
	s := &agreementStore{}
	cmd.Flags().StringVar(&s.file, "store", "", "the `FILE` of the agent's store")
	return s
}

// use opens the store for one function.
func (s *agreementStore) use(cmd *cobra.Command, readOnly bool, run func(g *replay.Agreements, now time.Time) error) error {
	if s.file == "" {
		return usageError(cmd, "--store is missing")
	}
	store, err := bolt.Open(s.file, bolt.Options{ReadOnly: readOnly})
	if err != nil {
		return s.failed(err)
	}
	err = run(replay.NewAgreements(store), time.Now())
	if closing := store.Close(); err == nil {
		err = closing
	}
	return s.failed(err)
}

// failed says what is wrong with the store.
func (s *agreementStore) failed(err error) error {
	f := &failure{status: StatusCall, place: rdf.Place{File: display(s.file)}, code: "unreadable"}
	switch path := (*fs.PathError)(nil); {
	case errors.Is(err, replay.ErrCorrupt):
		f.status, f.code, f.text = StatusRefused, "damaged", reason(err, replay.ErrCorrupt)
	case errors.Is(err, bolt.ErrFormat):
		f.status, f.code, f.text = StatusRefused, "unknown-format", reason(err, bolt.ErrFormat)
	case errors.Is(err, bolt.ErrLocked):
		f.code, f.text, f.hint = "locked", bolt.ErrLocked.Error(), "stop the agent that uses it first"
	case errors.Is(err, fs.ErrNotExist):
		f.text = fs.ErrNotExist.Error()
	case errors.Is(err, fs.ErrPermission):
		f.text = fs.ErrPermission.Error()
	case errors.As(err, &path):
		f.text = path.Err.Error()
	default:
		return err
	}
	return f
}

// reason returns the text of the innermost error that still says what a known error
// was about.
func reason(err, known error) string {
	for inner := errors.Unwrap(err); inner != nil && inner != known; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// agreementJSON is an agreement in the output.
type agreementJSON struct {
	Local           string `json:"local"`
	Peer            string `json:"peer"`
	Card            string `json:"card"`
	Context         string `json:"context"`
	Pin             string `json:"pin"`
	Source          string `json:"source"`
	Origin          string `json:"origin"`
	Required        bool   `json:"required"`
	SecurityBearing bool   `json:"securityBearing"`
	Made            string `json:"made"`
	Expires         string `json:"expires"`
}

func (a *app) agreementsListCommand() *cobra.Command {
	var (
		store  *agreementStore
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list --store FILE",
		Short: "list the agreements that are in force",
		Long: `Lists the Protocol Documents that this agent agreed on, with whom, and whether
the exchange is security-bearing, so that nothing falls back to prose. A dash
stands for an empty member of the scope; --json shows everything.

Exit status: 0 also when there are none, 3 if the store is damaged.`,
		Example: `  rdfproto agreements list --store agent.db
  rdfproto agreements list --store agent.db --json`,
		Args: files(0, 0),
	}
	store = addStoreFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the agreements as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return store.use(cmd, true, func(g *replay.Agreements, now time.Time) error {
			found, err := g.List(cmd.Context(), manyFiles, now)
			if err != nil {
				return err
			}
			slices.SortFunc(found, func(a, b handshake.Agreement) int {
				return cmp.Or(
					cmp.Compare(a.Scope.Local, b.Scope.Local), cmp.Compare(a.Scope.Peer, b.Scope.Peer),
					cmp.Compare(a.Scope.Card, b.Scope.Card), cmp.Compare(a.Scope.Context, b.Scope.Context),
					cmp.Compare(a.Pin.String(), b.Pin.String()),
				)
			})
			if asJSON {
				return a.agreementsJSON(found)
			}
			return a.agreementsTable(found)
		})
	}
	return cmd
}

func (a *app) agreementsJSON(found []handshake.Agreement) error {
	out := struct {
		Version    int             `json:"version"`
		Agreements []agreementJSON `json:"agreements"`
	}{1, []agreementJSON{}}
	for _, g := range found {
		out.Agreements = append(out.Agreements, agreementJSON{
			Local: g.Scope.Local, Peer: g.Scope.Peer, Card: g.Scope.Card, Context: g.Scope.Context,
			Pin: g.Pin.String(), Source: g.Source, Origin: g.Origin.String(), Required: g.Required, SecurityBearing: g.SecurityBearing(),
			Made: g.Made.Format(time.RFC3339), Expires: g.Expires.Format(time.RFC3339),
		})
	}
	line, err := marshal(out)
	if err != nil {
		return err
	}
	_, err = a.out.Write(append(visible(line), '\n'))
	return err
}

func (a *app) agreementsTable(found []handshake.Agreement) error {
	dash := func(s string) string { return printable(cmp.Or(s, "-")) }
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PIN\tLOCAL\tPEER\tCARD\tCONTEXT\tORIGIN\tBEARING\tEXPIRES\tSOURCE")
	for _, g := range found {
		bearing := "informal"
		switch {
		case g.Required:
			bearing = "required"
		case g.SecurityBearing():
			bearing = "security"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			g.Pin, dash(g.Scope.Local), dash(g.Scope.Peer), dash(g.Scope.Card), dash(g.Scope.Context),
			g.Origin, bearing, g.Expires.Format(time.RFC3339), dash(g.Source))
	}
	return w.Flush()
}

func (a *app) agreementsWithdrawCommand() *cobra.Command {
	var (
		store  *agreementStore
		scope  handshake.Scope
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "withdraw --store FILE --local IRI [--peer IRI] [--card C] [--context C] PIN",
		Short: "withdraw the agreement on a document in a scope",
		Long: `Withdraws the agreement on the Protocol Document with a pin. The scope is given
as agreements list shows it, whole and exactly: a member that is left out is
empty. What is stored of the agreement need not be readable.

Exit status: 0 withdrawn, 4 there was none.`,
		Example: `  rdfproto agreements withdraw --store agent.db --local https://a.example/ \
    --peer https://b.example/ --context ctx-1 sha256:...`,
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usageError(cmd, "a PIN is missing")
		case len(args) > 1:
			return usageError(cmd, "too many arguments: "+quote(args[1]))
		}
		return nil
	}
	store = addStoreFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&scope.Local, "local", "", "this agent, an `IRI`")
	f.StringVar(&scope.Peer, "peer", "", "the peer that was authenticated, an `IRI`")
	f.StringVar(&scope.Card, "card", "", "the peer's `CARD` or endpoint")
	f.StringVar(&scope.Context, "context", "", "the `CONTEXT` of the messages")
	f.BoolVar(&asJSON, "json", false, "print the verdict as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		pin, err := canon.ParseDigest(args[0])
		switch {
		case err != nil:
			return usageError(cmd, err.Error())
		case !scope.Valid():
			return usageError(cmd, "a scope needs --local, and --peer or --context")
		}
		return store.use(cmd, false, func(g *replay.Agreements, now time.Time) error {
			was, err := g.Withdraw(cmd.Context(), scope, pin, now)
			if err != nil {
				return err
			}
			v := verdict{Status: StatusYes, Message: "withdrawn"}
			if !was {
				v = verdict{Status: StatusNothing, Code: "no-agreement", Message: "there is no such agreement"}
			}
			if asJSON {
				return a.json(v, nil)
			}
			fmt.Fprintf(a.out, "%s: %s\n", pin, v.Message)
			return ended(v.Status)
		})
	}
	return cmd
}
