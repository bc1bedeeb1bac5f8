package page

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// The texts of an [Input], as places name them.
const (
	FileDocument  = "document"
	FileIntent    = "intent"
	FileAuthority = "authority"
)

// Text is a text and the name of its syntax, as [rdfio.ByName] knows it, or "" to
// detect it, see [Detect].
type Text struct {
	Text   string `json:"text"`
	Syntax string `json:"syntax"`
}

// Input is what the page was given. A text that is only white space counts as none.
type Input struct {
	Document Text `json:"document"`
	Intent   Text `json:"intent"`
	// Authority is an input of authz check with the files that it names, see
	// [ParseBundle].
	Authority string `json:"authority"`
	// Now is the instant of all checks where the authority input gives none.
	Now time.Time `json:"now"`
}

// Status is what an answer comes to. The zero Status is none and accepts nothing.
type Status string

// The statuses, as those of the command line.
const (
	Yes     Status = "yes"
	No      Status = "no"      // a clear no
	Refused Status = "refused" // a text could not be used at all
	Nothing Status = "nothing" // there is nothing to judge
)

// Verdict is the answer in one line.
type Verdict struct {
	Status  Status `json:"status"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

// Problem says why a text was refused.
type Problem struct {
	Code  string    `json:"code,omitempty"`
	Text  string    `json:"text"`
	Place rdf.Place `json:"place,omitzero"` // its File is one of the texts
}

// Output is the answer to one Input. Members that do not apply are left out.
type Output struct {
	Verdict   Verdict    `json:"verdict"`
	Problems  []Problem  `json:"problems,omitempty"`
	Document  *Document  `json:"document,omitempty"`
	Intent    *Intent    `json:"intent,omitempty"`
	Report    *Report    `json:"report,omitempty"`
	Trace     []Step     `json:"trace,omitempty"`
	Authority *Authority `json:"authority,omitempty"`
}

// Detect returns the syntax that a text is most likely in: JSON-LD for what begins as
// JSON does and Turtle does not, Turtle otherwise, of which N-Triples is a part.
func Detect(text string) rdfio.Syntax {
	text = strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(text, "{") {
		return rdfio.JSONLD
	}
	// "[]" and "[ a" begin statements in Turtle.
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasPrefix(strings.TrimLeft(inner, " \t\r\n"), "{") {
		return rdfio.JSONLD
	}
	return rdfio.Turtle
}

func (t Text) empty() bool { return strings.TrimSpace(t.Text) == "" }

// syntax returns the syntax of a text. A name that is not known is none, which nothing is
// read as.
func (t Text) syntax() rdfio.Syntax {
	if t.Syntax == "" {
		return Detect(t.Text)
	}
	s, _ := rdfio.ByName(t.Syntax)
	return s
}

// judging is one input on its way to its output.
type judging struct {
	ctx    context.Context
	in     Input
	random io.Reader
	out    Output

	reviewed *protocol.Reviewed // nil without a document that can be accepted
	chain    *chain             // nil without an authority input
}

// Judge answers one input. random is a source of secrets, from which the engine makes
// ids. An error means that ctx ended; what is wrong with a text is part of the answer.
// It is safe for concurrent use.
func Judge(ctx context.Context, in Input, random io.Reader) (Output, error) {
	j := &judging{ctx: ctx, in: in, random: random}
	intent, authority := !in.Intent.empty(), strings.TrimSpace(in.Authority) != ""
	switch {
	case in.Document.empty() && !intent && !authority:
		j.out.Verdict = Verdict{Nothing, "", "there is nothing to judge yet"}
		return j.out, nil
	case intent && in.Document.empty():
		j.refused("no-document", "an intent is judged by the Protocol Document that it is under, and there is none")
		return j.out, nil
	}
	if !in.Document.empty() {
		j.document()
	}
	if authority {
		j.readChain()
	}
	usable := j.out.Verdict.Status == "" || j.out.Verdict.Status == Yes
	switch {
	case usable && intent:
		j.intent()
	case usable && authority:
		j.decide()
	}
	return j.out, ctx.Err()
}

// refused ends the answer: a text cannot be used.
func (j *judging) refused(code, text string) { j.out.Verdict = Verdict{Refused, code, text} }

// problems ends the answer with what an error says about a text.
func (j *judging) problems(file, what string, err error) {
	found := problemsOf(file, err)
	j.out.Problems = append(j.out.Problems, found...)
	j.refused(found[0].Code, what)
}
