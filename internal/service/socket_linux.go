package service

import (
	"context"
	"net"
	"syscall"
)

// bindPrivate listens on a Unix socket of mode 0600. The mode is set before the socket
// has a name, so that there is no moment at which others could open it (unix(7)).
func bindPrivate(path string) (net.Listener, error) {
	var failed error
	c := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		err := raw.Control(func(fd uintptr) { failed = syscall.Fchmod(int(fd), 0o600) })
		if err == nil {
			err = failed
		}
		return err
	}}
	return c.Listen(context.Background(), "unix", path)
}
