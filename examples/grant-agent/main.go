// Grant-agent is Alice's agent. It lets others read what is hers if whoever asks has a
// mandate from her. It speaks the Protocol Document grant-access.ttl.
//
//	go run ./examples/grant-agent
//
// It listens on a free port of this machine. The client of the examples finds it by the
// folder that both share.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

func main() {
	folder := flag.String("demo", string(demo.DefaultFolder()), "the `folder` that agent and client share")
	address := flag.String("listen", "127.0.0.1:0", "the `address` to listen on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, demo.Folder(*folder), *address, os.Stdout, &pod{}); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context, folder demo.Folder, address string, out io.Writer, p *pod) error {
	parties, err := folder.Agent()
	if errors.Is(err, fs.ErrNotExist) {
		parties, err = firstStart(ctx, folder)
	}
	if err != nil {
		return err
	}
	// What was done before stays known: no message is carried out twice, even after a
	// crash. A store that is missing or damaged is an error, never an empty store.
	store, err := bolt.Open(folder.Store(), bolt.Options{})
	if err != nil {
		return fmt.Errorf("the store of messages: %w", err)
	}
	defer store.Close()
	certificate, err := tls.X509KeyPair([]byte(parties.Certificate), []byte(parties.TLSKey))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	defer listener.Close()

	origin := "https://" + listener.Addr().String()
	handler, err := newAgent(parties, origin, store, p, out)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           handler,
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13},
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
	}
	if err := folder.Announce(origin + a2a.CardPath); err != nil {
		return err
	}
	fmt.Fprintf(out, "Alice's agent is at %s\nNow run, in another terminal: go run ./examples/client\n", origin)

	served := make(chan error, 1)
	go func() { served <- server.ServeTLS(listener, "", "") }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	// Requests under way are answered first, then the store is closed.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return server.Shutdown(last)
}

// firstStart makes the store and everything that the parties get from each other.
func firstStart(ctx context.Context, folder demo.Folder) (*demo.Agent, error) {
	if err := folder.Create(); err != nil {
		return nil, err
	}
	store, err := bolt.Create(folder.Store(), bolt.Options{})
	if err != nil {
		return nil, fmt.Errorf("the store of messages: %w", err)
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	agent, clients, err := demo.New(ctx, 1)
	if err != nil {
		return nil, err
	}
	if err := folder.SaveClient(clients[0]); err != nil {
		return nil, err
	}
	return agent, folder.SaveAgent(agent)
}
