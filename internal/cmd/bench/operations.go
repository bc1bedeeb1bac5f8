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
	"github.com/rdfproto/rdfproto/shacl"
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
	case "shacl":
		return validate(ctx, r, dir)
	case "e2e":
		return endToEnd(ctx, r, dir)
	case "vc":
		return verifyCredential(ctx, r, dir)
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

// loadPair loads the two documents of a workload SHAPES+DATA.
func loadPair(r *record, dir string) (shapes, data document, err error) {
	shapesName, dataName, _ := strings.Cut(r.Workload, "+")
	if shapes, err = load(dir, shapesName); err != nil {
		return shapes, data, err
	}
	data, err = load(dir, dataName)
	r.Bytes = len(data.text)
	return shapes, data, err
}

// unbounded lets every workload come to its end.
func unbounded() shacl.Options {
	return shacl.Options{MaxChecks: math.MaxInt, MaxResults: math.MaxInt}
}

// validate is validation alone: graphs and compiled shapes are ready.
func validate(ctx context.Context, r *record, dir string) (func() error, error) {
	shapesDoc, dataDoc, err := loadPair(r, dir)
	if err != nil {
		return nil, err
	}
	shapes, err := shapesDoc.parse()
	if err != nil {
		return nil, err
	}
	program, err := shacl.Compile(shapes.Default(), shacl.CompileOptions{})
	if err != nil {
		return nil, err
	}
	data, err := dataDoc.parse()
	if err != nil {
		return nil, err
	}
	r.Units = data.Len()
	return func() error { return r.report(program.Validate(ctx, data.Default(), unbounded())) }, nil
}

// endToEnd is both texts to the report.
func endToEnd(ctx context.Context, r *record, dir string) (func() error, error) {
	shapesDoc, dataDoc, err := loadPair(r, dir)
	if err != nil {
		return nil, err
	}
	return func() error {
		shapes, err := shapesDoc.parse()
		if err != nil {
			return err
		}
		program, err := shacl.Compile(shapes.Default(), shacl.CompileOptions{})
		if err != nil {
			return err
		}
		data, err := dataDoc.parse()
		if err != nil {
			return err
		}
		r.Units = data.Len()
		return r.report(program.Validate(ctx, data.Default(), unbounded()))
	}, nil
}

// report keeps the answer of a validation.
func (r *record) report(report *shacl.Report, err error) error {
	if err != nil {
		return err
	}
	conforms, results := report.Conforms(), len(report.Results)
	r.Conforms, r.Results = &conforms, &results
	return nil
}
