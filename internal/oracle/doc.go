// Package oracle holds what tests need to compare this project with other
// implementations: a process that runs them and stays, how inputs on which
// somebody disagrees are made small, and the ledger of their known faults. It is
// for tests alone.
//
// No implementation is without faults, this one included. A disagreement is
// therefore made as small as it gets, and only then is a known fault asked
// whether it accounts for it: what an input holds beside the fault excuses
// nothing. What is left of the input without the small one is compared again.
// Each known fault brings the smallest input that shows it and what the
// specification says of that, so a fault that was repaired fails the test too.
//
// RDFPROTO_PEERS names the folder whose node_modules hold the implementations
// that Node.js runs. RDFPROTO_DIFFERENTIAL is how many inputs a test makes for
// each implementation; without it they are a few hundred. They are made of the
// seeds from RDFPROTO_DIFFERENTIAL_FROM on, so a second run can go on where the
// first ended, and one input can be looked at alone.
package oracle
