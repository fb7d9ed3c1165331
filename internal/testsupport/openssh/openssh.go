// Package openssh runs OpenSSH's own programs in tests.
package openssh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// RequireVariable is an environment variable. If it is set, tests that need OpenSSH fail on a
// machine without it. Otherwise they are skipped there.
const RequireVariable = "TARMAC_REQUIRE_OPENSSH"

// Require skips the test if OpenSSH's programs are not installed.
func Require(tb testing.TB) {
	tb.Helper()
	for _, name := range []string{"ssh", "sftp", "scp", "ssh-keygen"} {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv(RequireVariable) != "" {
			tb.Fatalf(
				"%s is not installed, and %s asks for it: apt-get install openssh-client",
				name,
				RequireVariable,
			)
		}
		fmt.Fprintf(os.Stderr, "SKIPPED: %s is not installed; %s was not run (apt-get install openssh-client)\n",
			name, tb.Name())
		tb.Skip(name + " is not installed")
	}
}

// NewKey makes a key pair without a passphrase and returns the path of the private key. The public
// key has the same path with ".pub" appended. options are those of ssh-keygen, for example "-t",
// "rsa", "-b", "2048".
func NewKey(tb testing.TB, options ...string) (path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "key")
	Keygen(tb, append([]string{"-q", "-N", "", "-C", "test", "-f", path}, options...)...)
	return path
}

// Keygen runs ssh-keygen.
func Keygen(tb testing.TB, args ...string) {
	tb.Helper()
	if output, err := exec.Command("ssh-keygen", args...).CombinedOutput(); err != nil {
		tb.Fatalf("ssh-keygen: %v: %s", err, output)
	}
}

// Client connects to a server.
type Client struct {
	Address string // address and port of the server
	User    string
	Key     string // path of the private key
	// Options are further options in the form of OpenSSH's configuration, for example
	// "SetEnv=LANG=C". They replace those that all tests have in common.
	Options []string
}

// args returns the arguments that all programs have in common. portFlag is -p or -P.
func (c Client) args(tb testing.TB, portFlag string) []string {
	tb.Helper()
	_, port, err := net.SplitHostPort(c.Address)
	if err != nil {
		tb.Fatal(err)
	}
	args := []string{"-F", "none", portFlag, port, "-i", c.Key}
	common := []string{
		"StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=INFO", "IdentitiesOnly=yes",
		"IdentityAgent=none", "User=" + c.User,
	}
	for _, option := range slices.Concat(c.Options, common) { // the first value of an option holds
		args = append(args, "-o", option)
	}
	return args
}

func (c Client) host() string {
	host, _, _ := net.SplitHostPort(c.Address)
	return host
}

// SSH returns the command ssh with the given flags. remote are the host's arguments after its name:
// a command for the server.
func (c Client) SSH(tb testing.TB, flags []string, remote ...string) *exec.Cmd {
	tb.Helper()
	args := append(c.args(tb, "-p"), flags...)
	return command(tb, "ssh", append(append(args, c.host()), remote...)...)
}

// SFTP returns the command sftp.
func (c Client) SFTP(tb testing.TB) *exec.Cmd {
	tb.Helper()
	return command(tb, "sftp", append(c.args(tb, "-P"), c.host())...)
}

// SCP returns a command that copies the file path of the server to the directory dir.
func (c Client) SCP(tb testing.TB, path, dir string, flags ...string) *exec.Cmd {
	tb.Helper()
	return command(tb, "scp", append(append(c.args(tb, "-P"), flags...), c.host()+":"+path, dir)...)
}

// longest limits how long a program may run.
const longest = 5 * time.Minute

func command(tb testing.TB, name string, args ...string) *exec.Cmd {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	tb.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + tb.TempDir(), "TERM=xterm-256color"}
	return cmd
}

// Result is what a program has done.
type Result struct {
	Out, Err string
	Code     int // exit status
}

// Run runs a program to its end.
func Run(tb testing.TB, cmd *exec.Cmd) Result {
	tb.Helper()
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	failed := cmd.Run()
	if exit, ended := errors.AsType[*exec.ExitError](failed); failed != nil && !(ended && exit.Exited()) {
		tb.Fatalf("%s: %v\n%s%s", cmd.Path, failed, out.Bytes(), err.Bytes())
	}
	return Result{out.String(), err.String(), cmd.ProcessState.ExitCode()}
}
