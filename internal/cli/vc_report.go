package cli

import (
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf"
)

// verdict is the verdict of an outcome.
func (o *vcOutcome) verdict() verdict {
	switch {
	case o.nothing:
		return verdict{Status: StatusNothing, Code: "NO_STATUS", Message: "the credential has no status entries"}
	case o.verified && o.what == "status":
		return verdict{Status: StatusYes, Message: "the status is clear"}
	case o.verified && o.what == "proofs":
		return verdict{Status: StatusYes, Message: "the proofs are valid; nothing is said about who may sign"}
	case o.verified:
		return verdict{Status: StatusYes, Message: "the " + o.what + " is verified"}
	}
	v := verdict{Status: StatusNo, Code: string(o.code), Message: o.code.Text()}
	for _, f := range o.findings {
		if f.Code == o.code {
			v.Message = f.Text
			break
		}
	}
	return v
}

// codes are the codes of the findings, each once, in order.
func (o *vcOutcome) codes() []vc.Code {
	out := []vc.Code{}
	seen := map[vc.Code]bool{}
	for _, f := range o.findings {
		if !seen[f.Code] {
			seen[f.Code] = true
			out = append(out, f.Code)
		}
	}
	return out
}

func (a *app) vcReport(o *vcOutcome, asJSON bool) error {
	v := o.verdict()
	if asJSON {
		more, err := marshal(vcJSON(o))
		if err != nil {
			return err
		}
		return a.json(v, more)
	}
	a.vcText(o, v)
	for _, f := range o.findings {
		text := at(f.Text, f.Pointer)
		if f.Credential > 0 {
			text = fmt.Sprintf("credential %d: %s", f.Credential, text)
		}
		a.diag.line("error", rdf.Place{File: o.file, Line: f.Line, Column: f.Column}, text, string(f.Code))
	}
	if o.nothing {
		a.diag.warn(rdf.Place{File: o.file}, v.Message, v.Code)
	}
	return ended(v.Status)
}

// vcText writes an outcome for people.
func (a *app) vcText(o *vcOutcome, v verdict) {
	line := func(format string, args ...any) {
		fmt.Fprintln(a.out, printable(fmt.Sprintf(format, args...)))
	}
	if v.Status == StatusNo {
		var codes []string
		for _, c := range o.codes() {
			codes = append(codes, string(c))
		}
		line("%s: no: %s", o.file, strings.Join(codes, " "))
		return
	}
	line("%s: %s", o.file, v.Message)
	if o.holder != "" {
		line("  holder <%s>", o.holder)
	}
	for _, p := range o.signed {
		created := ""
		if p.Created != "" {
			created = ", created " + p.Created
		}
		line("  %s by <%s> for %s%s", p.Cryptosuite, p.Method, p.Purpose, created)
	}
	for _, c := range o.credentials {
		id := c.ID()
		if id == "" {
			id = "without an id"
		} else {
			id = "<" + id + ">"
		}
		line("  credential %s of <%s>, profile %s", id, c.Issuer(), c.Profile())
		if c.ValidUntil() != "" {
			line("    valid until %s", c.ValidUntil())
		}
		if _, _, ok := c.Graph(); !ok {
			line("    its claims cannot be read as RDF without loss")
		}
	}
	for _, e := range o.entries {
		line("  %s: entry %d of <%s> is clear", e.Purpose, e.Index, e.List)
	}
}

// vcDocument is an outcome as JSON.
type vcDocument struct {
	Verified    bool           `json:"verified"`
	Codes       []vc.Code      `json:"codes"`
	Findings    []vc.Finding   `json:"findings"`
	At          string         `json:"at"`
	Holder      string         `json:"holder,omitempty"`
	Proofs      []vcProof      `json:"proofs,omitempty"`
	Credentials []vcCredential `json:"credentials,omitempty"`
	Status      []vcEntry      `json:"status,omitempty"`
}

type vcProof struct {
	Cryptosuite vc.Cryptosuite `json:"cryptosuite"`
	Method      string         `json:"verificationMethod"`
	Controller  string         `json:"controller"`
	Purpose     vc.Purpose     `json:"proofPurpose"`
	Created     string         `json:"created,omitempty"`
}

type vcCredential struct {
	ID         string   `json:"id,omitempty"`
	Issuer     string   `json:"issuer"`
	Subject    string   `json:"subject,omitempty"` // an IRI
	Types      []string `json:"types,omitempty"`
	ValidFrom  string   `json:"validFrom,omitempty"`
	ValidUntil string   `json:"validUntil,omitempty"`
	Profile    string   `json:"profile"`
	Readable   bool     `json:"claimsReadable"`
}

type vcEntry struct {
	Purpose string `json:"statusPurpose"`
	List    string `json:"statusListCredential"`
	Index   int64  `json:"statusListIndex"`
	Set     bool   `json:"set"`
}

func vcJSON(o *vcOutcome) vcDocument {
	out := vcDocument{Verified: o.verified, Codes: o.codes(), Findings: append([]vc.Finding{}, o.findings...), At: timeText(o.at), Holder: o.holder}
	for _, p := range o.signed {
		out.Proofs = append(out.Proofs, vcProof(p))
	}
	for _, c := range o.credentials {
		_, _, readable := c.Graph()
		one := vcCredential{
			ID: c.ID(), Issuer: c.Issuer(), Types: c.Types(), ValidFrom: c.ValidFrom(), ValidUntil: c.ValidUntil(),
			Profile: c.Profile().String(), Readable: readable,
		}
		if s := c.Subject(); s.Kind() == rdf.KindIRI {
			one.Subject = s.Value()
		}
		out.Credentials = append(out.Credentials, one)
	}
	for _, e := range o.entries {
		out.Status = append(out.Status, vcEntry{e.Purpose, e.List, e.Index, e.Set})
	}
	return out
}
