package legible

import "github.com/rdfproto/rdfproto/authz"

// Delegate is the party that a hop of a chain is for, as far as anything says it.
func Delegate(d *authz.Decision, i int) string {
	h := &d.Hops[i]
	switch {
	case h.Authorizes != "":
		return h.Authorizes
	case h.Assignee != "":
		return h.Assignee
	case i+1 < len(d.Hops) && d.Hops[i+1].Assigner != "":
		return d.Hops[i+1].Assigner
	}
	return "unknown"
}
