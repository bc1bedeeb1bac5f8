package vc

import (
	"context"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
)

// Steps are the intermediate values of one proof of a document.
type Steps struct {
	Document, Options         []byte // canonical forms
	DocumentHash, OptionsHash []byte
	HashData                  []byte
	Signature                 []byte
}

// StepsOf computes the intermediate values of the n-th proof of a document.
func (v *Verifier) StepsOf(ctx context.Context, data []byte, n int, t KeyType) (Steps, error) {
	var out Steps
	v = v.call()
	s, fault := v.parse(data, v.config.Limits.PresentationBytes)
	if fault != nil {
		return out, &SignError{*fault}
	}
	if s.profile == ProfileSVC {
		if s.graph, fault = lowerCredential(s.root, s.limits, s.size); fault != nil {
			return out, &SignError{*fault}
		}
	}
	p, a := s.proofs[n], algorithm(t)
	out.Signature, _ = decodeProofValue(p.value, t)
	var err error
	if Cryptosuite(p.suite).jcs() {
		out.Options, out.Document, err = s.canonicalJSON(p)
	} else {
		canonical := func(d *rdf.Dataset) []byte {
			var c *canon.Canonical
			if err != nil {
				return nil
			}
			if c, err = canon.Canonicalize(ctx, d, canon.Options{Algorithm: a}); err != nil {
				return nil
			}
			return c.NQuads()
		}
		var options, document *rdf.Dataset
		if options, err = s.optionsGraph(p); err != nil {
			return out, err
		}
		if fault := s.build(); fault != nil {
			return out, &SignError{*fault}
		}
		document = s.graph
		if len(p.previous) > 0 {
			if document, err = s.chainedGraph(p); err != nil {
				return out, err
			}
		}
		out.Options, out.Document = canonical(options), canonical(document)
	}
	if err != nil {
		return out, err
	}
	out.OptionsHash, out.DocumentHash = sum(a, out.Options), sum(a, out.Document)
	out.HashData, err = s.hashData(ctx, p, a)
	return out, err
}

// DigestMultibase is the digest of section 5.2 as text.
func DigestMultibase(d canon.Digest) string { return digestMultibase(d) }
