package owg

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// CardOptions configures [Workflow.Card].
type CardOptions struct {
	// ProviderOrg and ProviderURL name the organization that offers the work; required.
	ProviderOrg, ProviderURL string
	// URL is the address of the agent, over https; required.
	URL string
	// Name is the card's name, ProviderOrg for "". Version is its version, "1.0.0" for
	// "".
	Name, Version string
	// Tags are the tags of the skill; empty means "owg".
	Tags []string
	// InputsExtension is the URI of an extension that lists the inputs as data, since
	// skills of A2A have no schema for them; "" leaves it out.
	InputsExtension string
	// Extensions are objects for capabilities.extensions, such as a declaration of
	// terms.
	Extensions [][]byte
	// Allow lists names that the card may hold although they tell who or what is behind
	// the work, such as that of the offering organization.
	Allow []string
}

// Card makes an Agent Card from the definition (section C.5): unsigned, indented, with
// one skill. It describes the capability alone. It fails with an [*Error]: of
// [CodeCardSource] when the definition or the options lack what a card needs, of the
// first error of validation, and of [CodeCardLeak] when a text that goes from the
// definition onto the card names a participant, an organization, a host, an executor, a
// task, an asset or a scope. A task, asset or scope whose name is also the name of a
// param, or a word of the definition's id, gives nothing away: those are on the card
// anyway.
func (w *Workflow) Card(o CardOptions) ([]byte, error) {
	report, err := w.Validate(ValidateOptions{})
	if err != nil {
		return nil, err
	}
	if f := report.First(SeverityError); f != nil {
		return nil, f.err()
	}
	for _, need := range []struct{ what, value string }{
		{"the definition's id", w.id}, {"the definition's objective", w.objective},
		{"the organization that offers the work", o.ProviderOrg},
	} {
		if strings.TrimSpace(need.value) == "" {
			return nil, refuse(CodeCardSource, "expected %s", need.what)
		}
	}
	if !isHTTPS(o.URL) {
		return nil, refuse(CodeCardSource, "expected an https URL of the agent, found %s", quote(o.URL))
	}
	if u, err := url.Parse(o.ProviderURL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, refuse(CodeCardSource, "expected a URL of the organization, found %s", quote(o.ProviderURL))
	}
	params, err := w.Params()
	if err != nil {
		return nil, err
	}
	description := w.objective
	if len(params) > 0 {
		if !strings.HasSuffix(description, ".") {
			description += "."
		}
		description += " " + sentence(params)
	}
	name := w.id
	for _, member := range []string{"title", "name"} {
		if s, ok := w.root.Get(member).Str(); ok && s != "" {
			name = s
		}
	}
	own := []string{w.id, name, description}
	if err := w.keepsQuiet(own, params, o); err != nil {
		return nil, err
	}
	text, err := w.cardText(name, description, params, o)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	c, err := agentcard.Parse(out.Bytes(), agentcard.Limits{})
	if err != nil {
		return nil, refuse(CodeCardSource, "the card would not be valid: %s", err.Error())
	}
	for _, f := range c.Lint() {
		if f.Level == agentcard.Wrong {
			return nil, refuse(CodeCardSource, "the card would not be valid: %s", f.Text)
		}
	}
	return out.Bytes(), nil
}

// keepsQuiet refuses texts of the definition that hold names which must not be on a
// card. The texts that the caller passed may hold them.
func (w *Workflow) keepsQuiet(texts []string, params []Param, o CardOptions) error {
	allowed := slices.Concat([]string{o.ProviderOrg, o.Name, o.URL, o.ProviderURL, o.InputsExtension}, o.Tags, o.Allow)
	for _, u := range []string{o.URL, o.ProviderURL, o.InputsExtension} {
		allowed = append(allowed, hosts(u)...)
	}
	var published []string
	for _, p := range params {
		texts = append(texts, p.Name, p.Type)
		published = append(published, p.Name)
	}
	b := newBudget(w.limits.Work)
	all, err := w.secrets(b)
	if err != nil {
		return err
	}
	s, err := all.but(allowed, published, w.id, b)
	if err != nil {
		return err
	}
	for _, text := range texts {
		l, err := s.in(text, b)
		if err != nil {
			return err
		}
		if l != nil {
			return refuseAt(l.at, CodeCardLeak, "the card would say %s, which names %s: %s", quote(text), l.what, quote(l.name))
		}
	}
	return nil
}

// cardText writes the card, members in the order of the specification.
func (w *Workflow) cardText(name, description string, params []Param, o CardOptions) ([]byte, error) {
	or := func(s, otherwise string) string {
		if s == "" {
			return otherwise
		}
		return s
	}
	var provider, face, skill, capabilities, card object
	provider.text("organization", o.ProviderOrg)
	provider.text("url", o.ProviderURL)
	face.text("url", o.URL)
	face.text("protocolBinding", "JSONRPC")
	face.text("protocolVersion", "1.0")
	var extensions [][]byte
	if o.InputsExtension != "" && len(params) > 0 {
		extensions = append(extensions, inputsExtension(o.InputsExtension, params))
	}
	for _, e := range o.Extensions {
		v, err := strictjson.Parse(e, strictjson.Limits{})
		if err != nil {
			return nil, fromJSON(err)
		}
		if uri, ok := v.Get("uri").Str(); !ok || uri == "" {
			return nil, refuse(CodeCardSource, "expected an extension, which is an object with a uri")
		}
		extensions = append(extensions, bytes.TrimSpace(e))
	}
	if len(extensions) > 0 {
		capabilities.raw("extensions", list(extensions))
	}
	tags := o.Tags
	if len(tags) == 0 {
		tags = []string{"owg"}
	}
	skill.text("id", w.id)
	skill.text("name", name)
	skill.text("description", description)
	skill.texts("tags", tags)

	card.text("name", or(o.Name, o.ProviderOrg))
	card.text("description", description)
	card.raw("supportedInterfaces", list([][]byte{face.end()}))
	card.raw("provider", provider.end())
	card.text("version", or(o.Version, "1.0.0"))
	card.raw("capabilities", capabilities.end())
	card.texts("defaultInputModes", []string{"application/json"})
	card.texts("defaultOutputModes", []string{"application/json"})
	card.raw("skills", list([][]byte{skill.end()}))
	return card.end(), nil
}

func inputsExtension(uri string, params []Param) []byte {
	inputs := make([][]byte, len(params))
	for i, p := range params {
		var e object
		e.text("name", p.Name)
		e.some("type", p.Type)
		required := "false"
		if p.Required {
			required = "true"
		}
		e.raw("required", []byte(required))
		inputs[i] = e.end()
	}
	var data, out object
	data.raw("inputs", list(inputs))
	out.text("uri", uri)
	out.text("description", "the inputs of the skill, as data")
	out.raw("params", data.end())
	return out.end()
}
