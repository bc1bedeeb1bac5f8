package handshake_test

import (
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// An offer and the bytes that came back for it give a decision.
func ExampleDecide() {
	offer := handshake.Offer{Source: "https://alice.pod.example/protocols/grant-access"}
	copy(offer.Hash[:], "the pin of a document, 32 bytes.")
	response, err := handshake.ParseResponse([]byte(`{"kind":"upgrade-response","protocolHash":"`+offer.Hash.String()+`","accept":false}`), handshake.Options{})
	if err != nil {
		fmt.Println(err) // nothing is decided, and nothing falls back to prose
		return
	}
	decision := handshake.Decide(offer, response)
	fmt.Println(decision.Outcome(), decision.MayDowngrade())

	offer.Required = true
	decision = handshake.Decide(offer, response)
	fmt.Println(decision.Outcome(), decision.MayDowngrade())
	// Output:
	// declined true
	// refused false
}

// The offering side keeps the exchange in an Offeror, which is told what came and when.
func ExampleOfferor() {
	var document *protocol.Reviewed // of protocol.Examine and Review.Accept
	var exchange handshake.Offeror
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	err := exchange.Offer(document, handshake.Offer{Hash: document.Pin(), Source: "https://a.example/p"}, "message-1", now)
	fmt.Println(err)
	fmt.Println(exchange.State(), exchange.MayUseNaturalLanguage())
	// Output:
	// the protocol document was not verified and reviewed
	// NL true
}
