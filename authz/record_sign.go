package authz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// recordBytes bounds a record: it has some lines for every hop and check of two chains,
// for every ask and revocation document, and for every policy that those withdraw.
const recordBytes = 4 << 20

// signingSkew is how much sooner than its decision a record may seem to be signed, by
// another clock, or because a proof says when it was made to the second. It is as much as
// package vc gives a proof that seems to be made after it is verified.
const signingSkew = 5 * time.Minute

func recordJSON() strictjson.Limits { return strictjson.Limits{Bytes: recordBytes} }

func recordLimits() vc.Limits { return vc.Limits{PresentationBytes: recordBytes} }

// Sign returns the record as JSON with a Data Integrity proof by a JCS cryptosuite, for
// the purpose assertionMethod. The proof covers the record's [Record.Digest], so that
// verifying it takes neither a context nor RDF. Profile and Purpose of the options are
// not read. It fails as [vc.SignJSON] does, and when Created is more than five minutes
// before the decision: nobody would accept that.
func (r Record) Sign(ctx context.Context, key *vc.PrivateKey, o vc.SignOptions) ([]byte, error) {
	text, err := r.JSON()
	if err != nil {
		return nil, err
	}
	decided, err := r.decidedAt()
	if err != nil {
		return nil, err
	}
	if !o.Created.IsZero() && precedes(o.Created, decided) {
		return nil, fmt.Errorf("the record is of a decision at %s, after this signature", r.EvaluatedAt)
	}
	o.Profile, o.Purpose, o.Limits = vc.ProfileW3C, vc.AssertionMethod, recordLimits()
	return vc.SignJSON(ctx, text, key, o)
}

// RecordReport is the outcome of [VerifyRecord]. The zero RecordReport refuses.
type RecordReport struct {
	verified bool
	record   Record
	proofs   []vc.Proof
	findings []vc.Finding
}

// Verified reports whether the record is well formed and signed by the party that must
// have signed it.
func (r *RecordReport) Verified() bool { return r.verified && len(r.findings) == 0 }

// Findings returns what was found against it. The caller must not change it.
func (r *RecordReport) Findings() []vc.Finding { return r.findings }

// Code returns the first code, "" exactly when the record is verified.
func (r *RecordReport) Code() vc.Code {
	switch {
	case len(r.findings) > 0:
		return r.findings[0].Code
	case r.verified:
		return ""
	}
	return vc.CodeMalformed
}

// Record returns the verified record, and whether there is one.
func (r *RecordReport) Record() (Record, bool) {
	if !r.Verified() {
		return Record{}, false
	}
	return r.record, true
}

// add adds a finding about a proof, counted from 1; 0 is none.
func (r *RecordReport) add(proof int, format string, args ...any) {
	r.findings = append(r.findings, vc.Finding{
		Code: vc.CodeInvalidSignature, Text: fmt.Sprintf(format, args...), Proof: proof, Problem: vc.ProblemProofVerification,
	})
}

// Proofs returns the verified proofs, none when any is not.
func (r *RecordReport) Proofs() []vc.Proof {
	if !r.Verified() {
		return nil
	}
	return r.proofs
}

// decidedAt returns the instant of the decision. It fails for a text in another form than
// that in which records are written.
func (r *Record) decidedAt() (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, r.EvaluatedAt)
	if err != nil || at.UTC().Format(time.RFC3339Nano) != r.EvaluatedAt {
		return time.Time{}, fmt.Errorf("expected a time in UTC for evaluatedAt, found %q", rdf.Abbreviate(r.EvaluatedAt))
	}
	return at, nil
}

// precedes reports whether a time is before a decision even if the clocks differ.
func precedes(at, decided time.Time) bool { return decided.Sub(at) > signingSkew }

