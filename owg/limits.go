package owg

import "github.com/rdfproto/rdfproto/internal/strictjson"

// Limits bounds what workflows, updates and records may cost. Every number is a
// maximum that is still accepted; one more is an [*Error] of [CodeLimit],
// [CodeJSONTooLarge] or [CodeJSONTooDeep]. A number that is not positive means that
// of [DefaultLimits]: there is no way to say "unlimited".
type Limits struct {
	WorkflowBytes int64 // one workflow
	RecordBytes   int64 // one run record
	UpdateBytes   int64 // one answer of an agent, or one hand-off
	Depth         int   // open objects and arrays
	Values        int   // values of one document, and a quarter of those of an artifact
	Participants  int   // of one workflow, and of merged records
	Tasks         int   // of one workflow, and attempts of merged records
	Work          int   // comparisons of one call
	Chains        int   // of one trace
	Hops          int   // of one chain
	Artifacts     int   // of one attempt
	ArtifactBytes int   // of one attempt, as they are written: parts and names
	Records       int   // that are merged
}

// DefaultLimits returns the limits of section 1.1, and of this package.
func DefaultLimits() Limits {
	return Limits{
		WorkflowBytes: 4 << 20,    // thousands of tasks
		RecordBytes:   4 << 20,    // likewise
		UpdateBytes:   4 << 20,    // a task with artifacts by value
		Depth:         64,         // people write five, generators ten
		Values:        1 << 18,    // sixteen bytes a value in the largest workflow
		Participants:  10_000,     // a large production has hundreds
		Tasks:         10_000,     // likewise
		Work:          20_000_000, // some tenths of a second
		Chains:        500,        // a film is put together from hundreds of shots
		Hops:          64,         // a job crosses three or four organizations
		Artifacts:     1_000,      // a delivery has dozens
		ArtifactBytes: 16 << 20,   // a few updates
		Records:       64,         // one for each hop
	}
}

// OrDefault returns l with every number that is not positive replaced by that of
// [DefaultLimits].
func (l Limits) OrDefault() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ from, to *int64 }{
		{&l.WorkflowBytes, &d.WorkflowBytes}, {&l.RecordBytes, &d.RecordBytes}, {&l.UpdateBytes, &d.UpdateBytes},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	for _, f := range []struct{ from, to *int }{
		{&l.Depth, &d.Depth}, {&l.Values, &d.Values}, {&l.Participants, &d.Participants}, {&l.Tasks, &d.Tasks},
		{&l.Work, &d.Work}, {&l.Chains, &d.Chains}, {&l.Hops, &d.Hops}, {&l.Artifacts, &d.Artifacts},
		{&l.ArtifactBytes, &d.ArtifactBytes}, {&l.Records, &d.Records},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	const deepest = 1000 // canonical forms are made by recursion
	d.Depth = min(d.Depth, deepest)
	return d
}

func (l Limits) json(bytes int64) strictjson.Limits {
	return strictjson.Limits{Bytes: bytes, Depth: l.Depth, Values: l.Values, Members: l.Values}
}

// budget is the work that one call may still do.
type budget struct{ left, most int }

func newBudget(most int) *budget { return &budget{most, most} }

func (b *budget) spend(n int) error {
	if b.left -= n; b.left < 0 {
		return over("work", b.most)
	}
	return nil
}
