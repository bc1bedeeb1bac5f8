package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/draw"
	"github.com/rdfproto/rdfproto/owg"
)

func (a *app) owgTraceCommand() *cobra.Command {
	var (
		in                            *cardInput
		runs                          []string
		lineage, asJSON, dot, picture bool
	)
	cmd := &cobra.Command{
		Use:   "trace FILE ASSET",
		Short: "follow an asset back to a person",
		Long: `Follows an asset back through the delegations that led to it, to a person or an
organization: who produced it, who handed the task over, and so on, by the
fields of the workflow alone.

With --run it is followed by who actually performed what. The records of several
organizations make one chain: a hand-off that one of them sent is the one that
the other received.

With --lineage it is followed through the tasks and assets that it was made of.

A consistent chain is a check of what was reported, not a proof that any hop was
granted.

Exit status: 0 every chain ends with a person, 1 not, or the workflow is
invalid, 3 refused.`,
		Example: `  rdfproto owg trace season.json dub_ep1
  rdfproto owg trace --run studio-run.json --run prodco-run.json mix.json mix
  rdfproto owg trace --svg season.json dub_ep1 > chain.svg
  rdfproto owg trace --lineage --dot season.json dub_ep1`,
		Args: fileAnd("an ASSET"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := in.workflow(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if lineage {
				l, err := w.Lineage(args[1])
				if err != nil {
					return &inFile{display(args[0]), err}
				}
				return a.lineageReport(l, asJSON, dot, picture)
			}
			var records []*owg.Record
			for _, file := range runs {
				data, err := in.bytes(cmd.Context(), file, in.limits.owg.RecordBytes)
				if err != nil {
					return err
				}
				r, err := owg.ParseRecord(data, in.limits.owg)
				if err != nil {
					return &inFile{display(file), err}
				}
				records = append(records, r)
			}
			t, err := w.Trace(args[1], records...)
			if err != nil {
				return &inFile{display(args[0]), err}
			}
			return a.traceReport(args[0], t, asJSON, dot, picture)
		},
	}
	a.inJSON(cmd, &asJSON)
	in = a.addCardFlags(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&runs, "run", nil, "follow by the run record in this `FILE` (repeatable)")
	f.BoolVar(&lineage, "lineage", false, "follow the tasks and assets that it was made of")
	f.BoolVar(&asJSON, "json", false, "print the chains as JSON")
	f.BoolVar(&dot, "dot", false, "draw them in the DOT language")
	f.BoolVar(&picture, "svg", false, "draw them as SVG")
	cmd.MarkFlagsMutuallyExclusive("json", "dot", "svg")
	cmd.MarkFlagsMutuallyExclusive("lineage", "run")
	return cmd
}

// fileAnd checks that a command got a file and one more argument.
func fileAnd(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return usageError(cmd, "a FILE is missing")
		case 1:
			return usageError(cmd, what+" is missing")
		case 2:
			return nil
		}
		return usageError(cmd, "too many arguments: "+quote(args[2]))
	}
}

func traceVerdict(t *owg.Trace) verdict {
	if t.Complete() {
		return verdict{Status: StatusYes, Message: "traced to a person"}
	}
	for _, f := range t.Findings {
		if f.Severity == owg.SeverityError {
			return verdict{Status: StatusNo, Code: string(f.Code), Message: f.Text}
		}
	}
	return verdict{Status: StatusNo, Code: string(owg.CodeAuthorityNoPerson), Message: "not every chain ends with a person"}
}

func (a *app) traceReport(file string, t *owg.Trace, asJSON, dot, svg bool) error {
	v := traceVerdict(t)
	switch {
	case dot:
		fmt.Fprint(a.out, chainDrawing(t).DOT())
		return ended(v.Status)
	case svg:
		fmt.Fprint(a.out, chainDrawing(t).SVG())
		return ended(v.Status)
	case asJSON:
		more, err := marshal(struct {
			*owg.Trace
			Notice string `json:"notice"`
		}{t, owg.NoticeChain})
		if err != nil {
			return err
		}
		return a.json(v, more)
	}
	for i := range t.Chains {
		one := owg.Trace{Asset: t.Asset, Chains: t.Chains[i : i+1]}
		fmt.Fprintln(a.out, printable(one.Text()))
	}
	a.findings(file, t.Findings)
	fmt.Fprintln(a.out, owg.NoticeChain)
	return ended(v.Status)
}

