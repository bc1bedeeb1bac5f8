package cli

import (
	"bytes"
	"encoding/json"
)

// verdict is the answer of a command that has one.
type verdict struct {
	Status  Status
	Code    string // "" for a yes
	Message string
}

// MarshalJSON writes the members that every verdict has.
func (v verdict) MarshalJSON() ([]byte, error) {
	words := map[Status]string{StatusYes: "yes", StatusNo: "no", StatusRefused: "refused", StatusNothing: "nothing"}
	return marshal(struct {
		Version int    `json:"version"`
		Verdict string `json:"verdict"`
		Code    string `json:"code,omitempty"`
		Message string `json:"message"`
	}{1, words[v.Status], v.Code, v.Message})
}

// json prints a verdict and what the command adds to it, a struct or nil, as
// one JSON object on one line, and ends the command with the verdict's status.
func (a *app) json(v verdict, more any) error {
	line, err := marshal(v)
	if err != nil {
		return err
	}
	if more != nil {
		members, err := marshal(more)
		if err != nil {
			return err
		}
		if len(members) > len("{}") {
			line = append(line[:len(line)-1], ',')
			line = append(line, members[1:]...)
		}
	}
	if _, err := a.out.Write(append(line, '\n')); err != nil {
		return err
	}
	return ended(v.Status)
}

// marshal is json.Marshal without escapes for HTML: IRIs in angle brackets stay
// readable.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
