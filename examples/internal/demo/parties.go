package demo

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz/vc"
)

// The names of the demo. The agent's name is not its address, which may change:
// messages are remembered, and presentations made, for the name.
const (
	AgentName = "https://alice.pod.example/agent"
	Meeting   = "https://alice.pod.example/notes/meeting"
	Bob       = "https://bob.pod.example/profile#me"
)

// Agent is what the agent needs. It is secret.
type Agent struct {
	Certificate string            // in PEM
	TLSKey      string            // in PEM
	CardKey     json.RawMessage   // the private JWK that signs the card
	Owner       string            // the DID of Alice, whose authority counts
	Clients     map[string]string // by the token that a client shows, its DID
}

// Client is what a client needs. It is secret.
type Client struct {
	Certificate string            // of the agent, in PEM
	CardKeys    json.RawMessage   // the keys that the client trusts to sign the card
	Token       string            // says to the agent who is asking
	Key         json.RawMessage   // the private JWK of the client's DID
	Chain       []json.RawMessage // the credentials that give it authority, root first
}

// New makes an agent and its clients. Alice lets Bob decide who reads her notes of the
// meeting, and lets him pass that on; Bob passes it on to each client.
func New(ctx context.Context, clients int) (*Agent, []*Client, error) {
	certificate, tlsKey, err := newCertificate()
	if err != nil {
		return nil, nil, err
	}
	cardKey, err := agentcard.GenerateKey(agentcard.EdDSA, "card-1", rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	secret, err := cardKey.JWK()
	if err != nil {
		return nil, nil, err
	}
	trust, err := trustStore(cardKey)
	if err != nil {
		return nil, nil, err
	}
	alice, err := vc.GenerateKey(vc.Ed25519, rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	bob, err := vc.GenerateKey(vc.Ed25519, rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	now := time.Now()
	root, err := mandate{from: alice, to: did(bob), policy: policyOfAlice, more: 1}.sign(ctx, now)
	if err != nil {
		return nil, nil, err
	}
	a := &Agent{Certificate: certificate, TLSKey: tlsKey, CardKey: secret, Owner: did(alice), Clients: map[string]string{}}
	list := make([]*Client, clients)
	for i := range list {
		key, err := vc.GenerateKey(vc.Ed25519, rand.Reader)
		if err != nil {
			return nil, nil, err
		}
		jwk, err := key.JWK()
		if err != nil {
			return nil, nil, err
		}
		leaf, err := mandate{from: bob, to: did(key), policy: policyOfBob, under: policyOfAlice}.sign(ctx, now)
		if err != nil {
			return nil, nil, err
		}
		token := rand.Text()
		a.Clients[token] = did(key)
		list[i] = &Client{Certificate: certificate, CardKeys: trust, Token: token, Key: jwk, Chain: []json.RawMessage{root, leaf}}
	}
	return a, list, nil
}

// trustStore pins the public part of a key.
func trustStore(key *agentcard.PrivateKey) (json.RawMessage, error) {
	set, err := key.KeySet()
	if err != nil {
		return nil, err
	}
	var public struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(set, &public); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"version":1,"keys":[{"jwk":%s}],"jku":{"mode":"off"}}`, public.Keys[0]), nil
}

// did is the identifier that is a key.
func did(k *vc.PrivateKey) string { return "did:key:" + k.Public().Multikey() }

// method is the name of the one key of a did:key.
func method(k *vc.PrivateKey) string { return did(k) + "#" + k.Public().Multikey() }
