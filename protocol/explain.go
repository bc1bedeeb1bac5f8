package protocol

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Explain says in sentences for a person what accepting the document amounts to:
// its size, and what judging one message may cost. The findings are not included.
func (r *Review) Explain() []string {
	if r == nil || r.doc == nil {
		return []string{"nothing was reviewed"}
	}
	lines := []string{
		fmt.Sprintf("%s in %s, at most %d within each other", count(r.Shapes, "shape"), count(r.Quads, "triple"), r.Depth),
	}
	if r.Lists > 0 {
		lines = append(lines, fmt.Sprintf("the longest list has %s", count(r.Lists, "member")))
	}
	if r.Patterns > 0 {
		lines = append(lines, fmt.Sprintf("%s, the longest of %s; matching takes time linear in the text", count(r.Patterns, "regular expression"), count(r.Pattern, "character")))
	}
	if r.Closures > 0 {
		lines = append(lines, fmt.Sprintf("%s with a path that repeats without bound: a message decides how far it leads, and what follows holds for as many nodes as values", count(r.Closures, "shape")))
	}
	lines = append(lines, r.Request.explain("an intent"))
	if _, ok := r.doc.ResponseShape(); ok {
		lines = append(lines, r.Response.explain("a response"))
	} else {
		lines = append(lines, "responses are not checked: there is no response shape")
	}
	return append(lines,
		"subclasses that a message declares come on top: their triples are walked for each class, and the instances of a subclass of a target class are judged too",
		"long texts and numbers of a message come on top: a check of one counts more the longer it is")
}

func (c Cost) explain(what string) string {
	var b strings.Builder
	per := " for each node that the targets select"
	if c.OneNode {
		per = ""
	}
	fmt.Fprintf(&b, "checking %s takes at most %s checks%s when every property has one value, %s with ten, %s with a hundred; ",
		what, thousands(c.Checks[0]), per, thousands(c.Checks[1]), thousands(c.Checks[2]))
	switch c.Values {
	case math.MaxInt:
		fmt.Fprintf(&b, "no node that fits into a message exceeds the budget of %s", thousands(checkBudget))
	case 0:
		fmt.Fprintf(&b, "one value is enough to exceed the budget of %s, which is a refusal", thousands(checkBudget))
	default:
		fmt.Fprintf(&b, "more than %s of a property may exceed the budget of %s, which is a refusal", count(c.Values, "value"), thousands(checkBudget))
	}
	return b.String()
}

// thousands writes a number with its digits in groups.
func thousands(n int) string {
	if n == math.MaxInt {
		return "more than 9,000,000,000,000,000,000"
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
