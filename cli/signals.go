package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// UntilSignal returns a context that ends on Ctrl-C, SIGTERM, or the SIGHUP of a closed
// terminal. Run's exit code then names the signal. A second Ctrl-C ends the process at once.
// Call stop at the end.
func UntilSignal() (ctx context.Context, stop func()) {
	// Without SIGHUP handling, a lost SSH session would leave the terminal in raw mode and the
	// demo's files on disk.
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

// signalError is the cancellation cause of a context that a signal ended.
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

// exitSignal plus a signal's number is the exit code, by the shells' convention.
const exitSignal = 128

// code returns the exit code of a process that the signal ended.
func (e signalError) code() int {
	if number, ok := e.Signal.(syscall.Signal); ok {
		return exitSignal + int(number)
	}
	return exitFailed
}
