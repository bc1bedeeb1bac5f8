package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/authz/vc"
)

// vcFlags are those of a verification.
type vcFlags struct {
	in                *vcInput
	keys, docs        string
	suites, issuers   []string
	authority         bool
	proofs            bool
	challenge, holder string
	domain            []string
	json              bool
	at                func() (time.Time, error)
}

func (a *app) addVerifyFlags(cmd *cobra.Command) *vcFlags {
	p := &vcFlags{in: a.addVCFlags(cmd), at: atFlag(cmd, "of the verdict")}
	f := cmd.Flags()
	addSourceFlags(cmd, &p.keys, &p.docs)
	f.StringArrayVar(&p.suites, "suite", nil, "allow only this `CRYPTOSUITE` (repeatable: only these)")
	f.StringArrayVar(&p.issuers, "issuer", nil, "trust only the issuer with this `IRI` (repeatable: only these)")
	f.BoolVar(&p.authority, "authority", false, "demand what credentials that grant authority must have")
	f.BoolVar(&p.json, "json", false, "print the verdict as JSON")
	completeFlag(cmd, "suite", cryptosuiteNames()...)
	return p
}

// verifier reads what the flags name.
func (p *vcFlags) verifier(cmd *cobra.Command) (*vc.Verifier, time.Time, error) {
	at, err := p.at()
	if err != nil {
		return nil, at, err
	}
	c := vc.Config{Issuers: p.issuers, Authority: p.authority, Limits: p.in.credentialLimits()}
	if c.Profile, err = proofProfile(cmd, p.in.profile); err != nil {
		return nil, at, err
	}
	for _, name := range p.suites {
		c.Suites = append(c.Suites, vc.Cryptosuite(name))
	}
	if c.Keys, err = p.in.resolver(cmd.Context(), p.keys); err != nil {
		return nil, at, err
	}
	if c.Contexts, err = p.in.table(cmd); err != nil {
		return nil, at, err
	}
	if c.Documents, err = p.in.documents(cmd.Context(), p.docs); err != nil {
		return nil, at, err
	}
	v, err := vc.New(c)
	if err != nil {
		return nil, at, usageError(cmd, err.Error())
	}
	return v, at, nil
}

// begin reads what a verification is of, and what its flags name.
func (p *vcFlags) begin(cmd *cobra.Command, file string) (*vc.Verifier, []byte, *vcOutcome, error) {
	v, at, err := p.verifier(cmd)
	if err != nil {
		return nil, nil, nil, err
	}
	l := p.in.credentialLimits()
	data, err := p.in.bytes(cmd.Context(), file, max(l.CredentialBytes, l.PresentationBytes))
	return v, data, &vcOutcome{file: display(file), at: at}, err
}

func (a *app) vcVerifyCommand() *cobra.Command {
	var p *vcFlags
	cmd := &cobra.Command{
		Use:   "verify CREDENTIAL",
		Short: "verify a credential or a presentation",
		Long: `Verifies a credential: its shape, its proofs, that its issuer controls the keys,
its validity and its status. A presentation is verified with its credentials,
and must be bound to --challenge and --domain.

Keys come from controller documents in files and from did:key identifiers.
Status lists are read from what --documents names; a status that cannot be read
is not clear. A JCS proof covers JSON, so that claims need not be readable as
RDF; --authority demands that they are, and what else credentials of authority
must have.

With --proofs any secured document is taken, and only its proofs are checked:
nothing is said about who may sign it.

Exit status: 0 verified, 1 not.`,
		Example: `  rdfproto vc verify --keys keys --documents documents.json credential.json
  rdfproto vc verify --challenge c-8f21 --domain https://me.example/ presentation.json
  rdfproto vc verify --json --at 2026-08-01T00:00:00Z credential.json`,
		Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, data, o, err := p.begin(cmd, args[0])
			if err != nil {
				return err
			}
			switch {
			case p.proofs && (p.challenge != "" || len(p.domain) > 0):
				return usageError(cmd, "--proofs checks no challenge or domain")
			case p.proofs:
				err = o.proofs(cmd, v, data)
			case p.challenge != "" || len(p.domain) > 0 || vc.IsPresentation(data, p.in.credentialLimits()):
				err = o.presentation(cmd, v, data, p)
			default:
				err = o.credential(cmd, v, data)
			}
			if err != nil {
				return err
			}
			return a.vcReport(o, p.json)
		},
	}
	p = a.addVerifyFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&p.challenge, "challenge", "", "of a presentation: the `TEXT` that was issued for it")
	f.StringArrayVar(&p.domain, "domain", nil, "of a presentation: the `TEXT` that it must be for (repeatable: the set of them)")
	f.StringVar(&p.holder, "holder", "each", "of a presentation: how its holder is bound, `RULE` being each, leaf or unbound")
	f.BoolVar(&p.proofs, "proofs", false, "check the proofs of any secured document, and nothing else")
	completeFlag(cmd, "holder", "each", "leaf", "unbound")
	return cmd
}

