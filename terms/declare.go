package terms

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
)

// Listing is a document that a declaration lists, and how.
type Listing struct {
	Document *Document
	URL      string // where the document is, or will be, served
	// Offering is the offering that the entry names. Empty names that of the document
	// if the document has exactly one.
	Offering string
}

// DeclareOptions configures [Declare].
type DeclareOptions struct {
	// SOWSpec is the version of the Agent SoW specification that the documents follow.
	// It is required.
	SOWSpec string
	// Description is for people; empty means a standard text.
	Description string
	// Channel is where the card will be served. On a restricted channel For is the
	// agent's key of the party that it is restricted to, which a directed proposal must
	// name; on the public one it must be empty.
	Channel Channel
	For     string
	// Strict refuses documents that lack an expected clause.
	Strict bool
}

// Declare writes the extension object that a card lists in capabilities.extensions
// (section B.10), members in a fixed order and none of them empty, without white
// space. It leaves out required, which is then false: a written false is signed by some
// implementations and not by others. It fails for what a reader would refuse: documents
// that are unsigned, not standing, incomplete, or directed at another party than the card
// is for, and two documents at one URL; the error is a [*DeclareError] where it is about
// one document. The card must be signed again afterwards.
func Declare(listings []Listing, o DeclareOptions) ([]byte, error) {
	switch {
	case len(listings) == 0:
		return nil, errors.New("a declaration needs a proposal")
	case len(listings) > DefaultLimits().Proposals:
		return nil, fmt.Errorf("expected at most %d proposals", DefaultLimits().Proposals)
	case o.SOWSpec == "":
		return nil, errors.New("a declaration needs the version of the specification that its proposals follow")
	case !utf8.ValidString(o.SOWSpec) || !utf8.ValidString(o.Description):
		return nil, errors.New("expected the version and the description in UTF-8")
	case o.Channel == Restricted && o.For == "":
		return nil, errors.New("a card for a restricted channel needs the key of the party that it is for")
	case o.Channel == Public && o.For != "":
		return nil, errors.New("a public card must not be for a single party")
	}
	if o.Description == "" {
		o.Description = "Published terms: signed Agent SoW standing proposals, committed by digest"
	}
	out := []byte(`{"uri":"` + ExtensionURI + `","description":`)
	out = appendString(out, o.Description)
	out = append(out, `,"params":{"sow_spec":`...)
	out = append(appendString(out, o.SOWSpec), `,"proposals":[`...)
	seen := map[string]bool{}
	for i, l := range listings {
		digest, err := l.check(o)
		if err != nil {
			return nil, &DeclareError{Index: i, Err: err}
		}
		if seen[Resource(l.URL)] {
			return nil, &DeclareError{Index: i, Err: &Error{Code: CodeEntryConflict, Text: "expected another URL for every document"}}
		}
		seen[Resource(l.URL)] = true
		if i > 0 {
			out = append(out, ',')
		}
		out = appendString(append(out, `{"url":`...), l.URL)
		out = append(out, `,"digest":"`+digest.String()+`","sow":`...)
		out = appendString(out, l.Document.ID())
		if l.Offering == "" {
			if all := offerings(l.Document.root); len(all) == 1 {
				l.Offering = all[0]
			}
		}
		if l.Offering != "" {
			out = appendString(append(out, `,"offering":`...), l.Offering)
		}
		out = append(out, '}')
	}
	out = append(out, `]}}`...)
	return out, readsBack(out, len(listings))
}

// DeclareError says which document could not be declared, and why. Err is an [*Error]
// if it is about the document's content.
type DeclareError struct {
	Index int // among the listings
	Err   error
}

// Error returns the reason.
func (e *DeclareError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *DeclareError) Unwrap() error { return e.Err }

// check makes the checks that a reader will make, and returns the document's digest.
func (l Listing) check(o DeclareOptions) (canon.Digest, error) {
	d := l.Document
	if d == nil || !d.root.Exists() {
		return canon.Digest{}, errors.New("expected a document that was parsed")
	}
	if !isDocumentURL(l.URL) {
		return canon.Digest{}, &Error{Code: CodeURL, Text: "expected an absolute https URL without user name"}
	}
	if l.Offering != "" && !slices.Contains(offerings(d.root), l.Offering) {
		return canon.Digest{}, refuseAt(d.root.Get("scope"), CodeOfferingDoc, "expected the offering among those of the document")
	}
	if _, e := d.verifyProvider(); e != nil {
		return canon.Digest{}, e
	}
	if e := d.checkStanding(); e != nil {
		return canon.Digest{}, e
	}
	if _, _, e := d.checkComplete(o.Strict); e != nil {
		return canon.Digest{}, e
	}
	if to := d.readOfferedTo(); to != nil {
		at := orElse(d.root.Get("parties").Get("offered_to"), d.root)
		switch {
		case o.Channel == Public:
			return canon.Digest{}, refuseAt(at, CodeDirectedPublic, "%s", CodeDirectedPublic.Text())
		case to.fault != nil:
			return canon.Digest{}, to.fault
		case to.agent != o.For:
			return canon.Digest{}, refuseAt(at, CodeDirectedOther, "expected an offer to the party that the card is for")
		}
	}
	return d.Digest()
}

// readsBack fails unless a card with the extension lists as many proposals, all of
// which count.
func readsBack(extension []byte, want int) error {
	card, err := agentcard.Parse([]byte(`{"capabilities":{"extensions":[`+string(extension)+`]}}`), agentcard.Limits{})
	if err != nil {
		return err
	}
	d := ReadDeclaration(card, Limits{})
	ok := d.Code == "" && len(d.Entries) == want && len(d.Findings) == 0
	for _, e := range d.Entries {
		ok = ok && e.Code == ""
	}
	if !ok {
		return errors.New("the declaration does not read back as it was written")
	}
	return nil
}

// appendString appends a JSON string without the escapes for HTML.
func appendString(dst []byte, s string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // it does not fail for a string
	return append(dst, strings.TrimSuffix(b.String(), "\n")...)
}
