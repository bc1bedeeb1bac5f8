package owg

import (
	_ "embed" // for the Protocol Document
	"net/url"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

//go:embed perform-task.ttl
var performTask string

// PerformTaskPin is the pin of [PerformTaskDocument].
const PerformTaskPin = "sha256:c9c2e3a130ecade1c040e96c8c7d160686b14f16dff7c2492f587d0121ff7239"

// PerformTaskDocument returns the Protocol Document, in Turtle, for tasks that are handed
// over as intents: its request shape judges [HandOff.Intent], its response shape
// [Result.Graph].
func PerformTaskDocument() []byte { return []byte(performTask) }

// Target returns the IRI of the requested skill, which is the target of the intent.
func (h *HandOff) Target() string { return SkillBase + url.PathEscape(h.Skill) }

// Intent returns the hand-off as an RDF graph with one a2a:Intent that has the given IRI.
// The request shape of [PerformTaskDocument] judges it. The delegation in it is data and
// no authority for an authorizer. It fails for a hand-off without a task or a skill, for
// a delegation without a delegator, and for a time, inputs or an IRI that are not valid.
func (h *HandOff) Intent(iri string) (*rdf.Dataset, error) {
	if h.Task == "" || h.Skill == "" {
		return nil, refuse(CodeHandOff, "expected a task and a skill")
	}
	w := newGraph()
	intent, action := w.iri(iri), w.blank()
	w.add(intent, vocab.RDFType, w.iri(vocab.A2AIntent))
	w.add(intent, vocab.A2AAction, action)
	w.add(action, vocab.RDFType, w.iri(ClassPerformTask))
	w.add(action, vocab.SchemaObject, w.iri(h.Target()))
	w.texts(action, termWorkflow, h.Workflow)
	w.texts(action, termTask, h.Task)
	w.texts(action, termSkill, h.Skill)
	w.texts(action, termObjective, h.Objective)
	if h.Inputs != nil {
		v, err := parse(h.Inputs, strictjson.Limits{}, "the inputs", CodeInputs)
		if err != nil {
			return nil, err
		}
		canonical, err := canonicalObject(v)
		if err != nil {
			return nil, err
		}
		w.add(action, termInputs, w.typed(string(canonical), vocab.RDFJSON))
	}
	w.texts(action, termUsed, h.Used...)
	w.texts(action, termProduced, h.Produced...)
	if d := h.Delegation; d != nil {
		if d.By == "" {
			return nil, refuse(CodeDelegationMissing, "expected by, who hands the task over")
		}
		node := w.blank()
		w.add(action, termDelegated, node)
		w.add(node, vocab.RDFType, w.iri(termDelegation))
		w.texts(node, termBy, d.By)
		w.texts(node, termIdentity, h.Identity)
		w.texts(node, termScope, d.Scope...)
		if d.ExpiresAt != "" {
			if _, ok := parseTime(d.ExpiresAt); !ok {
				return nil, refuse(CodeTime, "expected a time as in RFC 3339, found %s", quote(d.ExpiresAt))
			}
			w.add(node, termExpiresAt, w.typed(d.ExpiresAt, vocab.XSD+"dateTimeStamp"))
		}
	}
	return w.dataset()
}

// ReadIntent reads the hand-off from an intent in a graph that the request shape of
// [PerformTaskDocument] accepted. Lists come sorted, each member once, since a graph has
// no order. It fails with an [*Error], of [CodeHandOff] when the graph has no value or
// several where there must be one.
func ReadIntent(graph *rdf.Dataset, intent rdf.Term) (*HandOff, error) {
	r := graphReader{d: graph}
	node := graph.Lookup(intent)
	if node == 0 {
		return nil, refuse(CodeHandOff, "expected an intent, found none")
	}
	action := r.one(node, vocab.A2AAction)
	r.class(action, ClassPerformTask)
	h := &HandOff{
		Workflow: r.text(action, termWorkflow, false), Task: r.text(action, termTask, true), Skill: r.text(action, termSkill, true),
		Objective: r.text(action, termObjective, false), Used: r.texts(action, termUsed), Produced: r.texts(action, termProduced),
	}
	if inputs := r.literal(action, termInputs, vocab.RDFJSON, false); inputs != "" && r.err == nil {
		v, err := parse([]byte(inputs), strictjson.Limits{}, "the inputs", CodeInputs)
		if err != nil {
			return nil, err
		}
		h.Inputs = []byte(v.Source())
	}
	if target := r.one(action, vocab.SchemaObject); r.err == nil && (graph.Kind(target) != rdf.KindIRI || graph.Value(target) != h.Target()) {
		r.fail("expected the target <%s> for the skill %s", h.Target(), quote(h.Skill))
	}
	if n := r.objects(action, termDelegated); len(n) > 0 && r.err == nil {
		d := r.one(action, termDelegated)
		r.class(d, termDelegation)
		h.Identity = r.text(d, termIdentity, false)
		h.Delegation = &Delegation{
			By: r.text(d, termBy, true), Scope: r.texts(d, termScope), ScopeStated: true,
			ExpiresAt: r.literal(d, termExpiresAt, vocab.XSD+"dateTimeStamp", false),
		}
		if h.Delegation.Scope == nil {
			h.Delegation.Scope = []string{} // without a scope it grants as little as with an empty one
		}
		if _, ok := parseTime(h.Delegation.ExpiresAt); h.Delegation.ExpiresAt != "" && !ok {
			r.fail("expected a time as in RFC 3339, found %s", quote(h.Delegation.ExpiresAt))
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return h, nil
}

// Result is the result of a task.
type Result struct {
	Task     string
	Produced []Produced
}

// Graph returns the result as an RDF graph, for the response shape of
// [PerformTaskDocument] to judge. It fails for a result without a task or with an
// asset without an id.
func (x *Result) Graph() (*rdf.Dataset, error) {
	if x.Task == "" {
		return nil, refuse(CodeHandOff, "expected a task")
	}
	w := newGraph()
	result := w.blank()
	w.add(result, vocab.RDFType, w.iri(ClassTaskResult))
	w.texts(result, termTask, x.Task)
	for _, p := range x.Produced {
		if p.Asset == "" {
			return nil, refuse(CodeHandOff, "expected the id of an asset")
		}
		node := w.blank()
		w.add(result, termProduced, node)
		w.add(node, vocab.RDFType, w.iri(termAssetClass))
		w.texts(node, termAsset, p.Asset)
		w.texts(node, termArtifact, p.Artifact)
		w.texts(node, termSHA256, p.SHA256)
	}
	return w.dataset()
}

// ReadResult reads the result from a graph that the response shape of
// [PerformTaskDocument] accepted, assets sorted. It fails with an [*Error] of
// [CodeHandOff] when there is not exactly one, or it lists an asset twice.
func ReadResult(graph *rdf.Dataset) (*Result, error) {
	r := graphReader{d: graph}
	var results []rdf.ID
	if typ, class := graph.LookupIRI(vocab.RDFType), graph.LookupIRI(ClassTaskResult); typ != 0 && class != 0 {
		for q := range graph.Default().Subjects(typ, class).Quads() {
			results = append(results, q.S)
		}
	}
	if len(results) != 1 {
		return nil, refuse(CodeHandOff, "expected one result, found %d", len(results))
	}
	out := &Result{Task: r.text(results[0], termTask, true)}
	for _, node := range r.objects(results[0], termProduced) {
		r.class(node, termAssetClass)
		out.Produced = append(out.Produced, Produced{
			Asset: r.text(node, termAsset, true), Artifact: r.text(node, termArtifact, false), SHA256: r.text(node, termSHA256, false),
		})
	}
	slices.SortFunc(out.Produced, func(a, b Produced) int { return strings.Compare(a.Asset, b.Asset) })
	for _, p := range out.Produced {
		if p.SHA256 != "" && (len(p.SHA256) != 64 || strings.Trim(p.SHA256, "0123456789abcdef") != "") {
			r.fail("expected a SHA-256 in hexadecimal, found %s", quote(p.SHA256))
		}
		if len(p.Artifact) > maxID {
			r.fail("expected ids of at most %d bytes, found one of %d", maxID, len(p.Artifact))
		}
	}
	for i := 1; i < len(out.Produced); i++ {
		if out.Produced[i].Asset == out.Produced[i-1].Asset {
			r.fail("expected each asset once, found %s twice", quote(out.Produced[i].Asset))
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return out, nil
}
