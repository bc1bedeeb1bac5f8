package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// pod says who may do what with Alice's notes. It is in memory: what was granted is
// forgotten when the agent ends. The zero pod grants nothing to anybody.
type pod struct {
	mu     sync.Mutex
	grants map[access]protocol.Modes
	// before is called before an intent is carried out; nil for nothing.
	before func(messageID string) error
}

type access struct{ target, agent string }

var _ a2a.Handler = (*pod)(nil)

// Handle implements a2a.Handler. The intent conforms to the document and was
// authorized: what is left is to do it, and to say what was done.
func (p *pod) Handle(_ context.Context, in *engine.Intent) (engine.Answer, error) {
	asked, err := in.Project()
	if err != nil {
		return engine.Answer{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.before != nil {
		if err := p.before(in.MessageID()); err != nil {
			return engine.Answer{}, err
		}
	}
	if p.grants == nil {
		p.grants = map[access]protocol.Modes{}
	}
	p.grants[access{asked.Target, asked.Recipient}] |= asked.Modes
	body := fmt.Sprintf(`PREFIX acl: <http://www.w3.org/ns/auth/acl#>

[] a acl:Authorization ;
    acl:accessTo <%s> ;
    acl:agent <%s> ;
    acl:mode <%s> .
`, asked.Target, asked.Recipient, strings.Join(asked.Modes.IRIs(), ">, <"))
	return engine.Answer{Body: body, MediaType: turtle, Text: "Done."}, nil
}
