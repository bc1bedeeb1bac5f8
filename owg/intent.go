package owg

import (
	_ "embed" // for the Protocol Document
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

//go:embed perform-task.ttl
var performTask string

// PerformTaskPin is the pin of [PerformTaskDocument]. Another document has another
// pin.
const PerformTaskPin = "sha256:c9c2e3a130ecade1c040e96c8c7d160686b14f16dff7c2492f587d0121ff7239"

// PerformTaskDocument returns the Protocol Document, in Turtle, under which a task is
// handed over as an intent: its request shape judges [HandOff.Intent], its response
// shape [Result.Graph].
func PerformTaskDocument() []byte { return []byte(performTask) }

// Target returns the IRI of the skill that is asked for: the target of the intent.
func (h *HandOff) Target() string { return SkillBase + url.PathEscape(h.Skill) }

// Intent returns the hand-off as an RDF graph with one a2a:Intent, whose IRI is given;
// it is data for the request shape of [PerformTaskDocument] to judge. The delegation
// is part of the data: no authorizer takes it for authority. It fails for a hand-off
// without a task or a skill, for a delegation by nobody, for a time or inputs that are
// none, and when the IRI is none.
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

// ReadIntent reads the hand-off of the one intent of a graph that was judged by the
// request shape of [PerformTaskDocument]. Lists come sorted, each member once: a graph
// has no order. It fails with an [*Error] of [CodeHandOff] where the graph does not
// say one thing.
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
			h.Delegation.Scope = []string{} // none grants as little as an empty one
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

// Result is what came of a task.
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

// ReadResult reads the result of a graph that was judged by the response shape of
// [PerformTaskDocument], assets sorted. It fails with an [*Error] of [CodeHandOff]
// when there is not exactly one, or an asset stands twice.
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

// graphReader reads values and keeps the first error.
type graphReader struct {
	d   *rdf.Dataset
	err error
}

func (r *graphReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = refuse(CodeHandOff, format, args...)
	}
}

func (r *graphReader) objects(s rdf.ID, property string) []rdf.ID {
	p := r.d.LookupIRI(property)
	if s == 0 || p == 0 {
		return nil
	}
	var out []rdf.ID
	for q := range r.d.Default().Objects(s, p).Quads() {
		out = append(out, q.O)
	}
	return out
}

func (r *graphReader) one(s rdf.ID, property string) rdf.ID {
	all := r.objects(s, property)
	if len(all) != 1 {
		r.fail("expected one <%s>, found %d", property, len(all))
		return 0
	}
	return all[0]
}

func (r *graphReader) class(node rdf.ID, class string) {
	all := r.objects(node, vocab.RDFType)
	if !slices.ContainsFunc(all, func(c rdf.ID) bool { return r.d.Kind(c) == rdf.KindIRI && r.d.Value(c) == class }) {
		r.fail("expected a node of the class <%s>", class)
	}
}

// literal returns the one literal of a datatype.
func (r *graphReader) literal(s rdf.ID, property, datatype string, need bool) string {
	all := r.objects(s, property)
	if len(all) == 0 && !need {
		return ""
	}
	if len(all) != 1 || r.d.Kind(all[0]) != rdf.KindLiteral || r.d.Value(r.d.Datatype(all[0])) != datatype || r.d.Value(all[0]) == "" {
		r.fail("expected one literal of <%s> for <%s>, found %d values", datatype, property, len(all))
		return ""
	}
	return strings.Clone(r.d.Value(all[0])) // a hand-off does not keep the graph
}

func (r *graphReader) text(s rdf.ID, property string, need bool) string {
	return r.literal(s, property, rdf.XSDString, need)
}

// texts returns the strings of a property, sorted; nil for none.
func (r *graphReader) texts(s rdf.ID, property string) []string {
	var out []string
	for _, v := range r.objects(s, property) {
		if r.d.Kind(v) != rdf.KindLiteral || r.d.Value(r.d.Datatype(v)) != rdf.XSDString || r.d.Value(v) == "" {
			r.fail("expected strings that are not empty for <%s>", property)
			continue
		}
		out = append(out, strings.Clone(r.d.Value(v)))
	}
	slices.Sort(out)
	return out
}

// graphWriter writes triples and keeps the first error.
type graphWriter struct {
	b   *rdf.Builder
	err error
}

func newGraph() *graphWriter { return &graphWriter{b: rdf.NewBuilder(rdf.Peer())} }

func (w *graphWriter) id(id rdf.ID, err error) rdf.ID {
	if w.err == nil {
		w.err = err
	}
	return id
}

func (w *graphWriter) iri(iri string) rdf.ID { return w.id(w.b.IRI([]byte(iri))) }
func (w *graphWriter) blank() rdf.ID         { return w.id(w.b.FreshBlank()) }

func (w *graphWriter) typed(lexical, datatype string) rdf.ID {
	return w.id(w.b.Literal([]byte(lexical), w.iri(datatype)))
}

func (w *graphWriter) add(s rdf.ID, property string, o rdf.ID) {
	p := w.iri(property)
	if w.err == nil {
		w.err = w.b.Add(s, p, o, 0)
	}
}

// texts adds strings, the empty ones left out.
func (w *graphWriter) texts(s rdf.ID, property string, all ...string) {
	for _, text := range all {
		if text != "" {
			w.add(s, property, w.id(w.b.Literal([]byte(text), 0)))
		}
	}
}

func (w *graphWriter) dataset() (*rdf.Dataset, error) {
	if w.err != nil {
		return nil, fmt.Errorf("a hand-off that is no graph: %w", w.err)
	}
	return w.b.Dataset(), nil
}
