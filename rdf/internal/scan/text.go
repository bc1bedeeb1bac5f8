package scan

import "encoding/binary"

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeroBytes sets the high bit of the lowest zero byte of x (and perhaps of
// bytes above it).
func zeroBytes(x uint64) uint64 { return (x - ones) &^ x & highs }

// Plain returns the first offset from i on whose byte is quote, a backslash,
// LF or CR, or the end of data: where a text in quotes stops being plain.
func Plain(data []byte, i int, quote byte) int {
	quotes := uint64(quote) * ones
	for ; i+8 <= len(data); i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		// Below 0x20 and not only LF and CR: cheaper, and tabs are few.
		control := (x - 0x20*ones) &^ x & highs
		if control|zeroBytes(x^quotes)|zeroBytes(x^'\\'*ones) != 0 {
			for j := i; j < i+8; j++ {
				if c := data[j]; c == quote || c == '\\' || c == '\n' || c == '\r' {
					return j
				}
			}
		}
	}
	for ; i < len(data); i++ {
		if c := data[i]; c == quote || c == '\\' || c == '\n' || c == '\r' {
			return i
		}
	}
	return i
}
