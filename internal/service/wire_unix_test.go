//go:build unix

package service_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/service"
)

// makePipe makes a pipe with a name, which nobody writes to until the test is over.
func makePipe(t *testing.T, path string) bool {
	t.Helper()
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	t.Cleanup(func() { // whoever still waits is let go
		if f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0); err == nil {
			_ = f.Close()
		}
	})
	return true
}

// endAtOnce runs a command that is asked to end before it has begun.
func endAtOnce(t *testing.T, args ...string) (cli.Status, string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, stderr bytes.Buffer
	status := service.Run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr})
	require.Empty(t, out.String())
	return status, stderr.String()
}

// listenBusy listens on a Unix socket whose queue is full, until it is told to end.
func listenBusy(t *testing.T, path string) (end func()) {
	t.Helper()
	address := &syscall.SockaddrUnix{Name: path}
	open := func() int {
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		require.NoError(t, err)
		require.NoError(t, syscall.SetNonblock(fd, true))
		return fd
	}
	all := []int{open()}
	require.NoError(t, syscall.Bind(all[0], address))
	require.NoError(t, syscall.Listen(all[0], 0))
	for range 1000 {
		fd := open()
		all = append(all, fd)
		if syscall.Connect(fd, address) != nil {
			break
		}
	}
	return func() {
		for _, fd := range all {
			require.NoError(t, syscall.Close(fd))
		}
		require.NoError(t, os.Remove(path))
	}
}
