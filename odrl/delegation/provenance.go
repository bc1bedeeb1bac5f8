package delegation

import (
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

const prov = vocab.PROV

// Provenance returns the statements of who acted for whom in a chain, root
// first (7.11): each policy is attributed to its assigner, each further policy
// is delegated under and derived from the one before it, and its assignee acted
// on behalf of its assigner. What a policy does not name is left out. It says what
// the policies claim; [Evaluate] says whether the chain holds.
//
// It fails with a [*rdf.LimitError] when the statements exceed the limits of
// [rdf.Peer].
func Provenance(chain []*odrl.Policy) (*rdf.Dataset, error) {
	b := rdf.NewBuilder(rdf.Limits{})
	add := func(s, p, o string) error {
		if s == "" || o == "" {
			return nil
		}
		var ids [3]rdf.ID
		for i, iri := range [3]string{s, p, o} {
			id, err := b.IRI([]byte(iri))
			if err != nil {
				return err
			}
			ids[i] = id
		}
		return b.Add(ids[0], ids[1], ids[2], 0)
	}
	for i, p := range chain {
		statements := [][3]string{{p.IRI(), prov + "wasAttributedTo", p.Assigner()}}
		if i > 0 {
			parent := chain[i-1].IRI()
			statements = append(statements,
				[3]string{p.IRI(), vocab.ODRLDDelegatedUnder, parent},
				[3]string{p.IRI(), prov + "wasDerivedFrom", parent},
				[3]string{p.Assignee(), prov + "actedOnBehalfOf", p.Assigner()})
		}
		for _, s := range statements {
			if err := add(s[0], s[1], s[2]); err != nil {
				return nil, err
			}
		}
	}
	return b.Dataset(), nil
}
