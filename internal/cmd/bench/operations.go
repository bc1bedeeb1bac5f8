package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// prepare reads a workload and returns the operation to time, which leaves its
// answer in r; nil for an unknown operation.
func prepare(ctx context.Context, r *record, dir string) (func() error, error) {
	switch r.Op {
	case "parse":
		return parse(r, dir)
	case "hash", "c14n":
		return hash(ctx, r, dir, canon.Options{})
	case "c14n-raised":
		return hash(ctx, r, dir, canon.Options{MaxPermutations: math.MaxInt, MaxCalls: math.MaxInt})
	}
	return nil, nil
}

// document is a workload in memory.
type document struct {
	text   []byte
	syntax rdfio.Syntax
}

func load(dir, name string) (document, error) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return document{}, err
	}
	syntax, ok := rdfio.ByExtension(name)
	if !ok {
		return document{}, &os.PathError{Op: "load", Path: name, Err: os.ErrInvalid}
	}
	return document{text, syntax}, nil
}

func (d document) parse() (*rdf.Dataset, error) {
	return rdfio.Parse(d.text, d.syntax, rdfio.Options{Limits: rdf.Local()})
}

// parse is text in memory to an indexed, interned dataset.
func parse(r *record, dir string) (func() error, error) {
	doc, err := load(dir, r.Workload)
	if err != nil {
		return nil, err
	}
	r.Bytes = len(doc.text)
	return func() error {
		d, err := doc.parse()
		if err == nil {
			r.Units = d.Len()
		}
		return err
	}, nil
}

// hash is text in memory to the SHA-256 of the canonical N-Quads.
func hash(ctx context.Context, r *record, dir string, o canon.Options) (func() error, error) {
	doc, err := load(dir, r.Workload)
	if err != nil {
		return nil, err
	}
	r.Bytes = len(doc.text)
	return func() error {
		d, err := doc.parse()
		if err != nil {
			return err
		}
		r.Units = d.Len()
		digest, err := canon.Hash(ctx, d, o)
		if err != nil {
			return err
		}
		r.Hash = strings.TrimPrefix(digest.String(), "sha256:")
		return nil
	}, nil
}
