package vectors

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// proofOperations are those of Data Integrity proofs in the W3C profile (specification
// "authz", sections 2, 4 and 5), where a key counts for the purposes alone that its controller
// document lists it for.
func proofOperations() []Operation {
	return []Operation{
		{"verify-credential", []string{"credential", "now", "cryptosuites", "issuers", "authority"}, verifyCredential},
		{"verify-presentation", []string{"presentation", "now", "cryptosuites", "issuers", "challenge", "domains", "holder"}, verifyPresentation},
	}
}

// proofVerifier reads the members that both share.
func (c *Case) proofVerifier(ctx context.Context, in *object) (*vc.Verifier, error) {
	config := vc.Config{Profile: vc.ProfileW3C, Contexts: jsonld.Builtin(), Issuers: in.texts("issuers"), Authority: in.flag("authority")}
	for _, s := range in.texts("cryptosuites") {
		config.Suites = append(config.Suites, vc.Cryptosuite(s))
	}
	if in.err != nil {
		return nil, in.err
	}
	var err error
	if config.Keys, err = c.keys(ctx); err != nil {
		return nil, err
	}
	return vc.New(config)
}

// keys are those of the keyring of the suite, each for its purposes, and did:key.
func (c *Case) keys(ctx context.Context) (vc.Resolver, error) {
	folder, err := fs.Sub(c.FS(), "keyring")
	if err != nil {
		return nil, err
	}
	keys, _, err := ReadKeyring(ctx, folder, vc.Limits{})
	if err != nil {
		return nil, err
	}
	return vc.Resolvers{keys, vc.DIDKeys{}}, nil
}

// verifyCredential is sections 2.3 to 2.9.
func verifyCredential(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	at := in.now()
	data, err := c.file(in, "credential")
	if err != nil {
		return nil, err
	}
	v, err := c.proofVerifier(ctx, in)
	if err != nil {
		return nil, err
	}
	r, err := v.Verify(ctx, data, at)
	if err != nil {
		return nil, err
	}
	return Outcome{Bool("verified", r.Verified()), codes(r.Codes())}, nil
}

// verifyPresentation is section 5 in the W3C profile.
func verifyPresentation(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	at := in.now()
	expected := vc.Expected{Challenge: in.needed("challenge"), Domain: in.texts("domains")}
	holder := in.text("holder")
	data, err := c.file(in, "presentation")
	if err != nil {
		return nil, err
	}
	rules := map[string]vc.HolderRule{"": vc.HolderEach, "each": vc.HolderEach, "last": vc.HolderLeaf, "unbound": vc.HolderUnbound}
	var ok bool
	if expected.Holder, ok = rules[holder]; !ok {
		return nil, fmt.Errorf("unknown rule %q for the holder", holder)
	}
	v, err := c.proofVerifier(ctx, in)
	if err != nil {
		return nil, err
	}
	r, err := v.VerifyPresentation(ctx, data, expected, at)
	if err != nil {
		return nil, err
	}
	return Outcome{Bool("verified", r.Verified()), codes(r.Codes())}, nil
}
