//go:build unix

package cli_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"tarmac/internal/testsupport/long"
	"tarmac/internal/testsupport/providers/mercury"
	"tarmac/internal/testsupport/testprogram"
)

// echo answers for a provider. While its status is not 0, it repeats what it was sent, with that
// status.
type echo struct {
	http.Handler
	status atomic.Int64
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status := int(e.status.Load())
	if status == 0 {
		e.Handler.ServeHTTP(w, r)
		return
	}
	sent := r.Header.Get("Authorization")
	user, password, _ := r.BasicAuth()
	w.Header().Set("Location", "https://elsewhere.example.net/?"+sent)
	w.Header().Set("Retry-After", sent)
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"errors": {"errorCode": %[1]q, "message": %[1]q}, "errlist": [{"code": %[1]q, "msg": %[1]q}],
		"accounts": [{"id": "1", "name": %[1]q, "currency": %[1]q, "balance": %[1]q}]}`,
		sent+" "+user+" "+password+" "+r.URL.String())
}

// Tokens of providers are used in every way, with providers that work, fail or repeat what they are
// sent. Then everything written is searched for them.
func TestTokensOfProvidersAreWrittenNowhere(t *testing.T) {
	t.Parallel()
	o := goOnline(t)
	o.environ = append(o.environ, "TEA_DEBUG=1", "TEA_TRACE=trace", "GOTRACEBACK=crash")
	s := &spill{t: t, said: map[string]string{}, directories: []string{o.dir}}
	ownBank, bridge := &echo{Handler: o.mercury}, &echo{Handler: o.simplefin}
	o.internet.Handle(mercury.Host, ownBank)
	o.internet.Handle("bridge.example.com", bridge)
	o.mercury.Open("Operating", "checking", "202012346789", 1_000_00)
	o.simplefin.Open(o.simplefin.Connect("Harbor Bank", "Ada"), "Checking (4821)", "USD", 500_00)
	token, setup, key := o.mercury.Token(), o.simplefin.Token(), "rk_live_51Sesame"
	run := func(input string, args ...string) result {
		return s.run(fmt.Sprintf("command %d, %s", len(s.said), args[0]), input, o.environ, args...)
	}

	for _, provider := range [][2]string{{"mercury", token}, {"simplefin", setup}} {
		if r := run(provider[1]+"\n", "connect", provider[0], "--token-stdin", "--yes"); r.code != 0 {
			t.Fatalf("connect %s: %s", provider[0], r.stderr)
		}
	}
	user, password := o.simplefin.Access()
	access := "https://" + url.UserPassword(user, password).String() + "@bridge.example.com/simplefin"
	for _, input := range []string{setup, access, token + "\x07", " " + token + " x", "mercury " + token} {
		run(input+"\n", "connect", "simplefin", "--token-stdin", "--yes")
		run(input+"\n", "connect", "mercury", "--token-stdin", "--yes", "--label", "other")
	}
	for _, status := range long.Size([]int64{0, 200, 302, 401}, []int64{0, 200, 302, 400, 401, 429, 500}) {
		ownBank.status.Store(status)
		bridge.status.Store(status)
		for _, command := range []string{"sync", "sync --json", "books providers", "books providers --json", "doctor"} {
			run("", strings.Fields(command)...)
		}
		run(token+"\n", "connect", "mercury", "--token-stdin", "--yes", "--label", "third")
	}
	ownBank.status.Store(0)
	bridge.status.Store(0)
	for _, args := range [][]string{
		{"connect", "mercury", token}, {"connect", token}, {"sync", "--provider", token}, {"disconnect", token, "--yes"},
		{"sync", "--provider", setup}, {"disconnect", access, "--yes"}, {"sync", "--provider", key},
		{"connect", "mercury", "--token", token}, {"config", "show"}, {"books"}, {"books", "imports"},
	} {
		run("", args...)
	}

	o.crashDashboard(s)
	o.dumpService(s, token)

	secrets := append([]string{token, setup, access, key}, o.simplefin.Secrets()...)
	basic := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	for n, secret := range append(secrets, basic) {
		s.checkAbsent(fmt.Sprintf("secret %d", n), secret)
	}
}

// crashDashboard opens the dashboard on the page Books, and lets it crash.
func (o *online) crashDashboard(s *spill) {
	o.t.Helper()
	broken := filepath.Join(o.t.TempDir(), "broken")
	term := startTerminal(o.t, 120, 40, append(o.environ, testprogram.BreaksWhen+"="+broken,
		testprogram.BreaksIn+"=(*Model).Update"))
	s.directories = append(s.directories, term.cmd.Dir)
	term.until("9 Books")
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		o.t.Fatal(err)
	}
	term.press("9")
	term.ended()
	s.said["a fault"] = term.output()
}

// dumpService connects an organization of a server, lets the server print all stacks, and backs its
// database up.
func (o *online) dumpService(s *spill, token string) {
	o.t.Helper()
	dir := o.t.TempDir()
	database, logged := filepath.Join(dir, "tarmac.db"), filepath.Join(dir, "service.log")
	s.directories = append(s.directories, dir)
	org := strings.TrimSpace(o.must("", "admin", "--db", database, "org", "create", "Northlight Labs"))
	admin := func(input string, args ...string) {
		args = append([]string{"admin", "--db", database}, args...)
		r := s.run(strings.Join(args, " "), input, o.environ, args...)
		if r.code != 0 {
			o.t.Errorf("%q: %s", args, r.stderr)
		}
	}
	admin(token+"\n", "connect", "mercury", "--token-stdin", "--yes", "--org", org)
	log, err := os.OpenFile(logged, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		o.t.Fatal(err)
	}
	defer log.Close()
	service := program(o.t, o.environ, "serve", "--db", database, "--addr", "127.0.0.1:0")
	service.Stdout, service.Stderr = log, log
	if err := service.Start(); err != nil {
		o.t.Fatal(err)
	}
	s.directories = append(s.directories, service.Dir)
	listenAddress(o.t, logged)
	admin("", "sync", "--org", org)
	admin("", "backup", filepath.Join(dir, "copy.db"))
	_ = service.Process.Signal(syscall.SIGQUIT)
	_ = service.Wait()
	if content, err := os.ReadFile(logged); err != nil || !strings.Contains(string(content), "goroutine") {
		o.t.Errorf("no stacks were printed (%v)", err)
	}
}
