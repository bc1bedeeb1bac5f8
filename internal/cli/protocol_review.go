package cli

import (
	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) protocolReviewCommand() *cobra.Command {
	var (
		asJSON bool
		peer   *peerInput
	)
	cmd := &cobra.Command{
		Use:   "review DOCUMENT",
		Short: "say what accepting a Protocol Document would cost",
		Long: `Says what accepting a Protocol Document amounts to: how large its shapes are,
what checking a message may cost at worst, and what is wrong or unwise with it.

Exit status: 0 it can be accepted, 1 it has errors, 3 it is malformed or uses
features that are not evaluated.`,
		Example: `  rdfproto protocol review protocol.ttl
  rdfproto protocol review --json protocol.ttl`,
		Args: files(1, 1),
	}
	peer = a.addPeerFlags(cmd)
	pin := pinFlag(cmd, "compare with this `sha256:HEX` first")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the review as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		want, err := pin()
		if err != nil {
			return err
		}
		if err := peer.check(cmd); err != nil {
			return err
		}
		file := args[0]
		d, err := peer.document(cmd.Context(), file, want)
		if err != nil {
			return err
		}
		r := protocol.Examine(d)
		v := verdict{Status: StatusYes, Message: "it can be accepted"}
		if _, err := r.Accept(); err != nil {
			v = verdict{Status: StatusNo, Code: string(protocol.CodeInvalidProtocolDocument), Message: err.Error()}
		}
		if asJSON {
			more, err := marshal(reviewJSON(d, r))
			if err != nil {
				return err
			}
			return a.json(v, more)
		}
		word := "can be accepted"
		if v.Status != StatusYes {
			word = "cannot be accepted"
		}
		a.documentLine(file, word, d)
		a.line("pin " + d.Pin().String())
		for _, line := range r.Explain() {
			(&textReport{out: a.out}).wrapped("", 2, line)
		}
		for _, f := range r.Findings {
			place := f.Place
			if place.File == "" {
				place.File = display(file)
			}
			a.line(level(f) + ": " + place.String() + ": " + f.Text + " [" + string(f.Code) + "]")
		}
		if r.Omitted > 0 {
			a.line("... and " + count(r.Omitted, "more finding"))
		}
		return ended(v.Status)
	}
	a.inJSON(cmd, &asJSON)
	return cmd
}

func level(f protocol.Finding) string {
	if f.Error {
		return "error"
	}
	return "warning"
}

// reviewed is a review in JSON.
type reviewed struct {
	description
	Triples     int             `json:"triples"`
	Shapes      int             `json:"shapes"`
	Constraints int             `json:"constraints"`
	Depth       int             `json:"depth"`
	LongestList int             `json:"longestList"`
	Patterns    int             `json:"patterns"`
	Pattern     int             `json:"longestPattern"`
	Closures    int             `json:"repeatingPaths"`
	Request     costJSON        `json:"request"`
	Response    *costJSON       `json:"response,omitempty"`
	Explained   []string        `json:"explained"`
	Findings    []reviewFinding `json:"findings"`
	Omitted     int             `json:"omitted,omitempty"`
}

// costJSON is a worst case in JSON. A number that does not fit is the largest.
type costJSON struct {
	ChecksWith1   int  `json:"checksWith1Value"`
	ChecksWith10  int  `json:"checksWith10Values"`
	ChecksWith100 int  `json:"checksWith100Values"`
	Values        int  `json:"valuesWithinBudget"`
	OneNode       bool `json:"oneNode"`
}

type reviewFinding struct {
	Level string    `json:"level"`
	Code  string    `json:"code"`
	Text  string    `json:"message"`
	Shape string    `json:"shape,omitempty"`
	Place rdf.Place `json:"place,omitzero"`
}

func reviewJSON(d *protocol.Document, r *protocol.Review) reviewed {
	cost := func(c protocol.Cost) costJSON {
		return costJSON{c.Checks[0], c.Checks[1], c.Checks[2], c.Values, c.OneNode}
	}
	out := reviewed{
		description: describe(d), Triples: r.Quads, Shapes: r.Shapes, Constraints: r.Constraints, Depth: r.Depth, LongestList: r.Lists,
		Patterns: r.Patterns, Pattern: r.Pattern, Closures: r.Closures, Request: cost(r.Request), Explained: r.Explain(),
		Findings: []reviewFinding{}, Omitted: r.Omitted,
	}
	if _, ok := d.ResponseShape(); ok {
		c := cost(r.Response)
		out.Response = &c
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, reviewFinding{level(f), string(f.Code), f.Text, f.Shape.String(), f.Place})
	}
	return out
}
