package bolt

import "bytes"

// CheckBytes reads the bytes of a file as Open does before it lets bbolt see them.
func CheckBytes(data []byte) error {
	_, err := checkFile(bytes.NewReader(data), int64(len(data)))
	return err
}

// DecodeAll decodes a value as everything that it might be, and reports whether it
// is anything.
func DecodeAll(key, value []byte) (known bool) {
	sealed := seal(key, value)
	s, err1 := decodeSeen(key, sealed)
	if err1 == nil && !bytes.Equal(s.encode(key), sealed) {
		panic("a message that is written otherwise")
	}
	r, err2 := decodeRecord(key, sealed)
	if err2 == nil && !bytes.Equal(r.encode(key), sealed) {
		panic("a record that is written otherwise")
	}
	u, err3 := decodeUsage(key, sealed)
	if err3 == nil && !bytes.Equal(u.encode(key), sealed) {
		panic("a peer that is written otherwise")
	}
	st, err4 := decodeState(seal([]byte(stateKey), value))
	if err4 == nil && !bytes.Equal(st.encode(), seal([]byte(stateKey), value)) {
		panic("a state that is written otherwise")
	}
	return err1 == nil || err2 == nil || err3 == nil || err4 == nil
}
