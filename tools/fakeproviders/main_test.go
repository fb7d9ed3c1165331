package main

import (
	"bufio"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"tarmac/service/providers"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/wire"
)

// session is a running program: commands are written to it, and its answers are read.
type session struct {
	t        *testing.T
	commands io.Writer
	answers  *bufio.Scanner
}

func start(t *testing.T) *session {
	t.Helper()
	stdin, commands := io.Pipe()
	answers, stdout := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, stdin, stdout) }()
	t.Cleanup(func() {
		stop()
		_ = answers.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = stdin.Close()
	})
	return &session{t, commands, bufio.NewScanner(answers)}
}

// read returns the next line, without the text before it.
func (s *session) read(before string) string {
	s.t.Helper()
	s.answers.Scan()
	line, found := strings.CutPrefix(s.answers.Text(), before)
	if !found {
		s.t.Fatalf("%q does not begin with %q", s.answers.Text(), before)
	}
	return line
}

// do sends a command and fails the test unless the answer is the line want.
func (s *session) do(command, want string) {
	s.t.Helper()
	if _, err := io.WriteString(s.commands, command+"\n"); err != nil {
		s.t.Fatal(err)
	}
	if got := s.read(""); got != want {
		s.t.Fatalf("%s: %q", command, got)
	}
}

func TestAClientWithTheVariablesReachesTheFakes(t *testing.T) {
	s := start(t)
	proxy, err := url.Parse(s.read("export HTTPS_PROXY="))
	if err != nil {
		t.Fatal(err)
	}
	authority, err := os.ReadFile(s.read("export SSL_CERT_FILE="))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client, err := wire.New(wire.Config{Proxy: http.ProxyURL(proxy), RootCAs: roots})
	if err != nil {
		t.Fatal(err)
	}

	token := wire.NewSecret(s.read("# simplefin: "))
	s.read("# mercury: ")
	s.read("# stripe: ")
	kind := simplefin.Kind()
	credential, err := kind.Claim(t.Context(), client, token)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kind.Open(client, credential)
	if err != nil {
		t.Fatal(err)
	}
	if listing, err := p.Accounts(t.Context()); err != nil || len(listing.Accounts) != 2 {
		t.Errorf("accounts are %v, %v", listing, err)
	}
	s.do("add simplefin -12.50 Coffee", "done")
	s.do("fail simplefin 503 120", "done")
	_, err = p.Accounts(t.Context())
	if f, ok := errors.AsType[*providers.Failure](err); !ok || f.RetryAfter.Seconds() != 120 {
		t.Errorf("failure is %v", err)
	}
	s.do("work simplefin", "done")
	s.do("revoke simplefin", "done")
	_, err = p.Accounts(t.Context())
	if f, ok := errors.AsType[*providers.Failure](err); !ok || f.Cause != providers.Denied {
		t.Errorf("failure is %v", err)
	}
}

func TestCommandsThatCannotBeCarriedOutSaySo(t *testing.T) {
	sites := fakes(func() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) })
	for _, test := range []struct{ command, want string }{
		{"", help},
		{"revoke", help},
		{"revoke nobody", "no provider is called nobody"},
		{"dance simplefin", "simplefin has no command dance; help lists the commands"},
		{"fail simplefin 200", `"200" is no status from 400 to 599, and no fault; faults lists them`},
		{"add simplefin 5", "an amount and a text are needed"},
		{"settle simplefin", "there is no such transaction"},
		{"pay stripe", "done"},
		{"add stripe 12.50 NL-0009", "done"},
		{"void stripe", "done"},
		{"add mercury -5 Coffee", "done"},
		{"withdraw mercury", "done"},
		{"hold stripe 5 Coffee", "stripe has no command hold; help lists the commands"},
		{"hold simplefin -5 Coffee", "done"},
		{"requests", "simplefin 0\nmercury 0\nstripe 0"},
		{"fail simplefin silence", "done"},
		{"add simplefin -12.50 Coffee", "done"},
	} {
		if got := carryOut(sites, test.command); got != test.want {
			t.Errorf("%s: %q", test.command, got)
		}
	}
}
