package authz

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
)

// recordVersion is the version of the form of records. Other members need another one.
const recordVersion = 1

// Record says what was decided, on what grounds and why, for an audit (sections 1.6,
// 7.11 and 9). It has the digests of what was presented: with those documents and the
// same configuration the same request gives the same record, and [Record.Differences]
// shows where it does not. [Record.Sign] signs it and [VerifyRecord] verifies that. It
// names other parties, and is for the receiver alone.
type Record struct {
	Version       int    `json:"version"`
	Engine        string `json:"engine,omitempty"` // the software that decided, see Config.Engine
	EvaluatedAt   string `json:"evaluatedAt"`
	Decision      string `json:"decision"` // "permit" or "deny"
	Phase         Phase  `json:"phase"`
	Code          Code   `json:"code,omitempty"`
	Reason        string `json:"reason,omitempty"`
	Hop           int    `json:"hop"` // -1 for none
	RootPrincipal string `json:"rootPrincipal"`
	Actor         string `json:"actor,omitempty"`
	// Presentation is the presentation that the chain came in, nil if it came otherwise.
	Presentation *Presented `json:"presentation,omitempty"`
	LeafAssignee string     `json:"leafAssignee,omitempty"`
	Asks         []Asked    `json:"asks"`
	Policies     []string   `json:"namedPolicies,omitempty"` // by the intent
	Protocol     string     `json:"protocol,omitempty"`      // hash of the Protocol Document
	Intent       string     `json:"intent,omitempty"`        // hash of the intent
	Chain        []Hop      `json:"chain"`
	ActorChain   []Hop      `json:"actorChain,omitempty"`
	ActorReason  string     `json:"actorReason,omitempty"`
	ActorPhase   Phase      `json:"actorPhase,omitempty"`
	ActorCode    Code       `json:"actorCode,omitempty"`
	ActorChecks  []Step     `json:"actorChecks,omitempty"` // as Checks, of the actor's chain
	// Revoked are the policies that were known to be withdrawn, of both chains: to the
	// caller, by the documents, and of those that [Config.Revoked] remembers the one that
	// decided. Where that is not known any more, Request.Revoked can say so.
	Revoked []string `json:"revokedPolicyConsulted"`
	// Revocations are the documents that withdraw policies, in the order of the request,
	// and Unreachable says that others could not be read.
	Revocations []Consulted `json:"revocationDocuments,omitempty"`
	Unreachable bool        `json:"statusUnreachable,omitempty"`
	Claimed     string      `json:"claimedAgent,omitempty"` // by the intent
	Duties      []Duty      `json:"duties"`
	Provisional bool        `json:"policyIntegrityProvisional"`
	Settings    Settings    `json:"settings"`
	Checks      []Step      `json:"checks"`
}

// Presented is a presentation in a record, and what it had to be made for.
type Presented struct {
	Digest string `json:"digest"` // of the octets
	// Holder is the verified holder, "" when the presentation is not verified.
	Holder    string   `json:"holder,omitempty"`
	Challenge string   `json:"challenge"`
	Domain    []string `json:"domain"`             // sorted
	Exchange  string   `json:"exchange,omitempty"` // what the challenge was issued for
}

// Settings are the parts of the [Config] that a decision was made under.
type Settings struct {
	Binding           string   `json:"binding"`
	DocumentReference bool     `json:"documentReference,omitempty"`
	CanonicalDigests  bool     `json:"canonicalDigests,omitempty"`
	MaxPolicies       int      `json:"maxPolicies"`
	RequireDuties     bool     `json:"requireDuties,omitempty"`
	BlockingDuties    []string `json:"blockingDuties,omitempty"` // IRIs of actions behind a gate, sorted
	AssertedDateTime  bool     `json:"assertedDateTime,omitempty"`
	WithoutActor      bool     `json:"withoutActor,omitempty"`
}

// Consulted is a document that withdraws policies, in a record.
type Consulted struct {
	Digest string `json:"digest"` // of the octets
	By     string `json:"by,omitempty"`
}

// Asked is an action under test in a record.
type Asked struct {
	Action     string      `json:"action"`
	Target     string      `json:"target"`
	Attributes []Attribute `json:"attributes,omitempty"` // by name
	MemberOf   []Member    `json:"memberOf,omitempty"`   // by name
}

