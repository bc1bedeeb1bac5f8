package vc

import (
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Finding is one thing that was found against a document.
type Finding struct {
	Code       Code   `json:"code"`
	Text       string `json:"text"`                 // what was expected and what came
	Credential int    `json:"credential,omitempty"` // of a presentation, counted from 1; 0 is the document itself
	Proof      int    `json:"proof,omitempty"`      // of the document, counted from 1; 0 is none of them
	Entry      int    `json:"entry,omitempty"`      // of the status entries, counted from 1; 0 is none of them
	Pointer    string `json:"pointer,omitempty"`    // JSON pointer (RFC 6901) into the document
	Line       int    `json:"line,omitempty"`       // from 1, 0 where the place is not known
	Column     int    `json:"column,omitempty"`
	Problem    string `json:"problem,omitempty"` // problem type of a W3C recommendation
}

// String returns the text and the code.
func (f Finding) String() string { return f.Text + " [" + string(f.Code) + "]" }

// found makes a finding about a value of a document, the zero Value for none.
func found(code Code, at strictjson.Value, format string, args ...any) Finding {
	f := Finding{Code: code, Text: fmt.Sprintf(format, args...), Problem: code.problem()}
	if at.Exists() {
		f.Pointer = at.Pointer()
		f.Line, f.Column = at.Place()
	}
	return f
}

// faultAt is found for a function that returns nil where nothing is wrong.
func faultAt(code Code, at strictjson.Value, format string, args ...any) *Finding {
	f := found(code, at, format, args...)
	return &f
}

// fromJSON makes a finding of an error of the JSON reader.
func fromJSON(err error) Finding {
	f := Finding{Code: CodeMalformed, Text: err.Error()}
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		f.Text, f.Pointer, f.Line, f.Column = e.Text, e.Pointer, e.Line, e.Column
	}
	return f
}

// outcome is what reports have in common: their findings.
type outcome struct{ findings []Finding }

// Findings returns what was found, in the order of the checks. The caller must not
// change it.
func (o *outcome) Findings() []Finding { return o.findings }

// Codes returns the codes of the findings in order, each code once.
func (o *outcome) Codes() []Code {
	var out []Code
	seen := map[Code]bool{}
	for _, f := range o.findings {
		if !seen[f.Code] {
			seen[f.Code] = true
			out = append(out, f.Code)
		}
	}
	return out
}

func (o *outcome) add(f ...Finding) { o.findings = append(o.findings, f...) }

// first returns the code of the first finding, the one to report where there is room
// for one. Without findings it is "" for a yes, and MALFORMED for a report of nothing.
func (o *outcome) first(verified bool) Code {
	switch {
	case len(o.findings) > 0:
		return o.findings[0].Code
	case verified:
		return ""
	}
	return CodeMalformed
}

// Report is the outcome of verifying a credential. The zero Report refuses.
type Report struct {
	outcome
	credential *Credential
}

// Verified reports whether the credential is verified.
func (r *Report) Verified() bool { return r.credential != nil && len(r.findings) == 0 }

// Code returns the first code, "" exactly when the credential is verified.
func (r *Report) Code() Code { return r.first(r.Verified()) }

// Credential returns the verified credential, nil when it is not verified.
func (r *Report) Credential() *Credential {
	if !r.Verified() {
		return nil
	}
	return r.credential
}

// ProofReport is the outcome of [Verifier.VerifyProofs]. The zero ProofReport
// refuses.
type ProofReport struct {
	outcome
	proofs []Proof
}

// Verified reports whether the document has proofs and all of them are valid.
func (r *ProofReport) Verified() bool { return len(r.proofs) > 0 && len(r.findings) == 0 }

// Code returns the first code, "" exactly when the proofs are verified.
func (r *ProofReport) Code() Code { return r.first(r.Verified()) }

// Proofs returns the verified proofs, none when any is not.
func (r *ProofReport) Proofs() []Proof {
	if !r.Verified() {
		return nil
	}
	return r.proofs
}

// Proof is a proof that was verified.
type Proof struct {
	Cryptosuite Cryptosuite
	Method      string // the verification method
	Controller  string // the identifier whose controller document lists the method
	Purpose     Purpose
	Created     string // xsd:dateTimeStamp as written, "" for none
}
