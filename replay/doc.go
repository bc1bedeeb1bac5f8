// Package replay remembers what an agent must not forget between messages: which
// messages it has seen, so that none is executed twice (a2a-rdf, section 9.6), and
// the records that outlive a message, such as agreements (section 5.5).
//
// Store is the one interface to it. A Store that cannot say refuses: every error
// means that the message must not be executed.
package replay
