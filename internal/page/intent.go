package page

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/replay"
)

// Intent describes an intent.
type Intent struct {
	Syntax string `json:"syntax"`
	// Fields are those of an intent of a stock verb, once it is valid.
	Fields []Field `json:"fields,omitempty"`
}

// Field is a name with a value, for people.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// State is what a step came to. The zero State means that it was not reached.
type State string

// The states.
const (
	NotReached State = ""
	Passed     State = "passed"
	Failed     State = "failed"
	NotAsked   State = "not-asked" // nobody wants it: a real receiver would
)

// Step is a step of the receiving procedure (a2a-rdf, section 7.3).
type Step struct {
	Name  string `json:"name"`
	What  string `json:"what"`
	State State  `json:"state"`
	Note  string `json:"note,omitempty"`
}

// procedure lists the steps with what each looks at.
func procedure() []Step {
	return []Step{
		{Name: "7.3.1", What: "tags and form of the message"},
		{Name: "7.3.2", What: "replay"},
		{Name: "7.3.3", What: "the protocol: agreed or declared, and held here"},
		{Name: "7.3.4", What: "the payload: one graph within the limits"},
		{Name: "7.3.5", What: "exactly one intent"},
		{Name: "7.3.6", What: "the request shape"},
		{Name: "7.3.7", What: "the authority of the sender"},
		{Name: "7.3.8", What: "the application gets the intent"},
	}
}

// notAsked is what step 7.3.7 says without an authority input.
const notAsked = "not asked: no authority input was given"

// intent takes the intent through the engine as a receiver would.
func (j *judging) intent() {
	text := j.in.Intent
	syntax := text.syntax()
	j.out.Intent = &Intent{Syntax: syntax.String()}
	v, err := j.reviewed.Document().ValidateRequest(j.ctx, []byte(text.Text), syntax.MediaType(), options(FileIntent))
	if err != nil {
		j.problems(FileIntent, "the intent was not judged", err)
		return
	}
	if v.Report != nil {
		j.out.Report = reportOf(v.Report)
	} else if !v.Valid() {
		j.out.Problems = append(j.out.Problems, unread(v)...)
	}
	o, err := j.receive(syntax)
	if err != nil {
		j.problems(FileIntent, "the intent was not judged", err)
		return
	}
	j.trace(o.Trace)
	if o.Kind != engine.KindIntent {
		j.out.Verdict = Verdict{No, string(o.Code), "the intent is refused"}
		if n := len(o.Trace); n > 0 {
			j.out.Verdict.Message += " in step " + o.Trace[n-1].Name
		}
		return
	}
	j.out.Verdict = Verdict{Yes, "", "the intent is accepted"}
	if in, err := o.Intent.Project(); err == nil {
		j.out.Intent.Fields = fields(in)
	}
}

// unread says why there was no graph, or not one intent in it.
func unread(v *protocol.Verdict) []Problem {
	if v.Err != nil {
		return problemsOf(FileIntent, v.Err)
	}
	return []Problem{{Code: string(v.Code), Text: v.Reason}}
}

// rdfReason leaves the name of the text out of a reason that begins with its place.
func rdfReason(reason string) string { return strings.TrimPrefix(reason, FileIntent+":") }

// receive makes a message of the intent and gives it to an engine that knows nothing
// else.
func (j *judging) receive(syntax rdfio.Syntax) (engine.Outcome, error) {
	pin := j.reviewed.Pin()
	docs := protocol.NewStore(1)
	if err := docs.Put(j.reviewed); err != nil {
		return engine.Outcome{}, err
	}
	e, err := engine.New(engine.Config{
		Local: "page", Documents: docs, Store: replay.NewMemory(replay.Limits{}), Random: j.random,
		Clock:    j.now,
		Declared: []engine.Declared{{Pin: pin}},
		Formats:  []string{rdfio.Turtle.MediaType(), rdfio.JSONLD.MediaType(), rdfio.NTriples.MediaType()},
		Payload:  options(FileIntent),
		Authorizer: engine.AuthorizerFunc(func(ctx context.Context, q *engine.Question) (engine.Authority, error) {
			if j.chain == nil {
				return engine.Authority{Permit: true, Policies: q.Policies, Reason: notAsked}, nil
			}
			return j.authorize(ctx, q)
		}),
	})
	if err != nil {
		return engine.Outcome{}, err
	}
	keys, _ := protocol.KeysOf(protocol.ExtensionURI)
	metadata, err := json.Marshal(map[string]string{keys.Kind: string(protocol.RoleIntent), keys.ProtocolHash: pin.String()})
	if err != nil {
		return engine.Outcome{}, err
	}
	o, err := e.Receive(j.ctx, engine.Peer{Principal: "urn:page:sender", Active: []string{protocol.ExtensionURI}}, engine.Message{
		ID: "1", ContextID: "1", Role: engine.RoleUser, Extensions: []string{protocol.ExtensionURI},
		Parts: []engine.Part{{Content: engine.Text, Text: j.in.Intent.Text, MediaType: syntax.MediaType(), Metadata: metadata}},
	})
	if err != nil && j.ctx.Err() == nil {
		return o, nil // what failed beside it is in the outcome, which refuses
	}
	return o, errors.Join(err, j.ctx.Err())
}

// now is the instant of all checks.
func (j *judging) now() time.Time {
	if j.chain != nil && !j.chain.request.Now.IsZero() {
		return j.chain.request.Now
	}
	return j.in.Now
}

// trace puts the steps that were made into the procedure.
func (j *judging) trace(t engine.Trace) {
	all := procedure()
	for _, s := range t {
		for i := range all {
			if all[i].Name != s.Name {
				continue
			}
			all[i].Note, all[i].State = rdfReason(s.Note), Failed
			if s.OK {
				all[i].State = Passed
			}
		}
	}
	if all[0].State == Passed {
		all[0].Note = "the page makes the message around the intent"
	}
	if j.chain == nil && all[6].State == Passed {
		all[6].State = NotAsked
	}
	if all[2].State == Passed {
		all[2].Note = "the page declares the document as the receiver's card would"
	}
	j.out.Trace = all
}

// fields lists what an intent of a stock verb says.
func fields(in protocol.Intent) []Field {
	var out []Field
	add := func(name, value string) {
		if value != "" {
			out = append(out, Field{name, value})
		}
	}
	add("verb", in.Verb.String())
	add("target", in.Target)
	add("recipient", in.Recipient)
	add("modes", in.Modes.String())
	add("agent", in.Agent)
	for _, p := range in.Parameters {
		add("parameter "+p.Key, p.Value)
	}
	return out
}
