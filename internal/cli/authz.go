package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

func (a *app) authzCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "authz COMMAND",
		Short: "decide by chains of agent authorization credentials",
		Long: `Decides whether a party that presents a chain of credentials and policies may do
what it asks for.`,
		Example: `  rdfproto authz check --record record.json authority.json
  rdfproto authz audit --input authority.json record.json`,
	}, a.authzCheckCommand(), a.authzAuditCommand())
}

// authzFlags are those of an authority decision.
type authzFlags struct {
	in                                *input
	at                                func() (time.Time, error)
	keys, documents, profile, binding string
	given                             vc.Documents // in place of those of documents
	canonical, reference              bool
	presentation                      string
	// Of a check.
	challenge               string
	domain                  []string
	explain, dot, svg, json bool
	record, sign, method    string
	// Of an audit.
	intent string
}

func (a *app) addAuthzFlags(cmd *cobra.Command) *authzFlags {
	f := &authzFlags{in: &input{app: a, limits: addLimitFlag(cmd)}, at: atFlag(cmd, "of the verdict")}
	flags := cmd.Flags()
	addSourceFlags(cmd, &f.keys, &f.documents)
	addProfileFlag(cmd, &f.profile)
	flags.StringVar(&f.binding, "binding", "required", "whether the content of policies must be signed, `MODE` being required, presented or off")
	flags.StringVar(&f.presentation, "presentation", "", "the `FILE` of a presentation that has the credentials; those of INPUT are left out then")
	flags.BoolVar(&f.canonical, "canonical-digests", false, "accept a digestMultibase over the canonical form of a policy")
	flags.BoolVar(&f.reference, "document-reference", false, "let a credential name a policy by the address of its document")
	completeFlag(cmd, "binding", "required", "presented", "off")
	return f
}

func (a *app) authzCheckCommand() *cobra.Command {
	var f *authzFlags
	cmd := &cobra.Command{
		Use:   "check INPUT",
		Short: "decide one request by a chain of credentials and policies",
		Long: `Decides in phases whether the chain of INPUT authorizes its request: that the
policies form one chain (assembly), that the credentials are authentic (A),
belong to the policies and principals (B) and are not revoked (C), that the
chain permits the request (D), and that the actor is the one that it authorizes
(composition). INPUT is JSON, and the files that it names are relative to it:

  {"primaryChain":{"credentials":["a.vc.json"],"policies":["a.ttl"]},
   "rootPrincipal":"IRI","actor":"IRI","actorChain":{...},
   "request":{"action":"read","target":"IRI","attributes":{...}},
   "now":"2026-08-01T00:00:00Z","revoked":["IRI"],
   "revocationDocuments":["r.ttl"],"statusUnreachable":false,
   "hasPolicy":["IRI"],"maxChainLength":8,"requireDuties":false}

With --presentation the credentials are those of a presentation, which must be
made for --challenge and --domain, and its holder is who acts; INPUT has the
policies. Whether the challenge was issued, and not used before, only its issuer
can know.

Keys are controller documents in files (*.json, and profiles as *.ttl), and
did:key identifiers. Nothing is fetched: status lists are read from what
--documents names.

--record writes a record of the decision, by which authz audit makes it again,
and --sign signs that. A record that cannot be written authorizes nothing, and
no file but an older record is overwritten.

Exit status: 0 authorized, 1 not, 3 INPUT was refused.`,
		Example: `  rdfproto authz check --keys keys input.json
  rdfproto authz check --keys keys --record record.json --sign key.jwk input.json
  rdfproto authz check --keys keys --documents documents.json --json input.json
  rdfproto authz check --presentation chain.vp.json --challenge c-8f21 --domain https://me.example/ policies.json
  rdfproto authz check --keys keys --svg input.json > chain.svg`,
		Args: files(1, 1),
	}
	f = a.addAuthzFlags(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.explain, "explain", false, "say what every check, rule and constraint came to")
	flags.BoolVar(&f.json, "json", false, "print the decision as JSON")
	flags.StringVar(&f.challenge, "challenge", "", "the `TEXT` that was issued for the presentation")
	flags.StringArrayVar(&f.domain, "domain", nil, "the `TEXT` that the presentation must be for (repeatable: the set of them)")
	flags.StringVar(&f.record, "record", "", "write the record of the decision as JSON into a `FILE`; - is standard output, and then nothing else is printed")
	flags.StringVar(&f.sign, "sign", "", "sign the record with the private key, a JWK in this `FILE`")
	flags.StringVar(&f.method, "method", "", "the verification method's `IRI` for --sign; by default the kid of the key")
	flags.BoolVar(&f.dot, "dot", false, "draw the chain in the DOT language")
	flags.BoolVar(&f.svg, "svg", false, "draw the chain as SVG")
	cmd.MarkFlagsMutuallyExclusive("json", "dot", "svg")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		presented := f.challenge != "" && len(f.domain) > 0
		switch {
		case f.presentation != "" && !presented:
			return usageError(cmd, "a presentation needs the --challenge and the --domain that it must be for")
		case f.presentation == "" && (f.challenge != "" || len(f.domain) > 0):
			return usageError(cmd, "--challenge and --domain go with --presentation")
		case f.sign != "" && f.record == "":
			return usageError(cmd, "--sign needs --record, which says where the signed record goes")
		case f.method != "" && f.sign == "":
			return usageError(cmd, "--method goes with --sign")
		case f.record == "-" && (f.json || f.dot || f.svg || f.explain):
			return usageError(cmd, "--record - prints the record and nothing else")
		}
		d, r, err := f.decide(cmd, args[0], nil)
		if err != nil {
			return err
		}
		if f.record != "" {
			if err := f.keep(cmd, d.Record()); err != nil {
				return err
			}
		}
		return a.authzReport(d, r, f)
	}
	return cmd
}

