package shacl

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/rdfproto/rdfproto/rdf"
)

// The defaults of [Options].
const (
	DefaultChecks  = 1_000_000 // a tenth of a second of work, or little more
	DefaultReport  = 1 << 20   // results of peers have some hundred bytes
	DefaultResults = 100       // more than a person reads, and a bounded answer to a peer
)

// Options bounds a validation. The zero value means the defaults, which are fit
// for data and shapes that came from someone else; a number that is not positive
// means its default, and there is no way to say "unlimited".
type Options struct {
	// MaxChecks is how many checks may be made: 1,000,000. Checking a constraint
	// costs one check, and one more for each value node. One check each is the
	// price of comparing a pair of values, of stepping over a triple in a class
	// hierarchy or in a path longer than a predicate, of looking at a value of the
	// other property of a pair, and of every triple of a node of a closed shape. A part
	// of a path that may stay where it is costs one for every two nodes that it begins
	// at, and a value that is to conform to no sibling shape one for every eight shapes
	// that have the property.
	// Long texts cost more: one check for every 64 bytes that are parsed or
	// measured, and again for each value that a long one is compared with. A number
	// that has to be rounded digit by digit to be a float or double, as some of twenty
	// digits and more have, and a duration of more than a trillion months cost fifteen
	// checks more for each value that they are compared with, and a longer duration of
	// that kind one for every eight bytes. Matching a pattern costs one check for every
	// 64 steps that it takes, counted while it is done: one or two for each character
	// where the pattern says what comes next, as many as it has states where all of
	// them are possible at once.
	//
	// The number is the same however the two graphs are spelled and whoever counts, so
	// that of two sides with the same budget both refuse or neither; that is promised
	// for data of up to 32,768 triples, with more it may depend on their order.
	MaxChecks int
	// MaxDepth is how many shapes a chain of references may have, as in
	// CompileOptions: 32. A program that was compiled with more is refused
	// when one of the shapes to validate is nested deeper.
	MaxDepth int
	// MaxResults is how many results are kept: 100. The others are counted in
	// Report.Omitted.
	MaxResults int
	// MaxReport is how many bytes the results take in Report.AppendJSON, and those of
	// Report.Cut in other forms: 1 MiB. The others are counted there, and kept in
	// Report.Results, which share the terms of the data and of the shapes.
	MaxReport int
	// Passes asks for Report.Passes, of which at most MaxResults are kept.
	Passes bool
	// Workers is how many goroutines may work on many focus nodes: as many as
	// there are processors. The report does not depend on it.
	Workers int
}

func (o Options) withDefaults() Options {
	if o.MaxChecks <= 0 {
		o.MaxChecks = DefaultChecks
	}
	if o.MaxReport <= 0 {
		o.MaxReport = DefaultReport
	}
	if o.MaxResults <= 0 {
		o.MaxResults = DefaultResults
	}
	o.MaxDepth = depthOption(o.MaxDepth)
	return o
}

// Validate validates a data graph against the shapes that have targets (section
// 3.4). It fails with a [*LimitError] when a number of o is exceeded and with
// the error of ctx when that is done; then there is no verdict and no report.
// A nil Program and the zero one fail with [ErrNoProgram].
func (p *Program) Validate(ctx context.Context, data rdf.Graph, o Options) (*Report, error) {
	if p == nil {
		return nil, ErrNoProgram
	}
	return p.validate(ctx, data, o, p.targeted, true, nil)
}

// ValidateShape validates the nodes that the targets of one shape select, and
// further nodes that are given, against that shape; other shapes are used only
// where it refers to them. It fails as Validate does, with an
// [*UnknownShapeError], or with [ErrNoNode] where a node is the zero Term.
func (p *Program) ValidateShape(ctx context.Context, shape rdf.Term, data rdf.Graph, o Options, nodes ...rdf.Term) (*Report, error) {
	s := p.shapeOf(shape)
	if s == nil {
		return nil, &UnknownShapeError{shape}
	}
	return p.validate(ctx, data, o, p.shapes[s.index:s.index+1], true, nodes)
}

