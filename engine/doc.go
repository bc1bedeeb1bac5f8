// Package engine takes one whole A2A message to one outcome: the a2a-rdf extension
// (https://w3id.org/jeswr/a2a-rdf/v1) as an agent imports it, on both sides of a
// conversation.
//
// [New] makes an [Engine] of a [Config]. What arrives as a request goes to
// [Engine.Receive], which answers handshakes, and takes an intent through the
// receiving procedure of section 7.3 in its order: activation and binding, replay,
// the pin, the payload, the shape, authority. What comes back for a message of one's
// own goes to [Engine.ReceiveReply]. An [Outcome] says what to do; its zero value
// refuses. Every outcome has a [Trace] of the steps that led to it.
//
// [Engine.Offer], [Engine.Intent], [Engine.Prose] and [Engine.Respond] make what is
// to be sent, and refuse to make what the peer would have to refuse. Prose is made
// only where no offer and no agreement of the conversation forbids it: nothing else
// of this package makes any, and no error of a peer ever leads to it.
//
// The model of messages is that of A2A 1.0 without a wire: [ParseMessage] reads its
// JSON strictly, and adapters to an SDK fill it themselves.
//
// What must survive a restart, and be seen by every replica of an agent, is in a
// [replay.Store]: which messages were seen, agreements, offers that were made and
// challenges that were issued. A message is claimed there before it is executed, so
// that it is executed once.
//
// The package is pure: the clock, randomness, documents and the fetching of them come
// in by the Config. An Engine is safe for concurrent use, and holds to the deadline of
// the contexts it is given.
//
// Left out: A2A 0.3, whose text parts have no media type; the tasks of A2A, which
// belong to the SDK; prose itself.
package engine
