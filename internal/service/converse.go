package service

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/legible"
)

// step is a message that was sent and what it came to.
type step struct {
	sent   string
	result a2a.Result
}

// converse sends what was asked for, until something comes to nothing.
func (v *outgoing) converse(ctx context.Context, client *a2a.Client, pin canon.Digest, source string) error {
	conversation := client.Conversation(v.contextID)
	declared := slices.ContainsFunc(client.Declaration().Documents, func(d agentcard.DeclaredDocument) bool { return d.Hash.Equal(pin) })
	var steps []step
	do := func(sent string, send func() (a2a.Result, error)) (a2a.Result, error) {
		r, err := send()
		if err != nil {
			return r, exchangeError("the "+sent, err)
		}
		steps = append(steps, step{sent, r})
		return r, nil
	}
	if v.offer || v.intent != "" && !declared {
		r, err := do("offer", func() (a2a.Result, error) {
			return conversation.Offer(ctx, engine.OfferDraft{Pin: pin, Source: source, Required: !v.optional})
		})
		if err != nil {
			return err
		}
		if r.Kind != engine.KindAgreed && !(r.Kind == engine.KindDeclined && v.intent == "" && v.text != "") {
			return v.report(steps)
		}
	}
	if v.intent != "" {
		draft := engine.IntentDraft{Pin: pin}
		var err error
		var body []byte
		if body, draft.MediaType, err = readRDF(v.intent); err != nil {
			return err
		}
		draft.Body = string(body)
		if v.presentation != "" {
			if draft.Presentation, err = readFile(v.presentation, maxConfig); err != nil {
				return err
			}
		}
		r, err := do("intent", func() (a2a.Result, error) { return conversation.Intent(ctx, draft) })
		if err != nil {
			return err
		}
		if r.Kind != engine.KindResponse || v.text == "" {
			return v.report(steps)
		}
	}
	if v.text != "" {
		if _, err := do("text", func() (a2a.Result, error) { return conversation.Say(ctx, v.text) }); err != nil {
			return err
		}
	}
	return v.report(steps)
}

// resultVerdict says what the verdict on a message that was sent is.
func resultVerdict(r *a2a.Result) (status cli.Status, message string) {
	switch r.Kind {
	case engine.KindAgreed:
		return cli.StatusYes, "the document is agreed"
	case engine.KindResponse:
		return cli.StatusYes, "the intent is answered"
	case engine.KindProse:
		return cli.StatusYes, "the text is answered"
	case engine.KindReply:
		return cli.StatusYes, "the agent offered a document in answer"
	case engine.KindWaiting:
		return cli.StatusNothing, "the agent's task goes on"
	case engine.KindDeclined:
		return cli.StatusNo, "the offer is declined"
	}
	return cli.StatusNo, orText(r.Reason, "the exchange came to nothing: "+r.Kind.String())
}

// resultMembers is one message in JSON.
type resultMembers struct {
	Sent      string          `json:"sent"`
	Outcome   string          `json:"outcome"`
	Code      string          `json:"code,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	ContextID string          `json:"contextId,omitempty"`
	TaskID    string          `json:"taskId,omitempty"`
	Pin       string          `json:"pin,omitempty"`
	Response  *responseJSON   `json:"response,omitempty"`
	Challenge *challenge      `json:"challenge,omitempty"`
	Texts     []string        `json:"texts,omitempty"`
	Required  bool            `json:"extensionRequired,omitempty"`
	Trace     json.RawMessage `json:"trace,omitempty"`
}

type responseJSON struct {
	Content   string `json:"content"`
	MediaType string `json:"mediaType"`
	Validated bool   `json:"validated"`
}

// report writes what the messages came to, and ends with the verdict on the last.
func (v *outgoing) report(steps []step) error {
	last := &steps[len(steps)-1].result
	status, message := resultVerdict(last)
	code := orText(string(last.Code), last.Kind.String()) // the agent may have told none
	if status == cli.StatusYes {
		code = ""
	}
	if v.asJSON {
		var all struct {
			Steps []resultMembers `json:"steps"`
		}
		for i := range steps {
			all.Steps = append(all.Steps, steps[i].members(v.trace))
		}
		more, err := cli.Marshal(&all)
		if err != nil {
			return err
		}
		line, err := cli.VerdictJSON(status, code, message, more)
		if err != nil {
			return err
		}
		if _, err := v.streams.Out.Write(line); err != nil {
			return cli.Fail(cli.StatusCall, "write-failed", "cannot write the result: "+err.Error())
		}
		return cli.Ended(status)
	}
	var b strings.Builder
	for i := range steps {
		steps[i].write(&b, v.trace)
	}
	if _, err := v.streams.Out.Write([]byte(b.String())); err != nil {
		return cli.Fail(cli.StatusCall, "write-failed", "cannot write the result: "+err.Error())
	}
	if status == cli.StatusYes {
		return nil
	}
	return cli.Fail(status, code, message)
}

func (s *step) members(trace bool) resultMembers {
	r := &s.result
	m := resultMembers{
		Sent: s.sent, Outcome: r.Kind.String(), Code: string(r.Code), Reason: r.Reason, ContextID: r.ContextID, TaskID: r.TaskID,
		Texts: r.Texts, Required: r.ExtensionRequired, Challenge: newChallenge(r.Challenge),
	}
	if !r.Pin.IsZero() {
		m.Pin = r.Pin.String()
	}
	if r.Response != nil && r.Response.Graph != nil {
		m.Response = &responseJSON{r.Response.Body, r.Response.MediaType, r.Response.Validated}
	}
	if trace {
		m.Trace = r.Trace.AppendJSON(nil)
	}
	return m
}

// write writes a step for people. Whatever the agent said is shown, not obeyed.
func (s *step) write(b *strings.Builder, trace bool) {
	r := &s.result
	fmt.Fprintf(b, "%s: %s", s.sent, r.Kind)
	if r.ContextID != "" {
		fmt.Fprintf(b, ", context %s", legible.Printable(legible.Cut(r.ContextID, 100)))
	}
	if r.TaskID != "" {
		fmt.Fprintf(b, ", task %s", legible.Printable(legible.Cut(r.TaskID, 100)))
	}
	b.WriteString("\n")
	if r.ExtensionRequired {
		b.WriteString("  the agent asks for an extension\n")
	}
	if c := r.Challenge; c != nil {
		fmt.Fprintf(b, "  challenge %s for %s\n", legible.Printable(c.Challenge), legible.Printable(c.Domain))
	}
	if resp := r.Response; resp != nil && resp.Graph != nil {
		word := "valid by the response shape"
		if !resp.Validated {
			word = "of no shape that could validate it"
		}
		fmt.Fprintf(b, "  %s, %s:\n", legible.Printable(resp.MediaType), word)
		indent(b, resp.Body)
	}
	for _, text := range r.Texts {
		b.WriteString("  text:\n")
		indent(b, text)
	}
	if trace {
		indent(b, r.Trace.String())
	}
}

func indent(b *strings.Builder, text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		b.WriteString("    " + legible.Printable(strings.TrimSuffix(line, "\n")) + "\n")
	}
}