// createdBefore reports whether a proof was created before a decision even if the clocks
// differ. A time that cannot be compared is taken to be.
func createdBefore(created string, decided time.Time) bool {
	at, err := xsd.Parse(xsd.DateTimeStamp, created)
	if err != nil {
		return true
	}
	soonest, err := xsd.Parse(xsd.DateTimeStamp, decided.Add(-signingSkew).Format(time.RFC3339Nano))
	if err != nil {
		return true
	}
	order := xsd.Compare(at, soonest)
	return order != xsd.Equal && order != xsd.Greater
}

// VerifyRecord verifies a record that [Record.Sign] signed: every proof of it must be
// by a key of the party by, for the purpose assertionMethod, valid at a time. Neither a
// proof nor that time may be more than five minutes before the decision: what is signed
// was there before its signature ([vc.CodeInvalidSignature]). A proof need not say when it
// was created. An error means that the call was wrong or ctx is done.
func VerifyRecord(ctx context.Context, keys vc.Resolver, data []byte, by string, at time.Time) (*RecordReport, error) {
	v, err := vc.New(vc.Config{
		Keys: keys, Profile: vc.ProfileW3C, Suites: []vc.Cryptosuite{vc.EdDSAJCS2022, vc.ECDSAJCS2019}, Limits: recordLimits(),
	})
	if err != nil {
		return nil, err
	}
	report, err := v.VerifyProofsBy(ctx, data, by, vc.AssertionMethod, at)
	if err != nil {
		return nil, err
	}
	out := &RecordReport{findings: report.Findings(), proofs: report.Proofs()}
	if !report.Verified() {
		if len(out.findings) == 0 {
			out.findings = []vc.Finding{{Code: report.Code(), Text: "the record is not signed"}}
		}
		return out, nil
	}
	record, _, err := ParseRecord(data)
	if err != nil {
		out.findings = []vc.Finding{{Code: vc.CodeMalformed, Text: err.Error()}}
		return out, nil
	}
	decided, err := record.decidedAt()
	if err != nil {
		return nil, err // not reached: ParseRecord reads no other
	}
	if precedes(at, decided) {
		out.add(0, "the record is of a decision at %s, after this verification", record.EvaluatedAt)
	}
	for i, proof := range out.proofs {
		if proof.Created != "" && createdBefore(proof.Created, decided) {
			out.add(i+1, "the record is of a decision at %s, its proof was created at %s", record.EvaluatedAt, rdf.Abbreviate(proof.Created))
		}
	}
	out.record, out.verified = record, true
	return out, nil
}

// ParseRecord reads a record as [Record.JSON] or [Record.Sign] writes it, whatever its
// white space, and reports whether it has proofs, which are not verified. It fails for a
// member that a record of this version does not have, that is missing or of another type,
// and for a time of the decision in another form: nothing in the text is lost.
func ParseRecord(data []byte) (r Record, signed bool, err error) {
	root, err := strictjson.Parse(data, recordJSON())
	if err != nil {
		return Record{}, false, err
	}
	if root.Kind() != strictjson.Object {
		return Record{}, false, fmt.Errorf("expected a record, which is an object, found %s", root.Kind())
	}
	if n, ok := root.Get("version").Int64(); !ok || n != recordVersion {
		return Record{}, false, fmt.Errorf("expected a record of version %d", recordVersion)
	}
	text := []byte{'{'}
	for i := range root.Len() {
		m := root.Member(i)
		if m.Str() == "proof" {
			signed = true
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, m.Name.Source()...), ':'), m.Value.Source()...)
	}
	text = append(text, '}')
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Record{}, false, fmt.Errorf("expected a record: %w", err)
	}
	// encoding/json takes names in another case, null and missing members.
	want, err := strictjson.Canonicalize(text, recordJSON())
	if err != nil {
		return Record{}, false, err
	}
	got, err := r.Digest()
	if err != nil {
		return Record{}, false, err
	}
	if !got.Equal(canon.Sum(want)) {
		return Record{}, false, errors.New("expected every member of a record, each in the form in which records are written")
	}
	if _, err := r.decidedAt(); err != nil {
		return Record{}, false, err
	}
	return r, signed, nil
}
