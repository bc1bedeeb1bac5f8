package shacl

import (
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/rdf"
)

// ErrNoProgram is the error of validating with the zero [Program], which has no
// shapes and would accept everything.
var ErrNoProgram = errors.New("expected a compiled program, found the zero one")

// ErrNoNode is the error of validating the zero [rdf.Term]: it is no node, and would
// conform to a shape that merely excludes something.
var ErrNoNode = errors.New("expected a node to validate, found the zero term")

// Code names a kind of problem or warning. Codes are stable: programs branch on
// them, and the command line prints them in brackets.
type Code string

// The codes of problems, for which [Compile] refuses a shapes graph.
const (
	CodeIllFormed   Code = "ill-formed-shape"
	CodeUnknownTerm Code = "unknown-shacl-term"
	CodeUnsupported Code = "unsupported-feature"
	CodeRecursive   Code = "recursive-shape"
)

// CodeLimitExceeded is the code of a [*LimitError].
const CodeLimitExceeded = Code(rdf.CodeLimitExceeded)

// The codes of warnings.
const (
	CodeNoShapes        Code = "no-shapes"
	CodeWrongNamespace  Code = "wrong-namespace"
	CodeNoTarget        Code = "no-target"
	CodeEmptyTarget     Code = "target-selects-nothing"
	CodeEmptyData       Code = "empty-data"
	CodeEmptyShape      Code = "empty-shape"
	CodeNoEffect        Code = "no-effect"
	CodeUnsatisfiable   Code = "unsatisfiable"
	CodeUnknownDatatype Code = "unknown-datatype"
	CodeTolerated       Code = "tolerated"
	CodeUnusedPath      Code = "unused-path"
	CodeImports         Code = "imports-ignored"
)

// Codes returns all codes: those of problems, then that of limits, then those of
// warnings.
func Codes() []Code {
	return []Code{
		CodeIllFormed, CodeUnknownTerm, CodeUnsupported, CodeRecursive,
		CodeLimitExceeded,
		CodeNoShapes, CodeWrongNamespace, CodeNoTarget, CodeEmptyTarget, CodeEmptyData, CodeEmptyShape,
		CodeNoEffect, CodeUnsatisfiable, CodeUnknownDatatype, CodeTolerated, CodeUnusedPath, CodeImports,
	}
}

// Meaning returns what the code says in general, for lists of codes; "" for an
// unknown code.
func (c Code) Meaning() string {
	switch c {
	case CodeIllFormed:
		return "a shape breaks a syntax rule of SHACL"
	case CodeUnknownTerm:
		return "a property or class of the SHACL namespace does not exist"
	case CodeUnsupported:
		return "a shape uses a feature that is not evaluated"
	case CodeRecursive:
		return "a shape refers to itself"
	case CodeLimitExceeded:
		return "a limit was reached before there was a verdict"
	case CodeNoShapes:
		return "the shapes graph holds no shape"
	case CodeWrongNamespace:
		return "a term looks like SHACL but is in another namespace"
	case CodeNoTarget:
		return "no target selects nodes for a shape, and no shape refers to it"
	case CodeEmptyTarget:
		return "a target selects no node of the data"
	case CodeEmptyData:
		return "the data graph holds no triple"
	case CodeEmptyShape:
		return "a shape is referred to and says nothing"
	case CodeNoEffect:
		return "a parameter does nothing where it stands"
	case CodeUnsatisfiable:
		return "no node can conform to a shape"
	case CodeUnknownDatatype:
		return "a datatype is in the namespace of XSD, which has none of the name"
	case CodeTolerated:
		return "something ill-formed was tolerated"
	case CodeUnusedPath:
		return "a path is used by no shape"
	case CodeImports:
		return "an import was not followed"
	}
	return ""
}

// Problem is one reason why a shapes graph was refused.
type Problem struct {
	Code     Code
	Text     string    // what was expected and what was found, with the shape's name
	Shape    rdf.Term  // the shape, as the shapes graph names it
	Property string    // the IRI of the property that is at fault, "" when it is none in particular
	Place    rdf.Place // where it stands, as far as the dataset kept places
}

// Error returns the place and the text.
func (p Problem) Error() string { return withPlace(p.Place, p.Text) }

// CompileError holds everything that is wrong with a shapes graph, in the order
// of the shapes.
type CompileError struct {
	Problems []Problem // at least one, at most 1,000
	Omitted  int       // how many more there are
}

// Error returns the first problem and how many more there are.
func (e *CompileError) Error() string {
	switch n := len(e.Problems) + e.Omitted; n {
	case 0:
		return "the shapes graph was refused"
	case 1:
		return e.Problems[0].Error()
	default:
		return fmt.Sprintf("%s (and %d more)", e.Problems[0].Error(), n-1)
	}
}

// Warning says that something is allowed and probably not what was meant.
type Warning struct {
	Code     Code
	Text     string
	Shape    rdf.Term  // the zero Term when it is about no shape in particular
	Property string    // as in Problem
	Place    rdf.Place // as in Problem
}

// String returns the place and the text.
func (w Warning) String() string { return withPlace(w.Place, w.Text) }

// LimitError says which limit was reached. Validation that ends in one has no
// verdict.
type LimitError = rdf.LimitError

// The limits of compiling and validating.
const (
	LimitChecks      rdf.LimitName = "shape-checks"   // Options.MaxChecks
	LimitShapeDepth  rdf.LimitName = "shape-nesting"  // CompileOptions.MaxDepth, Options.MaxDepth
	LimitPathDepth   rdf.LimitName = "path-nesting"   // CompileOptions.MaxDepth
	LimitPathLength  rdf.LimitName = "path-length"    // MaxPathLength
	LimitPathBytes   rdf.LimitName = "path-bytes"     // MaxPathBytes
	LimitListMembers rdf.LimitName = "list-members"   // MaxListMembers
	LimitPattern     rdf.LimitName = "pattern-length" // CompileOptions.MaxPattern
	LimitPatterns    rdf.LimitName = "pattern-bytes"  // CompileOptions.MaxPatternBytes
)

// UnknownShapeError says that a program has no shape of a name.
type UnknownShapeError struct {
	Shape rdf.Term
}

// Error returns the reason, with the name.
func (e *UnknownShapeError) Error() string {
	return fmt.Sprintf("the shapes graph holds no shape %s", rdf.Abbreviate(e.Shape.String()))
}

func withPlace(p rdf.Place, text string) string {
	if s := p.String(); s != "" {
		return s + ": " + text
	}
	return text
}
