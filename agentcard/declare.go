package agentcard

import (
	"errors"
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"
)

// AppendExtension appends the declaration as the AgentExtension object that a card
// lists in capabilities.extensions, members in a fixed order, without white space.
// It writes the extension's URI, the description, Required, Formats, NLNegotiation
// and Documents; Declared, Valid and Findings are results of reading and play no
// part.
//
// It fails when a reader would not read the same declaration back: for an empty
// description, no formats or one that is not a media type, a document without a pin or
// whose source is not an https URL without user name, and more documents than a reader
// keeps. The server must hold each document verified and reviewed before it serves the
// card (CARD-13).
func (d Declaration) AppendExtension(dst []byte) ([]byte, error) {
	if d.Description == "" {
		return dst, errors.New("a declaration needs a description that people can read")
	}
	for _, f := range d.Formats {
		if essence, _, err := mime.ParseMediaType(f); err != nil || !strings.Contains(essence, "/") {
			return dst, fmt.Errorf("%q is not a media type", f)
		}
	}
	for _, doc := range d.Documents {
		if doc.Hash.IsZero() {
			return dst, fmt.Errorf("the document %q has no pin", doc.Source)
		}
	}
	extension := d.appendObject(nil)
	if err := d.readsBack(extension); err != nil {
		return dst, err
	}
	return append(dst, extension...), nil
}

func (d Declaration) appendObject(dst []byte) []byte {
	dst = append(dst, `{"uri":"`+ExtensionURI+`","description":`...)
	dst = appendString(dst, d.Description)
	dst = append(dst, `,"required":`...)
	dst = strconv.AppendBool(dst, d.Required)
	dst = append(dst, `,"params":{"formats":[`...)
	for i, f := range d.Formats {
		dst = appendString(separated(dst, i), f)
	}
	dst = append(dst, `],"nlNegotiation":`...)
	dst = strconv.AppendBool(dst, d.NLNegotiation)
	dst = append(dst, `,"protocolDocuments":[`...)
	for i, doc := range d.Documents {
		dst = append(separated(dst, i), '{')
		if doc.Name != "" {
			dst = append(appendString(append(dst, `"name":`...), doc.Name), ',')
		}
		dst = appendString(append(dst, `"source":`...), doc.Source)
		dst = append(dst, `,"hash":"`+doc.Hash.String()+`"}`...)
	}
	return append(dst, `]}}`...)
}

func separated(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}

// readsBack fails unless a card with the extension declares exactly d.
func (d Declaration) readsBack(extension []byte) error {
	card := slices.Concat([]byte(`{"capabilities":{"extensions":[`), extension, []byte(`]}}`))
	c, err := Parse(card, Limits{})
	if err != nil {
		return err
	}
	got := c.Declaration()
	for _, f := range got.Findings {
		if f.Code != CodeDeclRequired {
			return errors.New(f.Text)
		}
	}
	if !got.Valid || got.Description != d.Description || got.Required != d.Required || got.NLNegotiation != d.NLNegotiation ||
		!slices.Equal(got.Formats, d.Formats) || !slices.Equal(got.Documents, d.Documents) {
		return errors.New("the declaration does not read back as it was written")
	}
	return nil
}