// ValidateNode validates one node against one shape, whose targets play no part
// (section 3.4.2). The node need not be in the data. It fails as ValidateShape
// does.
func (p *Program) ValidateNode(ctx context.Context, shape rdf.Term, data rdf.Graph, node rdf.Term, o Options) (*Report, error) {
	s := p.shapeOf(shape)
	if s == nil {
		return nil, &UnknownShapeError{shape}
	}
	return p.validate(ctx, data, o, p.shapes[s.index:s.index+1], false, []rdf.Term{node})
}

// job is a shape with its focus nodes, a part of run.ids.
type job struct {
	shape    *shape
	from, to int
	named    bool // some of the nodes are named, and need not occur in the data
}

// validate validates the nodes that the targets of shapes select, and further
// nodes.
func (p *Program) validate(ctx context.Context, data rdf.Graph, o Options, shapes []*shape, targets bool, nodes []rdf.Term) (*Report, error) {
	if p.source == nil {
		return nil, ErrNoProgram
	}
	o = o.withDefaults()
	if err := ctx.Err(); err != nil {
		return nil, err // a small validation would end before it looks at the context
	}
	for _, node := range nodes {
		if node.IsZero() {
			return nil, ErrNoNode
		}
	}
	for _, s := range shapes {
		if int(s.depth) > o.MaxDepth {
			return nil, &LimitError{Limit: LimitShapeDepth, Max: int64(o.MaxDepth), Place: s.place}
		}
	}
	r := p.begin(data)
	r.budget = &r.own
	r.own.begin(ctx, o.MaxChecks, p.closed)
	r.closures = r.closeClasses()
	report := &Report{most: o.MaxReport}
	for _, s := range shapes {
		from := len(r.ids)
		for _, node := range nodes {
			r.ids = append(r.ids, r.node(node))
		}
		if targets && !s.deactivated {
			if r.focus(s); r.err != nil {
				break
			}
		}
		r.normalize(from)
		named := len(nodes) > 0 || slices.ContainsFunc(s.targets, func(t target) bool { return t.kind == targetNode })
		r.jobs = append(r.jobs, job{s, from, len(r.ids), named})
		if len(r.ids) >= mostFocus {
			r.finishJobs(report, o)
		}
	}
	r.finishJobs(report, o)
	if data.Len() == 0 {
		r.warnings = append(r.warnings, Warning{Code: CodeEmptyData, Text: "the data graph holds no triple"})
	}
	report.Warnings = r.warnings
	err := r.end()
	report.Checks = int(r.own.used.Load())
	runs.Put(r)
	if err != nil {
		return nil, err
	}
	report.conforms = len(report.Results) == 0 && report.Omitted == 0
	return report, nil
}

// mostFocus is how many focus nodes are collected before they are validated:
// enough to share among processors, and a bound of the memory for them and for
// what is found, whatever the product of shapes and nodes is.
const mostFocus = 1 << 18

// occurs reports whether a node is the subject or the object of a triple of the data
// graph.
func (r *run) occurs(node rdf.ID) bool {
	if !r.isData(node) {
		return false
	}
	from, to := r.g.SubjectIndex(node)
	return from < to || r.g.Incoming(node).Len() > 0
}

// finishJobs validates the focus nodes that were collected and adds what is found
// to a report.
func (r *run) finishJobs(report *Report, o Options) {
	report.FocusNodes += len(r.ids)
	for _, j := range r.jobs {
		report.InData += j.to - j.from
		if !j.named {
			continue
		}
		for _, node := range r.ids[j.from:j.to] {
			if !r.occurs(node) {
				report.InData--
			}
		}
	}
	report.take(r.validateJobs(o, o.MaxResults-len(report.Results)), o.MaxResults)
	r.ids, r.jobs = r.ids[:0], r.jobs[:0]
}

// blockSize is how many focus nodes are validated before what was remembered is
// forgotten. Blocks cost the same whoever works on them and in which order, so
// that the budget does not depend on the number of goroutines.
const blockSize = 256

