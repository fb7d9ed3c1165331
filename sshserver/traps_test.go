package sshserver_test

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"tarmac/sshserver"
)

func TestAServerWithoutAuthenticationDoesNotStart(t *testing.T) {
	whole := func() sshserver.Config { return newFixture(t).Config }
	for name, change := range map[string]func(*sshserver.Config){
		"no host key":       func(c *sshserver.Config) { c.HostKeys = nil },
		"no keys":           func(c *sshserver.Config) { c.IsKnown = nil },
		"no authentication": func(c *sshserver.Config) { c.Authenticate = nil },
		"no session":        func(c *sshserver.Config) { c.Run = nil },
		"no idle time":      func(c *sshserver.Config) { c.Idle = 0 },
	} {
		config := whole()
		change(&config)
		if _, err := sshserver.New(config); err == nil {
			t.Errorf("%s: New returned a server", name)
		}
	}
}

// offered is a key that a client offers, while it signs with another key.
type offered struct {
	key    ssh.PublicKey
	signer ssh.Signer
}

func (o offered) PublicKey() ssh.PublicKey { return o.key }

func (o offered) Sign(random io.Reader, data []byte) (*ssh.Signature, error) {
	return o.signer.Sign(random, data)
}

// A client may offer keys whose private keys it does not have.
func TestTheSessionHasTheKeyThatWasProved(t *testing.T) {
	f := newFixture(t)
	another, own := newSigner(t), newSigner(t)
	f.admit(another.PublicKey())
	f.admit(own.PublicKey())

	if c, err := f.dial("ada", offered{another.PublicKey(), own}); err == nil {
		_ = c.Close()
		t.Error("a signature of another key opened a session")
	}
	client, err := f.dial("ada", newSigner(t), own)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	f.open(client)

	all := f.Sessions()
	if len(all) != 1 || all[0] != ssh.FingerprintSHA256(own.PublicKey()) {
		t.Errorf("the sessions are %+v", all)
	}
}

func TestAnIdleSessionEndsDespiteInputOfTheTerminal(t *testing.T) {
	f := newFixture(t, func(c *sshserver.Config) { c.Idle = 200 * time.Millisecond })
	s := f.open(f.connect())
	stop := make(chan struct{})
	defer close(stop)
	go func() { // the terminal reports its focus again and again
		for {
			select {
			case <-stop:
				return
			default:
				if _, err := io.WriteString(s.in, "\x1b[I"); err != nil {
					return
				}
			}
		}
	}()

	if err := f.end(); !errors.Is(err, sshserver.ErrIdle) {
		t.Errorf("the session ended with %v", err)
	}
}

func TestAnIdleSessionIsWarnedBeforeItEnds(t *testing.T) {
	f := newFixture(t, func(c *sshserver.Config) { c.Idle = 200 * time.Millisecond })
	s := f.open(f.connect())

	if err := f.end(); !errors.Is(err, sshserver.ErrIdle) {
		t.Errorf("the session ended with %v", err)
	}
	if _ = s.Wait(); !strings.Contains(s.out.String(), "ends in 100ms") { // the error is that of an ended session
		t.Errorf("the person is shown %q", s.out.String())
	}
}

func TestKeysKeepASessionOpen(t *testing.T) {
	const idle = 500 * time.Millisecond
	f := newFixture(t, func(c *sshserver.Config) { c.Idle = idle })
	s := f.open(f.connect())
	typed := 0
	for began := time.Now(); time.Since(began) < 3*idle; typed++ {
		if _, err := io.WriteString(s.in, "x"); err != nil {
			t.Fatal(err)
		}
		f.until("an echo", func() bool { return strings.Count(s.out.String(), "x") > typed+1 }) // one is in xterm
	}
	if len(f.Sessions()) != 1 {
		t.Error("the session ended")
	}
}

func TestClosingTheConnectionEndsTheSession(t *testing.T) {
	f := newFixture(t)
	client := f.connect()
	f.open(client)

	_ = client.Close()

	if err := f.end(); !errors.Is(err, sshserver.ErrGone) {
		t.Errorf("the session ended with %v", err)
	}
	f.until("the end", func() bool { return len(f.Sessions()) == 0 })
}

func TestAStoppedServerEndsItsSessions(t *testing.T) {
	f := newFixture(t)
	s := f.open(f.connect())

	f.stop()

	if err := f.end(); !errors.Is(err, sshserver.ErrStopped) {
		t.Errorf("the session ended with %v", err)
	}
	if exit, ended := errors.AsType[*ssh.ExitError](s.Wait()); !ended || exit.ExitStatus() != 1 {
		t.Errorf("the client was told %v", exit)
	}
}

