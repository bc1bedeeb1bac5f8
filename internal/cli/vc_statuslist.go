package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) vcStatusListCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "status-list COMMAND",
		Short: "make and change status lists",
		Long: `Works on Bitstring status lists, which their issuer publishes at their id and
signs again after every change.`,
		Example: `  rdfproto vc status-list new --key key.jwk --id https://a.example/status/1 --issuer did:key:z6Mk...
  rdfproto vc status-list set --key key.jwk --set 42 list.json`,
	}, a.vcStatusListNewCommand(), a.vcStatusListSetCommand())
}

func (a *app) vcStatusListNewCommand() *cobra.Command {
	var (
		p       *signFlags
		c       vc.StatusListCredential
		entries int
	)
	cmd := &cobra.Command{
		Use:   "new --key FILE --id URL --issuer IRI",
		Short: "make a status list with all entries clear",
		Long: `Makes a status list credential whose entries are all clear, and signs it. An
--issuer that is a did:key must be that of the key; whether the key is that of
any other issuer is not checked.`,
		Example: `  rdfproto vc status-list new --key key.jwk --id https://a.example/status/1 --issuer did:key:z6Mk...`,
		Args:    files(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			key, o, err := p.options(cmd)
			if err != nil {
				return err
			}
			l, err := vc.NewStatusList(entries)
			if err != nil {
				return usageError(cmd, "--entries: "+err.Error())
			}
			unsigned, err := l.Credential(c)
			if err != nil {
				return usageError(cmd, err.Error())
			}
			signed, err := vc.Sign(cmd.Context(), unsigned, key, o)
			if err != nil {
				var refused *vc.SignError
				if errors.As(err, &refused) {
					refused.Finding.Pointer, refused.Finding.Line, refused.Finding.Column = "", 0, 0 // of a document that nobody has
				}
				return vcRefused(cmd, "the status list", err)
			}
			return a.printDocument(signed)
		},
	}
	p = a.addSignFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&c.ID, "id", "", "the `URL` at which the list is published")
	f.StringVar(&c.Issuer, "issuer", "", "the issuer's `IRI`")
	f.StringVar(&c.Purpose, "purpose", "revocation", "the list's `PURPOSE`: revocation or suspension")
	f.StringVar(&c.ValidFrom, "valid-from", "", "the `TIME` from which the list counts")
	f.StringVar(&c.ValidUntil, "valid-until", "", "the `TIME` until which the list counts")
	f.IntVar(&entries, "entries", 131_072, "the `NUMBER` of entries; fewer than the default would tell who is asked about")
	completeFlag(cmd, "purpose", "revocation", "suspension")
	return cmd
}

func (a *app) vcStatusListSetCommand() *cobra.Command {
	var (
		p          *signFlags
		set, clear []int64
	)
	cmd := &cobra.Command{
		Use:   "set --key FILE [--set N]... [--clear N]... LIST",
		Short: "set and clear entries of a status list",
		Long: `Sets and clears entries of a status list credential and signs it again, with the
key of its issuer: see vc status-list new.`,
		Example: `  rdfproto vc status-list set --key key.jwk --set 42 --set 43 list.json`,
		Args:    files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(set)+len(clear) == 0 {
				return usageError(cmd, "expected --set or --clear")
			}
			for _, i := range set {
				if slices.Contains(clear, i) {
					return usageError(cmd, fmt.Sprintf("entry %d is both to be set and to be cleared", i))
				}
			}
			key, o, err := p.options(cmd)
			if err != nil {
				return err
			}
			data, err := p.in.bytes(cmd.Context(), args[0], p.in.credentialLimits().StatusListBytes)
			if err != nil {
				return err
			}
			refused := func(err error) error {
				return &failure{status: StatusRefused, place: rdf.Place{File: display(args[0])}, text: err.Error(), code: string(vc.CodeMalformed)}
			}
			l, err := vc.EncodedStatusList(data, p.in.credentialLimits())
			if err != nil {
				return refused(err)
			}
			for _, change := range []struct {
				indexes []int64
				to      bool
			}{{set, true}, {clear, false}} {
				for _, i := range change.indexes {
					if err := l.Set(i, change.to); err != nil {
						return usageError(cmd, err.Error())
					}
				}
			}
			unsigned, err := l.Update(data, p.in.credentialLimits())
			if err != nil {
				return refused(err)
			}
			signed, err := vc.Sign(cmd.Context(), unsigned, key, o)
			if err != nil {
				return vcRefused(cmd, args[0], err)
			}
			return a.printDocument(signed)
		},
	}
	p = a.addSignFlags(cmd)
	f := cmd.Flags()
	f.Int64SliceVar(&set, "set", nil, "set the entry with this `INDEX` (repeatable)")
	f.Int64SliceVar(&clear, "clear", nil, "clear the entry with this `INDEX` (repeatable)")
	return cmd
}
