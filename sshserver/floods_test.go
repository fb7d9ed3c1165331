package sshserver_test

import (
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"tarmac/internal/testsupport/openssh"
	"tarmac/sshserver"
)

// pausedConn is a client's connection from which nothing is read any more after pause.
type pausedConn struct {
	net.Conn
	paused chan struct{}
}

func (c pausedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	select {
	case <-c.paused:
		select {} // the client has stopped
	default:
		return n, err
	}
}

// The client may stop to read from its connection, or only from its session, whose window is then
// full.
func TestAClientThatNeverReadsIsDisconnected(t *testing.T) {
	f := newFixture(t)
	key := newSigner(t)
	f.admit(key.PublicKey())
	raw, err := net.Dial("tcp", f.address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	paused := make(chan struct{})
	conn, channels, requests, err := ssh.NewClientConn(pausedConn{raw, paused}, f.address, &ssh.ClientConfig{
		User: "ada", Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		t.Fatal(err)
	}
	stopped := f.open(ssh.NewClient(conn, channels, requests))
	if _, err := io.WriteString(stopped.in, "f"); err != nil {
		t.Fatal(err)
	}
	close(paused)
	if err := f.end(); err == nil {
		t.Error("the session of a client that does not read its connection ended without an error")
	}

	closed := f.open(f.connect())
	closed.out.mu.Lock() // nobody reads the output, so the session's window is never opened again
	defer closed.out.mu.Unlock()
	if _, err := io.WriteString(closed.in, "f"); err != nil {
		t.Fatal(err)
	}
	if err := f.end(); err == nil {
		t.Error("the session of a client that does not read its channel ended without an error")
	}
	f.until("the end of both", func() bool { return len(f.Sessions()) == 0 })
}

func TestAFloodBeforeAuthenticationDoesNotLockOutClients(t *testing.T) {
	f := newFixture(t)
	before := runtime.NumGoroutine()
	var flood []net.Conn
	for i := range 1000 {
		conn, err := net.Dial("tcp", f.address)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 4 {
		case 1:
			_, _ = io.WriteString(conn, "SSH-2.0-half\r\n") // half a handshake
		case 2:
			_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\n\r\n")
		case 3:
			_, _ = conn.Write([]byte(strings.Repeat("\xff", 1000)))
		}
		flood = append(flood, conn)
	}

	f.open(f.connect())

	f.until("the end of most of the flood", func() bool {
		return runtime.NumGoroutine()-before < 10*limits.Unauthenticated
	})
	for _, conn := range flood { // the server closes all of them
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	}
}

func TestAClientWithoutASessionIsDisconnected(t *testing.T) {
	f := newFixture(t)
	if err := f.connect().Wait(); err == nil {
		t.Error("the client closed the connection, not the server")
	}
}

// Connections count though they have no session.
func TestConnectionsOfAKeyAreLimited(t *testing.T) {
	f := newFixture(t)
	c := f.openssh()
	text, err := os.ReadFile(c.Key)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.ParsePrivateKey(text)
	if err != nil {
		t.Fatal(err)
	}
	for range limits.SessionsPerKey {
		client, err := f.dial("ada", key)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = client.Close() }()
	}
	f.open(f.connect()) // with another key

	refused := openssh.Run(t, c.SSH(t, []string{"-tt"}))

	if refused.Code != 255 || !strings.Contains(refused.Err, "tarmac: too many sessions are open with this key") {
		t.Errorf("%+v", refused)
	}
}

func TestSessionsAreLimited(t *testing.T) {
	f := newFixture(t, func(c *sshserver.Config) { c.Limits.Sessions = 1 })
	first := f.open(f.connect())

	refused := openssh.Run(t, f.openssh().SSH(t, []string{"-tt"}))

	said := refused.Out + refused.Err
	if refused.Code != 1 || !strings.Contains(said, "tarmac: too many sessions are open on this server") {
		t.Errorf("%+v", refused)
	}
	if _, err := io.WriteString(first.in, "q"); err != nil {
		t.Fatal(err)
	}
	f.until("the end", func() bool { return len(f.Sessions()) == 0 })
	f.open(f.connect())
}

// A flood is refused thousands of times a second: the log has its beginning and its sum.
func TestDroppedConnectionsAreSummedUpInTheLog(t *testing.T) {
	f := newFixture(t, func(c *sshserver.Config) { c.Limits.ConnectionsPerNetwork = 0 })
	for range 500 {
		conn, err := net.Dial("tcp", f.address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, conn) // until the server closes it
		_ = conn.Close()
	}

	if n := f.Refusals()[sshserver.ReasonNetwork]; n != 500 {
		t.Errorf("%d refusals are counted", n)
	}
	f.stop()
	var dropped []string
	for line := range strings.Lines(f.log.String()) {
		if strings.Contains(line, "dropped") {
			dropped = append(dropped, line)
		}
	}
	if len(dropped) != 2 || !strings.Contains(dropped[0], `error="too many connections of this address are open"`) ||
		!strings.Contains(dropped[1], "count=500") || !strings.Contains(dropped[1], `networks=1 most="[127.0.0.0/24: 500]"`) {
		t.Errorf("the log says %q", dropped)
	}
}

func TestTheSumInTheLogNamesFewNetworks(t *testing.T) {
	var log lockedBuffer
	tally := sshserver.NewTally()
	for i := range 5000 {
		for range 1 + i%7 {
			tally.Drop(netip.AddrFrom4([4]byte{10, byte(i / 250), byte(i % 250), 1}))
		}
	}

	logger := slog.New(slog.NewTextHandler(&log, nil))
	tally.Report(logger)
	tally.Report(logger)

	if said := log.String(); strings.Count(said, "\n") != 1 || len(said) > 400 || !strings.Contains(said, "count=19995") ||
		!strings.Contains(said, "networks=1024") || !strings.Contains(said, "of_further_networks=15904") {
		t.Errorf("the log says %q", said)
	}
}

func TestConnectionsAreCounted(t *testing.T) {
	f := newFixture(t)
	waiting, err := net.Dial("tcp", f.address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = waiting.Close() }()
	f.connect()
	f.open(f.connect())

	want := sshserver.Connections{Unauthenticated: 1, Authenticated: 2, Sessions: 1}
	f.until("three connections", func() bool { return f.Connections() == want })
}

func TestUnknownKeysAreLogged(t *testing.T) {
	f := newFixture(t)
	key := newSigner(t)
	if client, err := f.dial("ada", key); err == nil {
		_ = client.Close()
		t.Fatal("an unknown key opened a connection")
	}
	logged := f.log.String()
	if !strings.Contains(logged, `level=INFO msg="a key was refused" address=127.0.0.1:`) ||
		!strings.Contains(logged, ssh.FingerprintSHA256(key.PublicKey())) {
		t.Errorf("the log is %s", logged)
	}
}

func TestConnectionsOfANetworkAreLimited(t *testing.T) {
	few := limits
	few.ConnectionsPerNetwork = 2
	f := newFixture(t, func(c *sshserver.Config) { c.Limits = few })
	f.open(f.connect())
	f.open(f.connect())

	key := newSigner(t)
	f.admit(key.PublicKey())
	if client, err := f.dial("ada", key); err == nil {
		_ = client.Close()
		t.Error("there is a third connection")
	}
}

func TestConnectionsThatAreNotAdmittedAreClosed(t *testing.T) {
	f := newFixture(t, func(c *sshserver.Config) { c.Admit = refuseAll })
	conn, err := net.Dial("tcp", f.address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if said, err := io.ReadAll(conn); err != nil || len(said) > 0 {
		t.Errorf("the server sent %q, %v", said, err)
	}
}

func TestManySessionsLeaveNoGoroutines(t *testing.T) {
	f := newFixture(t)
	before := runtime.NumGoroutine()
	var wait sync.WaitGroup
	for i := range 60 {
		if i%10 == 0 {
			wait.Wait() // at most ten at once
		}
		client := f.connect()
		wait.Go(func() {
			s := f.open(client)
			switch i % 3 {
			case 0:
				_, _ = io.WriteString(s.in, "abcq")
				_ = s.Wait()
			case 1:
				_, _ = io.WriteString(s.in, "p")
				_ = s.Wait()
			}
			_ = client.Close()
		})
	}
	wait.Wait()
	f.until("the end of all", func() bool { return len(f.Sessions()) == 0 })
	for began := time.Now(); runtime.NumGoroutine() > before+4; time.Sleep(time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatalf("%d goroutines are left of %d", runtime.NumGoroutine(), before)
		}
	}
}

func TestRequestsAfterARefusalBlockNothing(t *testing.T) {
	f := newFixture(t)
	for range 5 {
		channel, _, err := f.connect().OpenChannel("session", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = channel.SendRequest("exec", false, ssh.Marshal(struct{ Command string }{"ls"}))
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			_, _ = channel.SendRequest("env", false, nil) // fails once the server has closed the channel
		}
	}

	f.stop()
}
