package redis

import "github.com/rdfproto/rdfproto/replay"

// DecodeRecord reads a record as it is in the server.
func DecodeRecord(name, text string) (replay.Record, error) {
	r, _, err := decodeRecord(name, text)
	return r, err
}