func (a *app) lineageReport(l *owg.Lineage, asJSON, dot, svg bool) error {
	v := verdict{Status: StatusYes, Message: "made by " + count(len(l.Tasks), "task")}
	switch {
	case dot:
		fmt.Fprint(a.out, lineageDrawing(l).DOT())
		return nil
	case svg:
		fmt.Fprint(a.out, lineageDrawing(l).SVG())
		return nil
	case asJSON:
		more, err := marshal(l)
		if err != nil {
			return err
		}
		return a.json(v, more)
	}
	for _, t := range l.Tasks {
		line := strings.Join(t.Produced, ", ") + " <- " + t.Task
		if t.PerformedBy != "" {
			line += " by " + t.PerformedBy
		}
		if len(t.Used) > 0 {
			line += " <- " + strings.Join(t.Used, ", ")
		}
		fmt.Fprintln(a.out, printable(line))
	}
	return nil
}

// chainDrawing draws chains side by side, from the asset down.
func chainDrawing(t *owg.Trace) *draw.Drawing {
	v := traceVerdict(t)
	d := &draw.Drawing{Name: "authority", Title: printable(t.Asset + ": " + v.Message), OK: v.Status == StatusYes}
	for column, c := range t.Chains {
		d.Nodes = append(d.Nodes, draw.Node{Text: printable(t.Asset), Column: column, Round: true})
		for i, h := range c.Hops {
			last := len(d.Nodes) - 1
			text := h.Participant
			if i == len(c.Hops)-1 {
				switch {
				case c.EndsIn == owg.EndsInHuman:
					text += " (a person)"
				case c.EndsIn == owg.EndsInOrganization && c.Responsible != "":
					text += " (" + c.Responsible + ")"
				}
			}
			d.Nodes = append(d.Nodes, draw.Node{Text: printable(text), Row: i + 1, Column: column})
			e := draw.Edge{From: last, To: last + 1, Broken: !c.Complete && i == len(c.Hops)-1}
			switch h.Relation {
			case owg.ProducedBy:
				e.Text = "produced by, task " + h.Task
			case owg.DelegatedBy:
				e.Text, e.Note = "delegated by, task "+h.Task, "no scope"
				if s := h.Delegation.Scope; len(s) > 0 {
					e.Note = strings.Join(s, ", ")
				}
			case owg.OperatedBy:
				e.Text = "operated by"
			case owg.WorksFor:
				e.Text = "works for"
			}
			e.Text, e.Note = printable(e.Text), printable(e.Note)
			d.Edges = append(d.Edges, e)
		}
	}
	return d
}

// lineageDrawing draws tasks and assets, what was made last on top: each stands below
// everything that it led to.
func lineageDrawing(l *owg.Lineage) *draw.Drawing {
	d := &draw.Drawing{Name: "lineage", Title: printable(l.Asset + ": what it was made of"), OK: true}
	index := map[string]int{} // of nodes, assets and tasks apart
	node := func(name, text string, round bool) int {
		i, ok := index[name]
		if !ok {
			i = len(d.Nodes)
			index[name] = i
			d.Nodes = append(d.Nodes, draw.Node{Text: printable(text), Round: round})
		}
		return i
	}
	node("a "+l.Asset, l.Asset, true)
	for _, t := range l.Tasks {
		text := "task " + t.Task
		if t.PerformedBy != "" {
			text += ", " + t.PerformedBy
		}
		task := node("t "+t.Task, text, false)
		for _, asset := range t.Produced {
			if from, ok := index["a "+asset]; ok { // others led nowhere here
				d.Edges = append(d.Edges, draw.Edge{From: from, To: task})
			}
		}
		for _, asset := range t.Used {
			d.Edges = append(d.Edges, draw.Edge{From: task, To: node("a "+asset, asset, true)})
		}
	}
	layer(d)
	columns := map[int]int{}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		n.Column = columns[n.Row]
		columns[n.Row]++
	}
	return d
}

// layer puts each node below all that lead to it, but for edges that lead back into
// what a node came from. The first node leads to all others.
func layer(d *draw.Drawing) {
	out := make([][]int, len(d.Nodes)) // edges
	for i, e := range d.Edges {
		out[e.From] = append(out[e.From], i)
	}
	const fresh, open, done = 0, 1, 2
	state, next := make([]uint8, len(d.Nodes)), make([]int, len(d.Nodes))
	back := make([]bool, len(d.Edges))
	var order []int // each node after all that it leads to
	for way := []int{0}; len(way) > 0; {
		at := way[len(way)-1]
		state[at] = open
		if next[at] == len(out[at]) {
			state[at], order, way = done, append(order, at), way[:len(way)-1]
			continue
		}
		e := out[at][next[at]]
		next[at]++
		switch to := d.Edges[e].To; state[to] {
		case fresh:
			way = append(way, to)
		case open:
			back[e] = true
		}
	}
	for _, at := range slices.Backward(order) {
		for _, e := range out[at] {
			if to := &d.Nodes[d.Edges[e].To]; !back[e] {
				to.Row = max(to.Row, d.Nodes[at].Row+1)
			}
		}
	}
}
