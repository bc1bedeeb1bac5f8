package authz

import (
	"fmt"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

const (
	prov = vocab.PROV
	aar  = "https://w3id.org/jeswr/accountable-agent#" // provisional
)

// Dataset returns the record as RDF: what was decided, in the provisional vocabularies
// of sections 1.6 and 9, and who acted for whom by what plan, in PROV (section 7.11). It
// names the record by [Record.IRI]. It fails when the record, not being made by
// [Decision.Record], holds an IRI that is not valid.
func (r Record) Dataset() (*rdf.Dataset, error) {
	name, err := r.IRI()
	if err != nil {
		return nil, err
	}
	w := &graph{b: rdf.NewBuilder(rdf.Local())} // a record has bounds of its own, see JSON
	record := w.iri(name)
	w.add(record, vocab.RDFType, w.iri(vocab.ODRLDDecisionRecord))
	w.add(record, vocab.RDFType, w.iri(prov+"Entity"))
	w.add(record, vocab.ODRLDDecision, w.text(r.Decision))
	w.add(record, aar+"evaluatedAt", w.typed(r.EvaluatedAt, vocab.XSDDateTime))
	w.add(record, aar+"phase", w.text(string(r.Phase)))
	if r.Code != "" {
		w.add(record, aar+"errorCode", w.text(string(r.Code)))
	}
	if r.Reason != "" {
		w.add(record, vocab.ODRLDReason, w.text(r.Reason))
	}
	for _, link := range []struct{ property, iri string }{
		{aar + "rootPrincipal", r.RootPrincipal}, {aar + "actor", r.Actor}, {aar + "leafAssignee", r.LeafAssignee},
		{vocab.ODRLDRequestAgent, r.LeafAssignee},
	} {
		if link.iri != "" {
			w.add(record, link.property, w.iri(link.iri))
		}
	}
	w.presentation(record, r.Presentation)
	w.add(record, aar+"policyIntegrityProvisional", w.typed(fmt.Sprint(r.Provisional), vocab.XSDBoolean))
	for _, digest := range []struct{ property, text string }{{aar + "protocolHash", r.Protocol}, {aar + "intentHash", r.Intent}} {
		if digest.text != "" {
			w.add(record, digest.property, w.text(digest.text))
		}
	}
	for i := range r.Asks {
		w.ask(record, &r.Asks[i])
	}
	if r.Engine != "" {
		w.add(record, aar+"engine", w.text(r.Engine))
	}
	w.add(record, aar+"policyBinding", w.text(r.Settings.Binding))
	for _, c := range r.Revocations {
		node := w.blank()
		w.add(record, aar+"revocationDocument", node)
		w.add(node, aar+"digest", w.text(c.Digest))
		if c.By != "" {
			w.add(node, prov+"wasAttributedTo", w.name(c.By))
		}
	}
	for _, iri := range r.Revoked {
		w.add(record, aar+"revokedPolicyConsulted", w.name(iri))
	}
	w.duties(record, r.Duties)
	w.chain(record, aar+"chainPolicy", r.Chain)
	w.chain(record, aar+"actorChainPolicy", r.ActorChain)
	w.activity(record, &r)
	if w.err != nil {
		return nil, w.err
	}
	return w.b.Dataset(), nil
}

// presentation says what the chain came in.
func (w *graph) presentation(record rdf.ID, p *Presented) {
	if p == nil {
		return
	}
	node := w.blank()
	w.add(record, aar+"presentation", node)
	w.add(record, prov+"wasDerivedFrom", node)
	w.add(node, aar+"digest", w.text(p.Digest))
	w.add(node, vocab.SecChallenge, w.text(p.Challenge))
	for _, domain := range p.Domain {
		w.add(node, vocab.SecDomain, w.text(domain))
	}
	if p.Holder != "" {
		w.add(node, vocab.CredHolder, w.name(p.Holder))
	}
}

// ask says what was asked for, and with which attributes.
func (w *graph) ask(record rdf.ID, ask *Asked) {
	node := w.blank()
	w.add(record, aar+"ask", node)
	w.add(node, vocab.ODRLDRequestAction, w.name(ask.Action))
	w.add(node, vocab.ODRLDRequestTarget, w.name(ask.Target))
	for _, a := range ask.Attributes {
		for _, v := range a.Values {
			if a.Name == "purpose" {
				w.add(node, vocab.ODRLDRequestPurpose, w.name(v.Value))
			}
		}
		w.attribute(node, &a)
	}
}

// duties says which duties are open.
func (w *graph) duties(record rdf.ID, all []Duty) {
	for _, d := range all {
		if d.Fulfilled {
			continue
		}
		node := w.blank()
		w.add(record, aar+"outstandingDuty", node)
		if d.Action != "" {
			w.add(node, vocab.ODRLAction, w.name(d.Action))
		}
		if d.Target != "" {
			w.add(node, vocab.ODRLTarget, w.name(d.Target))
		}
		w.add(node, vocab.ODRLDFulfilled, w.typed("false", vocab.XSDBoolean))
	}
}

// attribute says what the receiver asserted for a left operand.
func (w *graph) attribute(ask rdf.ID, a *Attribute) {
	node := w.blank()
	w.add(ask, aar+"attribute", node)
	w.add(node, aar+"name", w.text(a.Name))
	for _, v := range a.Values {
		value := w.text(v.Value)
		switch {
		case v.Kind == odrl.KindIRI:
			value = w.name(v.Value)
		case v.Kind == odrl.KindBoolean:
			value = w.typed(v.Value, vocab.XSDBoolean)
		case v.Datatype != "" && v.Datatype != vocab.RDFLangString:
			value = w.typed(v.Value, v.Datatype)
		}
		w.add(node, vocab.RDF+"value", value)
	}
}

// activity says who acted, and by what plan.
func (w *graph) activity(record rdf.ID, r *Record) {
	activity := w.blank()
	w.add(record, prov+"wasGeneratedBy", activity)
	w.add(activity, vocab.RDFType, w.iri(prov+"Activity"))
	w.add(activity, prov+"startedAtTime", w.typed(r.EvaluatedAt, vocab.XSDDateTime))
	agent := r.Actor
	if agent == "" {
		agent = r.LeafAssignee
	}
	if agent == "" {
		return
	}
	w.add(activity, prov+"wasAssociatedWith", w.iri(agent))
	if n := len(r.Chain); n > 0 {
		association := w.blank()
		w.add(activity, prov+"qualifiedAssociation", association)
		w.add(association, vocab.RDFType, w.iri(prov+"Association"))
		w.add(association, prov+"agent", w.iri(agent))
		w.add(association, prov+"hadPlan", w.iri(r.Chain[n-1].Policy))
	}
}

// chain lists the policies of a chain in order, with whose they are and the credentials
// that bind them.
func (w *graph) chain(record rdf.ID, property string, hops []Hop) {
	if len(hops) == 0 {
		return
	}
	list := w.iri(vocab.RDFNil)
	for i := len(hops) - 1; i >= 0; i-- {
		node := w.blank()
		w.add(node, vocab.RDFFirst, w.iri(hops[i].Policy))
		w.add(node, vocab.RDFRest, list)
		list = node
	}
	w.add(record, property, list)
	for i := range hops {
		h := &hops[i]
		policy := w.iri(h.Policy)
		if h.Assigner != "" {
			w.add(policy, prov+"wasAttributedTo", w.iri(h.Assigner))
		}
		if i > 0 {
			w.add(policy, vocab.ODRLDDelegatedUnder, w.iri(hops[i-1].Policy))
			w.add(policy, prov+"wasDerivedFrom", w.iri(hops[i-1].Policy))
			if h.Assigner != "" && h.Assignee != "" {
				w.add(w.iri(h.Assignee), prov+"actedOnBehalfOf", w.iri(h.Assigner))
			}
		}
		if h.PolicyDigest != "" {
			w.add(policy, aar+"digest", w.text(h.PolicyDigest))
		}
		if h.Credential != "" {
			credential := w.iri(h.Credential)
			w.add(record, prov+"wasDerivedFrom", credential)
			w.add(credential, aar+"policy", policy)
			w.add(credential, aar+"digest", w.text(h.CredentialDigest))
		}
	}
}

// graph writes triples and keeps the first error.
type graph struct {
	b   *rdf.Builder
	err error
}

func (w *graph) keep(id rdf.ID, err error) rdf.ID {
	if err != nil && w.err == nil {
		w.err = err
	}
	return id
}

func (w *graph) add(s rdf.ID, property string, o rdf.ID) {
	p := w.iri(property)
	if w.err == nil {
		w.err = w.b.Add(s, p, o, 0)
	}
}

func (w *graph) iri(iri string) rdf.ID    { return w.keep(w.b.IRI([]byte(iri))) }
func (w *graph) blank() rdf.ID            { return w.keep(w.b.FreshBlank()) }
func (w *graph) text(s string) rdf.ID     { return w.typed(s, vocab.XSDString) }
func (w *graph) typed(s, t string) rdf.ID { return w.keep(w.b.Literal([]byte(s), w.iri(t))) }

// name returns an IRI, or a literal for a text that should have been one: what was asked
// for is recorded as it came.
func (w *graph) name(s string) rdf.ID {
	if rdf.CheckIRI(s) != nil {
		return w.text(s)
	}
	return w.iri(s)
}
