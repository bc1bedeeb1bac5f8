// Package canon turns an RDF dataset into one byte string and one digest that
// depend on what the dataset says and on nothing else: RDF Dataset
// Canonicalization (RDFC-1.0, W3C 2024) with canonical N-Quads, SHA-256 pins of
// them, and the JSON Canonicalization Scheme (RFC 8785) for JSON.
//
// [Canonicalize] gives the canonical N-Quads and the issued labels, [Hash] the
// digest without keeping the text. Blank node labels of the input, the order of
// its quads and repetitions have no influence. Literals and language tags are
// taken as the dataset holds them: "1" and "01", "x"@en and "x"@EN are different
// data.
//
// The input is dangerous: RDFC-1.0 needs exponential time for some graphs of a
// few hundred bytes (section 7.1, dataset poisoning). The work is therefore
// bounded by two numbers, see [Options], which are part of what two parties
// agree on; a dataset that needs more is refused with a [*LimitError]. They
// count what the algorithm does, not seconds: a call takes longer the more links
// to other blank nodes its node has, so use a context with a deadline as well for
// data from someone else. No recursion is on the Go stack; memory is linear in the
// dataset, plus four bytes for each call that is spent.
//
// Where the specification leaves a choice, the result does not depend on the
// order of the input. In datasets of several graphs, ties between equal paths and
// equal hashes are broken by the quads that they lead to; otherwise isomorphic
// datasets could get different canonical forms.
//
// The files follow the sections of the specification, and step numbers in the
// code are its step numbers. Left out: the superseded URDNA2015 and URGNA2012.
package canon
