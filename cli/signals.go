package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// UntilSignal returns a context that ends when the process is asked to end: by Ctrl-C,
// by SIGTERM, or by SIGHUP when its terminal goes away. Run's exit code then names the
// signal. A second Ctrl-C ends at once what still finishes its work. Call stop at the end.
func UntilSignal() (ctx context.Context, stop func()) {
	// Without SIGHUP a dropped SSH session would leave the terminal in raw mode and the
	// demo's files behind.
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, end := context.WithCancelCause(context.Background())
	go func() {
		select {
		case s := <-asked:
			signal.Reset(os.Interrupt)
			end(signalError{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(asked)
		end(nil)
	}
}

// signalError is why a context of UntilSignal ended.
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

// exitSignal is added to a signal's number, as shells do.
const exitSignal = 128

// code returns the exit code of a process that the signal ended.
func (e signalError) code() int {
	if number, ok := e.Signal.(syscall.Signal); ok {
		return exitSignal + int(number)
	}
	return exitFailed
}
