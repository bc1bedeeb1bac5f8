// Package engine turns one whole A2A message into one outcome. It is the a2a-rdf
// extension (https://w3id.org/jeswr/a2a-rdf/v1) in the form in which an agent imports
// it, for both sides of a conversation.
//
// [New] makes an [Engine] from a [Config]. Pass what arrives as a request to
// [Engine.Receive], which answers handshakes and takes an intent through the receiving
// procedure of section 7.3, in its order: activation and binding, replay, the pin, the
// payload, the shape, authority. Pass the reply to a message of one's own to
// [Engine.ReceiveReply]. An [Outcome] says what to do; its zero value refuses. Every
// outcome has a [Trace] of the steps that led to it.
//
// [Engine.Offer], [Engine.Intent], [Engine.Prose] and [Engine.Respond] make the
// messages to send, and refuse to make what the peer would have to refuse. Only
// Engine.Prose makes prose, and only where no offer and no agreement of the
// conversation forbids it; no error of a peer ever leads to prose.
//
// Messages are modelled on A2A 1.0, without a transport: [ParseMessage] reads their
// JSON strictly, and adapters to an SDK fill the model themselves.
//
// What must survive a restart, and be seen by every replica of an agent, is kept in a
// [replay.Store]: the messages that were seen, agreements, pending offers and issued
// challenges. A message is claimed there before it is executed, so that it is executed
// once.
//
// The package is pure: the clock, randomness, documents and the means to fetch them
// come from the Config. An Engine is safe for concurrent use, and respects the
// deadlines of the contexts that it is given.
//
// Left out: A2A 0.3, whose text and data parts have no media type; the tasks of A2A, which
// belong to the SDK; prose itself.
package engine
