package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/terms"
)

// sow reads a document that the call names.
func (in *cardInput) sow(ctx context.Context, file string) (*terms.Document, error) {
	data, err := in.bytes(ctx, file, in.limits.terms.DocumentBytes)
	if err != nil {
		return nil, err
	}
	d, err := terms.Parse(data, in.limits.terms)
	if err != nil {
		return nil, &inFile{display(file), err}
	}
	return d, nil
}

func (a *app) termsDigestCommand() *cobra.Command {
	var in *cardInput
	cmd := &cobra.Command{
		Use:   "digest DOC",
		Short: "print the digest that a card commits to",
		Long: `Prints the digest of a document as an entry of a card has it: SHA-256 over the
canonical form (RFC 8785) of the whole document, identifier and signatures
included. White space and the order of members do not matter.`,
		Example: `  rdfproto terms digest quote.json`,
		Args:    files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := in.sow(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			digest, err := d.Digest()
			if err != nil {
				return &inFile{display(args[0]), err}
			}
			_, err = fmt.Fprintln(a.out, digest)
			return err
		},
	}
	in = a.addCardFlags(cmd)
	return cmd
}

func (a *app) termsIDCommand() *cobra.Command {
	var in *cardInput
	cmd := &cobra.Command{
		Use:   "sow-id DOC",
		Short: "mint the identifier of a document",
		Long: `Prints the identifier that version 1 of a document gets: from the first 80 bits
of the SHA-256 of its canonical form without id and signatures. It is minted
once and kept by later versions. It is a name; a card commits to the digest.`,
		Example: `  rdfproto terms sow-id template.json`,
		Args:    files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := in.sow(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			id, err := d.MintID()
			if err != nil {
				return &inFile{display(args[0]), err}
			}
			_, err = fmt.Fprintln(a.out, id)
			return err
		},
	}
	in = a.addCardFlags(cmd)
	return cmd
}

func (a *app) termsSignCommand() *cobra.Command {
	var (
		in        *cardInput
		key, role string
		at        func() (time.Time, error)
		strict    bool
	)
	cmd := &cobra.Command{
		Use:   "sign-sow --key FILE DOC",
		Short: "sign a template as its provider's standing proposal",
		Long: `Signs a template with the nkey seed of its owner and prints the standing
proposal, the text of the document kept as it is. A template of version 1
without an identifier gets its own. What readers would refuse is refused here: a
filled seat, a clause that is missing, empty or a placeholder, a price without
its parts, a grade that a clause cannot have.

A countersign is the forming of an engagement and is not done here.`,
		Example: `  rdfproto terms sign-sow --key owner.seed template.json`,
		Args:    files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := terms.SignOptions{Strict: strict}
			var err error
			if o.At, err = at(); err != nil {
				return err
			}
			if key == "" {
				return usageError(cmd, "--key is missing")
			}
			if role != "provider" {
				return usageError(cmd, "--role: expected provider, found "+quote(role)+"; a countersign is not made here")
			}
			secret, err := in.bytes(cmd.Context(), key, fixedBytes)
			if err != nil {
				return err
			}
			if len(secret) > fixedBytes { // of which only a part was read
				secret = nil
			}
			signer, err := terms.ParseSeed(secret)
			if err != nil {
				return &failure{status: StatusCall, place: rdf.Place{File: display(key)}, text: err.Error(), code: "malformed"}
			}
			d, err := in.sow(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			signed, err := terms.Sign(d, signer, o)
			if err != nil {
				return &inFile{display(args[0]), err}
			}
			_, err = a.out.Write(signed)
			return err
		},
	}
	in = a.addCardFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&key, "key", "", "the owner's nkey seed, in this `FILE`")
	f.StringVar(&role, "role", "provider", "the `ROLE` to sign in: provider")
	at = atFlag(cmd, "that the record claims")
	f.BoolVar(&strict, "strict", false, "refuse a document that lacks an expected clause")
	return cmd
}

func (a *app) termsDeclareCommand() *cobra.Command {
	var (
		in            *cardInput
		base, channel string
		o             terms.DeclareOptions
	)
	cmd := &cobra.Command{
		Use:   "declare --base-url URL DOC...",
		Short: "write the declaration of signed proposals for a card",
		Long: `Prints the extension object that a card lists in capabilities.extensions: an
entry for each document, served below --base-url under the name of its file.
Documents that readers would refuse are refused. Sign the card again afterwards.

An offer to one party may be in a card for that party alone: --channel
restricted and --for its key.`,
		Example: `  rdfproto terms declare --base-url https://example.com/ quote.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(cmd, "a DOC is missing")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, ok := terms.ChannelByName(channel)
			if !ok {
				return usageError(cmd, "--channel: expected public or restricted, found "+quote(channel))
			}
			o.Channel = c
			if base == "" {
				return usageError(cmd, "--base-url is missing")
			}
			if strings.ContainsAny(base, "?#") {
				return usageError(cmd, "--base-url: expected a URL that names can follow, without a query and a fragment, found "+quote(base))
			}
			var listings []terms.Listing
			for _, file := range args {
				if file == "-" {
					return usageError(cmd, "a document needs the name of a file, which its URL ends with")
				}
				d, err := in.sow(cmd.Context(), file)
				if err != nil {
					return err
				}
				at := strings.TrimSuffix(base, "/") + "/" + url.PathEscape(filepath.Base(file))
				listings = append(listings, terms.Listing{Document: d, URL: at})
			}
			extension, err := terms.Declare(listings, o)
			if e := (*terms.DeclareError)(nil); errors.As(err, &e) {
				return &inFile{args[e.Index], e.Err}
			}
			if err != nil {
				return usageError(cmd, err.Error())
			}
			_, err = a.out.Write(append(extension, '\n'))
			return err
		},
	}
	in = a.addCardFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&base, "base-url", "", "the https `URL` below which the documents are served")
	f.StringVar(&o.SOWSpec, "sow-spec", "0.18.0-draft", "the `VERSION` of the Agent SoW specification that the documents follow")
	f.StringVar(&o.Description, "description", "", "a `TEXT` for people; by default a standard one")
	f.StringVar(&channel, "channel", "public", "where the card is served: `CHANNEL` is public or restricted")
	f.StringVar(&o.For, "for", "", "the `KEY` of the party that a restricted card is for")
	f.BoolVar(&o.Strict, "strict", false, "refuse a document that lacks an expected clause")
	return cmd
}
