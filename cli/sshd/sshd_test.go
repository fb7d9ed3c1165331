//go:build unix

package sshd_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/long"
	"tarmac/internal/testsupport/openssh"
	"tarmac/internal/testsupport/testdb"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/internal/testsupport/testterminal"
)

// sshDashboards are the processes and organizations of a test of tarmac ssh.
type sshDashboards struct {
	t        *testing.T
	database string
	keyFile  string // of the database
	hostKey  string
	key      string // private key of the person
}

func TestSessionsOverSSH(t *testing.T) {
	if testing.Short() {
		t.Skip("walks a real terminal")
	}
	openssh.Require(t)
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		trySSH(t, func(t *testing.T) string { return migrated.File(t) }, 6)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		server := testdb.Start(t)
		trySSH(t, func(t *testing.T) string { return server.Database(t) }, long.Size(2, 6))
	})
}

// trySSH runs the first tests of sessions, each on a database of its own. The first two depend on
// the database.
func trySSH(t *testing.T, newDatabase func(*testing.T) string, first int) {
	for _, c := range []struct {
		name string
		try  func(*sshDashboards)
	}{
		{"the dashboard opens", (*sshDashboards).opens},
		{"a revoked key ends its sessions in every process", (*sshDashboards).endsRevoked},
		{"the user name or the person chooses the organization", (*sshDashboards).choosesOrganization},
		{"organizations side by side are not mixed", (*sshDashboards).keepsApart},
		{"what was typed outlives the connection", (*sshDashboards).keepsDrafts},
		{"a terminal without UTF-8 is sent ASCII", (*sshDashboards).sendsASCII},
	}[:first] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c.try(&sshDashboards{
				t: t, database: newDatabase(t), keyFile: filepath.Join(dir, "database.key"),
				hostKey: filepath.Join(dir, "host_key"), key: openssh.NewKey(t, "-t", "ed25519"),
			})
		})
	}
}

func (d *sshDashboards) admin(args ...string) string {
	d.t.Helper()
	return testprogram.Must(d.t, append([]string{"admin", "--db", d.database, "--key-file", d.keyFile}, args...)...)
}

// organization creates an organization that the person's key opens, and returns its ID and that of
// the SSH key.
func (d *sshDashboards) organization(name string, flags ...string) (org, key string) {
	d.t.Helper()
	org = d.admin("org", "create", name)
	add := []string{"ssh-key", "add", "--org", org, "--name", "Ada", "--file", d.key + ".pub"}
	return org, strings.Fields(d.admin(append(add, flags...)...))[0]
}

// serve starts a process that serves the dashboard, and returns its address.
func (d *sshDashboards) serve(flags ...string) (address string) {
	d.t.Helper()
	cmd := testprogram.Command(d.t, []string{"TZ=Pacific/Chatham"}, append([]string{
		"ssh", "--db", d.database, "--key-file", d.keyFile, "--addr", "127.0.0.1:0", "--host-key", d.hostKey,
		"--connection-rate", "0",
	}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	served := make(chan string, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			var entry struct{ Msg, Addr string }
			if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
				served <- entry.Addr
			}
		}
	}()
	d.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
		if err := cmd.Wait(); err != nil {
			d.t.Errorf("tarmac ssh ended with %v", err)
		}
	})
	select {
	case address = <-served:
	case <-ended:
		d.t.Fatal("tarmac ssh did not start")
	case <-time.After(testprogram.Patience):
		d.t.Fatal("tarmac ssh does not start")
	}
	return address
}

// client returns the command ssh of OpenSSH with the person's key.
func (d *sshDashboards) client(address, user string, flags ...string) *exec.Cmd {
	return openssh.Client{Address: address, User: user, Key: d.key, Options: []string{"LogLevel=ERROR"}}.SSH(d.t, flags)
}

func (d *sshDashboards) opens() {
	org, _ := d.organization("Northlight Labs")
	d.admin("seed", "--org", org, "--transactions", "300", "--seed", "3")
	address := d.serve()

	term := testterminal.Start(d.t, d.client(address, "ada"), 100, 30, nil)
	term.Until("Northlight Labs  read-only", "Cash on hand", "live")
	term.Press("4")
	term.Until("300 transactions")
	term.Press("e")
	term.Until("not over SSH; on your own machine: tarmac transactions list")
	term.Press("q")

	if code := term.Ended(); code != 0 {
		d.t.Errorf("ssh ended with %d: %s", code, term.Text())
	}
	if listed := d.admin("ssh-key", "sessions", "--org", org, "--json"); !strings.Contains(listed, "the person left") {
		d.t.Errorf("the audit is %s", listed)
	}
}

