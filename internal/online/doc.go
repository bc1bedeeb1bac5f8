// Package online is the network of the command line: documents that a call names,
// fetched over guarded HTTPS. It is a package of its own so that the commands can
// be tested, and built, without one.
package online
