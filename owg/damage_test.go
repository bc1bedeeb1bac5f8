package owg_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/damage"
	"github.com/rdfproto/rdfproto/owg"
)

// TestWidenedDelegations widens every delegation of a valid workflow whose delegator
// declares what it has: by every scope there is and by every small change of one of its
// own, at every place of the list. All of these are refused, and none is handed over.
func TestWidenedDelegations(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"localize.json", "season.json", "book-to-press.json"} {
		text := file(t, name)
		w := parse(t, text)
		tried := 0
		for i, task := range w.Tasks() {
			if task.Delegation == nil {
				continue
			}
			by, ok := w.Participant(task.Delegation.By)
			require.True(t, ok)
			if !by.ScopeDeclared {
				continue
			}
			wider := []string{"*", "all", "admin", "read:*", ":", " ", "\u0000"}
			for _, s := range by.Scope {
				for k := range len(s) {
					wider = append(wider, s[:k]+s[k+1:], s[:k]+"*", s[:k]+s[k:k+1]+s[k:], s[:k]+string(s[k]^0x20)+s[k+1:])
				}
				wider = append(wider, s+"*", s+" ", " "+s, s+"\u200b", s+"/sub")
			}
			for _, other := range w.Tasks() {
				if other.Delegation != nil {
					wider = append(wider, other.Delegation.Scope...)
				}
			}
			for _, s := range wider {
				if s == "" || slices.Contains(by.Scope, s) {
					continue
				}
				for at := range len(task.Delegation.Scope) + 1 {
					scope := slices.Insert(slices.Clone(task.Delegation.Scope), at, s)
					changed := parse(t, edit(t, text, change{fmt.Sprintf("tasks.%d.delegation.scope", i), scope}))
					r, err := changed.Validate(owg.ValidateOptions{})
					require.NoError(t, err)
					require.False(t, r.Valid(), "%s: %q", task.ID, s)
					f := r.First(owg.SeverityError)
					require.Equal(t, owg.CodeDelegationWidens, f.Code)
					require.Equal(t, []string{s}, f.Extra)
					require.Equal(t, fmt.Sprintf("/tasks/%d/delegation/scope", i), f.Path)
					tried++
				}
				changed := parse(t, edit(t, text, change{fmt.Sprintf("tasks.%d.delegation.scope", i), []string{s}}))
				for _, other := range changed.Tasks() {
					if other.Executor == "a2a" {
						_, _, err := changed.HandOff(other.ID, owg.RequestOptions{Now: noon()})
						require.Equal(t, owg.CodeDelegationWidens, codeOf(t, err), "nothing of such a workflow is handed over")
					}
				}
			}
		}
		require.Greater(t, tried, 50, name)
	}
}

// TestWidenedAtAnyHop narrows or shortens what a hop received: nothing is handed over with
// more scopes or for longer than was received.
func TestWidenedAtAnyHop(t *testing.T) {
	t.Parallel()
	text := file(t, "book-to-press.json")
	for i := range 2 {
		less := edit(t, text, change{"tasks.0.delegation.scope", []string{"read:manuscript", "write:edition"}[i : i+1]})
		_, _, err := parse(t, less).HandOff("bind", owg.RequestOptions{Now: noon()})
		if i == 0 {
			require.Equal(t, owg.CodeChainWidens, codeOf(t, err))
		} else {
			require.NoError(t, err)
		}
	}
	for _, at := range []string{"2027-05-30T23:59:59Z", "2027-01-01T00:00:00Z"} {
		_, _, err := parse(t, edit(t, text, change{"tasks.0.delegation.expires_at", at})).HandOff("bind", owg.RequestOptions{Now: noon()})
		require.Equal(t, owg.CodeDelegationOutlive, codeOf(t, err))
	}
}

// TestDamagedValues damages every value of a valid workflow: nothing panics, values of the
// wrong type are found, and every error has a code.
func TestDamagedValues(t *testing.T) {
	t.Parallel()
	c := unsigned(t, file(t, "bindery-card.json"))
	parsed := 0
	for change, damaged := range damage.Values([]byte(file(t, "book-to-press.json"))) {
		w, err := owg.Parse(damaged, owg.Limits{})
		if err != nil {
			codeOf(t, err)
			continue
		}
		parsed++
		r, err := w.Validate(owg.ValidateOptions{Now: noon()})
		require.NoError(t, err, change)
		for _, f := range r.Findings {
			require.NotEmpty(t, f.Code.Text(), change)
		}
		require.Equal(t, r.First(owg.SeverityError) == nil, r.Valid(), change)
		for _, err := range []error{
			second(w.Trace("binding")), second(w.Lineage("binding")), second(w.Card(options())), second(w.Request("bind", c, asking())),
			second(w.Receive(owg.Inbound{HandOff: &owg.HandOff{Task: "t", Skill: "book-to-press"}, Caller: "urn:publisher:assistant", Now: noon()})),
		} {
			if err != nil {
				codeOf(t, err)
			}
		}
	}
	require.Greater(t, parsed, 500)
}

func second[T any](_ T, err error) error { return err }
