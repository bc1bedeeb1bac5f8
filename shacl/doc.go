// Package shacl validates RDF graphs against shapes: SHACL Core, the Shapes
// Constraint Language (W3C Recommendation, 20 July 2017), all of its targets,
// constraint components and property paths.
//
// Validation has two steps. [Compile] checks a shapes graph and makes a
// [Program] of it, immutable and safe for concurrent use. [Program.Validate]
// runs it on a data graph and gives a [Report]; [Program.ValidateNode] checks
// one node against one shape.
//
// # Refusals
//
// Compile fails closed. It looks at every shape of the graph, used or not, and
// reports all problems together in a [*CompileError]: ill-formed shapes
// (section 3.4 and the syntax rules of appendix B), a predicate of a shape that
// is in the SHACL namespace and not known, features of SHACL that are not
// evaluated (SPARQL and JavaScript constraints, custom constraint components,
// advanced targets, rules and expressions, entailment), and shapes that refer
// to themselves (section 3.4.3 leaves their meaning open). Nothing that could
// have been a constraint is skipped.
//
// Four ill-formed things are tolerated, each with a [Warning], because the W3C
// suite uses them: a list that is a path and has another path property as well (the
// list wins), a malformed path that no shape uses, parameters of qualified value
// shapes on a node shape without sh:qualifiedValueShape (they do nothing), and a
// sh:uniqueLang that is spelt "1" or "0" (it does nothing).
//
// # Cost
//
// The data and the shapes may come from someone who wants validation to take
// forever. Every check of a value and every triple stepped over spends from a
// budget, see [Options], and shapes may only be nested to a certain depth. What
// exceeds either is an error, never a verdict. A limit in seconds is the caller's
// to set, with a context. Regular expressions take time linear in their input, and
// every step of a match counts.
//
// # Verdict
//
// A report conforms only when validation was completed and there is no result of
// any severity, as SHACL 1.0 defines sh:conforms (section 3.6.1.1).
// The zero Report does not conform.
//
// # Terms
//
// Terms are compared as they are spelt (sh:in, sh:hasValue, sh:equals,
// sh:disjoint): "01"^^xsd:integer is not 1. Language tags are compared without
// regard to case. A literal of a datatype that package xsd knows must be in its
// lexical space to satisfy sh:datatype; of other datatypes only the IRI counts.
//
// # Left out
//
// SHACL-SPARQL, SHACL Advanced Features, SHACL JavaScript Extensions, and
// sh:shapesGraph and owl:imports: nothing is ever loaded from anywhere.
package shacl
