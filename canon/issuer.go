package canon

import "strconv"

// issuer is an identifier issuer (section 4.3). The identifier of a blank node
// is its place in issued; the prefix is written where the identifier is.
//
// The algorithm copies issuers. Here there is one temporary issuer with an
// undo: a copy is the length of issued at that time, and what was issued after
// it is taken back before another permutation is tried.
type issuer struct {
	id     []uint32 // by blank node: the identifier plus one, 0 for none
	issued []uint32 // the issued identifiers map in order: blank nodes
}

// The identifier prefixes of the canonical and of temporary issuers.
const (
	canonicalPrefix = "c14n"
	temporaryPrefix = "b"
)

func (i *issuer) reset(nodes int) {
	i.id = zeroed(i.id, nodes)
	i.issued = i.issued[:0]
}

// issue is the Issue Identifier algorithm (section 4.5.2).
func (i *issuer) issue(n uint32) {
	if i.id[n] != 0 { // step 1
		return
	}
	i.issued = append(i.issued, n) // steps 2 to 4: the counter is the length
	i.id[n] = uint32(len(i.issued))
}

func (i *issuer) issueAll(nodes []uint32) {
	for _, n := range nodes {
		i.issue(n)
	}
}

// undo takes back all but the first identifiers.
func (i *issuer) undo(length int) {
	for _, n := range i.issued[length:] {
		i.id[n] = 0
	}
	i.issued = i.issued[:length]
}

func appendID(dst []byte, prefix string, n uint32) []byte {
	return strconv.AppendUint(append(dst, prefix...), uint64(n), 10)
}
