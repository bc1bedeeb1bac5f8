package authz

import (
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Difference is a member in which two records differ.
type Difference struct {
	Pointer string `json:"pointer"`            // JSON pointer (RFC 6901) into a record
	Here    string `json:"recorded,omitempty"` // as JSON, "" where it has no such member
	There   string `json:"found,omitempty"`
}

// Differences returns where another record differs from this one, in the order in which
// records are written: none exactly when both have the same digest. It names the
// innermost members that differ. It fails for a record that is too large to be read again.
func (r Record) Differences(other Record) ([]Difference, error) {
	here, err := r.parsed()
	if err != nil {
		return nil, err
	}
	there, err := other.parsed()
	if err != nil {
		return nil, err
	}
	return differences(nil, "", here, there), nil
}

// parsed returns the record as a JSON value.
func (r Record) parsed() (strictjson.Value, error) {
	text, err := r.JSON()
	if err != nil {
		return strictjson.Value{}, err
	}
	return strictjson.Parse(text, strictjson.Limits{Bytes: int64(len(text))})
}

func differences(out []Difference, pointer string, here, there strictjson.Value) []Difference {
	if here.Kind() == there.Kind() {
		switch here.Kind() {
		case strictjson.Object:
			for name, value := range here.Members() {
				out = differences(out, pointer+"/"+escapePointer(name), value, there.Get(name))
			}
			for name, value := range there.Members() {
				if !here.Get(name).Exists() {
					out = differences(out, pointer+"/"+escapePointer(name), strictjson.Value{}, value)
				}
			}
			return out
		case strictjson.Array:
			for i := range max(here.Len(), there.Len()) {
				out = differences(out, pointer+"/"+strconv.Itoa(i), item(here, i), item(there, i))
			}
			return out
		}
	}
	if here.Exists() == there.Exists() && (!here.Exists() || here.Source() == there.Source()) {
		return out
	}
	d := Difference{Pointer: pointer}
	if here.Exists() {
		d.Here = here.Source()
	}
	if there.Exists() {
		d.There = there.Source()
	}
	return append(out, d)
}

// item returns an element of an array, the zero Value beyond its end.
func item(array strictjson.Value, i int) strictjson.Value {
	if i >= array.Len() {
		return strictjson.Value{}
	}
	return array.Index(i)
}

func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
