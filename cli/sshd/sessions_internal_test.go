package sshd

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"io"
	"log/slog"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"tarmac/cli/command"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/store"
)

// servedDashboards is a server of real dashboards in this process.
type servedDashboards struct {
	t       *testing.T
	service *service.Service
	org     store.OrgKey
	client  ssh.Signer
	address string
	stop    func() // stops the server and waits for its end
}

// syncBuffer is a buffer for several goroutines.
type syncBuffer struct {
	mu      sync.Mutex
	content bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.content.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.content.String()
}

func testSigner(t *testing.T) ssh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// serveDashboards serves the dashboard of an organization without data.
func serveDashboards(t *testing.T) *servedDashboards {
	t.Helper()
	d := &servedDashboards{t: t, client: testSigner(t)}
	path := migrated.File(t)
	var err error
	d.service, err = service.Open(t.Context(), service.Config{
		Database: path, KeyFile: path + ".key", Ephemeral: true, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		Entropy: rand.Reader, Limits: service.DefaultLimits,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.service.Close() }) // only reads are lost
	public := d.client.PublicKey()
	err = d.service.Store().Write(t.Context(), func(tx *store.Tx) (err error) {
		now := time.Now()
		d.org, err = tx.CreateOrganization(store.Organization{PublicID: "org_a", Name: "Acme", CreatedAt: now})
		if err != nil {
			return err
		}
		return tx.InsertSSHKey(d.org, access.SSHKey{
			PublicID: "ssh_a", Name: "Ada", Fingerprint: ssh.FingerprintSHA256(public), Algorithm: public.Type(),
			Scopes: access.ReadScopes(), CreatedAt: now,
		}, public.Marshal())
	})
	if err != nil {
		t.Fatal(err)
	}
	log := &syncBuffer{}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	env := command.Env{Now: time.Now, Getenv: func(string) string { return "" }}
	flags := sshFlags{addr: "127.0.0.1:0", database: path, idle: time.Hour, sessions: 50, sessionsPerKey: 50}
	go func() {
		served <- serveSSH(ctx, env, flags, d.service, testSigner(t), slog.New(slog.NewJSONHandler(log, nil)))
	}()
	d.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-served; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	t.Cleanup(d.stop)
	d.until("the server", func() bool {
		found := regexp.MustCompile(`"serving","addr":"([^"]+)"`).FindStringSubmatch(log.String())
		if found != nil {
			d.address = found[1]
		}
		return found != nil
	})
	return d
}

func (d *servedDashboards) until(what string, holds func() bool) {
	d.t.Helper()
	for began := time.Now(); !holds(); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			d.t.Fatalf("waited a minute for %s", what)
		}
	}
}

// openDashboard is the dashboard of a client.
type openDashboard struct {
	client  *ssh.Client
	session *ssh.Session
	keys    io.Writer
	screen  *syncBuffer
}

// open opens a dashboard and waits for its figures.
func (d *servedDashboards) open() *openDashboard {
	d.t.Helper()
	client, err := ssh.Dial("tcp", d.address, &ssh.ClientConfig{
		User: "ada", Auth: []ssh.AuthMethod{ssh.PublicKeys(d.client)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		d.t.Fatal(err)
	}
	session, err := client.NewSession()
	if err != nil {
		d.t.Fatal(err)
	}
	one := &openDashboard{client: client, session: session, screen: &syncBuffer{}}
	session.Stdout = one.screen
	if one.keys, err = session.StdinPipe(); err != nil {
		d.t.Fatal(err)
	}
	if err := session.RequestPty("xterm-256color", 24, 80, nil); err != nil {
		d.t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		d.t.Fatal(err)
	}
	d.until("the dashboard", func() bool { return strings.Contains(one.screen.String(), "live") })
	return one
}

// leave ends a dashboard in one of several ways.
func (d *servedDashboards) leave(one *openDashboard, way int) {
	defer func() { _ = one.client.Close() }() // the server may have closed it
	switch way % 4 {
	case 0:
		_, _ = io.WriteString(one.keys, "4jjq")
		if err := one.session.Wait(); err != nil {
			d.t.Errorf("a dashboard that was left ended with %v", err)
		}
	case 1: // the connection is cut
	case 2:
		_, _ = io.WriteString(one.keys, strings.Repeat("j\x1b[1;1_", 10_000)+"\x1b[200~"+strings.Repeat("x", 100_000))
	case 3:
		one.screen.mu.Lock() // nothing is read any more
		defer one.screen.mu.Unlock()
		_, _ = io.WriteString(one.keys, "12345678")
	}
}

func TestManyDashboardsOverSSHLeaveNothingBehind(t *testing.T) {
	d := serveDashboards(t)
	d.leave(d.open(), 0) // now all connections to the database and the like are there
	d.until("the end of the first", d.allEnded)
	before := runtime.NumGoroutine()
	for range 4 {
		var open sync.WaitGroup
		for way := range 8 {
			one := d.open()
			open.Go(func() { d.leave(one, way) })
		}
		open.Wait()
	}

	d.until("the end of all", d.allEnded)
	d.until("the end of their goroutines", func() bool { return runtime.NumGoroutine() <= before+5 })
	d.stop()
}

// allEnded reports whether the ends of all sessions are recorded.
func (d *servedDashboards) allEnded() bool {
	all, err := d.service.Store().SSHSessions(d.t.Context(), d.org, 100)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, one := range all {
		if one.EndedAt == nil {
			return false
		}
	}
	return len(all) > 0
}

func TestADashboardOverSSHHasAlerts(t *testing.T) {
	d := serveDashboards(t)
	one := d.open()
	defer d.leave(one, 0)

	if _, err := io.WriteString(one.keys, ":alerts\r"); err != nil {
		t.Fatal(err)
	}

	d.until("the alerts", func() bool {
		screen := one.screen.String()
		return strings.Contains(screen, "runway-below") && strings.Contains(screen, "silent-bank")
	})
}
