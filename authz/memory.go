package authz

import (
	"errors"
	"sync"

	"github.com/rdfproto/rdfproto/canon"
)

// Memory is a [PolicyMemory] that lasts as long as the process. The zero Memory is
// empty. It forgets nothing. Once it is full, RememberPolicy fails for a policy that is
// not in it, which denies. It is safe for concurrent use.
type Memory struct {
	// Max is how many policies are remembered; 0 means a million, which take some 60 MB
	// however long their names are.
	Max int

	mu      sync.Mutex
	revoked map[canon.Digest]struct{}
}

// memoryKey is the key under which a policy of an assigner is kept. No IRI has a line
// feed.
func memoryKey(assigner, iri string) canon.Digest { return canon.Sum([]byte(assigner + "\n" + iri)) }

// RevokedPolicy implements [PolicyMemory].
func (m *Memory) RevokedPolicy(assigner, iri string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, revoked := m.revoked[memoryKey(assigner, iri)]
	return revoked, nil
}

// RememberPolicy implements [PolicyMemory].
func (m *Memory) RememberPolicy(assigner, iri string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	most := m.Max
	if most <= 0 {
		most = 1_000_000
	}
	key := memoryKey(assigner, iri)
	if _, known := m.revoked[key]; !known && len(m.revoked) >= most {
		return errors.New("the memory of revoked policies is full")
	}
	if m.revoked == nil {
		m.revoked = map[canon.Digest]struct{}{}
	}
	m.revoked[key] = struct{}{}
	return nil
}
