package service

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// WithSignals returns a context that is done when the process is asked to end, from its
// first moment on. Asked again, the process dies of it.
func WithSignals(parent context.Context) context.Context {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx
}
