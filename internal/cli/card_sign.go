package cli

import (
	"crypto/rand"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) cardPayloadCommand() *cobra.Command {
	var (
		in   *cardInput
		name string
	)
	cmd := &cobra.Command{
		Use:   "payload CARD",
		Short: "print the bytes that a signature of a card covers",
		Long: `Prints the exact bytes that a signature covers, without a newline at the end:
the card without its signatures and without what the reading leaves out, in the
canonical form of RFC 8785. The card may lack REQUIRED members.`,
		Example: `  rdfproto card payload card.json
  rdfproto card payload --reading sdk card.json`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, ok := agentcard.ReadingByName(name)
			if !ok {
				return usageError(cmd, "--reading: expected spec, sdk, raw or py-legacy, found "+quote(name))
			}
			c, err := in.read(cmd, args[0])
			if err != nil {
				return err
			}
			payload, err := c.Payload(r)
			if err != nil {
				return &inFile{c.name, err}
			}
			_, err = a.out.Write(payload)
			return err
		},
	}
	in = a.addCardFlags(cmd)
	cmd.Flags().StringVar(&name, "reading", "spec", "the `READING` of the payload rules: spec, sdk, raw, py-legacy")
	completeFlag(cmd, "reading", "spec", "sdk", "raw", "py-legacy")
	return cmd
}

func (a *app) cardSignCommand() *cobra.Command {
	var (
		in      *cardInput
		keyFile string
		o       agentcard.SignOptions
	)
	cmd := &cobra.Command{
		Use:   "sign --key FILE CARD",
		Short: "add a signature to a card",
		Long: `Adds a signature to a card and prints the new card. The text of the card stays
as it is, and so do the signatures that it has; with --strip it is written anew
without the members that no signature covers, so that implementations agree on
it as far as they can. A card that lacks a REQUIRED member, or that readers
could understand in two ways, is refused, and so is a key whose exp has passed.
The new signature is verified first.`,
		Example: `  rdfproto card sign --key key.jwk unsigned.json
  rdfproto card sign --key key.jwk --strip unsigned.json`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			if keyFile == "" {
				return usageError(cmd, "--key is missing")
			}
			key, err := in.signingKey(cmd, keyFile)
			if err != nil {
				return err
			}
			c, err := in.read(cmd, args[0])
			if err != nil {
				return err
			}
			o.Rand = rand.Reader
			signed, err := agentcard.Sign(c.Card, key, o)
			if e := (*agentcard.Error)(nil); errors.As(err, &e) && (e.Code == agentcard.CodeFetchNotHTTPS || e.Code == agentcard.CodeFetchURL) {
				return &failure{status: StatusCall, code: string(e.Code), text: "--jku: " + e.Text}
			}
			if err != nil {
				return &inFile{c.name, err}
			}
			for _, f := range c.Lint() {
				if f.Code == agentcard.CodeLintAmbiguous {
					a.diag.warn(c.place(f.Line, f.Column), at(f.Text, f.Pointer), string(f.Code))
				}
			}
			_, err = a.out.Write(signed)
			return err
		},
	}
	in = a.addCardFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&keyFile, "key", "", "the private key, a JWK in this `FILE`")
	f.StringVar(&o.JKU, "jku", "", "name this https `URL` as the place of the JWK Set")
	f.BoolVar(&o.Strip, "strip", false, "leave out the members that no signature covers")
	f.BoolVar(&o.Fragment, "fragment", false, "sign a card that lacks REQUIRED members")
	f.BoolVar(&o.Deterministic, "deterministic", false, "ECDSA by RFC 6979, for test vectors")
	return cmd
}

// privateKey reads a private key. Whatever is wrong with it is a wrong call.
func (in *cardInput) privateKey(cmd *cobra.Command, file string) (*agentcard.PrivateKey, error) {
	data, err := in.bytes(cmd.Context(), file, in.limits.card.KeySetBytes)
	if err != nil {
		return nil, err
	}
	key, err := agentcard.ParsePrivateKey(data, in.limits.card)
	if err != nil {
		f := failures(&inFile{display(file), err})[0]
		f.status = StatusCall
		return nil, &f
	}
	return key, nil
}

// signingKey reads a private key to sign with. One that has ended is refused: nobody would
// accept what it signs.
func (in *cardInput) signingKey(cmd *cobra.Command, file string) (*agentcard.PrivateKey, error) {
	key, err := in.privateKey(cmd, file)
	if err != nil {
		return nil, err
	}
	if key.Public().Ended(time.Now()) {
		return nil, &failure{
			status: StatusCall, place: rdf.Place{File: display(file)}, code: string(agentcard.CodeKeyExpired),
			text: "the exp of the key has passed: nobody would accept what it signs",
		}
	}
	return key, nil
}

func (a *app) cardKeygenCommand() *cobra.Command {
	var (
		in                   *cardInput
		alg, kid, out, exist string
	)
	cmd := &cobra.Command{
		Use:   "keygen (--out FILE | --key FILE)",
		Short: "make a key, or print the public half of one",
		Long: `Makes a key for signing cards, writes it as a private JWK into a new file that
only its owner can read, and prints the JWK Set to publish. With --key it makes
no key and prints the JWK Set of one that is there.

A signature by a key for ES512 is accepted only where it is asked for, as card
verify --algorithm ES512 does; the other algorithms are accepted by default.`,
		Example: `  rdfproto card keygen --out new.jwk
  rdfproto card keygen --algorithm EdDSA --kid 2027 --out other.jwk
  rdfproto card keygen --key key.jwk`,
		Args: files(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (out == "") == (exist == "") {
				return usageError(cmd, "expected --out or --key")
			}
			var key *agentcard.PrivateKey
			var err error
			if exist != "" {
				key, err = in.privateKey(cmd, exist)
			} else {
				key, err = newKey(cmd, agentcard.Algorithm(alg), kid, out)
			}
			if err != nil {
				return err
			}
			set, err := key.KeySet()
			if err != nil {
				return err
			}
			_, err = a.out.Write(append(set, '\n'))
			return err
		},
	}
	in = a.addCardFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "write the private key into this new `FILE`")
	f.StringVar(&exist, "key", "", "print the public half of the private key in this `FILE`")
	f.StringVar(&kid, "kid", "", "the key's `NAME`; by default its thumbprint (RFC 7638)")
	f.StringVar(&alg, "algorithm", "ES256", "the key's `ALGORITHM`: "+algorithmNames(keyAlgorithms()))
	completeAlgorithms(cmd, keyAlgorithms())
	return cmd
}

// keyAlgorithms are those that keys are made for, see [agentcard.GenerateKey].
func keyAlgorithms() []agentcard.Algorithm {
	return append(agentcard.DefaultAlgorithms(), agentcard.ES512)
}

// newKey makes a key and writes it into a file that was not there.
func newKey(cmd *cobra.Command, alg agentcard.Algorithm, kid, file string) (*agentcard.PrivateKey, error) {
	key, err := agentcard.GenerateKey(alg, kid, rand.Reader)
	if err != nil {
		return nil, usageError(cmd, "--algorithm: "+err.Error())
	}
	secret, err := key.JWK()
	if err != nil {
		return nil, err
	}
	if err := writeKey(file, secret); err != nil {
		return nil, err
	}
	return key, nil
}
