package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// DefaultAddress is where the service listens by default.
const DefaultAddress = "127.0.0.1:4747"

// serve is a call of the serve command.
type serve struct {
	streams  cli.Streams
	listen   ListenOptions
	config   string
	create   bool
	hosts    []string
	requests int
	time     time.Duration
	drain    time.Duration
	format   string
	level    string
}

func serveCommand(s cli.Streams) *cobra.Command {
	v := &serve{streams: s}
	cmd := &cobra.Command{
		Use:   "serve [--config FILE] [--listen ADDRESS | --socket PATH]",
		Short: "run the HTTP service",
		Long: `Runs an HTTP service for agents in other languages. Its answers are the JSON
verdicts of the command line; GET /openapi.json describes all of them.

  POST /v1/receive    turns a whole A2A message into its outcome
  POST /v1/respond    ends an intent of /v1/receive, with the message to send
  POST /v1/hash       the protocol hash of a document
  POST /v1/validate   data against shapes, an intent against a document
  POST /v1/authorize  a request against a chain of credentials
  GET  /healthz       whether it takes requests
  GET  /metrics       counters, in the format of Prometheus

It listens on ` + DefaultAddress + `, on a Unix socket that only its owner can open, or
on any address if every caller is authenticated, by a token of --token-file or a
certificate of --client-ca. Only an authenticated caller can say who a peer is;
on plain loopback TCP no caller is authenticated.

--config names what messages are judged by; without it no messages are received,
and credentials are verified only with did:key identifiers:

  {"agent":"https://agent.example","domain":"https://agent.example/a2a",
   "documents":{"sha256:...":"grant.ttl"},"agreements":["sha256:..."],
   "card":"card.json","keys":"DIR","credentialDocuments":{"https://...":"list"},
   "accept":{"pins":[],"publishers":["https://alice.example"],"fetch":false},
   "authorizer":{"rootPrincipal":"https://alice.example/#me"},
   "replay":{"store":"bolt","path":"seen.db"}}

Once it listens, it writes its address to standard output. Asked to end
(SIGTERM, SIGINT), it takes no more requests and finishes those it has begun.

Exit status: 0 it ended when asked to, 2 it could not start, or cut requests
off.`,
		Example: `  rdfprotod serve --socket agent.sock --config agent.json
  rdfprotod serve --listen 0.0.0.0:4747 --token-file token \
      --tls-cert cert.pem --tls-key key.pem`,
		Args: cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if v.listen.Address == "" && v.listen.Socket == "" {
				v.listen.Address = DefaultAddress
			}
			if err := v.check(cmd); err != nil {
				return err
			}
			return untilAsked(cmd.Context(), v.run)
		},
	}
	f := cmd.Flags()
	f.StringVar(&v.config, "config", "", "the `FILE` of the configuration")
	f.BoolVar(&v.create, "create-store", false, "make the file of the store of messages, which must not exist yet: for the first start")
	f.StringVar(&v.listen.Address, "listen", "", "the `ADDRESS` to listen on, by default "+DefaultAddress+"; port 0 takes a free one")
	f.StringVar(&v.listen.Socket, "socket", "", "listen on a Unix socket at a `PATH` instead")
	f.StringVar(&v.listen.TokenFile, "token-file", "", "a `FILE` of mode 0600 with the tokens of callers, one a line; each must send one as Authorization: Bearer")
	f.StringVar(&v.listen.CertFile, "tls-cert", "", "the `FILE` of the certificate, in PEM: speak TLS")
	f.StringVar(&v.listen.KeyFile, "tls-key", "", "the `FILE` of its key, of mode 0600")
	f.StringVar(&v.listen.ClientCA, "client-ca", "", "a `FILE` of authorities: a caller must have a certificate of one")
	f.StringArrayVar(&v.hosts, "host", nil, "another `NAME` that requests to loopback may be sent to (repeatable)")
	f.IntVar(&v.requests, "max-requests", DefaultRequests, "work on at most `N` requests at once; others get 503")
	f.DurationVar(&v.time, "time-limit", DefaultTime, "the `TIME` that judging one request may take")
	f.DurationVar(&v.drain, "drain", DefaultDrain, "the `TIME` that requests may still take at the end")
	f.StringVar(&v.format, "log-format", "json", "`FORM` of the log: json, text or none")
	f.StringVar(&v.level, "log-level", "info", "`LEVEL` of the log: debug, info, warn or error")
	cli.CompleteFlag(cmd, "log-format", "json", "text", "none")
	cli.CompleteFlag(cmd, "log-level", "debug", "info", "warn", "error")
	return cmd
}

