package owg

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// HandOff is what is sent when a task is handed over: its meaning, and what its sender
// says about the authority behind it. It can be trusted no more than its sender.
type HandOff struct {
	Workflow  string // "" for a definition without an id
	Task      string
	Skill     string
	Objective string // "" for none
	// Inputs is a JSON object as it is written, nil for none.
	Inputs     []byte
	Used       []string
	Produced   []string
	Delegation *Delegation // nil for none; declared, not a credential
	Identity   string      // the identity.id of the delegator, "" when it is not disclosed
}

// data writes the data part of a message.
func (h *HandOff) data() []byte {
	var o, wrapped object
	o.some("workflow", h.Workflow)
	o.text("task", h.Task)
	o.some("skill", h.Skill)
	if h.Inputs != nil {
		o.raw("inputs", h.Inputs)
	}
	if h.Used != nil {
		o.texts("used", h.Used)
	}
	if h.Produced != nil {
		o.texts("produced", h.Produced)
	}
	wrapped.raw("owg", o.end())
	return wrapped.end()
}

// metadata writes what a message says about the delegation, nil for nothing.
func (h *HandOff) metadata() []byte {
	if h.Delegation == nil {
		return nil
	}
	b := h.Delegation.json()
	if h.Identity == "" {
		return b
	}
	var id object
	id.text("id", h.Identity)
	o := object{b: b[:len(b)-1]}
	if len(o.b) == 1 { // an object without members
		o.b = nil
	}
	o.raw("identity", id.end())
	return o.end()
}

// ParseHandOff reads the message that hands a task over, as [Workflow.Request] writes it:
// an A2A Message, or the params or the JSON-RPC request around it. delegationKey is the
// metadata key of the delegation, [DelegationKey] for "". It fails with an [*Error], of
// [CodeHandOff] for a message with no hand-off or with two.
func ParseHandOff(data []byte, delegationKey string, limits Limits) (*HandOff, error) {
	limits = limits.OrDefault()
	root, err := parse(data, limits.json(limits.UpdateBytes), "a message of A2A", CodeHandOff)
	if err != nil {
		return nil, err
	}
	if params := root.Get("params"); root.Get("jsonrpc").Exists() && params.Exists() {
		if root.Get("message").Exists() || root.Get("parts").Exists() {
			return nil, refuseAt(params, CodeHandOff, "expected one message, found params beside it")
		}
		root = params
	}
	if delegationKey == "" {
		delegationKey = DelegationKey
	}
	// Whoever ignored a delegation that stands elsewhere would not see when it lapsed.
	elsewhere := func(d strictjson.Value) error {
		if !d.Exists() {
			return nil
		}
		return refuseAt(d, CodeHandOff, "expected the delegation in the metadata of the message, found one elsewhere")
	}
	if message := root.Get("message"); message.Exists() {
		if err := elsewhere(root.Get("metadata").Get(delegationKey)); err != nil {
			return nil, err
		}
		if root.Get("parts").Exists() { // others would read the parts
			return nil, refuseAt(message, CodeHandOff, "expected one message, found another in it")
		}
		root = message
	}
	var found strictjson.Value
	objective := ""
	for _, part := range root.Get("parts").Items() {
		if s, ok := part.Get("text").Str(); ok && objective == "" {
			objective = s
		}
		if err := elsewhere(part.Get("metadata").Get(delegationKey)); err != nil {
			return nil, err
		}
		v := part.Get("data").Get("owg")
		if v.Exists() && found.Exists() {
			return nil, refuseAt(v, CodeHandOff, "expected one hand-off, found another")
		}
		if v.Exists() {
			found = v
		}
	}
	if found.Kind() != strictjson.Object {
		return nil, refuseAt(root, CodeHandOff, "expected a part with data about a task (owg)")
	}
	if err := elsewhere(found.Get("delegation")); err != nil {
		return nil, err
	}
	r := handOffReader{}
	h := &HandOff{
		Workflow: r.text(found, "workflow", false), Task: r.text(found, "task", true), Skill: r.text(found, "skill", true),
		Objective: objective, Used: r.texts(found, "used"), Produced: r.texts(found, "produced"),
	}
	if inputs := found.Get("inputs"); inputs.Exists() {
		if inputs.Kind() != strictjson.Object {
			return nil, refuseAt(inputs, CodeInputs, "expected an object for inputs, found %s", inputs.Kind())
		}
		h.Inputs = []byte(inputs.Source()) // unchanged
	}
	if d := root.Get("metadata").Get(delegationKey); d.Exists() {
		if d.Kind() != strictjson.Object {
			return nil, refuseAt(d, CodeHandOff, "expected a delegation, which is an object, found %s", d.Kind())
		}
		if name := boundedBy(d); name.Exists() {
			return nil, refuseAt(name, CodeDelegationMember, "%s", boundText(name))
		}
		h.Delegation = &Delegation{By: r.text(d, "by", false), ExpiresAt: r.text(d, "expires_at", false), Scope: r.texts(d, "scope")}
		h.Delegation.ScopeStated = d.Get("scope").Exists()
		h.Identity = r.text(d.Get("identity"), "id", false)
		if _, ok := parseTime(h.Delegation.ExpiresAt); h.Delegation.ExpiresAt != "" && !ok {
			return nil, refuseAt(d.Get("expires_at"), CodeTime, "expected a time as in RFC 3339, found %s", quote(h.Delegation.ExpiresAt))
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return h, nil
}

// canonicalObject returns the canonical form of a JSON object of inputs. All numbers of
// that form are doubles: an integer that is not exactly one would become another, and is
// refused (J-5).
func canonicalObject(v strictjson.Value) ([]byte, error) {
	if v.Kind() != strictjson.Object {
		return nil, refuseAt(v, CodeInputs, "expected an object for inputs, found %s", v.Kind())
	}
	var inexact error
	walk(v, func(v strictjson.Value) {
		const most = "9007199254740991" // 2^53-1
		n, ok := v.Number()
		digits := strings.TrimPrefix(n, "-")
		if ok && inexact == nil && !strings.ContainsAny(n, ".eE") && (len(digits) > len(most) || len(digits) == len(most) && digits > most) {
			inexact = refuseAt(v, CodeInputs, "the integer %s is not exactly a double; readers see different numbers", quote(n))
		}
	})
	if inexact != nil {
		return nil, inexact
	}
	out, err := v.Canonical()
	if err != nil {
		return nil, refuseAt(v, CodeInputs, "%s", err.Error())
	}
	return out, nil
}

// handOffReader reads members and keeps the first error.
type handOffReader struct{ err error }

func (r *handOffReader) text(v strictjson.Value, name string, need bool) string {
	m := v.Get(name)
	s, ok := m.Str()
	switch {
	case ok && s != "" || !need && !m.Exists() || r.err != nil:
	case m.Exists():
		r.err = refuseAt(m, CodeHandOff, "expected a string that is not empty for %s", name)
	default:
		r.err = refuseAt(v, CodeHandOff, "expected the member %s, a string", name)
	}
	return s
}

func (r *handOffReader) texts(v strictjson.Value, name string) []string {
	m := v.Get(name)
	if !m.Exists() {
		return nil
	}
	out := []string{}
	for _, e := range m.Items() {
		s, ok := e.Str()
		if (!ok || s == "") && r.err == nil {
			r.err = refuseAt(e, CodeHandOff, "expected strings that are not empty in %s", name)
		}
		out = append(out, s)
	}
	if m.Kind() != strictjson.Array && r.err == nil {
		r.err = refuseAt(m, CodeHandOff, "expected an array for %s, found %s", name, m.Kind())
	}
	return out
}