// engine names this software in records.
func (a *app) engine() string {
	version, _ := BuildVersion()
	return strings.TrimSpace("rdfproto " + version)
}

// decide makes the decision of an input. What only the receiver knew is that of a record,
// where there is one: the software, the instant, the challenge. The instant is that of
// --at, else that of the input, else that of the record, else now.
func (f *authzFlags) decide(cmd *cobra.Command, file string, of *authz.Record) (*authz.Decision, *authz.Request, error) {
	config, err := f.config(cmd)
	if err != nil {
		return nil, nil, err
	}
	data, err := f.in.settings(cmd.Context(), file)
	if err != nil {
		return nil, nil, err
	}
	root, err := strictjson.Parse(data, strictjson.DefaultLimits())
	if err != nil {
		return nil, nil, &inFile{display(file), err}
	}
	read := f.in.beside(cmd.Context(), file, f.takes(of, f.in.credentialLimits().CredentialBytes, int64(f.in.limits.authz.PolicyBytes)))
	authority, err := vectors.ReadAuthority(root, vectors.Once(together(file, read)))
	if err != nil {
		return nil, nil, besideError(file, err)
	}
	r := &authority.Request
	config.Engine, config.MaxPolicies, config.RequireDuties = f.in.app.engine(), authority.MaxPolicies, authority.RequireDuties
	expected := vc.Expected{Challenge: f.challenge, Domain: f.domain}
	if of != nil {
		if f.intent != "" {
			graph, err := f.in.dataset(cmd.Context(), rdfio.Options{}, f.intent)
			if err != nil {
				return nil, nil, err
			}
			if r.Intent, err = canon.Hash(cmd.Context(), graph, f.in.limits.canon); err != nil {
				return nil, nil, &inFile{display(f.intent), err}
			}
		}
		if expected, err = asRecorded(of, &config, r); err != nil {
			return nil, nil, &failure{status: StatusRefused, text: "the record: " + err.Error(), code: "invalid-input"}
		}
	}
	if cmd.Flags().Changed("at") || r.Now.IsZero() {
		if r.Now, err = f.at(); err != nil {
			return nil, nil, err
		}
	}
	r.Explain = f.explain
	// Whoever wrote INPUT without an actor knows who acts.
	config.InsecureWithoutActor = r.Actor == "" && f.presentation == ""
	d, err := f.authorize(cmd, file, of, config, *r, expected)
	if err != nil {
		if ctx := cmd.Context().Err(); ctx != nil {
			return nil, nil, ctx
		}
		return nil, nil, err
	}
	return &d, r, nil
}

// takes returns how many bytes of a file count that a decision is made from, by the limits
// of those who read it. Where there is a record, it has the hash of the whole file.
func (f *authzFlags) takes(of *authz.Record, limits ...int64) int64 {
	if of != nil || f.record != "" {
		return f.in.limits.read.OrPeer().Bytes
	}
	return slices.Max(limits)
}

// authorize asks for a decision about a request of a file.
func (f *authzFlags) authorize(cmd *cobra.Command, file string, of *authz.Record, c authz.Config, r authz.Request, expected vc.Expected) (authz.Decision, error) {
	refused := func(err error) error {
		return &failure{status: StatusRefused, place: rdf.Place{File: display(file)}, text: err.Error(), code: "invalid-request"}
	}
	authorizer, err := authz.New(c)
	if err != nil {
		return authz.Decision{}, refused(err)
	}
	var d authz.Decision
	if f.presentation == "" {
		d, err = authorizer.Authorize(cmd.Context(), r)
	} else {
		var presentation []byte
		if presentation, err = f.in.bytes(cmd.Context(), f.presentation, f.takes(of, f.in.credentialLimits().PresentationBytes)); err != nil {
			return authz.Decision{}, err
		}
		d, err = authorizer.AuthorizePresentation(cmd.Context(), r, presentation, expected)
	}
	if err != nil {
		err = refused(err)
	}
	return d, err
}

