package service

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/redis/go-redis/v9/logging"
)

// Quiet keeps libraries from writing to standard error in formats of their own: what
// fails is in the errors that they return, which are logged. Only main may call it,
// before anything else runs, because it changes the whole process.
func Quiet() { logging.Disable() }

// WithSignals returns a context that is done when the process is asked to end, from its
// first moment on. Asked again, the process dies of it.
func WithSignals(parent context.Context) context.Context {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP) // its terminal is gone
	}
	ctx, stop := signal.NotifyContext(parent, signals...)
	context.AfterFunc(ctx, stop)
	return ctx
}

// outlivePipes keeps the process from dying of what it writes when nobody reads its log
// any more: that is lost then, and requests are answered, or a task is followed, as before.
func outlivePipes() { signal.Ignore(syscall.SIGPIPE) }
