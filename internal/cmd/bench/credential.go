package main

import (
	"context"
	"errors"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// verifyCredential is the bytes of a credential to its verified claims, with
// contexts at hand and the key derived from the issuer's did:key.
func verifyCredential(ctx context.Context, r *record, dir string) (func() error, error) {
	const workload = "vc-signed.json"
	doc, err := load(dir, workload)
	if err != nil {
		return nil, err
	}
	r.Bytes, r.Units = len(doc.text), 1
	v, err := vc.New(vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	if err != nil {
		return nil, err
	}
	at := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	return func() error {
		report, err := v.Verify(ctx, doc.text, at)
		if err == nil && !report.Verified() {
			err = errors.New(string(report.Code()))
		}
		return err
	}, nil
}
