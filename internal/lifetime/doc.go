// Package lifetime tells by their names the members that may begin, end or suspend what
// they stand in: a key, a proof, a delegation. Specifications call the same thing revoked,
// expires, exp, valid_until, not_after. A reader that knows one of the names and ignores
// the others takes what has ended for good; whoever ignores members refuses these.
package lifetime