// asRecorded makes a request and a configuration those of a record, as far as only the
// receiver knew what it says, and returns what its presentation had to be made for.
func asRecorded(of *authz.Record, c *authz.Config, r *authz.Request) (vc.Expected, error) {
	var expected vc.Expected
	// That another version comes to the same is what is asked.
	c.Engine = of.Engine
	r.ClaimedAgent = of.Claimed
	var err error
	for _, hash := range []struct {
		text string
		to   *canon.Digest
	}{{of.Protocol, &r.Protocol}, {of.Intent, &r.Intent}} {
		if hash.text == "" || err != nil || !hash.to.IsZero() {
			continue
		}
		*hash.to, err = canon.ParseDigest(hash.text)
	}
	if err == nil && r.Now.IsZero() {
		r.Now, err = time.Parse(time.RFC3339Nano, of.EvaluatedAt)
	}
	if p := of.Presentation; p != nil {
		expected.Challenge, expected.Domain, r.Exchange = p.Challenge, p.Domain, p.Exchange
	}
	return expected, err
}

// config reads the flags.
func (f *authzFlags) config(cmd *cobra.Command) (authz.Config, error) {
	var c authz.Config
	in := f.in
	keys, err := in.resolver(cmd.Context(), f.keys)
	if err != nil {
		return c, err
	}
	profile, err := proofProfile(cmd, f.profile)
	if err != nil {
		return c, err
	}
	switch f.binding {
	case "required":
	case "presented":
		c.Binding = authz.InsecureBindingPresented
	case "off":
		c.Binding = authz.InsecureBindingOff
	default:
		return c, usageError(cmd, "--binding: unknown mode "+quote(f.binding)+", expected required, presented or off")
	}
	c.Limits = in.limits.authz
	c.Limits.VC = in.credentialLimits()
	c.Limits.VC.PolicyBytes = int64(c.Limits.PolicyBytes)
	config := vc.Config{Keys: keys, Profile: profile, Contexts: jsonld.Builtin(), Authority: true, Limits: c.Limits.VC, Documents: f.given}
	if f.documents != "" {
		if config.Documents, err = in.documents(cmd.Context(), f.documents); err != nil {
			return c, err
		}
	}
	verifier, err := vc.New(config)
	if err != nil {
		return c, err
	}
	c.Verifier, c.CanonicalDigests, c.DocumentReference = verifier, f.canonical, f.reference
	return c, nil
}

// beside returns what reads the files that a file names, for a reader that takes so many
// bytes of one.
func (in *input) beside(ctx context.Context, file string, takes int64) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if name = pathIn(file, name); name == "-" {
			name = "./-" // a file of this name: a file does not name standard input
		}
		return in.bytes(ctx, name, takes)
	}
}

// maxTogether is how many bytes the files have that an input names: two chains have ten
// megabytes at most, and the documents that withdraw policies 64.
const maxTogether = 80 << 20

// together bounds what is read of all files that a file names: whoever wrote it chooses how
// many they are, and one file has thousands of paths.
func together(file string, read func(string) ([]byte, error)) func(string) ([]byte, error) {
	left := maxTogether
	return func(name string) ([]byte, error) {
		data, err := read(name)
		if left -= len(data); err == nil && left < 0 {
			return nil, &failure{
				status: StatusRefused, place: rdf.Place{File: display(file)}, code: string(rdf.CodeLimitExceeded),
				text: fmt.Sprintf("the files that it names have more than %d bytes together", maxTogether),
			}
		}
		return data, err
	}
}

// pathIn returns the path of what a file names: one that is not absolute is relative to
// the file.
func pathIn(file, name string) string {
	name = filepath.FromSlash(name)
	switch {
	case filepath.IsAbs(name):
		return name
	case file == "-":
		return filepath.Clean(name)
	}
	return filepath.Join(filepath.Dir(file), name)
}

// besideError gives an error about a file its name, unless it has one, or is about another
// that the file names.
func besideError(file string, err error) error {
	var path *os.PathError
	var in *inFile
	var own *failure
	if errors.As(err, &path) || errors.As(err, &in) || errors.As(err, &own) {
		return err
	}
	var input *vectors.InputError
	if _, known := policyFailure(err); known || errors.As(err, &input) {
		return &inFile{display(file), err}
	}
	return &failure{status: StatusRefused, text: display(file) + ": " + err.Error(), code: "invalid-input"}
}
