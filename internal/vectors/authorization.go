package vectors

import (
	"context"
	"errors"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// authorizationOperations are those of whole decisions as the receiver of an intent makes
// them (specification "authz", sections 3, 5 and 8): the public suites have the parts.
func authorizationOperations() []Operation {
	return []Operation{{"authorize-presentation", []string{
		"presentation", "challenge", "domains", "policies", "documents", "rootPrincipal", "actor", "now", "request", "intent", "attributes", "mapping",
		"revoked", "revocationDocuments", "statusUnreachable", "maxChainLength", "requireDuties", "hasPolicy",
	}, authorizePresentation}}
}

// authorizePresentation decides by the settings of production (section 10.1 has those of the
// other operations): the W3C profile, content that is bound, keys for their purposes alone,
// and a holder who acts. What is asked for is a request, or an intent.
func authorizePresentation(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	a, revocations := circumstances(in)
	r := &a.Request
	expected := vc.Expected{Challenge: in.needed("challenge"), Domain: in.texts("domains")}
	presentation, err := c.file(in, "presentation")
	if err != nil {
		return nil, err
	}
	policies, documents := in.texts("policies"), in.get("documents")
	ask := asked{request: in.get("request"), intent: in.text("intent"), attributes: in.get("attributes"), mapping: in.get("mapping")}
	if err := in.done(); err != nil {
		return nil, err
	}
	mapped, err := ask.read(c, r)
	if err != nil {
		return nil, err
	}
	if !mapped {
		return Outcome{Bool("authorized", false)}, nil
	}
	for _, name := range policies {
		content, syntax, err := readRDF(name, c.Open)
		if err != nil {
			return nil, err
		}
		r.Chain.Policies = append(r.Chain.Policies, authz.PolicyDocument{Content: content, Syntax: syntax})
	}
	if r.Revocations, err = readRevocations(revocations, c.Open); err != nil {
		return nil, err
	}
	config := vc.Config{Profile: vc.ProfileW3C, Contexts: jsonld.Builtin(), Authority: true}
	if config.Documents, err = ReadDocuments(documents, c.Open); err != nil {
		return nil, err
	}
	if config.Keys, err = c.keys(ctx); err != nil {
		return nil, err
	}
	v, err := vc.New(config)
	if err != nil {
		return nil, err
	}
	authorizer, err := authz.New(authz.Config{Verifier: v, MaxPolicies: a.MaxPolicies, RequireDuties: a.RequireDuties})
	if err != nil {
		return nil, err
	}
	d, err := authorizer.AuthorizePresentation(ctx, *r, presentation, expected)
	if err != nil {
		return nil, err
	}
	return decided(&d), nil
}

// asked is what a case asks for: a request, or an intent with what this side knows.
type asked struct {
	request, attributes, mapping strictjson.Value
	intent                       string
}

// read adds it to a request for a decision. It reports false for an intent that asks for
// nothing that authority is known for, which is denied without a decision (section 8.2).
func (k *asked) read(c *Case, r *authz.Request) (mapped bool, err error) {
	if k.intent != "" && k.request.Exists() {
		return false, errors.New("expected a request or an intent")
	}
	if k.intent == "" {
		ask, err := odrl.RequestValue(k.request)
		r.Asks = []odrl.Request{ask}
		return err == nil, err
	}
	body, err := c.Open(k.intent)
	if err != nil {
		return false, err
	}
	known, err := odrl.RequestValue(k.known())
	if err != nil {
		return false, err
	}
	graph, err := protocol.ReadPayload(body, "text/turtle", protocol.Options{})
	if err != nil {
		return false, err
	}
	node, n := protocol.Intents(graph)
	if n != 1 {
		return false, nil
	}
	read := authz.ReadIntent
	if k.mapping.Exists() {
		m, err := readMapping(k.mapping)
		if err != nil {
			return false, err
		}
		read = m.ReadIntent
	}
	intent, err := read(graph, node, known.Attributes)
	if err != nil {
		return false, nil
	}
	r.Asks, r.ClaimedAgent = intent.Asks, intent.Agent
	r.Policies = append(r.Policies, intent.Policies...)
	return true, nil
}

// known is a request with the attributes alone.
func (k *asked) known() strictjson.Value {
	text := "{}"
	if k.attributes.Exists() {
		text = `{"attributes":` + k.attributes.Source() + `}`
	}
	v, _ := strictjson.Parse([]byte(text), strictjson.Limits{Bytes: maxFile}) // it is part of what was parsed
	return v
}

// readMapping reads what the classes of actions of a Protocol Document ask for (AZ-8.1).
func readMapping(v strictjson.Value) (authz.Mapping, error) {
	m := authz.Mapping{Actions: map[string]authz.ActionMapping{}}
	if v.Kind() != strictjson.Object {
		in := members(v)
		return m, in.err
	}
	for class, entry := range v.Members() {
		in := members(entry)
		a := authz.ActionMapping{Action: in.needed("action"), Target: in.needed("target"), Attributes: map[string]string{}}
		attributes := in.get("attributes")
		if err := in.done(); err != nil {
			return m, err
		}
		for name, property := range attributes.Members() {
			iri, _ := property.Str()
			if err := rdf.CheckIRI(iri); err != nil {
				return m, err
			}
			a.Attributes[name] = iri
		}
		m.Actions[class] = a
	}
	return m, nil
}
