package owg

// Origin is a task that produced an asset, with what it used.
type Origin struct {
	Task        string   `json:"task"`
	PerformedBy string   `json:"performedBy,omitempty"`
	Used        []string `json:"used"`
	Produced    []string `json:"produced"`
}

// Lineage says what an asset was made from: the tasks that produced it and what they
// used, nearest first, each once. How a task is executed plays no part.
type Lineage struct {
	Asset string   `json:"asset"`
	Tasks []Origin `json:"tasks"`
}

// Lineage follows an asset back through the tasks that produced it and the assets
// that they used. It fails as [Workflow.Trace] does, and with an [*Error] of
// [CodeNoProducer] when no task produces the asset.
func (w *Workflow) Lineage(asset string) (*Lineage, error) {
	if len(w.types) > 0 {
		f := w.types[0]
		return nil, refuseAt(f.at, f.code, "%s", f.text)
	}
	b := newBudget(w.limits.Work)
	s := newSteps(stepsOf(w), w.participants, w.byID, newGrants(b))
	out := &Lineage{Asset: asset}
	seen, assets := map[int]bool{}, map[string]bool{asset: true}
	for queue := []string{asset}; len(queue) > 0; queue = queue[1:] {
		for _, i := range s.producers[queue[0]] {
			if err := b.spend(1); err != nil {
				return nil, err
			}
			if seen[i] {
				continue
			}
			seen[i] = true
			t := &s.all[i]
			out.Tasks = append(out.Tasks, Origin{t.task, t.performedBy, append([]string{}, t.used...), append([]string{}, t.produced...)})
			for _, a := range t.used {
				if !assets[a] {
					assets[a] = true
					queue = append(queue, a)
				}
			}
		}
	}
	if len(out.Tasks) == 0 {
		return nil, refuse(CodeNoProducer, "no task produces %s", quote(asset))
	}
	return out, nil
}