// One process revokes the key, and the sessions of two others end.
func (d *sshDashboards) endsRevoked() {
	_, key := d.organization("Northlight Labs")
	first := testterminal.Start(d.t, d.client(d.serve(), "ada"), 80, 24, nil)
	second := testterminal.Start(d.t, d.client(d.serve(), "ada"), 80, 24, nil)
	for _, term := range []*testterminal.Terminal{first, second} {
		term.Until("Northlight Labs  read-only", "live")
	}

	d.admin("ssh-key", "revoke", key)
	revoked := time.Now()

	for _, term := range []*testterminal.Terminal{first, second} {
		if code := term.Ended(); code != 1 {
			d.t.Errorf("ssh ended with %d", code)
		}
		if text := term.Text(); !strings.Contains(text, "this SSH key was revoked or has expired") {
			d.t.Errorf("the person is told:\n%s", text)
		}
	}
	d.t.Logf("the sessions ended %s after the revocation", time.Since(revoked).Round(time.Millisecond))
	denied := openssh.Run(d.t, d.client(d.serve(), "ada", "-tt"))
	if denied.Code != 255 || !strings.Contains(denied.Err, "Permission denied (publickey)") {
		d.t.Errorf("afterwards: %+v", denied)
	}
}

func (d *sshDashboards) choosesOrganization() {
	d.organization("Acme", "--user", "acme")
	globex, _ := d.organization("Globex")
	stranger := d.admin("org", "create", "Initech")
	address := d.serve()

	for user, name := range map[string]string{"acme": "Acme", strings.ToLower(globex): "Globex"} {
		term := testterminal.Start(d.t, d.client(address, user), 80, 24, nil)
		term.Until(name+"  read-only", "live")
		term.Press("q")
		term.Ended()
	}
	denied := openssh.Run(d.t, d.client(address, stranger, "-tt"))
	if denied.Code != 255 || !strings.Contains(denied.Err, "Permission denied (publickey)") {
		d.t.Errorf("another organization: %+v", denied)
	}
	term := testterminal.Start(d.t, d.client(address, "ada"), 80, 24, nil)
	term.Until("Choose an organization", "Acme", "Globex")
	term.Press("j", "\r")
	term.Until("Globex  read-only", "live")
	term.Press("q")
	if code := term.Ended(); code != 0 {
		d.t.Errorf("ssh ended with %d", code)
	}
}

// keepsApart walks two organizations at once, in one process. The frames of each name it and never
// the other one. TARMAC_SSH_FRAMES sets the number of frames.
func (d *sshDashboards) keepsApart() {
	frames := long.Size(120, 400)
	if text := os.Getenv("TARMAC_SSH_FRAMES"); text != "" {
		var err error
		if frames, err = strconv.Atoi(text); err != nil {
			d.t.Fatalf("TARMAC_SSH_FRAMES: %v", err)
		}
	}
	names := [2]string{"Acme", "Globex"}
	var terms [2]*testterminal.Terminal
	for i, name := range names {
		org, _ := d.organization(name, "--user", strings.ToLower(name))
		d.admin("seed", "--org", org, "--transactions", "300", "--seed", strconv.Itoa(i+1))
	}
	address := d.serve()
	for i, name := range names {
		terms[i] = testterminal.Start(d.t, d.client(address, strings.ToLower(name)), 100, 30, nil)
	}
	var walks sync.WaitGroup
	for i, term := range terms {
		term.Until(names[i]+"  read-only", "live")
		walks.Go(func() {
			for n, pressed := 0, 0; n < frames/2; pressed++ {
				term.Press([]string{"1", "2", "3", "4", "j", "j", "5", "6", "*", "8"}[pressed%10])
				select {
				case <-term.Changed():
					n++
				case <-term.Done():
					d.t.Errorf("the session of %s ended after %d frames", names[i], n)
					return
				case <-time.After(100 * time.Millisecond): // the key changed nothing
				}
			}
		})
	}
	walks.Wait()
	for i, term := range terms {
		term.Press("q")
		if code := term.Ended(); code != 0 {
			d.t.Errorf("ssh ended with %d", code)
		}
		if output := term.Output(); strings.Contains(output, names[1-i]) || !strings.Contains(output, names[i]) {
			d.t.Errorf("a frame of %s names %s", names[i], names[1-i])
		}
	}
}

func (d *sshDashboards) keepsDrafts() {
	d.organization("Northlight Labs", "--scope",
		"account:read,payments:read,event_feed:read,invoices:read,invoices:propose")
	address := d.serve()
	cut := testterminal.Start(d.t, d.client(address, "ada"), 100, 30, nil)
	cut.Until("Northlight Labs", "live")
	cut.Press("5")
	cut.Until("No invoices")
	cut.Press("n")
	cut.Until("Propose an invoice", "esc leave")
	cut.Press("Tidewater Studio")
	cut.Until("Tidewater Studio")
	cut.Signal(syscall.SIGKILL) // the client says no goodbye
	cut.Ended()

	term := testterminal.Start(d.t, d.client(address, "ada"), 100, 30, nil)
	term.Until("Northlight Labs", "live")
	term.Press("5")
	term.Until("No invoices")
	term.Press("n")
	term.Until("Propose an invoice", "Tidewater Studio", "Draft from .* restored", "esc leave")
	term.Press("esc")
	term.Until("q quit")
	term.Press("q")
	term.Ended()
}

func (d *sshDashboards) sendsASCII() {
	d.organization("Northlight Labs")
	cmd := d.client(d.serve(), "ada", "-o", "SendEnv=LANG")
	cmd.Env = append(cmd.Env, "LANG=C")
	term := testterminal.Start(d.t, cmd, 100, 30, nil)
	term.Until("Northlight Labs  read-only", `\* live`, `- Cash -`)
	term.Press("q")
	term.Ended()
	term.CheckASCII()
}