// vcOutcome is what a verification came to.
type vcOutcome struct {
	file     string
	what     string // the kind of document
	verified bool
	code     vc.Code
	findings []vc.Finding
	at       time.Time
	nothing  bool // there was nothing to judge

	credentials []*vc.Credential
	holder      string
	signed      []vc.Proof
	entries     []vc.CheckedEntry
}

func (o *vcOutcome) credential(cmd *cobra.Command, v *vc.Verifier, data []byte) error {
	o.what = "credential"
	r, err := v.Verify(cmd.Context(), data, o.at)
	if err != nil {
		return err
	}
	o.verified, o.code, o.findings = r.Verified(), r.Code(), r.Findings()
	if !o.verified {
		return nil
	}
	c := r.Credential()
	o.credentials, o.signed = []*vc.Credential{c}, c.Proofs()
	return o.status(cmd, v, c)
}

func (o *vcOutcome) status(cmd *cobra.Command, v *vc.Verifier, c *vc.Credential) error {
	s, err := v.CheckStatus(cmd.Context(), c, o.at)
	if err != nil {
		return err
	}
	o.verified, o.code, o.findings, o.entries = s.Clear(), s.Code(), s.Findings(), s.Entries()
	return nil
}

func (o *vcOutcome) presentation(cmd *cobra.Command, v *vc.Verifier, data []byte, p *vcFlags) error {
	o.what = "presentation"
	e := vc.Expected{Challenge: p.challenge, Domain: p.domain}
	switch p.holder {
	case "each":
	case "leaf":
		e.Holder = vc.HolderLeaf
	case "unbound":
		e.Holder = vc.HolderUnbound
	default:
		return usageError(cmd, "--holder: expected each, leaf or unbound, found "+quote(p.holder))
	}
	if p.challenge == "" || len(p.domain) == 0 {
		return usageError(cmd, "a presentation needs the --challenge and the --domain that it must be for")
	}
	r, err := v.VerifyPresentation(cmd.Context(), data, e, o.at)
	if err != nil {
		return err
	}
	o.verified, o.code, o.findings = r.Verified(), r.Code(), r.Findings()
	if q := r.Presentation(); q != nil {
		o.credentials, o.holder, o.signed = q.Credentials(), q.Holder(), q.Proofs()
	}
	return nil
}

func (o *vcOutcome) proofs(cmd *cobra.Command, v *vc.Verifier, data []byte) error {
	o.what = "proofs"
	r, err := v.VerifyProofs(cmd.Context(), data, vc.AssertionMethod, o.at)
	if err != nil {
		return err
	}
	o.verified, o.code, o.findings, o.signed = r.Verified(), r.Code(), r.Findings(), r.Proofs()
	return nil
}

func (a *app) vcStatusCommand() *cobra.Command {
	var p *vcFlags
	cmd := &cobra.Command{
		Use:   "status CREDENTIAL",
		Short: "evaluate the status of a credential",
		Long: `Verifies a credential and evaluates its status entries, which count because the
issuer signed them. Status lists are read from what --documents names.

Exit status: 0 clear, 1 not, 4 there are no entries.`,
		Example: `  rdfproto vc status --keys keys --documents documents.json credential.json`,
		Args:    files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, data, o, err := p.begin(cmd, args[0])
			if err != nil {
				return err
			}
			if err := o.credential(cmd, v, data); err != nil {
				return err
			}
			o.what = "status"
			o.nothing = o.verified && len(o.entries) == 0
			return a.vcReport(o, p.json)
		},
	}
	p = a.addVerifyFlags(cmd)
	return cmd
}
