// Package examples tests the programs below it, which are to be copied from:
//
//   - grant-agent, an agent with the official A2A SDK: it checks mandates, keeps what it
//     saw in a file, and signs its card;
//   - client, which asks it, and shows what it refuses;
//   - embedded, two agents with the engine and no SDK;
//   - tutorial, the two programs of docs/tutorial.md, with a document that its reader made.
package examples
