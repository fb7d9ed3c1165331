// Package testprogram lets a test binary run as tarmac. Tests then start real processes of the code
// under test, with the race detector and without a build.
package testprogram

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/internal/testsupport/testdb/migrated"
)

// Patience limits the wait for an expected event. Only failing tests reach it.
const Patience = time.Minute

// Variable is the environment variable that, with the value 1, makes a test binary run as tarmac.
const Variable = "TARMAC_TEST_AS_PROGRAM"

// Scopes of tokens: those that read, and all.
const (
	ReadScopes = "account:read,invoices:read,payments:read,event_feed:read"
	AllScopes  = ReadScopes + ",invoices:propose,webhook_endpoints:manage"
)

var contract = []byte("openapi: 3.1.0\n")

// Main is the TestMain of packages that use Command.
func Main(m *testing.M) {
	if os.Getenv(Variable) == "1" {
		os.Exit(runProgram())
	}
	os.Exit(m.Run())
}

// runProgram does the same as main, with clocks that obey tests.
func runProgram() int {
	ctx, stop := cli.UntilSignal()
	defer stop()
	env := cli.Process()
	env.Now, env.Contract = jumpingClock(os.Getenv, panickingClock(os.Getenv)), contract
	return cli.Run(ctx, env, os.Args[1:])
}

// SkipShort skips a test in short mode, in which the race detector runs: it is for tests without a
// client and a service that work at the same time in this process.
func SkipShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs commands one after the other, or in processes")
	}
}

// Command returns a command that runs tarmac with the given environment.
func Command(t testing.TB, environ []string, args ...string) *exec.Cmd {
	t.Helper()
	SkipShort(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.Command(self, args...)
	cmd.Dir = home
	cmd.Env = append([]string{
		Variable + "=1", "HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"GOCOVERDIR=" + home, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
	}, environ...)
	return cmd
}

// Result is the exit code and output of a command that ended by itself.
type Result struct {
	Code           int
	Stdout, Stderr string
}

// Run runs a command in this process and returns its result.
func Run(t testing.TB, env map[string]string, args ...string) Result {
	t.Helper()
	SkipShort(t)
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), command.Env{
		Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string { return env[name] },
		Now:    time.Now, Contract: contract,
	}, args)
	return Result{code, stdout.String(), stderr.String()}
}

// Must runs a command that has to succeed, and returns its standard output without the final
// newline.
func Must(t testing.TB, args ...string) string {
	t.Helper()
	r := Run(t, nil, args...)
	if r.Code != 0 {
		t.Fatalf("tarmac %s: exit %d, %s", strings.Join(args, " "), r.Code, r.Stderr)
	}
	return strings.TrimSuffix(r.Stdout, "\n")
}

// Organization creates a database with a seeded organization, and a token with the scopes in a
// private file. Without a number of transactions nothing is seeded.
func Organization(t testing.TB, transactions string, scopes string) (database, org, tokenFile string) {
	t.Helper()
	database = migrated.File(t)
	org = Must(t, "admin", "--db", database, "org", "create", "Northlight Labs")
	if transactions != "" {
		Must(t, "admin", "--db", database, "seed", "--org", org, "--transactions", transactions, "--seed", "3")
	}
	token := Must(t, "admin", "--db", database, "token", "create", "--org", org, "--scope", scopes)
	tokenFile = filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokenFile, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return database, org, tokenFile
}
