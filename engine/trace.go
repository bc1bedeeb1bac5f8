package engine

import "strings"

// Step is one step of a procedure and what it came to.
type Step struct {
	// Name is the step, by the section of a2a-rdf that it is from, such as "7.3.2".
	Name string
	// What says what was looked at.
	What string
	// OK reports that the step was passed. The first step that was not ends a trace.
	OK bool
	// Note says what was found, "" for nothing beyond What.
	Note string
}

// Trace is the steps that led to an outcome, in order.
type Trace []Step

// String returns the trace for people, one line for each step.
func (t Trace) String() string {
	var b strings.Builder
	for _, s := range t {
		word := "ok  "
		if !s.OK {
			word = "FAIL"
		}
		b.WriteString(word + " " + s.Name + " " + s.What)
		if s.Note != "" {
			b.WriteString(": " + s.Note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// AppendJSON appends the trace as a JSON array, members in a fixed order.
func (t Trace) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, s := range t {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"step":`...), s.Name)
		dst = appendMember(dst, "what", s.What)
		if s.OK {
			dst = append(dst, `,"ok":true`...)
		} else {
			dst = append(dst, `,"ok":false`...)
		}
		dst = append(appendMember(dst, "note", s.Note), '}')
	}
	return append(dst, ']')
}
