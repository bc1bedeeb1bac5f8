package page

import (
	"math"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// Document describes a Protocol Document.
type Document struct {
	Syntax      string `json:"syntax"`
	Pin         string `json:"pin"`
	ID          string `json:"id,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Version     string `json:"version,omitempty"`
	// Canonical is the canonical form whose hash is the pin, in N-Quads.
	Canonical string  `json:"canonical"`
	Triples   int     `json:"triples"`
	Review    *Review `json:"review,omitempty"` // nil for a document that breaks a rule
}

// Review is what accepting the document amounts to.
type Review struct {
	Acceptable  bool      `json:"acceptable"`
	Shapes      int       `json:"shapes"`
	Constraints int       `json:"constraints"`
	Depth       int       `json:"depth"`
	Explained   []string  `json:"explained"`
	Request     Cost      `json:"request"`
	Response    *Cost     `json:"response,omitempty"`
	Findings    []Finding `json:"findings"`
	Omitted     int       `json:"omitted,omitempty"`
}

// Cost is the worst case of judging one node, in checks, when no property has more than
// 1, 10 and 100 values. -1 is more than can be counted. Values is how many values a
// property may have before the budget can be exceeded, -1 for any number.
type Cost struct {
	Checks [3]int `json:"checks"`
	Values int    `json:"values"`
}

// Finding is something that the review found.
type Finding struct {
	Error bool      `json:"error"`
	Code  string    `json:"code"`
	Text  string    `json:"text"`
	Place rdf.Place `json:"place,omitzero"`
}

// options are those of a peer's text. The name of the text asks for places.
func options(file string) protocol.Options {
	return protocol.Options{File: file, Contexts: jsonld.Builtin()}
}

// document reads, hashes and reviews the document.
func (j *judging) document() {
	text := j.in.Document
	syntax := text.syntax()
	c, err := protocol.Parse(j.ctx, []byte(text.Text), syntax.MediaType(), options(FileDocument))
	if err != nil {
		j.problems(FileDocument, "the Protocol Document cannot be read", err)
		return
	}
	d := &Document{Syntax: syntax.String(), Pin: c.Pin().String(), Triples: c.Dataset().Len()}
	j.out.Document = d
	canonical, err := canon.Canonicalize(j.ctx, c.Dataset(), canon.Options{})
	if err != nil {
		j.problems(FileDocument, "the Protocol Document has no canonical form", err)
		return
	}
	d.Canonical = string(canonical.NQuads())
	doc, err := c.Verify(c.Pin())
	if err != nil {
		j.problems(FileDocument, "the text is no valid Protocol Document", err)
		return
	}
	d.ID, d.Title, d.Description, d.Version = doc.ID(), doc.Title(), doc.Description(), doc.Version()
	r := protocol.Examine(doc)
	j.reviewed, err = r.Accept()
	d.Review = reviewOf(doc, r, err == nil)
	if err != nil {
		j.refused(string(protocol.CodeInvalidProtocolDocument), "the Protocol Document cannot be accepted: "+err.Error())
		return
	}
	j.out.Verdict = Verdict{Yes, "", "the Protocol Document can be accepted"}
}

func reviewOf(doc *protocol.Document, r *protocol.Review, acceptable bool) *Review {
	out := &Review{
		Acceptable: acceptable, Shapes: r.Shapes, Constraints: r.Constraints, Depth: r.Depth,
		Explained: r.Explain(), Request: costOf(r.Request), Findings: []Finding{}, Omitted: r.Omitted,
	}
	if _, ok := doc.ResponseShape(); ok {
		c := costOf(r.Response)
		out.Response = &c
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, Finding{f.Error, string(f.Code), f.Text, f.Place})
	}
	return out
}

// costOf keeps numbers that JavaScript can hold.
func costOf(c protocol.Cost) Cost {
	most := func(n int) int {
		if n == math.MaxInt || int64(n) > 1<<53 {
			return -1
		}
		return n
	}
	return Cost{[3]int{most(c.Checks[0]), most(c.Checks[1]), most(c.Checks[2])}, most(c.Values)}
}
