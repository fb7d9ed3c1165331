package cli

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"tarmac/cli/command"
	"tarmac/client/secretstore"
	"tarmac/client/settings"
)

// Process returns the environment of this process. It also protects the process's secrets: child
// processes do not inherit the token, and a crash writes no core file. Call it once, before
// anything else.
func Process() command.Env {
	disableCoreDumps()
	// With this, writing to a closed pipe returns an error, which ends a command quietly. The
	// signal would kill the process with another exit code.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	token := os.Getenv(settings.EnvToken)
	// Unsetenv does not fail for a valid name.
	_ = os.Unsetenv(settings.EnvToken)
	getenv := func(name string) string {
		if name == settings.EnvToken {
			return token
		}
		return os.Getenv(name)
	}
	return command.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Environ: os.Environ(), Getenv: getenv,
		Now: time.Now, Keyring: secretstore.System(getenv),
		OwnProcess: true,
	}
}
