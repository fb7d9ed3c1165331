package admin_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"tarmac/service"
	"tarmac/service/store"
)

// publicKeyFile makes a file with a new public key, as ssh-keygen does.
func publicKeyFile(t testing.TB) (path string) {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "id_ed25519.pub")
	if err := os.WriteFile(path, ssh.MarshalAuthorizedKey(key), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSSHKeysAsJSON(t *testing.T) {
	o := newOperated(t)
	file := publicKeyFile(t)

	added := o.object("ssh-key", "add", "--org", o.org, "--name", "Ada", "--file", file, "--user", "acme", "--scope",
		"payments:read,account:read", "--expires", "90d")

	id, _ := added["id"].(string)
	want := map[string]any{
		"id": id, "org_id": o.org, "name": "Ada", "user": "acme", "algorithm": "ssh-ed25519", "state": "active",
		"fingerprint": added["fingerprint"], "scopes": []any{"account:read", "payments:read"},
		"created_at": added["created_at"], "expires_at": added["expires_at"], "revoked_at": nil, "last_used_at": nil,
	}
	if !reflect.DeepEqual(added, want) || !strings.HasPrefix(id, "ssh_") ||
		!strings.HasSuffix(added["expires_at"].(string), "Z") {
		t.Errorf("ssh-key add --json: %v", added)
	}
	if got := o.object("ssh-key", "revoke", id); !reflect.DeepEqual(got, map[string]any{"id": id, "state": "revoked"}) {
		t.Errorf("ssh-key revoke --json: %v", got)
	}
	again := o.object("ssh-key", "add", "--org", o.org, "--name", "Ada", "--file", file)
	if again["expires_at"] != nil || again["user"] != nil || len(again["scopes"].([]any)) != 4 {
		t.Errorf("by default: %v", again)
	}
	list := o.list("ssh-key", "list", "--org", o.org)
	if len(list) != 2 || list[0]["state"] != "revoked" || list[0]["revoked_at"] == nil ||
		!reflect.DeepEqual(list[1], again) {
		t.Errorf("ssh-key list --json: %v", list)
	}
}

func TestSSHKeysAsText(t *testing.T) {
	o := newOperated(t)

	added := o.must("ssh-key", "add", "--org", o.org, "--name", "Ada", "--file", publicKeyFile(t))

	form := regexp.MustCompile(`^(ssh_\w{26}) added for Ada: SHA256:[\w+/]{43}, ` +
		`account:read,invoices:read,payments:read,event_feed:read, until it is revoked$`)
	found := form.FindStringSubmatch(added)
	if found == nil {
		t.Fatalf("ssh-key add printed %q", added)
	}
	row := regexp.MustCompile(found[1] + ` +Ada +- +active +\S+ \S+ +- +- +account:read,.* SHA256:\S+$`)
	if list := o.must("ssh-key", "list", "--org", o.org); !row.MatchString(list) {
		t.Errorf("ssh-key list printed %q", list)
	}
	if got := o.must("ssh-key", "revoke", found[1]); got != found[1]+" revoked" {
		t.Errorf("ssh-key revoke printed %q", got)
	}
}

func TestWrongSSHKeysAreRefused(t *testing.T) {
	o := newOperated(t)
	file := publicKeyFile(t)
	write := func(content string) string {
		path := filepath.Join(t.TempDir(), "id")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	base := []string{"ssh-key", "add", "--org", o.org}

	o.refused(2, "--name and --file are required", append(base, "--file", file)...)
	o.refused(2, "--name and --file are required", append(base, "--name", "Ada")...)
	o.refused(2, "unknown scope", append(base, "--name", "Ada", "--file", file, "--scope", "all")...)
	o.refused(2, "--expires", append(base, "--name", "Ada", "--file", file, "--expires", "-1d")...)
	o.refused(2, "small letters", append(base, "--name", "Ada", "--file", file, "--user", "Acme")...)
	o.refused(2, "control characters", append(base, "--name", "A\x1b", "--file", file)...)
	o.refused(1, "no such file", append(base, "--name", "Ada", "--file", file+".none")...)
	o.refused(1, "not a public key", append(base, "--name", "Ada", "--file", write("hello"))...)
	o.refused(1, "ends in .pub", append(base, "--name", "Ada", "--file", write("-----BEGIN OPENSSH PRIVATE KEY-----"))...)
	o.refused(1, "too long", append(base, "--name", "Ada", "--file", write(strings.Repeat("x", 20_000)))...)
	o.must(append(base, "--name", "Ada", "--file", file)...)
	o.refused(1, "the organization already has this SSH key: ssh_", append(base, "--name", "Ada", "--file", file)...)
}

// One session ended, one is open, and the process of one was killed an hour ago.
func TestSSHSessionsAreListed(t *testing.T) {
	o := newOperated(t)
	added := o.object("ssh-key", "add", "--org", o.org, "--name", "Ada", "--file", publicKeyFile(t))
	now := time.Now().UTC().Truncate(time.Microsecond)
	o.with(func(svc *service.Service, _ store.OrgKey) {
		found, err := svc.Store().SSHKeysByFingerprint(t.Context(), added["fingerprint"].(string))
		if err != nil || len(found) != 1 {
			t.Fatalf("SSHKeysByFingerprint = %+v, %v", found, err)
		}
		err = svc.Store().Write(context.Background(), func(tx *store.Tx) error {
			start := func(id string, ago time.Duration) error {
				return tx.StartSSHSession(store.SSHSession{ID: id, Key: found[0].Key, Process: id, Remote: "192.0.2.7:4711",
					Client: "SSH-2.0-Open\x1b[2JSSH", BeganAt: now.Add(-ago)})
			}
			return errors.Join(start("ended", 3*time.Hour), tx.CountSSHProposal("ended"),
				tx.CountSSHProposal("ended"), tx.EndSSHSession("ended", now.Add(-2*time.Hour), "idle"),
				start("lost", time.Hour), start("open", time.Minute))
		})
		if err != nil {
			t.Fatal(err)
		}
	})

	list := o.list("ssh-key", "sessions", "--org", o.org)
	if len(list) != 3 || list[0]["state"] != "open" || list[1]["state"] != "lost" || list[2]["state"] != "ended" ||
		list[2]["end_reason"] != "idle" || list[2]["proposed_count"] != 2.0 || list[0]["ended_at"] != nil ||
		list[0]["key_id"] != added["id"] || list[0]["remote"] != "192.0.2.7:4711" {
		t.Errorf("ssh-key sessions --json: %v", list)
	}
	table := o.must("ssh-key", "sessions", "--org", o.org)
	if strings.Contains(table, "\x1b") || !regexp.MustCompile(`(?m)^BEGAN .*\n`+
		`\S+ \S+ +1 minute +Ada +ssh_\w+ +192.0.2.7:4711 +SSH-2.0-OpenSSH +0 +open\n`+
		`\S+ \S+ +0 seconds +Ada .* 0 +lost\n\S+ \S+ +1 hour +Ada .* 2 +ended: idle$`).MatchString(table) {
		t.Errorf("ssh-key sessions printed %q", table)
	}
	if newest := o.must("ssh-key", "sessions", "--org", o.org, "--limit", "1"); strings.Count(newest, "\n") != 1 {
		t.Errorf("with a limit: %q", newest)
	}
	o.refused(2, "--limit", "ssh-key", "sessions", "--org", o.org, "--limit", "0")
}
