package cli_test

import (
	"os/exec"
	"testing"

	"tarmac/internal/testsupport/testprogram"
)

// patience limits the wait for an expected event. Only failing tests reach it.
const patience = testprogram.Patience

const readScopes = testprogram.ReadScopes

func TestMain(m *testing.M) { testprogram.Main(m) }

// program returns a command that runs tarmac with the given environment.
func program(t testing.TB, environ []string, args ...string) *exec.Cmd {
	t.Helper()
	return testprogram.Command(t, environ, args...)
}

// result is the exit code and output of a command that ended by itself.
type result struct {
	code           int
	stdout, stderr string
}

// tarmac runs a command in this process and returns its result.
func tarmac(t testing.TB, env map[string]string, args ...string) result {
	t.Helper()
	r := testprogram.Run(t, env, args...)
	return result{r.Code, r.Stdout, r.Stderr}
}

// process runs tarmac in its own process until it exits.
func process(t testing.TB, args ...string) result {
	t.Helper()
	r, _ := typing(t, nil, "", args...)
	return r
}

// typing runs the program with input on its standard input.
func typing(t testing.TB, environ []string, input string, args ...string) (r result, home string) {
	t.Helper()
	ended, home := testprogram.Typing(t, environ, input, args...)
	return result{ended.Code, ended.Stdout, ended.Stderr}, home
}

// oneLine checks that a failed command prints one line with the wanted texts.
func oneLine(t testing.TB, what string, r result, want ...string) {
	t.Helper()
	testprogram.OneLine(t, what, testprogram.Result{Code: r.code, Stdout: r.stdout, Stderr: r.stderr}, want...)
}

// must runs a command that has to succeed, and returns its standard output without the final
// newline.
func must(t testing.TB, args ...string) string {
	t.Helper()
	return testprogram.Must(t, args...)
}

// organization creates a database with a seeded organization, and a token with the scopes in a
// private file.
func organization(t testing.TB, transactions string, scopes string) (database, org, tokenFile string) {
	t.Helper()
	return testprogram.Organization(t, transactions, scopes)
}

func freeAddress(t testing.TB) string {
	t.Helper()
	return testprogram.FreeAddress(t)
}
