package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// WithSignals returns a context that is cancelled when the process is asked to
// end. For its first moments the process dies of the signal instead: a handler
// needs a thread, which would be a tenth of what a small call costs.
func WithSignals(parent context.Context) context.Context {
	const moments = 20 * time.Millisecond
	ctx, cancel := context.WithCancel(parent)
	time.AfterFunc(moments, func() {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
		<-asked
		signal.Stop(asked) // asked again, the process dies of it
		cancel()
	})
	return ctx
}
