package owg_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

// TestOrderOfRecords traces small workflows with small records, made at random of few
// names so that they often disagree. Whether an asset traces back to a person, and by
// which chains, does not depend on the order of the records.
func TestOrderOfRecords(t *testing.T) {
	t.Parallel()
	g := rand.New(rand.NewPCG(1, 2))
	one := func(of string) string { all := strings.Fields(of); return all[g.IntN(len(all))] }
	people := func() string {
		var all []string
		for _, id := range strings.Fields("a b c d") {
			if g.IntN(3) == 0 {
				continue
			}
			p := fmt.Sprintf(`{"id":"%s","kind":"%s"`, id, one("agent agent human"))
			if g.IntN(2) == 0 {
				p += fmt.Sprintf(`,"works_for":"%s"`, one("o1 o2 a"))
			}
			if g.IntN(2) == 0 {
				p += fmt.Sprintf(`,"operated_by":"%s"`, one("a b c d"))
			}
			all = append(all, p+"}")
		}
		return strings.Join(all, ",")
	}
	delegation := func() string {
		if g.IntN(4) == 0 {
			return ""
		}
		return fmt.Sprintf(`,"delegation":{"by":"%s","scope":[%s]}`, one("a b c d"), one(`"r" "r","w" "w"`))
	}
	run := func() string {
		var attempts, received []string
		for _, task := range []string{"t", "u"} {
			for n := range g.IntN(3) {
				attempts = append(attempts, fmt.Sprintf(`{"task":"%s","attempt":%d,"status":"%s","performed_by":"%s","remote":{"task_id":"%s"}%s,"used":["%s"],"produced":[{"asset":"%s"}]}`,
					task, n+1, one("running succeeded failed"), one("a b c d"), one("T1 T2 T3"), delegation(), one("x y"), one("x y z")))
			}
		}
		if g.IntN(2) == 0 {
			received = append(received, fmt.Sprintf(`{"task":"t","performed_by":"%s","task_id":"%s","state":"submitted"%s}`, one("a b c d"), one("T1 T2 T3"), delegation()))
		}
		return fmt.Sprintf(`{"version":1,"workflow":"%s","participants":[%s],"received":[%s],"attempts":[%s]}`, one("w v v2"), people(), strings.Join(received, ","), strings.Join(attempts, ","))
	}
	complete, conflicts := 0, 0
	for range 10_000 {
		text := fmt.Sprintf(`{"id":"w","participants":[%s],"tasks":[{"id":"t","performed_by":"%s"%s,"used":["x"],"produced":["z"]},{"id":"u","performed_by":"%s"%s,"used":["z"],"produced":["x"]}]}`,
			people(), one("a b c d"), delegation(), one("a b c d"), delegation())
		records := []*owg.Record{record(t, run()), record(t, run()), record(t, run())}
		there := trace(t, text, "z", records...)
		slices.Reverse(records)
		back := trace(t, text, "z", records...)
		require.Equal(t, there.Complete(), back.Complete(), text)
		if slices.Contains(said(there.Findings), "error OWG_RECORD_CONFLICT") {
			conflicts++
		}
		if !there.Complete() {
			continue
		}
		complete++
		chains := func(x *owg.Trace) []string { return slices.Sorted(strings.SplitSeq(x.Text(), "\n")) }
		require.Equal(t, chains(there), chains(back), text)
	}
	require.Greater(t, complete, 50)
	require.Greater(t, conflicts, 50)
}
