package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
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

// review looks at documents as a client does that is about to rely on them: the pin first,
// then every rule, then what it would cost (CARD-12). A card may list one URL many times,
// which is looked at once. It fails for a file that the call names and that cannot be read; a
// document that cannot be fetched was not seen.
func (d *documents) review(ctx context.Context, docs []agentcard.DeclaredDocument) ([]declaredDocument, error) {
	out := make([]declaredDocument, len(docs))
	looked := map[string]bool{}
	for i := range docs {
		url := docs[i].Source
		if looked[url] {
			continue
		}
		looked[url] = true
		s, err := d.look(ctx, url)
		if err != nil {
			return nil, err
		}
		for j := range docs {
			if docs[j].Source == url {
				out[j] = s.reviewOf(ctx, docs[j].Hash)
				out[j].Name, out[j].Source, out[j].Hash = docs[j].Name, url, docs[j].Hash.String()
			}
		}
	}
	return out, nil
}

// source is what a URL leads to: a document, or the reason why none was seen.
type source struct {
	unseen error

	body      []byte
	mediaType string
	options   protocol.Options
	candidate *protocol.Candidate // nil for what is none

	review *declaredDocument // by its own pin, once that was asked for
}

// look reads and hashes what a URL leads to.
func (d *documents) look(ctx context.Context, url string) (*source, error) {
	s := &source{options: d.options()}
	var err error
	var named bool
	s.body, s.mediaType, named, err = d.file(ctx, url)
	switch {
	case err != nil:
		return nil, err
	case !named:
		s.body, s.mediaType, s.unseen = d.fetch(ctx, url)
	}
	if s.unseen == nil {
		s.candidate, _ = protocol.Parse(ctx, s.body, s.mediaType, s.options) // reviewOf says why it is none
	}
	return s, nil
}

// reviewOf reviews the document as the one with a pin.
func (s *source) reviewOf(ctx context.Context, pin canon.Digest) declaredDocument {
	var out declaredDocument
	switch {
	case s.unseen != nil:
		out.Review, out.Message = "not seen", failures(s.unseen)[0].text
		var coded interface{ FetchCode() string }
		if errors.As(s.unseen, &coded) {
			out.Code = coded.FetchCode()
		}
		return out
	case s.review != nil && (s.candidate == nil || s.candidate.Pin().Equal(pin)):
		return *s.review
	case s.candidate == nil:
		_, err := protocol.Verify(ctx, s.body, s.mediaType, pin, s.options)
		out.refused(err)
	case !s.candidate.Pin().Equal(pin):
		_, err := s.candidate.Verify(pin)
		out.refused(err)
		return out
	default:
		out.examine(s.candidate)
	}
	s.review = &out
	return out
}

// refused says why a document was refused.
func (d *declaredDocument) refused(err error) {
	d.Review, d.Message = "refused", err.Error()
	if e := (*protocol.Error)(nil); errors.As(err, &e) {
		d.Code = string(e.Code)
	}
}

// examine reviews a document that has the pin.
func (d *declaredDocument) examine(c *protocol.Candidate) {
	verified, err := c.Verify(c.Pin())
	if err != nil {
		d.refused(err)
		return
	}
	r := protocol.Examine(verified)
	d.Cost = r.Explain()
	for _, f := range r.Findings {
		level := "warning"
		if f.Error {
			level = "error"
		}
		d.Findings = append(d.Findings, reviewRemark{level, string(f.Code), f.Text})
	}
	d.Review = "accepted"
	if _, err := r.Accept(); err != nil {
		d.Review, d.Message = "refused", err.Error()
	}
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
