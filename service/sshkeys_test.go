package service_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// newPublicKey returns a new public key as in the file that ssh-keygen makes.
func newPublicKey(t testing.TB) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(key))
}

func (f *fixture) addSSHKey(add service.NewSSHKey) access.SSHKey {
	f.t.Helper()
	k, err := f.service.AddSSHKey(f.t.Context(), add)
	if err != nil {
		f.t.Fatal(err)
	}
	return k
}

func TestAnSSHKeyMayOnlyReadUnlessMoreIsGranted(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")

	reader := f.addSSHKey(service.NewSSHKey{OrgPublicID: a.id, Name: " Ada ", PublicKey: newPublicKey(t)})
	proposer := f.addSSHKey(service.NewSSHKey{
		OrgPublicID: a.id, Name: "Grace", Login: "acme", PublicKey: newPublicKey(t), ExpiresIn: time.Hour,
		Scopes: []access.Scope{access.InvoicesPropose, access.AccountRead},
	})

	want := []access.Scope{access.AccountRead, access.InvoicesRead, access.PaymentsRead, access.EventFeedRead}
	if reader.Name != "Ada" || reader.ExpiresAt != nil || !slices.Equal(reader.Scopes, want) ||
		!strings.HasPrefix(reader.PublicID, "ssh_") || !strings.HasPrefix(reader.Fingerprint, "SHA256:") {
		t.Errorf("by default: %+v", reader)
	}
	if !slices.Equal(proposer.Scopes, []access.Scope{access.AccountRead, access.InvoicesPropose}) ||
		!proposer.ExpiresAt.Equal(noon.Add(time.Hour)) || proposer.Login != "acme" {
		t.Errorf("with more: %+v", proposer)
	}
	listed, err := f.service.SSHKeys(t.Context(), a.id)
	if err != nil || !reflect.DeepEqual(listed, []access.SSHKey{reader, proposer}) {
		t.Errorf("SSHKeys = %+v, %v", listed, err)
	}
}

func TestInvalidSSHKeysAreRefused(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	good := service.NewSSHKey{OrgPublicID: a.id, Name: "Ada", PublicKey: newPublicKey(t)}
	for what, c := range map[string]struct {
		change  func(*service.NewSSHKey)
		invalid bool // true if the error is *lifecycle.Invalid
		says    string
	}{
		"no name":            {func(k *service.NewSSHKey) { k.Name = " " }, true, "1 to 100 characters"},
		"a long name":        {func(k *service.NewSSHKey) { k.Name = strings.Repeat("é", 101) }, true, "1 to 100"},
		"an escape sequence": {func(k *service.NewSSHKey) { k.Name = "A\x1b[2J" }, true, "no control characters"},
		"capitals":           {func(k *service.NewSSHKey) { k.Login = "Acme" }, true, "small letters"},
		"an organization id": {func(k *service.NewSSHKey) { k.Login = "org_1" }, true, "small letters"},
		"the past":           {func(k *service.NewSSHKey) { k.ExpiresIn = -1 }, true, "in the future"},
		"an unknown scope":   {func(k *service.NewSSHKey) { k.Scopes = []access.Scope{"x"} }, false, "unknown scope"},
		"options":            {func(k *service.NewSSHKey) { k.PublicKey = "restrict " + k.PublicKey }, false, "options"},
		"no organization":    {func(k *service.NewSSHKey) { k.OrgPublicID = "org_none" }, false, "no such record"},
	} {
		add := good
		c.change(&add)
		_, err := f.service.AddSSHKey(t.Context(), add)
		if err == nil || !strings.Contains(err.Error(), c.says) || errors.As(err, new(*lifecycle.Invalid)) != c.invalid {
			t.Errorf("%s: %v; want %q", what, err, c.says)
		}
	}
	if listed, err := f.service.SSHKeys(t.Context(), a.id); err != nil || len(listed) != 0 {
		t.Errorf("SSHKeys = %+v, %v", listed, err)
	}
}

func TestAConflictNamesTheKeyThatIsInTheWay(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	add := service.NewSSHKey{OrgPublicID: a.id, Name: "Ada", Login: "books", PublicKey: newPublicKey(t)}
	first := f.addSSHKey(add)

	_, err := f.service.AddSSHKey(t.Context(), add)
	if !errors.Is(err, store.ErrSSHKeyExists) || !strings.Contains(err.Error(), first.PublicID+" of Ada") {
		t.Errorf("the same again: %v", err)
	}
	add.OrgPublicID = b.id
	_, err = f.service.AddSSHKey(t.Context(), add)
	if !errors.Is(err, store.ErrSSHLoginTaken) || !strings.Contains(err.Error(), a.id) {
		t.Errorf("the same user name elsewhere: %v", err)
	}
	add.Login = "books-b"
	f.addSSHKey(add)
}

