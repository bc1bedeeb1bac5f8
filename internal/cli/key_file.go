package cli

import (
	"errors"
	"fmt"
	"os"
)

// writeKey writes a private key into a new file that only its owner can read. A file that
// is there stays as it is: it may be a key that is in use. Standard output is for what is
// public, and "-" no file.
func writeKey(file string, secret []byte) error {
	if file == "-" {
		return writeFailed(file, "key", errors.New("expected the name of a file, found that of standard output"))
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, "%s\n", secret)
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(file) // a part of a key
		}
	}
	if err != nil {
		return writeFailed(file, "key", err)
	}
	return nil
}
