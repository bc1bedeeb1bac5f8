package agentcard

// Reading is a way to make the signed payload of a card. Implementations differ in
// what they leave out (section A.4 of the requirements).
type Reading uint8

// The readings.
const (
	// Spec is the text of A2A 1.0, section 8.4.1: REQUIRED fields, optional fields
	// that were set, and everything that is not at its default; members that the
	// schema does not know stay. It is the one reading that is accepted by default.
	Spec Reading = iota
	// SDK is what the JavaScript and Python SDKs sign: members of the schema alone,
	// and nothing that is empty, at any depth. What is left out is not covered by
	// the signature.
	SDK
	// Raw is what the Go SDK signs: the card as it is, without signatures.
	Raw
	// PythonLegacy is what the Python SDK signed up to 1.1: SDK, but not in the
	// canonical form. It explains failures and is never accepted.
	PythonLegacy
)

// String returns the reading's name: "spec", "sdk", "raw" or "py-legacy".
func (r Reading) String() string {
	switch r {
	case Spec:
		return "spec"
	case SDK:
		return "sdk"
	case Raw:
		return "raw"
	case PythonLegacy:
		return "py-legacy"
	}
	return "unknown"
}

// MarshalText returns the reading's name.
func (r Reading) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// ReadingByName returns the reading with a name, as [Reading.String] spells it, and
// whether there is one.
func ReadingByName(name string) (Reading, bool) {
	for r := Spec; r <= PythonLegacy; r++ {
		if r.String() == name {
			return r, true
		}
	}
	return 0, false
}
