// Package pdstore keeps Protocol Documents in a folder, by their pins (a2a-rdf,
// HASH-10).
//
// A document is one file, named by the hexadecimal digits of its pin, that holds
// its canonical N-Triples: sha256sum of the file is its name. It is written under
// another name, flushed and renamed, so that a reader sees all of it or nothing.
// What is read is not trusted for standing here: it is parsed, canonicalized and
// verified against the pin like any other body, within limits.
//
// Nothing outside the folder is read or written, and what is no regular file
// (symbolic links, devices, pipes) is no document. Several processes may share a
// folder.
package pdstore
