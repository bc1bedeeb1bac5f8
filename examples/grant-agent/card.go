package main

import (
	"fmt"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
)

// newCard makes the Agent Card and signs it. It declares the document: who has read the
// card may send intents under it without a handshake.
func newCard(parties *demo.Agent, origin string, pin canon.Digest) ([]byte, error) {
	extension, err := agentcard.Declaration{
		Description: "Grants access to notes, for who has a mandate.", Formats: []string{turtle},
		Documents: []agentcard.DeclaredDocument{{Name: "Grant access", Source: origin + documentPath, Hash: pin}},
	}.AppendExtension(nil)
	if err != nil {
		return nil, err
	}
	card, err := agentcard.Parse(fmt.Appendf(nil, `{
  "name": "Alice's agent", "description": "Looks after Alice's pod.", "version": "1.0.0",
  "supportedInterfaces": [{"url": %q, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
  "securitySchemes": {"token": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
  "securityRequirements": [{"schemes": {"token": {"list": []}}}],
  "capabilities": {"extensions": [%s]},
  "defaultInputModes": ["text/turtle"], "defaultOutputModes": ["text/turtle"],
  "skills": [{"id": "grant", "name": "Grant access", "description": "Lets others read a note.", "tags": ["pod"]}]
}`, origin+"/rpc", extension), agentcard.Limits{})
	if err != nil {
		return nil, err
	}
	key, err := agentcard.ParsePrivateKey(parties.CardKey, agentcard.Limits{})
	if err != nil {
		return nil, err
	}
	return agentcard.Sign(card, key, agentcard.SignOptions{})
}
