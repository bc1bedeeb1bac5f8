// Package deadport finds an address at which nobody listens. It is for tests alone.
package deadport
