// Package a2a puts the a2a-rdf extension (https://w3id.org/jeswr/a2a-rdf/v1) into agents
// that are built with the official Go SDK of A2A 1.0,
// github.com/a2aproject/a2a-go/v2. Package engine judges; this package carries: over
// JSON-RPC, HTTP+JSON and gRPC, on both sides (a2a-rdf, sections 1, 5.6, 6, 8 and 14).
//
// # Serving
//
// [NewServer] makes a [Server] of an engine, the application's [Handler] and the agent's
// card. Its RequestHandler goes to the SDK's transports: by [Server.JSONRPC] and
// [Server.REST], or by the SDK's gRPC handler on a server with [GRPCOptions]. The engine
// sees every message first. It answers handshakes, refuses what is to be refused, and
// hands an accepted intent to the Handler, whose answer it checks before it is sent;
// prose goes to the executor that the application had before, and only where the engine
// leaves it. [CardHandler] serves the card's bytes as they are.
//
// [HTTP] meets what the SDK's HTTP handlers leave out: see there. Behind it, messages are
// judged by the JSON that came. In the SDK's cluster mode a message may be carried out
// by a process that has not seen that JSON; as over gRPC, numbers in data parts are
// doubles there, and their members have no order. Nothing that this extension decides
// on depends on either.
//
// Who sent a message is who the SDK's authentication says, see ServerConfig.Principal: a
// CallInterceptor of the SDK that sets the User of the call, given to
// [Server.RequestHandler] by the SDK's WithCallInterceptors. Without one every peer is
// nobody: what is agreed holds for who knows the contextId, tasks are for who knows their
// ids, and all that such peers cost is bounded together, apart for each network they come
// from (ServerConfig.Network). All tenants of one Server are one agent to the engine:
// agents that must be kept apart get a Server and an engine each.
//
// The http.Server is the application's, and its timeouts with it: without a ReadTimeout a
// request may take for ever to arrive. The SDK logs to slog.Default, a refusal as a
// warning; its WithLogger gives it another.
//
// # Asking
//
// [Dial] fetches an agent's card, verifies it under the caller's [CardTrust], and makes a
// [Client] for one of the interfaces it names. A [Conversation] offers documents, sends
// intents and, where the engine's decision allows it, prose. What comes back is read
// strictly, within bounds, and judged by the engine before it is given out. No error,
// no decline of a required offer and no silence of the peer ever leads to prose. An intent
// that got no answer is sent again by [Conversation.Resend], and carried out once.
//
// [NewInterceptor] does part of that for programs that keep the SDK's own client.
//
// # What is not here
//
// A2A 0.3 is refused on both sides unless an option with Insecure in its name allows it.
// Cards of 0.3 are refused always. Credentials are the caller's: ClientConfig.Authorize
// is asked for headers, which go to one origin. Push notifications, and resuming the
// stream of a task, are the SDK's own; its store of where notifications go does not ask
// whose task it is.
//
// The limit on rate that the extension answers with RESOURCE_EXHAUSTED and 429 has no
// error in the SDK: it is sent as any other limit.
package a2a
