// Package pdstore keeps Protocol Documents in a folder, by their pins (a2a-rdf,
// HASH-10).
//
// A document is one file, named by the hexadecimal digits of its pin, that holds
// its canonical N-Triples: sha256sum of the file is its name. It is written under
// another name, flushed and renamed, so that a reader sees all of it or nothing.
// A file is not trusted because it is in the folder: it is parsed, canonicalized and
// verified against the pin like any other body, within limits.
//
// Nothing outside the folder is read or written, and only regular files count as
// documents: no symbolic links, devices or pipes. Several processes may share a
// folder.
package pdstore
