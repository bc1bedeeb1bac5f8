// Package demo has what the parties of the examples get from each other before they
// meet: a certificate, a key that signs an Agent Card, a token, and a chain of
// credentials. It makes all of that when the agent starts for the first time, and keeps
// it in a folder that only the user can read, where the client finds its part.
//
// Outside a demo these arrive in other ways, and no party ever has the secrets of
// another.
package demo
