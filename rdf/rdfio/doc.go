// Package rdfio chooses the reader for a document: by the name of a syntax, by
// a file's extension, or by a media type. It never guesses from content.
//
// Everything that a syntax refuses is documented in its own package.
package rdfio