// check refuses flags that make no sense before anything is opened.
func (v *serve) check(cmd *cobra.Command) error {
	switch {
	case v.requests <= 0 || v.requests > maxRequests:
		return cli.UsageError(cmd, fmt.Sprintf("--max-requests: expected a number from 1 to %d", maxRequests))
	case v.time <= 0:
		return cli.UsageError(cmd, "--time-limit: expected a positive time")
	case v.drain <= 0:
		return cli.UsageError(cmd, "--drain: expected a positive time")
	case v.format != "json" && v.format != "text" && v.format != "none":
		return cli.UsageError(cmd, "--log-format: expected json, text or none, found "+cli.Quote(v.format))
	}
	for _, name := range v.hosts {
		if name == "" || strings.ContainsAny(name, ":/[]@ ") {
			return cli.UsageError(cmd, "--host: expected a name without scheme and port, found "+cli.Quote(name))
		}
	}
	if _, err := v.logLevel(); err != nil {
		return cli.UsageError(cmd, "--log-level: expected debug, info, warn or error, found "+cli.Quote(v.level))
	}
	return nil
}

func (v *serve) logLevel() (slog.Level, error) {
	switch v.level {
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return 0, errors.New("unknown level")
}

func (v *serve) logger() *slog.Logger {
	level, _ := v.logLevel() // checked
	o := &slog.HandlerOptions{Level: level}
	switch v.format {
	case "none":
		return slog.New(slog.DiscardHandler)
	case "text":
		return slog.New(slog.NewTextHandler(v.streams.Err, o))
	}
	return slog.New(slog.NewJSONHandler(v.streams.Err, o))
}

// untilAsked runs a command. What it does before it calls ready may wait without end, as
// the reading of a pipe that nobody writes to: asked to end, it is left there.
func untilAsked(ctx context.Context, run func(ctx context.Context, ready func()) error) error {
	began, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- run(ctx, sync.OnceFunc(func() { close(began) })) }()
	select {
	case err := <-ended:
		return err
	case <-began:
		return <-ended
	case <-ctx.Done():
	}
	// What reacts to being asked is waited for, as the connection to a store.
	select {
	case err := <-ended:
		return err
	case <-began:
		return <-ended
	case <-time.After(startGrace):
		return cli.Fail(cli.StatusCall, "interrupted", "asked to end while it was starting")
	}
}

// startGrace is what a start that is cut off may take to clean up.
const startGrace = time.Second

func (v *serve) run(ctx context.Context, ready func()) error {
	// It is reached from here on, but nothing is accepted before all is read: what keeps
	// it from being reached must not be found after a store of messages was made.
	listening, err := Listen(v.listen)
	if err != nil {
		return startError(string(CommandCannotListen), err)
	}
	closed := func(err error) error { return errors.Join(err, listening.Listener.Close()) }
	c := &Config{}
	if v.config != "" {
		if c, err = ReadConfig(v.config); err != nil {
			return closed(startError("invalid-config", err))
		}
	}
	judge, err := NewJudge(ctx, c, time.Now, v.create)
	if err != nil {
		return closed(startError("invalid-config", err))
	}
	ready()
	outlivePipes()
	log := v.logger()
	s := New(Options{
		Judge: judge, Door: listening.Door, Tokens: listening.Tokens, Hosts: v.hosts, Requests: v.requests, Time: v.time, Log: log,
	})
	if listening.Plain {
		log.Warn("tokens travel unencrypted; use --tls-cert and --tls-key unless something else encrypts")
	}
	version, _ := cli.BuildVersion()
	log.Info("listening", "at", listening.URL, "version", version, "callers", listening.callers())
	if _, err := fmt.Fprintln(v.streams.Out, listening.URL); err != nil {
		return errors.Join(closed(startError("write-failed", err)), judge.Close())
	}
	cut, err := s.Serve(ctx, listening.Listener, listening.TLS, v.drain)
	err = errors.Join(err, judge.Close())
	log.Info("ended", "cut", cut)
	switch {
	case err != nil:
		return startError("failed", err)
	case cut > 0:
		return cli.Fail(cli.StatusCall, string(CommandCutOff), fmt.Sprintf("cut off what did not end within %s: %s", v.drain, cli.Count(cut, "request")))
	}
	return nil
}

// callers says how callers are known.
func (l *Listening) callers() string {
	switch {
	case len(l.Tokens.hashes) > 0 && l.Door == DoorCertificates:
		return "token and certificate"
	case len(l.Tokens.hashes) > 0:
		return "token"
	}
	return [...]string{"none", "loopback, not authenticated", "owner of the socket", "certificate"}[l.Door]
}

// startError is a service that could not start. Its text is about the operator's own
// files and addresses.
func startError(code string, err error) error {
	var network *net.OpError
	switch {
	case errors.Is(err, errExposed):
		code = string(CommandExposed)
	case errors.As(err, &network):
		if code == "invalid-config" {
			code = string(CommandUnreachable) // the store of messages
		}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		code = "unreadable"
	}
	return cli.Fail(cli.StatusCall, code, err.Error())
}
