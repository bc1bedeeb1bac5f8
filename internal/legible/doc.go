// Package legible says how people are shown what comes from documents: terms by prefixed
// names as Turtle writes them (RDF 1.1 Turtle, section 2.4), texts without anything that a
// terminal would obey and not show, the parties of a chain of authority. What it returns
// is meant to be read and not to be parsed.
package legible