// Member is what an asset, a party or a value is a member of: stated by the receiver.
type Member struct {
	Name        string   `json:"name"`
	Collections []string `json:"collections"`
}

// Attribute is an attribute of an ask: asserted by the receiver, not proved.
type Attribute struct {
	Name   string           `json:"name"`
	Values []AttributeValue `json:"values"`
}

// AttributeValue is a value of an attribute with what it was made from.
type AttributeValue struct {
	Value    string         `json:"value"`
	Kind     odrl.ValueKind `json:"kind"`
	Datatype string         `json:"datatype,omitempty"` // of the literal that it was made from
}

// Duty is a duty in a record.
type Duty struct {
	Action    string `json:"action,omitempty"`
	Target    string `json:"target,omitempty"`
	ID        string `json:"id,omitempty"`
	Fulfilled bool   `json:"fulfilled"`
}

// Step is a check in a record.
type Step struct {
	Phase Phase  `json:"phase"`
	Step  string `json:"step"`
	Hop   int    `json:"hop"`
	OK    bool   `json:"ok"`
	Code  Code   `json:"code,omitempty"`
}

// summed are the digests of contents, by where they are in memory: a request may have one
// document thousands of times.
type summed map[place]string

// place is where a content is in memory.
type place struct {
	first *byte
	len   int
}

func placeOf(content []byte) place {
	if len(content) == 0 {
		return place{}
	}
	return place{&content[0], len(content)}
}

func (s summed) of(content []byte) string {
	at := placeOf(content)
	if _, ok := s[at]; !ok {
		s[at] = canon.Sum(content).String()
	}
	return s[at]
}

// Record returns the record of a decision.
func (d Decision) Record() Record {
	r := Record{
		Version: recordVersion, EvaluatedAt: d.At.UTC().Format(time.RFC3339Nano), Decision: "deny", Phase: d.Phase, Code: d.Code, Reason: d.Reason, Hop: d.Hop,
		LeafAssignee: d.LeafAssignee, Asks: []Asked{}, Chain: append([]Hop{}, d.Hops...),
		Revoked: append([]string{}, d.revoked...), Duties: []Duty{}, Provisional: d.PolicyIntegrityProvisional, Checks: []Step{},
	}
	if d.authorized {
		r.Decision = "permit"
	}
	if q := d.request; q != nil {
		r.RootPrincipal, r.Actor, r.Policies = q.RootPrincipal, q.Actor, slices.Sorted(slices.Values(q.Policies))
		for _, digest := range []struct {
			from canon.Digest
			to   *string
		}{{q.Protocol, &r.Protocol}, {q.Intent, &r.Intent}} {
			if !digest.from.IsZero() {
				*digest.to = digest.from.String()
			}
		}
		for i := range q.Asks {
			r.Asks = append(r.Asks, asked(&q.Asks[i]))
		}
		r.Unreachable, r.Claimed = q.StatusUnreachable, q.ClaimedAgent
		sums := summed{}
		for _, doc := range q.Revocations {
			r.Revocations = append(r.Revocations, Consulted{sums.of(doc.Content), doc.By})
		}
	}
	if d.config != nil {
		r.Engine, r.Settings = d.config.Engine, d.config.settings()
	}
	r.Presentation = d.presented.clone()
	if d.Actor != nil {
		r.ActorChain, r.ActorReason = append([]Hop{}, d.Actor.Hops...), d.Actor.Reason
		r.ActorPhase, r.ActorCode = d.Actor.Phase, d.Actor.Code
		r.ActorChecks = steps(nil, d.Actor.Checks)
		r.Revoked = append(r.Revoked, d.Actor.revoked...)
		slices.Sort(r.Revoked)
		r.Revoked = slices.Compact(r.Revoked)
	}
	for _, s := range d.Duties {
		r.Duties = append(r.Duties, Duty{s.Action, s.Target, s.ID, s.Fulfilled})
	}
	r.Checks = steps(r.Checks, d.Checks)
	return r
}

func steps(out []Step, checks []Check) []Step {
	for _, c := range checks {
		out = append(out, Step{c.Phase, c.Step, c.Hop, c.OK, c.Code})
	}
	return out
}

