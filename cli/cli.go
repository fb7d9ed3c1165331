// Package cli is the command line: one file for each command. It is the only package that
// imports both the client and the service.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/problem"
	"tarmac/internal/panics"
	"tarmac/service/store"
	"tarmac/ui/terminal"
)

// Exit codes. The help page and the documentation list them too.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotAllowed  = 3 // HTTP status 401 or 403
	exitNotFound    = 4
	exitUnreachable = 5 // the server could not be reached or its response could not be read
)

// Run runs the command line args and returns the exit code of the process. If a signal ended the
// command, the exit code is that of the signal. Errors and panics are printed as one line on
// standard error.
func Run(ctx context.Context, env command.Env, args []string) (code int) {
	failure := 0 // exit code of every failure; 0 if it depends on the error
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintln(env.Stderr, "tarmac: "+panics.Describe(r).Error())
			code = cmp.Or(failure, exitFailed)
			reportUnknown(env, failure, "the program failed")
		}
	}()
	env.Stdout, env.Stderr = terminal.InLocale(env.Stdout, env.Getenv), terminal.InLocale(env.Stderr, env.Getenv)
	root := newRoot(env)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for the arguments of the process
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	if env.Stdin != nil {
		root.SetIn(env.Stdin)
	}
	root.SilenceErrors, root.SilenceUsage = true, true
	failure = failureCode(root, args)
	err := root.ExecuteContext(ctx)
	if state, ok := errors.AsType[checkState](err); ok {
		return int(state)
	}
	if err == nil || isReaderGone(err) {
		return exitDone
	}
	text := withoutSecrets(problem.Line(err))
	fmt.Fprintln(env.Stderr, "tarmac: "+text)
	reportUnknown(env, failure, text)
	code = exitCode(err)
	if ended, ok := errors.AsType[signalError](context.Cause(ctx)); ok {
		return ended.code()
	}
	if code == exitUsage {
		fmt.Fprintln(env.Stderr, "See `tarmac help`, or add --help to the command.")
	}
	return cmp.Or(failure, code)
}

// failureCode returns the exit code of every failure of the command that args name, or 0 if it
// depends on the error. After a flag that does not exist, which may or may not have a value, the
// first argument that names a command counts.
func failureCode(root *cobra.Command, args []string) int {
	cmd, _, _ := root.Find(args) // Find never fails: the root command has its own rule for arguments
	for i := 0; cmd == root && i < len(args) && args[i] != "--"; i++ {
		if i == 0 || root.Flags().Lookup(strings.TrimLeft(args[i-1], "-")) == nil {
			cmd, _, _ = root.Find(args[i : i+1])
		}
	}
	code, _ := strconv.Atoi(cmd.Annotations[failureAnnotation])
	return code
}

// secretText matches tokens and signing secrets of the API, tokens of providers, and the user and
// password in a URL.
var secretText = regexp.MustCompile(secretPattern())

func secretPattern() string {
	pattern := `(?i)svc_(org|ops|whsec)_[^\s"',;]+|//[^\s"'/@]+:[^\s"'/@]+@`
	for _, k := range command.ProviderKinds() {
		if k.TokenPattern != "" {
			pattern += "|" + k.TokenPattern
		}
	}
	return pattern
}

// withoutSecrets masks tokens and signing secrets in s. Errors of libraries and of the system
// repeat their input, which may contain secrets.
func withoutSecrets(s string) string { return secretText.ReplaceAllLiteralString(s, "[secret]") }

// exitCode returns the exit code that stands for an error.
func exitCode(err error) int {
	var contract *apiclient.ContractError
	switch {
	case errors.Is(err, command.ErrInterrupted):
		return signalError{os.Interrupt}.code()
	case errors.As(err, new(command.UsageError)):
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
