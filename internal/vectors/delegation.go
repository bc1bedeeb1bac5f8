package vectors

import (
	"context"
	"fmt"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// evaluateDelegatedChain is operation 1 of the specification "authz" (section 7).
// The attribute dateTime is honoured, and every revocation document is trusted
// (section 10.1).
func evaluateDelegatedChain(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	chain, now := in.texts("chain"), in.now()
	revoked, documents := in.texts("revoked"), in.texts("revocationDocuments")
	request := in.get("request")
	if err := in.done(); err != nil {
		return nil, err
	}
	r, err := odrl.RequestValue(request)
	if err != nil {
		return nil, err
	}
	r.Now, r.InsecureDateTime = now, true
	var policies []*odrl.Policy
	for _, name := range chain {
		d, err := c.rdfFile(name)
		if err != nil {
			return nil, err
		}
		p, err := delegation.Compile(d.Default(), "")
		if err != nil || len(d.GraphNames()) > 0 {
			policies = append(policies, nil) // denies
			continue
		}
		policies = append(policies, p)
	}
	o := delegation.Options{Revoked: delegation.Revoke(revoked...)}
	for _, name := range documents {
		d, err := c.rdfFile(name)
		if err != nil {
			return nil, err
		}
		if o.Revoked, err = o.Revoked.Document(d); err != nil {
			return Outcome{Text("decision", "deny")}, nil
		}
	}
	decision := "deny"
	if delegation.Evaluate(policies, &r, o).Permitted() {
		decision = "permit"
	}
	return Outcome{Text("decision", decision)}, nil
}

// rdfFile reads an RDF file that the input names.
func (c *Case) rdfFile(name string) (*rdf.Dataset, error) {
	data, err := c.Open(name)
	if err != nil {
		return nil, err
	}
	syntax, ok := rdfio.ByExtension(name)
	if !ok {
		return nil, fmt.Errorf("cannot tell the syntax from the extension of %q", name)
	}
	return rdfio.Parse(data, syntax, rdfio.Options{})
}
