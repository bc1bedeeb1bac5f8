package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

func (a *app) vcCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "vc COMMAND",
		Short: "verify and issue credentials, presentations and status lists",
		Long: `Works on Verifiable Credentials 2.0 with Data Integrity proofs: eddsa-rdfc-2022,
ecdsa-rdfc-2019, eddsa-jcs-2022, ecdsa-jcs-2019. Documents with an @context are
of the w3c profile; those without are of the svc profile, which solid-vc
compatible software signs. Nothing is fetched.`,
		Example: `  rdfproto vc keygen --out issuer.jwk
  rdfproto vc sign --key issuer.jwk draft.json
  rdfproto vc verify credential.json`,
	}, a.vcVerifyCommand(), a.vcStatusCommand(), a.vcSignCommand(), a.vcPresentCommand(), a.vcKeygenCommand(), a.vcStatusListCommand())
}

// vcInput is how a command reads its documents.
type vcInput struct {
	*input
	profile  string
	contexts []string // IRI=FILE
}

func (a *app) addVCFlags(cmd *cobra.Command) *vcInput {
	in := &vcInput{input: &input{app: a, limits: addLimitFlag(cmd)}}
	f := cmd.Flags()
	addProfileFlag(cmd, &in.profile)
	f.StringArrayVar(&in.contexts, "context", nil, "take the remote JSON-LD context with an IRI from a file, `IRI=FILE` (repeatable), besides those that are built in, or in place of the one with that IRI; any other is refused")
	return in
}

func cryptosuiteNames() []string {
	var names []string
	for _, s := range vc.Cryptosuites() {
		names = append(names, string(s))
	}
	return names
}

// credentialLimits are the limits of credentials, with those of canonicalization.
func (in *input) credentialLimits() vc.Limits {
	l := in.limits.vc
	l.Canon = in.limits.canon
	return l
}

// addProfileFlag gives a command the flag --profile.
func addProfileFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "profile", "auto", "the proof `PROFILE`: w3c, svc, or auto by the presence of an @context")
	completeFlag(cmd, "profile", "w3c", "svc", "auto")
}

// proofProfile reads the value of --profile.
func proofProfile(cmd *cobra.Command, name string) (vc.Profile, error) {
	p, ok := vc.ProfileByName(name)
	if !ok {
		return 0, usageError(cmd, "--profile: expected w3c, svc or auto, found "+quote(name))
	}
	return p, nil
}

// addSourceFlags gives a command the flags of what a verification is made with.
func addSourceFlags(cmd *cobra.Command, keys, documents *string) {
	f := cmd.Flags()
	f.StringVar(keys, "keys", "", "the `DIR` of controller documents, *.json and *.ttl; did:key identifiers need none")
	f.StringVar(documents, "documents", "", "a `MAP.json` from URLs, such as those of status lists, to files")
}

// table returns the built-in contexts and those of the flags.
func (in *vcInput) table(cmd *cobra.Command) (*jsonld.Contexts, error) {
	if len(in.contexts) == 0 {
		return jsonld.Builtin(), nil
	}
	pins, err := readPins(cmd, "--context", "an absolute IRI", in.contexts)
	if err != nil {
		return nil, err
	}
	documents := map[string][]byte{}
	for _, pin := range pins {
		data, err := in.bytes(cmd.Context(), pin.file, pinnedBytes())
		if err != nil {
			return nil, err
		}
		documents[pin.iri] = data
	}
	return jsonld.Builtin().With(documents)
}

// privateKey reads a private key. Whatever is wrong with it is a wrong call.
func (in *vcInput) privateKey(cmd *cobra.Command, file string) (*vc.PrivateKey, error) {
	if file == "" {
		return nil, usageError(cmd, "--key is missing")
	}
	data, err := in.bytes(cmd.Context(), file, fixedBytes)
	if err != nil {
		return nil, err
	}
	key, err := vc.ParsePrivateKey(data)
	if err != nil {
		return nil, &failure{status: StatusCall, place: rdf.Place{File: display(file)}, text: err.Error(), code: "invalid-key"}
	}
	return key, nil
}

// documents reads a map of documents, nil for no file.
func (in *input) documents(ctx context.Context, file string) (vc.Documents, error) {
	if file == "" {
		return nil, nil
	}
	data, err := in.settings(ctx, file)
	if err != nil {
		return nil, err
	}
	root, err := strictjson.Parse(data, strictjson.DefaultLimits())
	if err == nil {
		var d *vectors.Documents
		if d, err = vectors.ReadDocuments(root, in.beside(ctx, file, in.documentBytes())); err == nil {
			return d, nil
		}
	}
	return nil, &failure{status: StatusCall, text: "--documents: " + err.Error(), code: "unreadable"}
}

// documentBytes is what any document may have that a verification is made with.
func (in *input) documentBytes() int64 {
	l := in.credentialLimits().OrDefault()
	return max(l.StatusListBytes, l.ControllerBytes, l.PolicyBytes, int64(in.limits.authz.PolicyBytes))
}

// resolver returns the keys of a folder and those of did:key identifiers. A folder
// without controller documents is a way to say that did:key will do, or a slip: then
// other identifiers have no keys, so that nothing is verified by it.
func (in *input) resolver(ctx context.Context, dir string) (vc.Resolver, error) {
	if dir == "" {
		return vc.DIDKeys{}, nil
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	ring, n, err := vectors.ReadKeyring(ctx, os.DirFS(dir), in.credentialLimits())
	if err != nil {
		return nil, &failure{status: StatusCall, text: "--keys: " + err.Error(), code: "unreadable"}
	}
	if n == 0 {
		in.app.diag.warn(rdf.Place{File: dir}, "the folder has no *.json or *.ttl, which controller documents are: only did:key identifiers have keys", "no-keys")
	}
	return vc.Resolvers{ring, vc.DIDKeys{}}, nil
}

// vcRefused turns what [vc.Sign] says of a document into a failure.
func vcRefused(cmd *cobra.Command, file string, err error) error {
	var refused *vc.SignError
	if errors.As(err, &refused) {
		f := refused.Finding
		return &failure{status: StatusRefused, place: rdf.Place{File: display(file), Line: f.Line, Column: f.Column}, text: at(f.Text, f.Pointer), code: string(f.Code)}
	}
	var syntax *strictjson.Error
	if errors.As(err, &syntax) {
		return &failure{status: StatusRefused, place: rdf.Place{File: display(file), Line: syntax.Line, Column: syntax.Column}, text: syntax.Text, code: string(syntax.Code)}
	}
	return usageError(cmd, err.Error())
}

// printDocument prints a JSON document on lines of its own.
func (a *app) printDocument(document []byte) error {
	var out bytes.Buffer
	if err := json.Indent(&out, document, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := a.out.Write(out.Bytes())
	return err
}
