// Package cli is the command line: one file for each command. It is the only
// place that knows both the client and the service.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/secretstore"
	"tarmac/internal/panics"
	"tarmac/service/store"
	"tarmac/ui/terminal"
)

// Exit codes, as the help page and the documentation list them.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotAllowed  = 3 // 401 or 403
	exitNotFound    = 4
	exitUnreachable = 5 // could not reach or read the server
)

// Surroundings are what a command takes from the process around it, so that
// tests can give it other ones.
type Surroundings struct {
	Stdin    *os.File
	Stdout   io.Writer
	Stderr   io.Writer
	Environ  []string
	Getenv   func(string) string
	Now      func() time.Time
	Contract []byte              // openapi.yaml
	Keyring  secretstore.Keyring // nil for none: tokens are then kept in files
}

// usageError marks an error as the caller's: the exit code is 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// Run executes the command line and returns the process's exit code, which is a
// signal's where that cut the command short. Errors go to standard error in one line,
// a panic of the command too.
func Run(ctx context.Context, s Surroundings, args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintln(s.Stderr, "tarmac: "+panics.Of(r).Error())
			code = exitFailed
		}
	}()
	s.Stdout, s.Stderr = terminal.InLocale(s.Stdout, s.Getenv), terminal.InLocale(s.Stderr, s.Getenv)
	root := newRoot(s)
	root.SetArgs(args)
	root.SetOut(s.Stdout)
	root.SetErr(s.Stderr)
	if s.Stdin != nil {
		root.SetIn(s.Stdin)
	}
	root.SilenceErrors, root.SilenceUsage = true, true
	err := root.ExecuteContext(ctx)
	if err == nil || nobodyReads(err) {
		return exitDone
	}
	fmt.Fprintln(s.Stderr, "tarmac: "+withoutSecrets(problem.Line(err)))
	code = exitCode(err)
	if ended, ok := errors.AsType[signalError](context.Cause(ctx)); ok {
		return ended.code()
	}
	if code == exitUsage {
		fmt.Fprintln(s.Stderr, "See `tarmac help`, or add --help to the command.")
	}
	return code
}

var secretText = regexp.MustCompile(`(?i)svc_(org|ops|whsec)_[^\s"',;]+`)

// withoutSecrets hides what looks like a token or a signing secret, wherever a library
// or a system repeats what it was given.
func withoutSecrets(s string) string { return secretText.ReplaceAllLiteralString(s, "[secret]") }

// exitCode returns the exit code that tells a script what kind of failure it was.
func exitCode(err error) int {
	var contract *apiclient.ContractError
	switch {
	case errors.Is(err, errInterrupted):
		return signalError{os.Interrupt}.code()
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.Is(err, apiclient.ErrUnauthorized), errors.Is(err, apiclient.ErrForbidden):
		return exitNotAllowed
	case errors.Is(err, apiclient.ErrNotFound), errors.Is(err, store.ErrNotFound):
		return exitNotFound
	case errors.Is(err, apiclient.ErrNetwork), errors.Is(err, apiclient.ErrUnavailable), errors.As(err, &contract):
		return exitUnreachable
	}
	return exitFailed
}