func (p *Presented) clone() *Presented {
	if p == nil {
		return nil
	}
	c := *p
	c.Domain = append([]string{}, p.Domain...)
	return &c
}

func asked(q *odrl.Request) Asked {
	a := Asked{Action: odrl.ActionIRI(q.Action), Target: q.Target}
	for name, values := range q.Attributes {
		attribute := Attribute{Name: name, Values: []AttributeValue{}}
		for _, v := range values {
			attribute.Values = append(attribute.Values, AttributeValue{v.String(), v.Kind(), v.Datatype()})
		}
		a.Attributes = append(a.Attributes, attribute)
	}
	slices.SortFunc(a.Attributes, func(x, y Attribute) int { return strings.Compare(x.Name, y.Name) })
	for name, collections := range q.MemberOf {
		m := Member{Name: name, Collections: append([]string{}, collections...)}
		slices.Sort(m.Collections)
		a.MemberOf = append(a.MemberOf, m)
	}
	slices.SortFunc(a.MemberOf, func(x, y Member) int { return strings.Compare(x.Name, y.Name) })
	return a
}

// settings returns what a record says about a configuration.
func (c *Config) settings() Settings {
	s := Settings{
		Binding: c.Binding.String(), DocumentReference: c.DocumentReference, CanonicalDigests: c.CanonicalDigests,
		MaxPolicies: delegation.DefaultMaxPolicies, RequireDuties: c.RequireDuties,
		AssertedDateTime: c.InsecureDateTime, WithoutActor: c.InsecureWithoutActor,
	}
	if c.MaxPolicies != nil {
		s.MaxPolicies = *c.MaxPolicies
	}
	for action, gate := range c.Gates {
		if gate == delegation.Block {
			s.BlockingDuties = append(s.BlockingDuties, action)
		}
	}
	slices.Sort(s.BlockingDuties)
	return s
}

// JSON returns the record as one line of JSON: always the same for the same record. It
// fails for a record that could not be read again: of more than 4 MiB or 65,536 values.
func (r Record) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	const small = 64 << 10 // has fewer values than the limit
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if len(text) > small {
		if _, err := strictjson.Parse(text, recordJSON()); err != nil {
			return nil, fmt.Errorf("a record of %d bytes could not be read again: %w", len(text), err)
		}
	}
	return text, nil
}

// Digest returns the SHA-256 of the record's JSON in canonical form (RFC 8785). It is
// what a signature covers, and a later record can name this one by it.
func (r Record) Digest() (canon.Digest, error) {
	text, err := r.JSON()
	if err != nil {
		return canon.Digest{}, err
	}
	canonical, err := strictjson.Canonicalize(text, recordJSON())
	if err != nil {
		return canon.Digest{}, err
	}
	return canon.Sum(canonical), nil
}

// IRI returns the name of the record: its digest as RFC 6920 spells it.
func (r Record) IRI() (string, error) {
	d, err := r.Digest()
	if err != nil {
		return "", err
	}
	return "ni:///sha-256;" + base64.RawURLEncoding.EncodeToString(d[:]), nil
}

// AuthorizeRecorded decides as [Authorizer.Authorize] does, and passes the record to
// keep before anyone acts. When keep fails, nothing is authorized: the decision is the
// zero Decision, and the error is that of keep.
func (a *Authorizer) AuthorizeRecorded(ctx context.Context, r Request, keep func(Record) error) (Decision, error) {
	d, err := a.Authorize(ctx, r)
	return recorded(d, err, keep)
}

// AuthorizePresentationRecorded decides as [Authorizer.AuthorizePresentation] does, and
// passes the record to keep as [Authorizer.AuthorizeRecorded] does.
func (a *Authorizer) AuthorizePresentationRecorded(ctx context.Context, r Request, presentation []byte, expected vc.Expected, keep func(Record) error) (Decision, error) {
	d, err := a.AuthorizePresentation(ctx, r, presentation, expected)
	return recorded(d, err, keep)
}

func recorded(d Decision, err error, keep func(Record) error) (Decision, error) {
	if err == nil {
		err = keep(d.Record())
	}
	if err != nil {
		return Decision{}, err
	}
	return d, nil
}