// oneBlock is the number of triples up to which all focus nodes of a shape that
// remembers are one block. Which nodes are in a block together is a matter of how the
// data is spelled, and with it what they have in common: of data that may have come from
// a peer, which has some ten thousand triples, no spelling costs more than another. For
// more data it does, but only there, and only where nodes lead to the same nodes.
const oneBlock = 1 << 15

// blockOf returns how many focus nodes of a shape are a block.
func (r *run) blockOf(s *shape) int {
	if s.remembers && r.g.Len() <= oneBlock {
		return math.MaxInt
	}
	return blockSize
}

// block is a part of a job.
type block struct {
	shape *shape
	nodes []rdf.ID
	sink  sink
	err   error
}

// queue hands out blocks in order. Of what a block finds no more is kept, and no more
// details are looked for, than the blocks before it leave room for as far as they are
// finished: the budget does not pay for details, and of thousands of blocks each could
// have as many as the report.
type queue struct {
	mu     sync.Mutex
	blocks []block
	next   int
	kept   int // results of finished blocks, all of which were taken before what is taken next
}

// take returns the next block, nil after the last, and is told of the one that the
// caller has finished, nil before the first.
func (q *queue) take(finished *block) *block {
	q.mu.Lock()
	defer q.mu.Unlock()
	if finished != nil {
		q.kept += len(finished.sink.results)
	}
	if q.next == len(q.blocks) {
		return nil
	}
	b := &q.blocks[q.next]
	b.sink.most = max(0, b.sink.most-q.kept)
	q.next++
	return b
}

// validateJobs validates all focus nodes and returns what was found in order; the report
// has room for some results.
func (r *run) validateJobs(o Options, room int) []block {
	if r.err != nil {
		return nil
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	n := 0
	for _, j := range r.jobs {
		n += (j.to-j.from)/r.blockOf(j.shape) + 1
	}
	if workers == 1 || n < 2 || len(r.ids) < 2*blockSize {
		// Few nodes, or nobody to share them with.
		one := sink{most: room, passing: o.Passes, mostPasses: o.MaxResults}
		for _, j := range r.jobs {
			for nodes := r.ids[j.from:j.to:j.to]; len(nodes) > 0 && r.err == nil; {
				k := min(len(nodes), r.blockOf(j.shape))
				r.validateBlock(j.shape, nodes[:k], &one)
				nodes = nodes[k:]
			}
		}
		r.blocks = append(r.blocks[:0], block{sink: one})
		return r.blocks
	}
	blocks := make([]block, 0, n)
	for _, j := range r.jobs {
		for nodes := r.ids[j.from:j.to:j.to]; len(nodes) > 0; {
			k := min(len(nodes), r.blockOf(j.shape))
			blocks = append(blocks, block{shape: j.shape, nodes: nodes[:k], sink: sink{most: room, passing: o.Passes, mostPasses: o.MaxResults}})
			nodes = nodes[k:]
		}
	}
	q := queue{blocks: blocks}
	var all sync.WaitGroup
	for range min(workers, n) - 1 {
		all.Go(func() {
			other := r.p.begin(r.g)
			other.budget, other.closures, other.extra = r.budget, r.closures, r.extra
			other.work(&q)
			_ = other.end() // its error is that of a block
			runs.Put(other)
		})
	}
	r.work(&q)
	all.Wait()
	for i := range blocks {
		if r.err == nil {
			r.err = blocks[i].err
		}
	}
	return blocks
}

// work takes blocks until there are none left.
func (r *run) work(q *queue) {
	for b := q.take(nil); b != nil && r.err == nil; b = q.take(b) {
		r.validateBlock(b.shape, b.nodes, &b.sink)
		b.err = r.err
	}
}

// validateBlock validates focus nodes against a shape.
func (r *run) validateBlock(s *shape, nodes []rdf.ID, to *sink) {
	r.memo.forget()
	r.sink = to
	for _, node := range nodes {
		if r.err != nil {
			break
		}
		r.evaluate(s, node)
	}
	r.sink = nil
}
