// Package knakk converts the terms and triples of github.com/knakk/rdf to and
// from datasets of package rdf.
//
// What package rdf does not allow is refused and never repaired: relative IRIs,
// text that is not UTF-8, language tags that are none. So is what knakk/rdf
// cannot hold: language tags of three parts.
//
// The readers of knakk/rdf concatenate a base and a relative reference, accept
// documents that end within a list, and replace escapes of surrogates. Read with
// package turtle what comes from someone else.
package knakk
