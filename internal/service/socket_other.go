//go:build !linux

package service

import (
	"errors"
	"net"
	"os"
)

// bindPrivate listens on a Unix socket of mode 0600. Between its making and its mode
// the folder alone keeps others out.
func bindPrivate(path string) (net.Listener, error) {
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}
