// Package xsd holds the value spaces of the XML Schema datatypes that RDF 1.1
// recommends (RDF 1.1 Concepts, section 5.1; XSD 1.1 part 2): whether a lexical
// form belongs to a datatype, and how two values are ordered.
//
// # Lexical forms
//
// A lexical form is taken as it is. XSD normalizes white space before it looks
// at a lexical form, RDF does not: " 1" is ill-typed as xsd:integer, and so is
// "2024-01-01\n" as xsd:date. For the datatypes of strings this means that
// xsd:string and xsd:anyURI take white space as it stands, xsd:normalizedString
// refuses tabs and line ends, xsd:token refuses space at the ends and two
// spaces in a row, and xsd:base64Binary allows one space between two
// characters, as its grammar does.
//
// Characters are those of XML 1.1: every one except U+0000, U+FFFE and U+FFFF.
// Integers, decimals, years, durations and fractions of a second may have any
// number of digits; nothing overflows and nothing is rounded but what becomes
// an xsd:float or xsd:double. The year 0000 exists (it is 1 BC, as in XSD 1.1),
// 24:00:00 is the first instant of the next day, leap seconds do not exist.
//
// # Order
//
// [Compare] is what the operators < and <= of SPARQL 1.1 (section 17.3) give
// where they are defined, and the order of XSD 1.1 elsewhere, with its rules
// for time zones: a dateTime without one is compared with one that has it only
// when the answer is the same for every zone from -14:00 to +14:00. Everything
// else is [Incomparable], which is neither less, equal nor greater.
//
// Numbers are ordered by value across all numeric datatypes. Between a decimal
// and a float or double, an integer is compared exactly, whatever its size,
// while a number with a fraction is first rounded to the other's datatype, as
// XPath does, so that 0.1 equals 1.0E-1.
//
// # Left out
//
// rdf:langString, rdf:HTML, rdf:XMLLiteral and rdf:JSON have no value space
// here, nor have the datatypes of XSD that RDF does not recommend (xsd:QName,
// xsd:ENTITY and others).
//
// Every function is safe for concurrent use, takes time linear in its input,
// and allocates for no ordinary value.
package xsd
