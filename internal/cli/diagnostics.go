package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

// failure is an error with what a diagnostic line and the exit status need.
type failure struct {
	status Status
	place  rdf.Place // as much of it as is known; perhaps only the file
	text   string
	code   string
	hint   string // a second line, "" for none
	limit  bool   // the hint is about --limit
}

func (f *failure) Error() string { return f.text }

// ended ends a command whose diagnostics are written with a status.
type ended Status

func (e ended) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// inFile is an error about a file that does not name it itself.
type inFile struct {
	file string
	err  error
}

func (e *inFile) Error() string { return e.file + ": " + e.err.Error() }
func (e *inFile) Unwrap() error { return e.err }

// diagnostics writes to standard error, one line a diagnostic.
type diagnostics struct {
	w       io.Writer
	program string // who speaks; "" for rdfproto
	fixed   bool   // the command has no --limit
}

// line writes one diagnostic. The place, the code or both may be empty.
func (d *diagnostics) line(kind string, place rdf.Place, text, code string) {
	var b strings.Builder
	b.WriteString(cmp.Or(d.program, "rdfproto"))
	b.WriteString(": ")
	b.WriteString(kind)
	b.WriteString(": ")
	if p := place.String(); p != "" {
		b.WriteString(printable(p))
		b.WriteString(": ")
	}
	b.WriteString(printable(text))
	if code != "" {
		b.WriteString(" [")
		b.WriteString(printable(code))
		b.WriteString("]")
	}
	b.WriteByte('\n')
	// There is nowhere left to report a failure to.
	_, _ = io.WriteString(d.w, b.String())
}

func (d *diagnostics) warn(place rdf.Place, text, code string) { d.line("warning", place, text, code) }

func (d *diagnostics) hint(text string) { d.line("hint", rdf.Place{}, text, "") }

// explain writes what an error says and returns the exit status it means;
// nil is [StatusYes].
func (d *diagnostics) explain(err error) Status {
	if err == nil {
		return StatusYes
	}
	var end ended
	if errors.As(err, &end) {
		return Status(end)
	}
	status := StatusYes
	for _, f := range failures(err) {
		d.line("error", f.place, f.text, f.code)
		if f.hint != "" && !(f.limit && d.fixed) {
			d.hint(f.hint)
		}
		status = max(status, f.status)
	}
	return status
}

// failures turns an error of any package into what is to be said about it: at
// least one failure, and several for an error that holds several.
func failures(err error) []failure {
	var file string
	if in := (*inFile)(nil); errors.As(err, &in) {
		file = in.file
	}
	refused := func(place rdf.Place, text, code string) []failure {
		if place.File == "" {
			place.File = file
		}
		return []failure{{status: StatusRefused, place: place, text: text, code: code}}
	}
	var (
		shapes *shacl.CompileError
		own    *failure
		syntax *rdf.SyntaxError
		json   *jsonld.Error
		card   *agentcard.Error
		offer  *terms.Error
		limit  *rdf.LimitError
		work   *canon.LimitError
		term   *rdf.TermError
		path   *fs.PathError
	)
	if f, ok := owgFailure(err); ok {
		if f.place.File == "" {
			f.place.File = file
		}
		return []failure{f}
	}
	if f, ok := policyFailure(err); ok {
		if f.place.File == "" {
			f.place.File = file
		}
		return []failure{f}
	}
	switch {
	case errors.As(err, &own):
		return []failure{*own}
	case errors.As(err, &shapes):
		var all []failure
		for _, p := range shapes.Problems {
			all = append(all, refused(p.Place, p.Text, string(p.Code))...)
		}
		if shapes.Omitted > 0 && len(all) > 0 {
			all[len(all)-1].hint = "there are " + count(shapes.Omitted, "problem") + " more in the shapes graph"
		}
		return all
	case errors.As(err, &syntax):
		return refused(syntax.Place, syntax.Message(), string(syntax.Code))
	case errors.As(err, &json):
		f := refused(json.Place, json.Message(), string(json.Code))
		f[0].hint = jsonldHint(json)
		return f
	case errors.As(err, &card):
		return refused(rdf.Place{Line: card.Line, Column: card.Column}, at(card.Text, card.Pointer), string(card.Code))
	case errors.As(err, &offer):
		return refused(rdf.Place{Line: offer.Line, Column: offer.Column}, at(offer.Text, offer.Pointer), string(offer.Code))
	case errors.As(err, &limit):
		f := refused(limit.Place, limit.Message(), string(rdf.CodeLimitExceeded))
		f[0].hint, f[0].limit = limitHint(limit.Limit), true
		return f
	case errors.As(err, &work):
		f := refused(rdf.Place{}, work.Error(), string(work.Code()))
		f[0].hint, f[0].limit = fmt.Sprintf("--limit %s=N raises it; the other side of a pin would have to as well", work.Limit), true
		return f
	case errors.As(err, &term):
		return refused(rdf.Place{}, term.Reason, string(term.Code))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return []failure{{status: StatusCall, text: "interrupted", code: "interrupted"}}
	case errors.As(err, &path):
		return []failure{{status: StatusCall, place: rdf.Place{File: path.Path}, text: path.Err.Error(), code: "unreadable"}}
	}
	if f, ok := protocolFailure(err); ok {
		if f.place.File == "" {
			f.place.File = file
		}
		return []failure{f}
	}
	switch {
	case file != "":
		return []failure{{status: StatusCall, place: rdf.Place{File: file}, text: errors.Unwrap(err).Error(), code: "unreadable"}}
	}
	// What is not known is a failure of the call, never a yes.
	return []failure{{status: StatusCall, text: err.Error(), code: "failed"}}
}

// limitHint says how to raise a limit.
func limitHint(name rdf.LimitName) string {
	if name == shacl.LimitPathDepth {
		name = shacl.LimitShapeDepth // one number for both
	}
	for _, l := range limitTable() {
		if l.name == string(name) {
			return "--limit " + l.name + "=N raises it, if the input is trusted"
		}
	}
	return ""
}

// printable is [legible.Printable]: whatever comes from an input is shown by it.
func printable(s string) string { return legible.Printable(s) }

// quote puts a text from outside between quotes for a message.
func quote(s string) string { return `"` + rdf.Abbreviate(s) + `"` }
