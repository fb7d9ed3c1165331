package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// UntilSignal returns a context that ends on Ctrl-C, on SIGTERM, or on the SIGHUP of a closed
// terminal. The exit code of Run then names the signal. A second Ctrl-C ends the process
// immediately. Call stop at the end.
func UntilSignal() (ctx context.Context, stop func()) {
	// Unless SIGHUP is handled, a lost SSH session leaves the terminal in raw mode and the demo's
	// files on disk.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, end := context.WithCancelCause(context.Background())
	go func() {
		select {
		case s := <-signals:
			signal.Reset(os.Interrupt)
			end(signalError{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		end(nil)
	}
}

// signalError is the cancellation cause of a context that was ended by a signal.
type signalError struct{ os.Signal }

// Error returns the signal's name.
func (e signalError) Error() string {
	switch e.Signal {
	case os.Interrupt:
		return "SIGINT"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	}
	return e.String()
}

// exitSignal plus the number of a signal is the exit code that shells use for a process ended by
// that signal.
const exitSignal = 128

// code returns the exit code of a process that was ended by the signal.
func (e signalError) code() int {
	if number, ok := e.Signal.(syscall.Signal); ok {
		return exitSignal + int(number)
	}
	return exitFailed
}
