package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// json prints a verdict as one JSON object on one line, with the members of
// another object, and ends the command with the verdict's status. A refused
// input has no object: its status is 3 and standard output stays empty.
func (a *app) json(v verdict, more []byte) error {
	line, err := verdictJSON(v, more)
	if err != nil {
		return err
	}
	if _, err := a.out.Write(line); err != nil {
		return err
	}
	return ended(v.Status)
}

// inJSON makes an error of a command that is a clear no a verdict in JSON, where JSON is
// asked for.
func (a *app) inJSON(cmd *cobra.Command, asJSON *bool) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if err == nil || !*asJSON || errors.As(err, new(ended)) {
			return err
		}
		if f := failures(err)[0]; f.status == StatusNo {
			return a.json(verdict{Status: StatusNo, Code: f.code, Message: f.text}, nil)
		}
		return err
	}
}

// verdictJSON returns the line of a verdict.
func verdictJSON(v verdict, more []byte) ([]byte, error) {
	words := map[Status]string{StatusYes: "yes", StatusNo: "no", StatusNothing: "nothing"}
	word, ok := words[v.Status]
	if !ok {
		word = "refused"
	}
	line, err := marshal(struct {
		Version int    `json:"version"`
		Verdict string `json:"verdict"`
		Code    string `json:"code,omitempty"`
		Message string `json:"message"`
	}{1, word, v.Code, v.Message})
	if err != nil {
		return nil, err
	}
	more = bytes.TrimPrefix(more, []byte(`{"version":1,`))
	more = bytes.TrimPrefix(more, []byte(`{`))
	if len(more) > len(`}`) {
		line = append(append(line[:len(line)-1], ','), more...)
	}
	return append(visible(line), '\n'), nil
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

// hidden reports whether a terminal would obey a character and not show it. Those below
// U+007F have escapes of their own wherever this is asked.
func hidden(r rune) bool { return r >= 0x7f && !unicode.IsPrint(r) || r == utf8.RuneError }

// visible escapes in a JSON text what a terminal would obey and not show, as
// printable does in other texts. Outside of strings JSON has nothing of it.
func visible(text []byte) []byte {
	if bytes.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		switch hi, lo := utf16.EncodeRune(r); {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}
