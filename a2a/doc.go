// Package a2a puts the a2a-rdf extension (https://w3id.org/jeswr/a2a-rdf/v1) into
// agents that are built with the official Go SDK of A2A 1.0,
// github.com/a2aproject/a2a-go/v2. Package engine judges messages; this package carries
// them over JSON-RPC, HTTP+JSON and gRPC, on both sides (a2a-rdf, sections 1, 5.6, 6, 8
// and 14).
//
// # Serving
//
// [NewServer] makes a [Server] from an engine, the application's [Handler] and the
// agent's card. Give its RequestHandler to the SDK's transports: through
// [Server.JSONRPC] and [Server.REST], or through the SDK's gRPC handler on a server
// with [GRPCOptions]. The engine sees every message first. It answers handshakes,
// refuses what must be refused, and hands an accepted intent to the Handler, whose
// answer it checks before it is sent; prose goes to the executor that the application
// had before, and only where the engine allows it. [CardHandler] serves the card's
// bytes unchanged.
//
// [HTTP] does what the SDK's HTTP handlers leave out: see there. Behind it, messages
// are judged by the JSON that arrived. In the SDK's cluster mode a message may be
// carried out by a process that has not seen that JSON; as over gRPC, numbers in data
// parts are then doubles, and their members have no order. Nothing that this extension
// decides depends on either.
//
// The sender of a message is whom the SDK's authentication names, see
// [ServerConfig.Principal]: a CallInterceptor of the SDK that sets the User of the
// call, given to [Server.RequestHandler] by the SDK's WithCallInterceptors. Without one
// every peer is anonymous: agreements hold for whoever knows the contextId, tasks
// belong to whoever knows their ids, and what such peers may cost is bounded for all of
// them together, and for each network that they come from (ServerConfig.Network). To
// the engine, all tenants of one Server are one agent: agents that must be kept apart
// need a Server and an engine each.
//
// The http.Server and its timeouts belong to the application: without a ReadTimeout a
// request may take forever to arrive. The SDK logs to slog.Default, refusals as
// warnings; its WithLogger gives it another logger.
//
// # Asking
//
// [Dial] fetches an agent's card, verifies it under the caller's [CardTrust], and makes
// a [Client] for one of the interfaces that the card names. A [Conversation] offers
// documents, sends intents and, where the engine's decision allows it, prose. What
// comes back is read strictly, within limits, and judged by the engine before the
// caller gets it. No error, no decline of a required offer and no silence of the peer
// ever leads to prose. An intent that got no answer is sent again by
// [Conversation.Resend], and carried out once; the task that it led to is waited for by
// [Conversation.Await].
//
// [NewInterceptor] does part of that for programs that keep the SDK's own client.
//
// # What is not here
//
// The extension is not spoken in A2A 0.3, on either side, unless an option with Insecure in
// its name allows it: a server takes what comes in 0.3 for prose, and refuses payloads.
// Cards of 0.3 are always refused. Credentials are up to the caller:
// [ClientConfig.Authorize] is asked for headers, which go to one origin. Push
// notifications, and resuming the stream of a task, are left to the SDK. Its store of
// notification targets does not check whose task it is, which [Server.RequestHandler] does
// before; where notifications may go is up to the SDK's sender.
//
// The SDK has no error for the limit on rate, which the extension answers with
// RESOURCE_EXHAUSTED and 429: it is sent like any other limit.
package a2a
