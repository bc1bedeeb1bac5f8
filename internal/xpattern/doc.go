// Package xpattern translates regular expressions of XPath and XQuery Functions
// and Operators 3.1 (section 5.6.1, on top of XSD 1.1 part 2, appendix G) to
// those of Go, and matches them in time linear in the text. SPARQL's REGEX, and
// with it sh:pattern of SHACL, is written in this dialect.
//
// The two dialects look alike and differ in places where nobody looks: \w and \d
// are sets of Unicode, \s has four members, $ does not match before a final
// line end, and neither ^ nor $ with the flag m matches after it; '.' excludes
// the carriage return too, ']' and '}' must be escaped, [a-z-[aeiou]] subtracts,
// and the flag i leaves \p{Lu} alone. Every construct is parsed and written anew;
// what has no equal is refused with its place and the reason, never passed on:
//
//   - back-references, which cannot be matched in linear time;
//   - (?=x), (?<name>x), (?i) and \b, which XPath does not have;
//   - repetitions of more than 1,000, which Go's engine refuses, and expressions
//     that grow too large.
//
// With the flag i, a character or a range stands for itself and its case
// variants: the characters that have the same lower-case or the same upper-case
// mapping (F&O 3.1, section 5.6.2). That happens before negation and before
// subtraction, so [A-Z-[IO]] matches neither "I" nor "i". Classes written as an
// escape are left alone. Mappings are the full ones of Unicode without its
// language-specific rules: ı is a variant of i and I, while İ has none.
//
// Parsing is Go's, matching is not: Go's engines are of several kinds and count
// nothing, so that the time of a match can only be bounded by the product of the
// sizes of pattern and text, hundreds of times what an ordinary pattern takes. A
// [Matcher] counts its steps, and stops when it is told to.
//
// The caller bounds the length of a pattern, with [CompileWithin] the memory it takes,
// and with [Matcher.Run] the cost of a match.
package xpattern
