package service

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// ListenOptions say where a service can be reached and by whom.
type ListenOptions struct {
	Address   string // TCP, as "127.0.0.1:0"
	Socket    string // the path of a Unix socket, in the place of Address
	TokenFile string
	CertFile  string
	KeyFile   string
	ClientCA  string // the file of the authority of client certificates
}

// Listening is a service that can be reached.
type Listening struct {
	Listener net.Listener
	TLS      *tls.Config // nil for none
	Door     Door
	Tokens   Tokens
	URL      string // where it is, for people and scripts
	// Plain reports that tokens travel unencrypted over a network.
	Plain bool
}

// errExposed is the error of listening where anybody could call.
var errExposed = errors.New("expected a loopback address or a Unix socket, or a token file, or an authority of client certificates: anybody could call")

// Listen opens the listener, after it has read what authenticates callers.
func Listen(o ListenOptions) (*Listening, error) {
	out := &Listening{}
	if o.TokenFile != "" {
		text, err := readSecret(o.TokenFile)
		if err != nil {
			return nil, err
		}
		if out.Tokens, err = ParseTokens(text); err != nil {
			return nil, fmt.Errorf("%s: %w", o.TokenFile, err)
		}
	}
	var err error
	if out.TLS, err = o.tls(); err != nil {
		return nil, err
	}
	switch {
	case o.Socket != "" && o.Address != "":
		return nil, errors.New("expected an address or a Unix socket, found both")
	case o.Socket != "" && out.TLS != nil:
		return nil, errors.New("a Unix socket has no TLS: its mode keeps others out")
	case o.Socket != "":
		out.Door, out.URL = DoorSocket, "unix:"+o.Socket
		out.Listener, err = listenSocket(o.Socket)
		return out, err
	}
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("expected an address such as 127.0.0.1:4747: %w", err)
	}
	ip := net.ParseIP(host)
	loopback := strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
	switch {
	case o.ClientCA != "":
		out.Door = DoorCertificates
	case loopback:
		out.Door = DoorLoopback
	case len(out.Tokens.hashes) == 0:
		return nil, errExposed
	}
	if out.Listener, err = net.Listen("tcp", o.Address); err != nil {
		return nil, err
	}
	// What a name resolved to counts, not the name.
	if tcp, ok := out.Listener.Addr().(*net.TCPAddr); out.Door == DoorLoopback && (!ok || !tcp.IP.IsLoopback()) {
		return nil, errors.Join(errExposed, out.Listener.Close())
	}
	out.Plain = !loopback && out.TLS == nil
	scheme := "http://"
	if out.TLS != nil {
		scheme = "https://"
	}
	out.URL = scheme + out.Listener.Addr().String()
	return out, nil
}

func (o *ListenOptions) tls() (*tls.Config, error) {
	if (o.CertFile == "") != (o.KeyFile == "") {
		return nil, errors.New("a certificate and its key go together")
	}
	if o.CertFile == "" {
		if o.ClientCA != "" {
			return nil, errors.New("an authority of client certificates needs a certificate and its key")
		}
		return nil, nil
	}
	key, err := readSecret(o.KeyFile)
	if err != nil {
		return nil, err
	}
	cert, err := os.ReadFile(o.CertFile)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.CertFile, err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if o.ClientCA == "" {
		return c, nil
	}
	ca, err := os.ReadFile(o.ClientCA)
	if err != nil {
		return nil, err
	}
	c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
	if !c.ClientCAs.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("%s: expected certificates in PEM, found none", o.ClientCA)
	}
	return c, nil
}

// maxSocketPath is the longest path of a Unix socket that every system takes.
const maxSocketPath = 103

// listenSocket opens a Unix socket that only its owner can open.
func listenSocket(path string) (net.Listener, error) {
	if runtime.GOOS == "windows" {
		return nil, errors.New("a Unix socket has no mode here: others could open it")
	}
	switch info, err := os.Lstat(path); {
	case strings.HasPrefix(path, "@"): // a name without a file has no mode (unix(7))
		return nil, errors.New("expected the path of a Unix socket, found an abstract name, which any user can open: write ./@... for a file")
	case len(path) > maxSocketPath:
		return nil, fmt.Errorf("expected a path of at most %d bytes, as systems take for Unix sockets, found one of %d", maxSocketPath, len(path))
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, err
	case info.Mode().Type() != os.ModeSocket:
		return nil, fmt.Errorf("%s: expected a Unix socket or nothing", path)
	default:
		// Only one that nobody listens at is removed, of a process that did not end
		// properly: one that has no time now, or is of another kind, is in use.
		c, err := net.Dial("unix", path)
		switch {
		case err == nil:
			return nil, errors.Join(fmt.Errorf("%s: another process listens there", path), c.Close())
		case !errors.Is(err, syscall.ECONNREFUSED):
			return nil, fmt.Errorf("%s: another process may listen there: %w", path, err)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := bindPrivate(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	if err == nil && info.Mode() != os.ModeSocket|0o600 {
		err = fmt.Errorf("%s: expected a Unix socket of mode 0600, found %s", path, info.Mode())
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if u, ok := l.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false) // see Close
	}
	return &socketListener{Listener: l, path: path, made: info}, nil
}

// socketListener takes its socket with it when it is closed, and no other that has come
// in its place.
type socketListener struct {
	net.Listener
	path string
	made os.FileInfo
}

func (l *socketListener) Close() error {
	if info, err := os.Lstat(l.path); err == nil && os.SameFile(info, l.made) {
		_ = os.Remove(l.path)
	}
	return l.Listener.Close()
}

// limitConnections bounds how many connections of a listener are open: what comes
// beyond waits until one is closed.
func limitConnections(l net.Listener, most int) net.Listener {
	return &boundedListener{Listener: l, slots: make(chan struct{}, most), closed: make(chan struct{})}
}

type boundedListener struct {
	net.Listener
	slots  chan struct{}
	once   sync.Once
	closed chan struct{}
}

func (l *boundedListener) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &boundedConn{Conn: c, release: func() { <-l.slots }}, nil
}

func (l *boundedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type boundedConn struct {
	net.Conn
	once    sync.Once
	release func()
}

func (c *boundedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.release)
	return err
}
