package cli_test

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
)

// patience limits the wait for an expected event. Only failing tests reach it.
const patience = time.Minute

// asProgram makes the test binary run as tarmac. Tests can then start real processes of the
// code under test, with the race detector and without a build.
const asProgram = "TARMAC_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "1" {
		os.Exit(runProgram())
	}
	os.Exit(m.Run())
}

// runProgram does the same as main.
func runProgram() int {
	ctx, stop := cli.UntilSignal()
	defer stop()
	env := cli.Process()
	env.Now, env.Contract = jumpingClock(os.Getenv, panickingClock(os.Getenv)), []byte("openapi: 3.1.0\n")
	return cli.Run(ctx, env, os.Args[1:])
}

// program returns a command that runs tarmac with the given environment.
func program(t testing.TB, environ []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.Command(self, args...)
	cmd.Dir = home
	cmd.Env = append([]string{
		asProgram + "=1", "HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"GOCOVERDIR=" + home, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
	}, environ...)
	return cmd
}

// result is the exit code and output of a command that ended by itself.
type result struct {
	code           int
	stdout, stderr string
}

// tarmac runs a command in this process and returns its result.
func tarmac(t testing.TB, env map[string]string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), command.Env{
		Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string { return env[name] },
		Now:    time.Now, Contract: []byte("openapi: 3.1.0\n"),
	}, args)
	return result{code, stdout.String(), stderr.String()}
}

// must runs a command that has to succeed, and returns its standard output without the final
// newline.
func must(t testing.TB, args ...string) string {
	t.Helper()
	r := tarmac(t, nil, args...)
	if r.code != 0 {
		t.Fatalf("tarmac %s: exit %d, %s", strings.Join(args, " "), r.code, r.stderr)
	}
	return strings.TrimSuffix(r.stdout, "\n")
}

// organization creates a database with a seeded organization, and a token with the scopes in a
// private file.
func organization(t testing.TB, transactions string, scopes string) (database, org, tokenFile string) {
	t.Helper()
	database = filepath.Join(t.TempDir(), "tarmac.db")
	org = must(t, "admin", "--db", database, "org", "create", "Northlight Labs")
	if transactions != "" {
		must(t, "admin", "--db", database, "seed", "--org", org, "--transactions", transactions, "--seed", "3")
	}
	token := must(t, "admin", "--db", database, "token", "create", "--org", org, "--scope", scopes)
	tokenFile = filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokenFile, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return database, org, tokenFile
}

const readScopes = "account:read,invoices:read,payments:read,event_feed:read"
