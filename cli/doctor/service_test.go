package doctor_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"tarmac/internal/testsupport/testprogram"
	"tarmac/service/store"
)

// sshKeyFile makes a file with a new public key, and returns its name and the key's fingerprint.
func sshKeyFile(t testing.TB) (path, fingerprint string) {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "id.pub")
	if err := os.WriteFile(path, ssh.MarshalAuthorizedKey(key), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, ssh.FingerprintSHA256(key)
}

// openSSHSession records an open session of the key, and a process that serves sessions.
func openSSHSession(t testing.TB, database, fingerprint string) {
	t.Helper()
	st, err := store.Open(t.Context(), database, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := st.SSHKeysByFingerprint(t.Context(), fingerprint)
	if err == nil {
		err = st.Write(context.Background(), func(tx *store.Tx) error {
			return errors.Join(
				tx.StartSSHSession(store.SSHSession{ID: "s1", Key: found[0].Key, Remote: "192.0.2.7:4711", BeganAt: time.Now()}),
				tx.StartSSHProcess(store.SSHProcess{ID: "p1", Host: "fin1", Address: ":2222", HostKey: "SHA256:host",
					BeganAt: time.Now()}))
		})
	}
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorOnAServerListsWhatIsOpenToWhom(t *testing.T) {
	p := testprogram.NewPerson(t)
	database := filepath.Join(t.TempDir(), "tarmac.db")
	admin := func(args ...string) string {
		r := testprogram.Run(t, nil, append([]string{"admin", "--db", database}, args...)...)
		if r.Code != 0 {
			t.Fatalf("tarmac admin %s: exit %d, %s", strings.Join(args, " "), r.Code, r.Stderr)
		}
		return strings.TrimSpace(r.Stdout)
	}
	org, other := admin("org", "create", "Northlight Labs"), admin("org", "create", "Globex")
	admin("token", "create", "--org", org, "--scope", "account:read", "--expires", "90d")
	admin("token", "create", "--org", other, "--scope", "account:read")
	file, fingerprint := sshKeyFile(t)
	admin("ssh-key", "add", "--org", org, "--name", "Ada", "--file", file, "--expires", "90d")
	admin("ssh-key", "add", "--org", other, "--name", "Ada", "--file", file, "--scope", "account:read,invoices:propose")
	gone, _ := sshKeyFile(t)
	revoked, _, _ := strings.Cut(admin("ssh-key", "add", "--org", org, "--name", "Grace", "--file", gone), " ")
	admin("ssh-key", "revoke", revoked)
	openSSHSession(t, database, fingerprint)

	all, problems := p.Doctor("--db", database)

	if len(problems) > 0 {
		t.Errorf("problems: %+v", problems)
	}
	for _, want := range [][3]string{
		{"ok", "database", database + ", 2 organizations"},
		{"ok", "tokens", "Northlight Labs (" + org + "): 1 token valid"},
		{"note", "tokens", "Globex (" + other + "): 1 token valid; these do not expire: tok_"},
		{"ok", "SSH keys", fingerprint + ", may read everything, last used 0 seconds ago, expires "},
		{"note", "SSH keys", "may account:read, invoices:propose, never used, does not expire"},
		{"ok", "SSH sessions", "Northlight Labs (" + org + "): 1 session open: Ada from 192.0.2.7:4711"},
		{"ok", "SSH server", ":2222 on fin1, host key SHA256:host"},
	} {
		if !testprogram.Has(all, want[0], want[1], want[2]) {
			t.Errorf("no %s of %s with %q in %+v", want[0], want[1], want[2], all)
		}
	}
	if testprogram.Has(all, "ok", "SSH keys", "Grace") || testprogram.Has(all, "note", "SSH keys", "Grace") {
		t.Errorf("a revoked key: %+v", all)
	}
	if testprogram.Has(all, "note", "server", "") || testprogram.Has(all, "ok", "locale", "") {
		t.Errorf("with --db, the client was checked too: %+v", all)
	}
}

func TestDoctorFindsTheDatabaseInTheEnvironmentAfterItsOtherChecks(t *testing.T) {
	p := testprogram.NewPerson(t)
	database := filepath.Join(t.TempDir(), "tarmac.db")
	p.Does("", "admin", "--db", database, "org", "create", "Northlight Labs")
	p.Env["TARMAC_DB"] = database

	all, problems := p.Doctor()

	if len(problems) > 0 || !testprogram.Has(all, "note", "server", "none is configured for the client") ||
		!testprogram.Has(all, "ok", "database", "1 organization") ||
		!testprogram.Has(all, "ok", "SSH keys", "none may be used") {
		t.Errorf("%+v", all)
	}
}

func TestDoctorDoesNotCreateADatabase(t *testing.T) {
	p := testprogram.NewPerson(t)
	database := filepath.Join(t.TempDir(), "tarmac.db")

	_, problems := p.Doctor("--db", database)

	if len(problems) != 1 || !strings.Contains(problems[0].Found, "does not exist") {
		t.Errorf("%+v", problems)
	}
	if _, err := os.Stat(database); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file: %v", err)
	}
}
