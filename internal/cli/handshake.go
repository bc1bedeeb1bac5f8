package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) handshakeCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "handshake COMMAND",
		Short: "decode offers and responses, and say what they amount to",
		Long: `Works on the upgrade handshake of the a2a-rdf extension: the offer of a Protocol
Document, the response to it, and the rule that nothing falls back to natural
language silently.`,
		Example: `  rdfproto handshake decode offer.json
  rdfproto handshake decide --offer offer.json --response response.json`,
	}, a.handshakeDecodeCommand(), a.handshakeDecideCommand())
}

// messageInput reads offers and responses.
type messageInput struct {
	peer    *peerInput
	options handshake.Options
}

func (a *app) addMessageFlags(cmd *cobra.Command) *messageInput {
	m := &messageInput{peer: a.addPeerFlags(cmd)}
	format := cmd.Flags().Lookup("format")
	format.Usage = "form of the input: json, turtle, ntriples or jsonld; by default from the file's extension, where .json is the JSON form, for standard input turtle"
	cmd.Flags().BoolVar(&m.options.OneSubject, "strict", false, "refuse a graph that speaks of anything but the message")
	return m
}

// jsonForm is the value of --format for the JSON form.
const jsonForm = "json"

// check reads what the flags name.
func (m *messageInput) check(cmd *cobra.Command) error {
	if m.peer.in.format == jsonForm {
		return nil
	}
	return m.peer.check(cmd)
}

// read decodes one file.
func (m *messageInput) read(ctx context.Context, file string) (handshake.Message, error) {
	isJSON := m.peer.in.format == jsonForm || m.peer.in.format == "" && strings.EqualFold(filepath.Ext(file), ".json")
	preset := protocol.PayloadLimits()
	preset.Bytes = handshake.MaxBytes
	if isJSON {
		in, o := *m.peer.in, m.options
		o.Read.Limits.Bytes, o.Read.Limits.Nesting = override(preset, in.limits.read).Bytes, in.limits.read.Nesting
		in.limits = &limits{read: o.Read.Limits}
		data, err := in.bytes(ctx, file, o.Read.Limits.Bytes)
		if err != nil {
			return nil, err
		}
		msg, err := handshake.Parse(data, o)
		if err != nil {
			return nil, &inFile{display(file), err}
		}
		return msg, nil
	}
	body, mediaType, read, err := m.peer.read(ctx, file, preset)
	if err != nil {
		return nil, err
	}
	o := m.options
	o.Read = read
	msg, err := handshake.ParseText(body, mediaType, o)
	if err != nil {
		return nil, &inFile{display(file), err}
	}
	return msg, nil
}

func (a *app) handshakeDecodeCommand() *cobra.Command {
	var m *messageInput
	cmd := &cobra.Command{
		Use:   "decode FILE",
		Short: "decode an offer or a response strictly and write it as JSON",
		Long: `Decodes an offer or a response, from JSON or from RDF, and writes it as JSON in
its one form. What is not exactly an offer or a response is refused: nothing is
defaulted and nothing coerced.`,
		Example: `  rdfproto handshake decode offer.json
  rdfproto handshake decode --format json - < response.json`,
		Args: files(1, 1),
	}
	m = a.addMessageFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := m.check(cmd); err != nil {
			return err
		}
		msg, err := m.read(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		text, err := msg.AppendJSON(nil)
		if err != nil {
			return &inFile{display(args[0]), err}
		}
		_, err = a.out.Write(append(visible(text), '\n'))
		return err
	}
	return cmd
}

func (a *app) handshakeDecideCommand() *cobra.Command {
	var (
		offer, response string
		m               *messageInput
	)
	cmd := &cobra.Command{
		Use:   "decide --offer FILE --response FILE",
		Short: "apply the rule against silent downgrades",
		Long: `Says what an offer and the response to it amount to. Natural language is allowed
only when an optional offer was declined by a response that names its own pin.
The result is JSON; its outcome is one of

  upgraded   the Protocol Document is agreed
  declined   natural language is allowed
  refused    a required offer was declined: the exchange ends
  unrelated  the response names another pin: nothing is decided

Exit status: 0 whenever both decode, 3 otherwise.`,
		Example: `  rdfproto handshake decide --offer offer.json --response response.json`,
		Args:    files(0, 0),
	}
	m = a.addMessageFlags(cmd)
	cmd.Flags().StringVar(&offer, "offer", "", "the `FILE` of the offer")
	cmd.Flags().StringVar(&response, "response", "", "the `FILE` of the response")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case offer == "":
			return usageError(cmd, "--offer is missing")
		case response == "":
			return usageError(cmd, "--response is missing")
		}
		if err := m.check(cmd); err != nil {
			return err
		}
		first, err1 := m.read(cmd.Context(), offer)
		o, ok1 := first.(handshake.Offer)
		if err1 == nil && !ok1 {
			err1 = wrongKind(offer, "an offer, found a response")
		}
		second, err2 := m.read(cmd.Context(), response)
		r, ok2 := second.(handshake.Response)
		if err2 == nil && !ok2 {
			err2 = wrongKind(response, "a response, found an offer")
		}
		if err1 != nil || err2 != nil {
			status := max(a.diag.explain(err1), a.diag.explain(err2))
			return ended(status)
		}
		d := handshake.Decide(o, r)
		line, err := marshal(struct {
			Version   int    `json:"version"`
			Downgrade bool   `json:"downgrade"`
			Upgraded  bool   `json:"upgraded"`
			Outcome   string `json:"outcome"`
			Required  bool   `json:"required"`
			Hash      string `json:"hash"`
		}{1, d.MayDowngrade(), d.Upgraded(), d.Outcome().String(), o.Required, o.Hash.String()})
		if err != nil {
			return err
		}
		_, err = a.out.Write(append(line, '\n'))
		return err
	}
	return cmd
}

func wrongKind(file, text string) error {
	return &failure{status: StatusRefused, place: rdf.Place{File: display(file)}, text: "kind: expected " + text, code: string(protocol.CodeMalformedPayload)}
}
