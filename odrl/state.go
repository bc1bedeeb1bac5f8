package odrl

// State is what is known about a premise. The zero State is Unknown, which
// neither makes a permission apply nor keeps a prohibition from applying.
type State uint8

// The states (Information Model, section 2.5.1; unknown is this package's).
const (
	Unknown State = iota
	Unsatisfied
	Satisfied
)

// String returns "unknown", "unsatisfied" or "satisfied".
func (s State) String() string {
	switch s {
	case Unsatisfied:
		return "unsatisfied"
	case Satisfied:
		return "satisfied"
	}
	return "unknown"
}

// MarshalText returns the text of [State.String].
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func stateOf(ok bool) State {
	if ok {
		return Satisfied
	}
	return Unsatisfied
}

// and is Kleene's conjunction: unsatisfied if one is, else unknown if one is.
func (s State) and(t State) State {
	switch {
	case s == Unsatisfied || t == Unsatisfied:
		return Unsatisfied
	case s == Unknown || t == Unknown:
		return Unknown
	}
	return Satisfied
}

// or is Kleene's disjunction: satisfied if one is, else unknown if one is.
func (s State) or(t State) State {
	switch {
	case s == Satisfied || t == Satisfied:
		return Satisfied
	case s == Unknown || t == Unknown:
		return Unknown
	}
	return Unsatisfied
}

func (s State) not() State {
	switch s {
	case Satisfied:
		return Unsatisfied
	case Unsatisfied:
		return Satisfied
	}
	return Unknown
}

// holds reports whether a rule of a kind applies as far as this premise goes.
func (s State) holds(k RuleKind) bool {
	if k == Prohibition {
		return s != Unsatisfied
	}
	return s == Satisfied
}