func TestOnlyAnSSHKeyIsRevokedByItsID(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	k := f.addSSHKey(service.NewSSHKey{OrgPublicID: a.id, Name: "Ada", PublicKey: newPublicKey(t)})

	for _, id := range []string{"ssh_none", a.token.PublicID, a.secret} {
		if err := f.service.RevokeSSHKey(t.Context(), id); !errors.Is(err, store.ErrNotFound) ||
			strings.Contains(err.Error(), a.secret) {
			t.Errorf("%.8s…: %v", id, err)
		}
	}
	if err := f.service.RevokeSSHKey(t.Context(), k.PublicID); err != nil {
		t.Fatal(err)
	}

	listed, err := f.service.SSHKeys(t.Context(), a.id)
	if err != nil || len(listed) != 1 || listed[0].Valid(noon) {
		t.Errorf("SSHKeys = %+v, %v", listed, err)
	}
}

// The copied rows have other internal keys, because another organization has a key before them.
func TestACopyHasTheSSHKeysWithTheirSessionsAndDocuments(t *testing.T) {
	f := start(t, 0)
	before, a := f.tenant("before"), f.tenant("a")
	f.addSSHKey(service.NewSSHKey{OrgPublicID: before.id, Name: "Ada", PublicKey: newPublicKey(t)})
	for i := range 2 {
		k := f.addSSHKey(service.NewSSHKey{OrgPublicID: a.id, Name: fmt.Sprint("Ada ", i), PublicKey: newPublicKey(t)})
		f.useSSHKey(k)
	}
	keys, sessions := f.sshRecords(a)
	f.server.Close()
	if err := f.service.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.open) // the fixture's cleanup closes the service again
	file, third := filepath.Join(t.TempDir(), "copy.db"), testdb.New(t)

	for _, direction := range [][2]string{{f.database, file}, {file, third}} {
		config := service.CopyConfig{From: direction[0], To: direction[1], KeyFile: f.keyFile, Organization: a.id}
		if done, _, err := copies(t, config); err != nil || done[0].Rows["ssh_documents"] != 2 {
			t.Fatalf("%+v, %v", done, err)
		}
	}

	for _, database := range []string{file, third} {
		g := f.openOn(database)
		gotKeys, gotSessions := g.sshRecords(a)
		if !reflect.DeepEqual(gotKeys, keys) || !reflect.DeepEqual(gotSessions, sessions) {
			t.Errorf("%+v, %+v; want %+v, %+v", gotKeys, gotSessions, keys, sessions)
		}
		for _, k := range gotKeys {
			content, err := g.service.Store().SSHDocument(t.Context(), g.sshCredential(k).Key, "draft")
			if err != nil || string(content) != k.PublicID {
				t.Errorf("%s has the draft %q, %v", k.PublicID, content, err)
			}
		}
	}
}

func (f *fixture) sshCredential(k access.SSHKey) store.SSHCredential {
	f.t.Helper()
	found, err := f.service.Store().SSHKeysByFingerprint(f.t.Context(), k.Fingerprint)
	if err != nil || len(found) != 1 {
		f.t.Fatalf("SSHKeysByFingerprint = %+v, %v", found, err)
	}
	return found[0]
}

// useSSHKey stores a session and a draft of the key. The draft contains the key's id.
func (f *fixture) useSSHKey(k access.SSHKey) {
	f.t.Helper()
	key := f.sshCredential(k).Key
	f.write(func(tx *store.Tx) error {
		id := "session of " + k.PublicID
		return errors.Join(
			tx.StartSSHSession(store.SSHSession{ID: id, Key: key, Process: "p", Remote: "192.0.2.7:4711", BeganAt: noon}),
			tx.PutSSHDocument(key, "draft", []byte(k.PublicID), noon),
			tx.CountSSHProposal(id), tx.EndSSHSession(id, noon.Add(time.Hour), "left"))
	})
}

// sshRecords returns the tenant's SSH keys and, without their internal keys, its sessions.
func (f *fixture) sshRecords(a tenant) ([]access.SSHKey, []store.SSHSession) {
	f.t.Helper()
	keys, err := f.service.SSHKeys(f.t.Context(), a.id)
	if err != nil {
		f.t.Fatal(err)
	}
	sessions, err := f.service.SSHSessions(f.t.Context(), a.id, 9)
	if err != nil || len(sessions) != 2 {
		f.t.Fatalf("SSHSessions = %+v, %v", sessions, err)
	}
	for i := range sessions {
		sessions[i].Key = 0
	}
	return keys, sessions
}
