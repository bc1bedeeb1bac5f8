package cli

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// signFlags are those of making a proof.
type signFlags struct {
	in                               *vcInput
	key, suite, method, created, end string
	deterministic                    bool
}

func (a *app) addSignFlags(cmd *cobra.Command) *signFlags {
	p := &signFlags{in: a.addVCFlags(cmd)}
	f := cmd.Flags()
	f.StringVar(&p.key, "key", "", "the private key, a JWK in this `FILE`")
	f.StringVar(&p.suite, "suite", "", "the `CRYPTOSUITE`; by default eddsa-rdfc-2022 or ecdsa-rdfc-2019, as the key is")
	f.StringVar(&p.method, "method", "", "the verification method's `IRI`; by default the kid of the key")
	f.StringVar(&p.created, "created", "now", "when the proof is made, a `TIME` as in RFC 3339, now or none")
	f.StringVar(&p.end, "expires", "", "when the proof ends, a `TIME` as in RFC 3339 (w3c profile)")
	f.BoolVar(&p.deterministic, "deterministic", false, "ECDSA by RFC 6979, for test vectors")
	completeFlag(cmd, "suite", cryptosuiteNames()...)
	return p
}

// options reads the flags.
func (p *signFlags) options(cmd *cobra.Command) (*vc.PrivateKey, vc.SignOptions, error) {
	o := vc.SignOptions{Suite: vc.Cryptosuite(p.suite), Method: p.method, Limits: p.in.credentialLimits()}
	key, err := p.in.privateKey(cmd, p.key)
	if err != nil {
		return nil, o, err
	}
	if o.Profile, err = proofProfile(cmd, p.in.profile); err != nil {
		return nil, o, err
	}
	if o.Contexts, err = p.in.table(cmd); err != nil {
		return nil, o, err
	}
	when := func(flag, text string, to *time.Time) (err error) {
		switch text {
		case "", "none":
		case "now":
			*to = time.Now()
		default:
			*to, err = parseInstant(cmd, flag, text)
		}
		return err
	}
	if err := errors.Join(when("--created", p.created, &o.Created), when("--expires", p.end, &o.Expires)); err != nil {
		return nil, o, err
	}
	if !p.deterministic {
		o.Rand = rand.Reader
	}
	return key, o, nil
}

func (a *app) vcSignCommand() *cobra.Command {
	var (
		p                     *signFlags
		challenge, id, nonce  string
		domain, previousProof []string
	)
	cmd := &cobra.Command{
		Use:   "sign --key FILE CREDENTIAL",
		Short: "add a proof to a credential or presentation",
		Long: `Adds a proof to a credential or presentation and prints the new document. What
no verifier would accept is refused: a term that the context does not define, a
member that the proof would not cover, a document that is not shaped like a
credential, an issuer (or holder of a presentation) whose did:key is not the
key. Whether the key is that of any other issuer or holder is not checked:
their controller documents say so, and nothing is fetched. A document that has
proofs gets one more.`,
		Example: `  rdfproto vc sign --key key.jwk unsigned.json
  rdfproto vc sign --key key.jwk --suite eddsa-jcs-2022 unsigned.json
  rdfproto vc sign --key key.jwk --profile svc --method https://a.example/keys#k1 unsigned.json`,
		Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, o, err := p.options(cmd)
			if err != nil {
				return err
			}
			o.Challenge, o.Domain, o.ID, o.Nonce, o.PreviousProof = challenge, domain, id, nonce, previousProof
			data, err := p.in.bytes(cmd.Context(), args[0], p.in.credentialLimits().PresentationBytes)
			if err != nil {
				return err
			}
			signed, err := vc.Sign(cmd.Context(), data, key, o)
			if err != nil {
				return vcRefused(cmd, args[0], err)
			}
			return a.printDocument(signed)
		},
	}
	p = a.addSignFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&challenge, "challenge", "", "of a presentation: the `TEXT` that its receiver issued")
	f.StringArrayVar(&domain, "domain", nil, "of a presentation: the `TEXT` that it is for (repeatable)")
	f.StringVar(&id, "proof-id", "", "the `IRI` of the proof, for proofs that build on it (w3c profile)")
	f.StringVar(&nonce, "nonce", "", "a `TEXT` that makes the proof differ (w3c profile)")
	f.StringArrayVar(&previousProof, "previous-proof", nil, "the `IRI` of a proof that this one builds on (repeatable, w3c profile)")
	return cmd
}