func TestEndEndsTheSelectedSession(t *testing.T) {
	f := newFixture(t)
	f.open(f.connect())
	f.open(f.connect())
	selected := slices.Collect(maps.Keys(f.Grants()))[0]
	revoked := errors.New("the key was revoked")

	f.End(func(id string) bool { return id == selected }, revoked)

	if err := f.end(); !errors.Is(err, revoked) {
		t.Errorf("the session ended with %v", err)
	}
	f.until("the end", func() bool { return len(f.Sessions()) == 1 })
}

// A client may have authenticated and wait with its session until its key was revoked.
func TestEndEndsAConnectionWithoutASession(t *testing.T) {
	f := newFixture(t, func(c *sshserver.Config) { c.Limits.HandshakeTimeout = time.Hour })
	client := f.connect()
	channel, _, err := client.OpenChannel("session", nil) // without a shell
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = channel.Close() }()

	f.End(func(string) bool { return true }, errors.New("the key was revoked"))

	if err := client.Wait(); err == nil {
		t.Error("the client closed the connection, not the server")
	}
	f.until("the end", func() bool { return len(f.Grants()) == 0 })
}

func TestAPanicEndsOneSession(t *testing.T) {
	f := newFixture(t)
	other := f.open(f.connect())
	s := f.open(f.connect())

	if _, err := io.WriteString(s.in, "p"); err != nil {
		t.Fatal(err)
	}

	if exit, ended := errors.AsType[*ssh.ExitError](s.Wait()); !ended || exit.ExitStatus() != 1 {
		t.Errorf("the client was told %v", exit)
	}
	if _, err := io.WriteString(other.in, "z"); err != nil {
		t.Fatal(err)
	}
	f.until("an echo", func() bool { return strings.Contains(other.out.String(), "z") })
	if log := f.log.String(); !strings.Contains(log, "a session failed") || strings.Contains(log, "planted") {
		t.Errorf("the log is %s", log)
	}
}

func TestSizesAreBounded(t *testing.T) {
	f := newFixture(t)
	client := f.connect()
	for claimed, want := range map[[2]uint32]string{
		{0, 0}: " 80x24", {1 << 31, 1<<32 - 1}: " 400x120", {3, 1}: " 3x1",
	} {
		s, err := f.connect().NewSession()
		if err != nil {
			t.Fatal(err)
		}
		out := &lockedBuffer{}
		s.Stdout = out
		pty := struct {
			Term          string
			W, H, PW, PH  uint32
			TerminalModes string
		}{"xterm", claimed[0], claimed[1], 1<<32 - 1, 0, ""}
		if ok, err := s.SendRequest("pty-req", true, ssh.Marshal(pty)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := s.Shell(); err != nil {
			t.Fatal(err)
		}
		f.until("the size", func() bool { return strings.Contains(out.String(), want) })
	}
	s := f.open(client)
	for i := range uint32(10_000) {
		if err := s.WindowChange(int(i), int(1<<31-1-i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.WindowChange(50, 100); err != nil {
		t.Fatal(err)
	}
	f.until("the last size", func() bool { return strings.Contains(s.out.String(), "size 100x50") })
}

func TestLongEnvironmentVariablesAreDropped(t *testing.T) {
	f := newFixture(t)
	s, err := f.connect().NewSession()
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		_ = s.Setenv("LANG"+strings.Repeat("x", 1000), strings.Repeat("y", 100_000))
		_ = s.Setenv("NO_COLOR", strings.Repeat("1", 65))
	}
	if err := s.Setenv("LANG", "C"); err == nil {
		t.Error("the server confirmed a variable")
	}
	out := &lockedBuffer{}
	s.Stdout = out
	if err := errors.Join(s.RequestPty("xterm", 24, 80, nil), s.Shell()); err != nil {
		t.Fatal(err)
	}
	f.until("the greeting", func() bool { return strings.Contains(out.String(), "hello ada [TERM=xterm LANG=C]") })
}

func TestAConnectionHasOneSession(t *testing.T) {
	f := newFixture(t)
	client := f.connect()
	f.open(client)

	_, second := client.NewSession()
	_, dialed := client.Dial("tcp", "127.0.0.1:22")
	_, _, agent := client.OpenChannel("auth-agent@openssh.com", nil)
	listening, listened := client.Listen("tcp", "127.0.0.1:0")
	alive, _, err := client.SendRequest("keepalive@openssh.com", true, nil)

	if second == nil || dialed == nil || agent == nil || listened == nil {
		t.Errorf("%v, %v, %v, %v %v", second, dialed, agent, listening, listened)
	}
	if alive || err != nil {
		t.Errorf("a keepalive was answered with %v, %v", alive, err)
	}
}
