// Package differential holds no code. Its tests compare the readers, the canonical
// form of datasets and that of JSON with other implementations: on the public
// suites when they are here, on what our writers write, and on documents made at
// random, by the grammars and by what readers get wrong.
//
// Those in Go run in a process of their own, which may stop or not come back;
// those for Node.js where RDFPROTO_PEERS names them. Every disagreement is made
// small and judged as package oracle says. RDFPROTO_DIFFERENTIAL is how many
// inputs are made.
//
// Some implementations are not maintained, and the few things they get wrong
// would be in every document. Their documents leave those out: what is left out
// is in the rows of their faults, each with the smallest document that shows it.
package differential
