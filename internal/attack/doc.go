// Package attack tries everything that takes bytes from a peer, by tests alone.
//
// One table lists the entry points of the module with what they may answer. Each gets
// every valid document of its kind damaged in every small way (bytes, tokens, lines,
// values of JSON) and a corpus of hostile inputs that code makes: too deep, too large,
// too many, poisonous graphs, recursive shapes, bombs of contexts and of gzip, numbers,
// dates and characters that readers disagree on. None may panic, each must end in a code
// that is documented, and what was signed or pinned is refused or is what it was.
//
// This is the breadth. The depth is in each package, which knows what a damage should
// mean.
//
// RDFPROTO_ATTACK=long tries all of it one after the other, and holds each input to a
// second and to 200 MB; without it go test takes a sample. Two more tests keep the table
// complete: a function that takes bytes, and a number that limits something, are in it or
// fail it.
package attack
