// Package vocab names the vocabulary IRIs that the project works with, a file
// for each namespace. The constant of a namespace is its IRI, and the constant
// of a term is named after the namespace and the term's local name in the
// standard's spelling: vocab.SHMinCount is sh:minCount.
package vocab
