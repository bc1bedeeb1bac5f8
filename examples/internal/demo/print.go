package demo

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/rdfproto/rdfproto/engine"
)

// longest is how much of one text is printed, in characters.
const longest = 480

// Clean makes a text that may quote a peer safe for a terminal: no control characters,
// and only a few lines.
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest]) + "…"
	}
	return strings.TrimSpace(text)
}

// PrintOutcome prints what a message came to, and how: one line for each step.
func PrintOutcome(w io.Writer, o *engine.Outcome) {
	fmt.Fprintln(w, strings.TrimRight("  "+o.Kind.String()+" "+string(o.Code), " "))
	for _, s := range o.Trace {
		mark := "✓"
		if !s.OK {
			mark = "✗"
		}
		note := ""
		if s.Note != "" {
			note = ": " + Clean(s.Note)
		}
		fmt.Fprintf(w, "    %s %-5s %s%s\n", mark, s.Name, Clean(s.What), note)
	}
	if o.Report != nil {
		fmt.Fprintf(w, "      %s\n", Clean((&engine.ReportError{Report: o.Report}).Error()))
	}
}

// Indent indents each line of a text.
func Indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(line, "\t", "  ")
		set := len(line) - len(strings.TrimLeft(line, " "))
		b.WriteString(strings.TrimRight("    | "+line[:set]+Clean(line), " ") + "\n")
	}
	return b.String()
}
