//go:build unix

// Package quit restores the terminal before SIGQUIT ends the process.
package quit

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// restoreTimeout limits the time for restoring the terminal. A program that hangs must end, too.
const restoreTimeout = time.Second

// Guard calls restore when the process receives SIGQUIT, and then lets the Go runtime do what it
// does by default: it prints the stacks of all goroutines to standard error and ends the process
// with exit code 2. The rest of the program goes on meanwhile, so that the stacks show where it
// is. A call of release ends the guard.
func Guard(restore func()) (release func()) {
	if signal.Ignored(syscall.SIGQUIT) {
		return func() {}
	}
	quits := make(chan os.Signal, 1)
	signal.Notify(quits, syscall.SIGQUIT)
	released := make(chan struct{})
	go func() {
		select {
		case <-released:
			return
		case <-quits:
		}
		restored := make(chan struct{})
		go func() { restore(); close(restored) }()
		select {
		case <-restored:
		case <-time.After(restoreTimeout):
		}
		signal.Reset(syscall.SIGQUIT)
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGQUIT) // cannot fail for this process
	}()
	return sync.OnceFunc(func() {
		signal.Stop(quits)
		close(released)
	})
}
