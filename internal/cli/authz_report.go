package cli

import (
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/internal/legible"
)

// authzVerdict is the verdict of a decision.
func authzVerdict(d *authz.Decision) verdict {
	if d.Authorized() {
		return verdict{Status: StatusYes, Message: "authorized"}
	}
	return verdict{Status: StatusNo, Code: string(d.Code), Message: "not authorized: phase " + string(d.Phase) + ": " + d.Reason}
}

func (a *app) authzReport(d *authz.Decision, r *authz.Request, f *authzFlags) error {
	v := authzVerdict(d)
	switch {
	case f.record == "-":
		return ended(v.Status)
	case f.dot:
		fmt.Fprint(a.out, drawingOf(d, r).DOT())
		return ended(v.Status)
	case f.svg:
		fmt.Fprint(a.out, drawingOf(d, r).SVG())
		return ended(v.Status)
	case f.json:
		more, err := marshal(authzJSON(d))
		if err != nil {
			return err
		}
		return a.json(v, more)
	}
	a.verdictLine(v)
	record := d.Record()
	if p := record.Presentation; p != nil && p.Holder != "" {
		fmt.Fprintf(a.out, "presented by <%s>\n", printable(p.Holder))
	}
	a.chainTree(d, r.RootPrincipal)
	if d.Actor != nil {
		fmt.Fprintf(a.out, "\nchain of the actor <%s>:\n", printable(record.Actor))
		a.chainTree(d.Actor, d.LeafAssignee)
	}
	a.dutiesText(d.Duties)
	if d.PolicyIntegrityProvisional {
		fmt.Fprintln(a.out, "the content of a policy was not checked")
	}
	if f.explain {
		a.authzChecks("", d)
		if d.Actor != nil {
			fmt.Fprintln(a.out, "chain of the actor:")
			a.authzChecks("  ", d.Actor)
		}
	}
	return ended(v.Status)
}

// authzDecision is a decision as JSON.
type authzDecision struct {
	Authorized   bool             `json:"authorized"`
	Phase        authz.Phase      `json:"phase"`
	At           string           `json:"at"`
	Hop          int              `json:"hop"`
	LeafAssignee string           `json:"leafAssignee,omitempty"`
	Presentation *authz.Presented `json:"presentation,omitempty"`
	Chain        []authz.Hop      `json:"chain"`
	Duties       []authz.Duty     `json:"duties"`
	Provisional  bool             `json:"policyIntegrityProvisional"`
	Trace        []authz.Check    `json:"trace"`
	Actor        *authzDecision   `json:"actorChain,omitempty"`
}

func authzJSON(d *authz.Decision) *authzDecision {
	out := &authzDecision{
		Authorized: d.Authorized(), Phase: d.Phase, At: timeText(d.At), Hop: d.Hop, LeafAssignee: d.LeafAssignee,
		Chain: append([]authz.Hop{}, d.Hops...), Duties: d.Record().Duties, Provisional: d.PolicyIntegrityProvisional,
		Trace: append([]authz.Check{}, d.Checks...), Presentation: d.Record().Presentation,
	}
	if d.Actor != nil {
		out.Actor = authzJSON(d.Actor)
	}
	return out
}

// chainTree writes who granted what to whom, and where it broke.
func (a *app) chainTree(d *authz.Decision, root string) {
	line := func(depth int, format string, args ...any) {
		const deepest = 20 // steps of indent: 8 hops are the most that a chain has by default
		fmt.Fprintf(a.out, "%s%s\n", strings.Repeat("   ", min(depth, deepest)), printable(fmt.Sprintf(format, args...)))
	}
	line(0, "<%s>", root)
	for i := range d.Hops {
		h := &d.Hops[i]
		line(i, "└─ <%s>", legible.Delegate(d, i))
		line(i, "     by policy <%s>", h.Policy)
		if h.Credential != "" {
			text := fmt.Sprintf("     credential <%s>, %s (%s)", h.Credential, h.Cryptosuite, h.Profile)
			if h.ValidUntil != "" {
				text += ", until " + h.ValidUntil
			}
			line(i, "%s", text)
		}
		for _, s := range h.Status {
			state := "clear"
			if s.Set {
				state = "set"
			}
			line(i, "     %s %s, entry %s of <%s>", s.Purpose, state, s.Index, s.List)
		}
		if d.Hop == i && !d.Authorized() {
			line(i, "     BROKEN HERE: %s [%s]", d.Checks[len(d.Checks)-1].Why, d.Code)
		}
	}
}

// authzChecks writes every check of a decision.
func (a *app) authzChecks(indent string, d *authz.Decision) {
	for i := range d.Checks {
		c := &d.Checks[i]
		where := "chain"
		if c.Hop >= 0 {
			where = fmt.Sprintf("hop %d", c.Hop+1)
		}
		outcome := "ok"
		if !c.OK {
			outcome = "FAILS: " + c.Why + " [" + string(c.Code) + "]"
		}
		fmt.Fprintf(a.out, "%sphase %s, %s, %s: %s\n", indent, c.Phase, c.Step, where, printable(outcome))
		for _, f := range c.Findings {
			fmt.Fprintf(a.out, "%s  %s\n", indent, printable(f.String()))
		}
		for j := range c.Policies {
			p := &c.Policies[j]
			result := "ok"
			if !p.OK {
				result = "FAILS: " + p.Why
			}
			at := ""
			if p.Hop >= 0 {
				at = fmt.Sprintf(", policy %d", p.Hop+1)
			}
			fmt.Fprintf(a.out, "%s  step %s%s: %s\n", indent, p.Step, at, printable(result))
			if p.Rules != nil {
				a.policyTrace(indent+"    ", p.Rules)
			}
		}
	}
}
