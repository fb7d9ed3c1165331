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

// Process returns the environment of this process, and keeps what is secret in it:
// no program that it starts, a library's neither, inherits the token, and a crash
// leaves no image of the memory on the disk. It is called once, before anything else.
func Process() command.Env {
	leaveNoCore()
	// A pipe that nobody reads is an error of the write, which ends a command without a
	// complaint; the signal would kill it with another exit code.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	token := os.Getenv(settings.EnvToken)
	// It cannot fail for a name that is one.
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
	}
}