func (a *app) vcPresentCommand() *cobra.Command {
	var (
		p                     *signFlags
		holder, challenge, id string
		domain                []string
	)
	cmd := &cobra.Command{
		Use:   "present --key FILE --holder IRI --challenge C --domain D CREDENTIAL...",
		Short: "make a presentation of credentials",
		Long: `Makes a presentation of credentials, a chain's from its root on, for a receiver
that issued a challenge, and signs it with the holder's key. A did:key must be
that of the key; whether the key is that of any other holder is not checked. The
credentials are not verified.`,
		Example: `  rdfproto vc present --key key.jwk --holder did:key:z6Mk... --challenge c-8f21 --domain https://b.example/ a.json b.json`,
		Args:    files(1, manyFiles),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, f := range []struct{ name, value string }{{"--holder", holder}, {"--challenge", challenge}, {"--domain", strings.Join(domain, "")}} {
				if f.value == "" {
					return usageError(cmd, f.name+" is missing")
				}
			}
			key, o, err := p.options(cmd)
			if err != nil {
				return err
			}
			if id == "" {
				id = "urn:uuid:" + newUUID()
			}
			var list [][]byte
			for _, file := range args {
				data, err := p.in.bytes(cmd.Context(), file, p.in.credentialLimits().CredentialBytes)
				if err != nil {
					return err
				}
				v, err := strictjson.Parse(data, strictjson.Limits{Bytes: p.in.credentialLimits().CredentialBytes})
				if err != nil {
					return vcRefused(cmd, file, err)
				}
				if o.Profile == vc.ProfileAuto {
					if o.Profile = vc.ProfileSVC; v.Get("@context").Exists() {
						o.Profile = vc.ProfileW3C
					}
				}
				list = append(list, []byte(v.Source()))
			}
			o.Challenge, o.Domain = challenge, domain
			signed, err := vc.Sign(cmd.Context(), presentation(o.Profile, id, holder, list), key, o)
			if err != nil {
				var refused *vc.SignError
				if !errors.As(err, &refused) {
					return vcRefused(cmd, "the presentation", err)
				}
				refused.Finding.Pointer, refused.Finding.Line, refused.Finding.Column = "", 0, 0 // of a document that nobody has
				if n := refused.Finding.Credential; n > 0 {
					return vcRefused(cmd, args[n-1], err)
				}
				return vcRefused(cmd, "the presentation", err)
			}
			return a.printDocument(signed)
		},
	}
	p = a.addSignFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&holder, "holder", "", "the holder's `IRI`")
	f.StringVar(&challenge, "challenge", "", "the `TEXT` that the receiver issued")
	f.StringArrayVar(&domain, "domain", nil, "the `TEXT` that names the receiver (repeatable)")
	f.StringVar(&id, "id", "", "the presentation's `IRI`; by default a random urn:uuid")
	return cmd
}

// presentation is an unsigned presentation.
func presentation(p vc.Profile, id, holder string, credentials [][]byte) []byte {
	head := struct {
		Context []string `json:"@context,omitempty"`
		ID      string   `json:"id"`
		Type    []string `json:"type,omitempty"`
		Holder  string   `json:"holder"`
	}{ID: id, Holder: holder}
	if p == vc.ProfileW3C {
		head.Context, head.Type = []string{jsonld.CredentialsV2}, []string{"VerifiablePresentation"}
	}
	out, err := marshal(head)
	if err != nil {
		panic("cli: strings are not written as JSON") // encoding/json writes every string
	}
	out = append(out[:len(out)-1], `,"verifiableCredential":[`...)
	return append(append(out, bytes.Join(credentials, []byte{','})...), `]}`...)
}

func (a *app) vcKeygenCommand() *cobra.Command {
	var typ, controller, id, out string
	cmd := &cobra.Command{
		Use:   "keygen --out FILE",
		Short: "make a key for credentials",
		Long: `Makes a key, writes it as a private JWK into a new file that only its owner can
read, and prints the did:key identifier whose key it is. With --controller it
prints the controller document to publish instead.`,
		Example: `  rdfproto vc keygen --out key.jwk
  rdfproto vc keygen --type p256 --controller https://a.example/card#me --id https://a.example/keys#k1 --out key.jwk`,
		Args: files(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, ok := vc.KeyTypeByName(typ)
			switch {
			case !ok:
				return usageError(cmd, "--type: expected ed25519, p256 or p384, found "+quote(typ))
			case out == "":
				return usageError(cmd, "--out is missing")
			case id != "" && controller == "":
				return usageError(cmd, "--id needs a --controller")
			}
			for _, iri := range []string{controller, id} {
				if iri != "" && rdf.CheckIRI(iri) != nil {
					return usageError(cmd, "expected an absolute IRI, found "+quote(iri))
				}
			}
			key, err := vc.GenerateKey(t, rand.Reader)
			if err != nil {
				return err
			}
			public := key.Public().Multikey()
			did := "did:key:" + public
			text := did + "\n"
			if controller == "" {
				key = key.WithID(did + "#" + public)
			} else {
				if id == "" {
					document, _, _ := strings.Cut(controller, "#")
					id = document + "#key-1"
				}
				key = key.WithID(id)
				document, err := json.MarshalIndent(controllerDocument(controller, id, public), "", "  ")
				if err != nil {
					return err
				}
				text = string(document) + "\n"
			}
			secret, err := key.JWK()
			if err != nil {
				return err
			}
			if err := writeKey(out, secret); err != nil {
				return err
			}
			_, err = a.out.Write([]byte(text))
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&typ, "type", "ed25519", "the key's `TYPE`: ed25519, p256 or p384")
	f.StringVar(&controller, "controller", "", "the `IRI` that the key acts for; by default its own did:key")
	f.StringVar(&id, "id", "", "the key's `IRI`, its verification method; by default #key-1 of the controller's document")
	f.StringVar(&out, "out", "", "write the private key into this new `FILE`")
	completeFlag(cmd, "type", "ed25519", "p256", "p384")
	return cmd
}

// keyDocument is a controller document with one key.
type keyDocument struct {
	Context         []string            `json:"@context"`
	ID              string              `json:"id"`
	Methods         []map[string]string `json:"verificationMethod"`
	AssertionMethod []string            `json:"assertionMethod"`
	Authentication  []string            `json:"authentication"`
}

func controllerDocument(controller, id, public string) keyDocument {
	return keyDocument{
		Context: []string{jsonld.CIDV1}, ID: controller,
		Methods:         []map[string]string{{"id": id, "type": "Multikey", "controller": controller, "publicKeyMultibase": public}},
		AssertionMethod: []string{id}, Authentication: []string{id},
	}
}
