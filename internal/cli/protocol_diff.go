package cli

import (
	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/shacl"
)

func (a *app) protocolDiffCommand() *cobra.Command {
	var (
		asJSON bool
		peer   *peerInput
	)
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "say what a new version narrows, widens or changes",
		Long: `Compares two Protocol Documents constraint by constraint. A changed document is
another document with another pin, whatever its version says: this is what
people see before they agree to it.

  narrower   what was allowed may be refused
  wider      what was refused may be allowed
  different  both, or it cannot be told
  same       it decides nothing

Exit status: 0 the pins are equal, 1 they differ.`,
		Example: `  rdfproto protocol diff protocol.ttl protocol.ttl`,
		Args:    files(2, 2),
	}
	peer = a.addPeerFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the changes as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := peer.check(cmd); err != nil {
			return err
		}
		var docs [2]*protocol.Document
		for i := range docs {
			d, err := peer.document(cmd.Context(), args[i], nil)
			if err != nil {
				return err
			}
			docs[i] = d
		}
		c, err := protocol.Compare(docs[0], docs[1])
		if err != nil {
			return &failure{status: StatusRefused, place: rdf.Place{File: display(args[1])}, text: err.Error(), code: string(rdf.CodeLimitExceeded)}
		}
		v := verdict{Status: StatusYes, Message: "the pins are equal"}
		if !c.Same {
			v = verdict{Status: StatusNo, Code: string(protocol.CodeProtocolHashMismatch), Message: "the pins differ: request " + c.Effect(protocol.OfRequest).String() + ", response " + c.Effect(protocol.OfResponse).String()}
		}
		n := protocolNamer(nil)
		most := peer.in.limits.validate.MaxReport
		if most == 0 {
			most = shacl.DefaultReport
		}
		if asJSON {
			more, err := marshal(comparisonJSON(docs, c, n, most))
			if err != nil {
				return err
			}
			return a.json(v, more)
		}
		for i := range c.Changes {
			text := c.Changes[i].Text(n.Term)
			if most -= len(text); most < 0 {
				a.line("... and " + count(len(c.Changes)-i, "more change"))
				break
			}
			a.line(text)
		}
		a.line(v.Message)
		return ended(v.Status)
	}
	return cmd
}

// comparison is a diff in JSON.
type comparison struct {
	Old      string       `json:"old"`
	New      string       `json:"new"`
	Request  string       `json:"request"`
	Response string       `json:"response"`
	Changes  []changeJSON `json:"changes"`
	Omitted  int          `json:"omitted,omitempty"`
}

type changeJSON struct {
	Effect   string   `json:"effect"`
	Subject  string   `json:"subject"`
	Path     []string `json:"path,omitempty"`
	Within   []string `json:"within,omitempty"`
	Property string   `json:"property,omitempty"`
	Old      []string `json:"old,omitempty"`
	New      []string `json:"new,omitempty"`
	Note     string   `json:"note,omitempty"`
	Text     string   `json:"text"`
}

// comparisonJSON has the first changes, of about so many bytes at most.
func comparisonJSON(docs [2]*protocol.Document, c *protocol.Comparison, n *shapeNamer, most int) comparison {
	out := comparison{
		Old: docs[0].Pin().String(), New: docs[1].Pin().String(),
		Request: c.Effect(protocol.OfRequest).String(), Response: c.Effect(protocol.OfResponse).String(),
		Changes: []changeJSON{},
	}
	say := func(text string) string {
		most -= len(text)
		return text
	}
	terms := func(all []rdf.Term) []string {
		var texts []string
		for i := 0; i < len(all) && most >= 0; i++ {
			texts = append(texts, say(all[i].String()))
		}
		return texts
	}
	for i := range c.Changes {
		x := &c.Changes[i]
		var path []string
		for _, p := range x.Path {
			path = append(path, say(p.Short(rdf.Term.String)))
		}
		change := changeJSON{
			x.Effect.String(), x.Subject.String(), path, x.Within, x.Property, terms(x.Old), terms(x.New), x.Note, say(x.Text(n.Term)),
		}
		if most < 0 {
			out.Omitted = len(c.Changes) - i
			break
		}
		out.Changes = append(out.Changes, change)
	}
	return out
}
