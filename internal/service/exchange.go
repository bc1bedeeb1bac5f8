package service

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
	"github.com/rdfproto/rdfproto/replay/redis"
)

// exchange is what is logged and counted of one request.
type exchange struct {
	route   string
	caller  caller
	status  int
	verdict string
	code    string
	size    int
	peer    string // as the caller named it
	message string // the messageId
	cause   error
	bug     string
}

// send answers, once.
func (e *exchange) send(w http.ResponseWriter, a answer) {
	e.verdict, e.code, e.cause = verdictWord(a.verdict), a.code, a.cause
	if a.http == 0 {
		e.verdict, e.code = verdictWord(cli.StatusRefused), string(CodeInternal)
	}
	e.status, _ = a.write(w)
}

// line writes the line of the log. What went wrong here is an error; what somebody
// else did is not.
func (e *exchange) line(ctx context.Context, log *slog.Logger, took time.Duration) {
	level := slog.LevelInfo
	switch {
	case e.status >= http.StatusInternalServerError && e.code == string(CodeInternal):
		level = slog.LevelError
	case e.code == string(CodeBusy), e.code == string(CodeTimeout):
		level = slog.LevelWarn
	case e.verdict == "": // pages, which probes ask for all the time
		level = slog.LevelDebug
	}
	attrs := []slog.Attr{
		slog.String("route", e.route), slog.Int("status", e.status), slog.String("caller", e.caller.String()),
		slog.Int("bytes", e.size), slog.Float64("ms", float64(took.Microseconds())/1000),
	}
	add := func(name, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(name, value))
		}
	}
	add("verdict", e.verdict)
	add("code", e.code)
	add("peer", loggable(e.peer))
	add("message", loggable(e.message))
	add("cause", describe(e.cause))
	add("bug", e.bug)
	log.LogAttrs(ctx, level, "request", attrs...)
}

// describe says of an error that is no input's fault what may be logged: the texts of
// those of the network, of files and of stores, the types of any others, whose texts may
// hold a piece of a payload.
func describe(err error) string {
	if err == nil {
		return ""
	}
	var said []string
	for _, known := range []error{
		replay.ErrFull, replay.ErrNotClaimed, replay.ErrClosed, replay.ErrTooLarge, replay.ErrTime, replay.ErrKey, replay.ErrCorrupt,
		bolt.ErrUnknown, bolt.ErrReadOnly, redis.ErrLost, context.DeadlineExceeded, context.Canceled,
	} {
		if errors.Is(err, known) {
			said = append(said, known.Error())
		}
	}
	var network *net.OpError
	if errors.As(err, &network) {
		said = append(said, network.Error())
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		said = append(said, file.Error())
	}
	if len(said) == 0 {
		said = append(said, typeName(err))
	}
	return loggable(strings.Join(said, "; "))
}

// stack says where a panic happened: functions and lines, without the values.
func stack() string {
	var pcs [32]uintptr
	n := runtime.Callers(3, pcs[:]) // without Callers, stack and the deferred function
	frames := runtime.CallersFrames(pcs[:n])
	var b strings.Builder
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "net/http.") {
			if b.Len() > 0 {
				b.WriteString(" < ")
			}
			b.WriteString(f.Function)
		}
		if !more {
			return b.String()
		}
	}
}

// quiet makes what the HTTP server says fit to be logged.
type quiet struct{ slog.Handler }

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, "http", r.PC)
	out.AddAttrs(slog.String("text", loggable(r.Message)))
	return q.Handler.Handle(ctx, out)
}
