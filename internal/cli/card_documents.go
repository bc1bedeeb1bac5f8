package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/protocol"
)

// declaredDocument is a Protocol Document that a card declares, and what came of
// looking at it.
type declaredDocument struct {
	Name   string `json:"name,omitempty"`
	Source string `json:"source"`
	Hash   string `json:"hash"`
	// Review is "accepted", "refused" or "not seen".
	Review   string         `json:"review"`
	Code     string         `json:"code,omitempty"`
	Message  string         `json:"message,omitempty"`
	Cost     []string       `json:"cost,omitempty"` // in words
	Findings []reviewRemark `json:"findings,omitempty"`
}

type reviewRemark struct {
	Level string `json:"level"`
	Code  string `json:"code"`
	Text  string `json:"message"`
}

// documents is where the Protocol Documents of a card come from.
type documents struct {
	in      *cardInput
	files   map[string]string // by URL
	network Network           // nil fetches nothing
}

// documentSources reads the --document flags.
func documentSources(cmd *cobra.Command, in *cardInput, flags []string, network Network) (*documents, error) {
	d := &documents{in: in, files: map[string]string{}, network: network}
	pins, err := readPins(cmd, "--document", "a URL", flags)
	if err != nil {
		return nil, err
	}
	for _, pin := range pins {
		d.files[pin.iri] = pin.file
	}
	return d, nil
}

var errNotSeen = errors.New("no file is given for it, and nothing is fetched")

// options says how the documents are read.
func (d *documents) options() protocol.Options {
	return d.in.limits.given.peer(protocol.DocumentLimits())
}

// file returns the bytes of a document and their media type from a file that the call
// names, and false where it names none.
func (d *documents) file(ctx context.Context, url string) (body []byte, mediaType string, named bool, err error) {
	file, named := d.files[url]
	if !named {
		return nil, "", false, nil
	}
	if body, err = d.in.bytes(ctx, file, d.options().Limits.Bytes); err != nil {
		return nil, "", true, err
	}
	syntax, err := syntaxByExtension(file)
	return body, syntax.MediaType(), true, err
}

// fetch returns the bytes of a document and their media type from where the card has it.
func (d *documents) fetch(ctx context.Context, url string) (body []byte, mediaType string, err error) {
	if d.network == nil {
		return nil, "", errNotSeen
	}
	return d.network.ProtocolDocument(ctx, url)
}

// review looks at a document as a client does that is about to rely on it: the pin
// first, then every rule, then what it would cost (CARD-12). It fails for a file that the
// call names and that cannot be read; a document that cannot be fetched was not seen.
func (d *documents) review(ctx context.Context, doc agentcard.DeclaredDocument) (declaredDocument, error) {
	out := declaredDocument{Name: doc.Name, Source: doc.Source, Hash: doc.Hash.String(), Review: "not seen"}
	body, mediaType, named, err := d.file(ctx, doc.Source)
	if err != nil {
		return out, err
	}
	if !named {
		body, mediaType, err = d.fetch(ctx, doc.Source)
	}
	if err != nil {
		out.Message = failures(err)[0].text
		var coded interface{ FetchCode() string }
		if errors.As(err, &coded) {
			out.Code = coded.FetchCode()
		}
		return out, nil
	}
	out.Review = "refused"
	verified, err := protocol.Verify(ctx, body, mediaType, doc.Hash, d.options())
	if err != nil {
		out.Message = err.Error()
		if e := (*protocol.Error)(nil); errors.As(err, &e) {
			out.Code = string(e.Code)
		}
		return out, nil
	}
	r := protocol.Examine(verified)
	out.Cost = r.Explain()
	for _, f := range r.Findings {
		level := "warning"
		if f.Error {
			level = "error"
		}
		out.Findings = append(out.Findings, reviewRemark{level, string(f.Code), f.Text})
	}
	if _, err := r.Accept(); err != nil {
		out.Message = err.Error()
		return out, nil
	}
	out.Review = "accepted"
	return out, nil
}

// text writes what came of a document.
func (d declaredDocument) text(line func(string)) {
	line(strings.TrimSpace(d.Hash + " " + d.Name))
	line("  " + d.Source)
	what := "  review: " + d.Review
	if d.Message != "" {
		what += ": " + d.Message
	}
	if d.Code != "" {
		what += " [" + d.Code + "]"
	}
	line(what)
	for _, c := range d.Cost {
		line("    " + c)
	}
	for _, f := range d.Findings {
		line("    " + f.Level + ": " + f.Text + " [" + f.Code + "]")
	}
}
