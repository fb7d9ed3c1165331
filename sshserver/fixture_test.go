package sshserver_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"tarmac/internal/testsupport/openssh"
	"tarmac/sshserver"
)

// fixture is a server whose sessions echo what is typed, after a greeting that names the user, the
// environment and the size of the window. A session ends at "q", panics at "p" and writes until an
// error occurs at "f".
type fixture struct {
	*sshserver.Server
	t       *testing.T
	address string
	log     *lockedBuffer
	stop    func() // stops the server and waits for its end

	mu      sync.Mutex
	known   []string // keys that may open a session, in SSH's wire format
	offered []string // keys that IsKnown was asked about
	ended   chan error
}

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu      sync.Mutex
	content bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.content.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.content.String()
}

// limits are low for tests, but high enough for a slow machine.
var limits = sshserver.Limits{
	Connections: 40, ConnectionsPerNetwork: 40, Unauthenticated: 8, UnauthenticatedPerNetwork: 6, Sessions: 20,
	SessionsPerKey: 3, HandshakeTimeout: 2 * time.Second, WriteTimeout: time.Second, GracePeriod: time.Second,
}

func newFixture(t *testing.T, change ...func(*sshserver.Config)) *fixture {
	t.Helper()
	f := &fixture{t: t, log: &lockedBuffer{}, ended: make(chan error, 100)}
	config := sshserver.Config{
		HostKeys: []ssh.Signer{newSigner(t)}, Idle: time.Minute, Limits: limits,
		Logger: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		IsKnown: func(_ context.Context, l sshserver.Login) (bool, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.offered = append(f.offered, string(l.Key.Marshal()))
			return slices.Contains(f.known, string(l.Key.Marshal())), nil
		},
		Authenticate: func(_ context.Context, l sshserver.Login) (any, error) {
			if l.User == "stranger" {
				return nil, errors.New("another organization's")
			}
			return ssh.FingerprintSHA256(l.Key), nil
		},
		Run: func(ctx context.Context, s *sshserver.Session) error {
			err := echo(ctx, s)
			f.ended <- endOf(ctx, err)
			return err
		},
	}
	for _, c := range change {
		c(&config)
	}
	server, err := sshserver.New(config)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.Server, f.address = server, listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, listener) }()
	f.stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(30 * time.Second):
			t.Error("the server did not stop within 30 s")
		}
	})
	t.Cleanup(f.stop)
	return f
}

// endOf returns the error of a session or, if it is nil, the cause of the end of its context.
func endOf(ctx context.Context, err error) error {
	if err == nil {
		return context.Cause(ctx)
	}
	return err
}

func newPrivateKey(t *testing.T) *ed25519.PrivateKey {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &key
}

func newSigner(t *testing.T) ssh.Signer {
	t.Helper()
	signer, err := ssh.NewSignerFromKey(newPrivateKey(t))
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// admit lets a public key open sessions.
func (f *fixture) admit(key ssh.PublicKey) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known = append(f.known, string(key.Marshal()))
}

// openssh returns a client of OpenSSH with a key that may open sessions.
func (f *fixture) openssh(options ...string) openssh.Client {
	f.t.Helper()
	openssh.Require(f.t)
	path := openssh.NewKey(f.t, "-t", "ed25519")
	f.admit(publicKey(f.t, path+".pub"))
	return openssh.Client{Address: f.address, User: "ada", Key: path, Options: options}
}

func publicKey(t *testing.T, path string) ssh.PublicKey {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// dial connects as a client of this test.
func (f *fixture) dial(user string, keys ...ssh.Signer) (*ssh.Client, error) {
	return ssh.Dial("tcp", f.address, &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{ssh.PublicKeys(keys...)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Timeout: 20 * time.Second,
	})
}

// connect connects with a new key that may open sessions.
func (f *fixture) connect() *ssh.Client {
	f.t.Helper()
	key := newSigner(f.t)
	f.admit(key.PublicKey())
	client, err := f.dial("ada", key)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = client.Close() })
	return client
}

// shell is the shell of a client of this test.
type shell struct {
	*ssh.Session
	in  io.Writer
	out *lockedBuffer
}

// open opens a shell with a terminal and waits for its greeting.
func (f *fixture) open(client *ssh.Client) *shell {
	f.t.Helper()
	s, err := client.NewSession()
	if err != nil {
		f.t.Fatal(err)
	}
	in, err := s.StdinPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	opened := &shell{s, in, &lockedBuffer{}}
	s.Stdout = opened.out
	if err := errors.Join(s.RequestPty("xterm", 24, 80, nil), s.Shell()); err != nil {
		f.t.Fatal(err)
	}
	f.until("a greeting", func() bool { return bytes.Contains([]byte(opened.out.String()), []byte("hello")) })
	return opened
}

// until waits until a condition holds.
func (f *fixture) until(what string, holds func() bool) {
	f.t.Helper()
	for began := time.Now(); !holds(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			f.t.Fatalf("waited 20 s for %s; the log is\n%s", what, f.log)
		}
	}
}

// end returns why the next session ended.
func (f *fixture) end() error {
	f.t.Helper()
	select {
	case err := <-f.ended:
		return err
	case <-time.After(20 * time.Second):
		f.t.Fatalf("waited 20 s for the end of a session; the log is\n%s", f.log)
		return nil
	}
}

// echo is the session of a fixture.
func echo(ctx context.Context, s *sshserver.Session) error {
	_, err := fmt.Fprintf(s, "hello %s %v %dx%d\r\n", s.Login.User, s.Environ, s.Size.Width, s.Size.Height)
	if err != nil {
		return err
	}
	typed := make(chan byte)
	go func() {
		defer close(typed)
		for b := make([]byte, 1); ; {
			if _, err := s.Read(b); err != nil {
				return
			}
			typed <- b[0]
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case size := <-s.Sizes:
			_, _ = fmt.Fprintf(s, "size %dx%d\r\n", size.Width, size.Height)
		case left := <-s.IdleSoon:
			_, _ = fmt.Fprintf(s, "ends in %s\r\n", left)
		case b, more := <-typed:
			switch {
			case !more:
				typed = nil
			case b == 'q':
				return nil
			case b == 'p':
				panic("planted")
			case b == 'f':
				for {
					if _, err := s.Write(make([]byte, 10_000)); err != nil {
						return err
					}
				}
			case b >= 'a' && b <= 'z':
				s.Active()
				_, _ = s.Write([]byte{b})
			}
		}
	}
}

func refuseAll(netip.Prefix, bool) bool { return false }
