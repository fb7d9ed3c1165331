package testprogram

import (
	"bytes"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/client/secretstore"
)

// Person is a user with a home directory who types commands.
type Person struct {
	t       testing.TB
	Env     map[string]string
	Keyring secretstore.Keyring
}

// NewPerson returns a person without settings.
func NewPerson(t testing.TB) *Person {
	t.Helper()
	return &Person{t: t, Env: map[string]string{"XDG_CONFIG_HOME": t.TempDir(), "TERM": "xterm-256color",
		"LANG": "C.UTF-8"}}
}

// Types runs a command with stdin as its standard input.
func (p *Person) Types(stdin string, args ...string) Result {
	p.t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(out, stdin); _ = out.Close() }()
	defer func() { _ = in.Close() }()
	var stdout, stderr bytes.Buffer
	code := cli.Run(p.t.Context(), command.Env{
		Stdin: in, Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string { return p.Env[name] },
		Now:    time.Now, Keyring: p.Keyring,
	}, args)
	r := Result{code, stdout.String(), stderr.String()}
	if strings.Contains(r.Stdout+r.Stderr, "svc_org_") {
		p.t.Errorf("tarmac %s shows a token: %q %q", strings.Join(args, " "), r.Stdout, r.Stderr)
	}
	return r
}

// Does runs a command that has to succeed, and returns its output.
func (p *Person) Does(stdin string, args ...string) string {
	p.t.Helper()
	r := p.Types(stdin, args...)
	if r.Code != 0 {
		p.t.Fatalf("tarmac %s: exit %d, %s", strings.Join(args, " "), r.Code, r.Stderr)
	}
	return r.Stdout
}

// File returns a path in the person's settings directory.
func (p *Person) File(name string) string {
	return filepath.Join(p.Env["XDG_CONFIG_HOME"], "tarmac", name)
}

// GoodServer starts a server that accepts the tokens svc_org_good and svc_org_other.
func GoodServer(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(ScopedTokens(map[string][]string{"svc_org_good": EveryScope(),
		"svc_org_other": {"account:read"}}))
	t.Cleanup(server.Close)
	return server.URL
}
