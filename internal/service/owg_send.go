package service

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
)

// begin hands the task over. What forbids that is found before the agent is asked
// anything, and the attempt is in the record before the task is sent.
func (v *handOver) begin(ctx context.Context, w *owg.Workflow) error {
	o, err := v.requestOptions()
	if err != nil {
		return err
	}
	if _, _, err := w.HandOff(v.task, o); err != nil {
		return cli.InFile(v.file, err)
	}
	if v.chain, err = v.readChain(); err != nil {
		return err
	}
	p, err := v.connect(ctx, w)
	if err != nil {
		return err
	}
	v.run.close = p.close
	return v.handOver(ctx, w, p, o)
}

// requestOptions says how the request is to be made.
func (v *handOver) requestOptions() (owg.RequestOptions, error) {
	o := owg.RequestOptions{
		Now: v.now(), MessageID: cli.NewUUID(), ContextID: v.contextID, DelegationKey: v.delegationKey,
		DiscloseIdentity: v.disclose, InsecureHTTP: v.insecurePlaintext,
	}
	var err error
	if v.inputs != "" {
		if o.Inputs, err = v.read(v.inputs, owg.DefaultLimits().UpdateBytes); err != nil {
			return o, err
		}
	}
	above := journal{file: v.record}
	if v.under != "" {
		above.file = v.under
	}
	_, r, err := above.load()
	if err != nil {
		return o, err
	}
	o.Under, err = received(above.file, r, v.received, v.under != "")
	return o, err
}

// handOver hands the task over to an agent that is connected to.
func (v *handOver) handOver(ctx context.Context, w *owg.Workflow, p *performer, o owg.RequestOptions) error {
	o.Now = v.now() // the card took its time
	r, err := w.Request(v.task, p.card, o)
	if err != nil {
		return cli.InFile(v.file, err)
	}
	v.run.found(r.Warnings)
	if e := p.tasks.Endpoint(); !sameURL(r, e) {
		return cli.InFile(p.url, noWay(errors.New("the first interface that a request is made for, at "+r.URL+", cannot be used")))
	}
	v.run.tasks = p.tasks
	if p.client == nil && v.as == asIntent {
		return cli.Fail(cli.StatusNo, "unsupported-protocol", "the agent's card does not declare a2a-rdf, and --as asks for an intent")
	}
	if p.client != nil && v.as != asPlain {
		declined, err := v.asIntent(ctx, w, p, r)
		if !declined {
			return err
		}
		v.run.note("the agent declined the optional offer of the Protocol Document: going on in plain A2A")
		o.ContextID, o.Now = p.talk.ContextID(), v.now() // and so did the agent
		if r, err = w.Request(v.task, p.card, o); err != nil {
			return cli.InFile(v.file, err)
		}
	}
	return v.plain(ctx, w, r)
}

// sameURL reports whether an endpoint is the one that a request was made for.
func sameURL(r *owg.Request, e a2a.Endpoint) bool {
	at := e.URL
	if r.Binding == a2a.REST.String() && r.Binding == e.Binding.String() {
		at = strings.TrimSuffix(e.URL, "/") + "/message:send"
	}
	return r.Binding == e.Binding.String() && r.URL == at
}

// plain sends the request in plain A2A.
func (v *handOver) plain(ctx context.Context, w *owg.Workflow, r *owg.Request) error {
	m, err := engine.ParseMessage(r.Message, engine.Limits{})
	if err != nil {
		return err
	}
	var params struct {
		Configuration struct{ AcceptedOutputModes []string }
	}
	if err := json.Unmarshal(r.Params, &params); err != nil {
		return err
	}
	if err := v.start(w, r, m.ContextID, nil); err != nil {
		return err
	}
	if err := v.run.send(ctx, m, params.Configuration.AcceptedOutputModes); err != nil {
		return v.run.ended(owg.CodeExtensionRequired, "plain A2A may not be used: "+err.Error())
	}
	return v.run.through(ctx)
}

// start puts the attempt into the record, before anything is sent for it. sent is the
// message of an intent.
func (v *handOver) start(w *owg.Workflow, r *owg.Request, contextID string, sent []byte) error {
	a, err := w.Attempt(v.task, 1, v.now())
	if err != nil {
		return err
	}
	a.Card, a.Remote.ContextID, a.Sent = r.Card, contextID, sent
	if a, err = v.run.journal.begin(a); err != nil {
		return err
	}
	v.run.kept = string(a.Append(nil))
	v.run.follow = owg.NewFollow(a, v.run.task.Produced, owg.Limits{})
	v.run.tell()
	return nil
}

// resume goes on with an attempt that runs: its remote task is asked for; an intent
// without an answer is sent again as it was, which the agent carries out once; and what
// may or may not have arrived is left alone.
func (v *handOver) resume(ctx context.Context, w *owg.Workflow, a owg.Attempt) error {
	f := v.run
	f.follow, f.kept = owg.NewFollow(a, f.task.Produced, owg.Limits{}), string(a.Append(nil))
	if a.Remote.TaskID == "" && a.Sent == nil {
		return nil
	}
	if a.PerformedBy != "" && a.PerformedBy != f.task.PerformedBy {
		return &owg.Error{Code: owg.CodeRecord, Text: "the attempt that runs is one of " + quote(a.PerformedBy) + ", and the workflow has the task performed by " +
			quote(f.task.PerformedBy) + ", which is not asked about it; --abandon ends the attempt"}
	}
	p, err := v.connect(ctx, w)
	if err != nil {
		return err
	}
	f.tasks, f.close = p.tasks, p.close
	switch {
	case a.Sent != nil:
		err = v.intentAgain(ctx, p, &a)
	case f.ask(ctx, a.Remote.TaskID):
		err = f.through(ctx)
	case ctx.Err() == nil:
		err = cli.Fail(cli.StatusCall, string(CommandUnreachable), "the agent does not answer about the task; the attempt is still running")
	}
	if b := f.follow.Attempt(); err == nil && f.answer != nil && b.Terminal() {
		f.note("the answer was not asked for: the attempt has ended")
	}
	return err
}

// readAnswer reads what to answer when the agent asks for input.
func (v *handOver) readAnswer() (*engine.Part, error) {
	data, err := v.read(v.answer, maxConfig)
	if err != nil {
		return nil, err
	}
	if isJSONFile(v.answer) {
		value, err := strictjson.Parse(data, strictjson.DefaultLimits())
		if err != nil {
			return nil, cli.InFile(v.answer, err)
		}
		return &engine.Part{Content: engine.Data, Data: []byte(value.Source()), MediaType: jsonType}, nil
	}
	if !utf8.Valid(data) || len(data) == 0 {
		return nil, cli.Fail(cli.StatusRefused, string(CommandMalformed), legible.Printable(v.answer)+": expected a text in UTF-8 that is not empty")
	}
	return &engine.Part{Content: engine.Text, Text: string(data)}, nil
}

// ended ends the attempt as failed, and keeps that.
func (f *following) ended(code owg.Code, text string) error {
	return f.came(f.follow.End(code, text, f.now()))
}

// codeAnd says why an exchange of the extension came to nothing.
func codeAnd(code protocol.Code, reason string) string {
	if code == "" {
		return reason
	}
	return string(code) + ": " + reason
}
