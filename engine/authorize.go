package engine

import (
	"errors"
	"slices"

	"github.com/rdfproto/rdfproto/protocol"
)

// authorize is step 7: the authorization part, the policies that the intent names, and
// the authorizer. Only what it permits goes on.
func (x *exchange) authorize(in *Intent) bool {
	const what = "authority"
	e := x.e
	policies, err := protocol.Policies(in.graph, in.node)
	if err != nil {
		x.refuse(stepAuthority, what, &protocol.Error{Code: protocol.CodeIntentInvalid, Err: err})
		return false
	}
	q := &Question{
		Peer: *x.peer, Graph: in.graph, Intent: in.node, Document: in.document, Content: x.claim.content,
		Policies: policies, Domain: e.config.Domain,
		MessageID: x.m.ID, ContextID: in.contextID, TaskID: x.m.TaskID, SecurityBearing: in.SecurityBearing(), Now: x.now,
	}
	var c issued
	if part := x.b.authorization.part; part != nil {
		q.Presentation = part.Data
		if part.Content == Text {
			q.Presentation = []byte(part.Text)
		}
		if c, err = e.find(x.ctx, x.peer, x.m.ContextID, q.Presentation, x.now); err != nil {
			x.fail(stepAuthority, what, err)
			return false
		}
		q.Challenge = c.challenge
	}
	a, reason, failed := e.ask(x, q, c)
	if failed != nil && x.ctx.Err() != nil {
		x.fail(stepAuthority, what, failed)
		return false
	}
	if failed != nil {
		x.err = errors.Join(x.err, failed)
	}
	if reason == "" {
		in.authority = a
		x.note(stepAuthority, what, a.Reason)
		return true
	}
	x.refuse(stepAuthority, what, &protocol.Error{Code: protocol.CodeAuthorizationDenied, Reason: reason})
	if x.out.Challenge, err = e.issue(x.ctx, x.by, x.peer, x.m.ContextID, x.now); err != nil {
		x.log(err)
	}
	return false
}

// ask asks the authorizer and returns why it is a no, "" for a yes. The engine's own
// demands come first and last: whatever the authorizer says, a policy that is named
// without a chain is denied before it is asked, and one that is not of the chain after
// (INT-4); and a presentation counts once (RPL-6).
func (e *Engine) ask(x *exchange, q *Question, c issued) (a Authority, reason string, failed error) {
	switch {
	case len(q.Policies) > 0 && q.Presentation == nil:
		return a, "the intent names a policy and no chain is presented", nil
	case e.config.Authorizer == nil:
		return a, "nobody decides what this agent may be asked for", nil
	}
	a, err := e.config.Authorizer.Authorize(x.ctx, q)
	if err != nil {
		return Authority{}, "the authorizer could not tell", err
	}
	if a.Permit && q.Presentation != nil && c.challenge == "" {
		return Authority{}, "the presentation was made for no challenge that is good in this context", nil
	}
	if c.challenge != "" && (a.Permit || a.Verified) {
		first, err := e.use(x.ctx, c, x.now)
		if err != nil {
			return Authority{}, "the challenge could not be used", err
		}
		if !first {
			return Authority{}, "the challenge was used before", nil
		}
	}
	if !a.Permit {
		if a.Reason == "" {
			a.Reason = "not permitted"
		}
		return Authority{}, a.Reason, nil
	}
	for _, p := range q.Policies {
		if !slices.Contains(a.Policies, p) {
			return Authority{}, "the intent names a policy that is not of the chain", nil
		}
	}
	return a, "", nil
}
