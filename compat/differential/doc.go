// Package differential holds no code. Its tests compare the readers and the
// canonical form of the main module with those of other implementations, on the
// public suites when they are here and on documents made at random.
//
// No implementation is without faults. A difference is excused where a fault is
// known whose cause the document holds: the faults of each implementation are a
// table, by cause. Any other difference fails, and so does a known fault of
// which the suites show no trace any more.
package differential
