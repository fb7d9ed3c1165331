package store_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"tarmac/service/access"
	"tarmac/service/store"
)

// sshKey returns an SSH key without a user name that expires after a day.
func sshKey(id, fingerprint string) access.SSHKey {
	return access.SSHKey{
		PublicID: id, Name: "Ada", Algorithm: "ssh-ed25519", Fingerprint: fingerprint,
		Scopes: []access.Scope{access.AccountRead, access.InvoicesRead}, CreatedAt: created, ExpiresAt: at(24 * time.Hour),
	}
}

// insertSSHKey adds an SSH key and returns its internal key.
func insertSSHKey(t testing.TB, s *store.Store, org store.OrgKey, k access.SSHKey) store.SSHKeyKey {
	t.Helper()
	write(t, s, func(tx *store.Tx) error { return tx.InsertSSHKey(org, k, []byte("blob of "+k.Fingerprint)) })
	all, err := s.SSHKeysByFingerprint(context.Background(), k.Fingerprint)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.PublicID == k.PublicID {
			return c.Key
		}
	}
	t.Fatalf("%s is not among %+v", k.PublicID, all)
	return 0
}

func TestAnSSHKeyIsReadAsItWasAdded(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	want := sshKey("ssh_1", "SHA256:one")
	want.Login = "ada"

	key := insertSSHKey(t, s, org, want)

	want.OrgPublicID = "org_a"
	got, err := s.SSHCredential(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, store.SSHCredential{SSHKey: want, Key: key, Org: org, OrgName: "a", Reporting: "USD"}) {
		t.Errorf("SSHCredential = %+v", got)
	}
	listed, err := s.SSHKeys(context.Background(), org)
	if err != nil || !reflect.DeepEqual(listed, []access.SSHKey{want}) {
		t.Errorf("SSHKeys = %+v, %v", listed, err)
	}
}

func TestAnUnknownSSHKeyIsNotFound(t *testing.T) {
	s := openChecked(t)

	if _, err := s.SSHCredential(context.Background(), 7); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("SSHCredential: %v", err)
	}
	if all, err := s.SSHKeysByFingerprint(context.Background(), "SHA256:none"); err != nil || len(all) != 0 {
		t.Errorf("SSHKeysByFingerprint = %+v, %v", all, err)
	}
	err := s.Write(context.Background(), func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_none", created) })
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("RevokeSSHKey: %v", err)
	}
}

func TestAPublicKeyBelongsToAnOrganizationOnceUntilItIsRevoked(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one"))
	again := func() error {
		return s.Write(context.Background(), func(tx *store.Tx) error {
			return tx.InsertSSHKey(org, sshKey("ssh_2", "SHA256:one"), []byte("blob"))
		})
	}

	if err := again(); !errors.Is(err, store.ErrSSHKeyExists) {
		t.Errorf("the same key again: %v", err)
	}
	write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_1", created) })
	if err := again(); err != nil {
		t.Errorf("the same key after it was revoked: %v", err)
	}
}

func TestAUserNameChoosesOneOrganizationOfAPublicKey(t *testing.T) {
	s := openChecked(t)
	a, b := organization(t, s, "a"), organization(t, s, "b")
	first, second := sshKey("ssh_1", "SHA256:one"), sshKey("ssh_2", "SHA256:one")
	first.Login, second.Login = "books", "books"
	insertSSHKey(t, s, a, first)

	err := s.Write(context.Background(), func(tx *store.Tx) error { return tx.InsertSSHKey(b, second, []byte("blob")) })
	if !errors.Is(err, store.ErrSSHLoginTaken) {
		t.Errorf("the same name for another organization: %v", err)
	}
	second.Fingerprint = "SHA256:two"
	insertSSHKey(t, s, b, second)
	third, fourth := sshKey("ssh_3", "SHA256:three"), sshKey("ssh_4", "SHA256:three")
	insertSSHKey(t, s, a, third)
	insertSSHKey(t, s, b, fourth)
}

func TestAFingerprintFindsTheKeysOfAllOrganizations(t *testing.T) {
	s := openChecked(t)
	a, b, c := organization(t, s, "a"), organization(t, s, "b"), organization(t, s, "c")
	insertSSHKey(t, s, c, sshKey("ssh_1", "SHA256:one"))
	insertSSHKey(t, s, a, sshKey("ssh_2", "SHA256:one"))
	insertSSHKey(t, s, b, sshKey("ssh_3", "SHA256:one"))
	insertSSHKey(t, s, b, sshKey("ssh_4", "SHA256:two"))
	write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_2", created) })

	all, err := s.SSHKeysByFingerprint(context.Background(), "SHA256:one")

	if err != nil || len(all) != 3 || all[0].PublicID != "ssh_1" || all[0].Org != c || all[1].PublicID != "ssh_2" ||
		all[1].RevokedAt == nil || all[2].PublicID != "ssh_3" || all[2].Org != b {
		t.Errorf("SSHKeysByFingerprint = %+v, %v", all, err)
	}
}

func TestARevokedSSHKeyStaysRevokedSinceTheFirstTime(t *testing.T) {
	s := openChecked(t)
	key := insertSSHKey(t, s, organization(t, s, "a"), sshKey("ssh_1", "SHA256:one"))

	for _, after := range []time.Duration{time.Hour, 2 * time.Hour} {
		write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_1", created.Add(after)) })
	}

	got, err := s.SSHCredential(context.Background(), key)
	if err != nil || got.RevokedAt == nil || !got.RevokedAt.Equal(created.Add(time.Hour)) {
		t.Errorf("SSHCredential = %+v, %v", got, err)
	}
}

func TestEndedSSHKeysAreRevokedExpiredOrMissing(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	lasting := sshKey("ssh_1", "SHA256:one")
	lasting.ExpiresAt = nil
	open := insertSSHKey(t, s, org, lasting)
	expiring := insertSSHKey(t, s, org, sshKey("ssh_2", "SHA256:two"))
	revoked := insertSSHKey(t, s, org, sshKey("ssh_3", "SHA256:three"))
	write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_3", created.Add(time.Hour)) })
	all := []store.SSHKeyKey{open, expiring, revoked, 999}

	for after, want := range map[time.Duration][]store.SSHKeyKey{
		24*time.Hour - time.Microsecond: {revoked, 999}, 24 * time.Hour: {expiring, revoked, 999},
	} {
		got, err := s.EndedSSHKeys(context.Background(), all, created.Add(after))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("after %v: %v, %v; want %v", after, got, err, want)
		}
	}
	if got, err := s.EndedSSHKeys(context.Background(), nil, created); err != nil || got != nil {
		t.Errorf("of no keys: %v, %v", got, err)
	}
}

// A process that has opened the same database sees the revocation as soon as it is committed.
func TestARevocationIsSeenByOtherProcesses(t *testing.T) {
	stores, _ := openShared(t, 2)
	key := insertSSHKey(t, stores[0], organization(t, stores[0], "a"), sshKey("ssh_1", "SHA256:one"))
	if ended, err := stores[1].EndedSSHKeys(context.Background(), []store.SSHKeyKey{key}, created); err != nil ||
		len(ended) != 0 {
		t.Fatalf("before: %v, %v", ended, err)
	}

	write(t, stores[0], func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_1", created) })

	ended, err := stores[1].EndedSSHKeys(context.Background(), []store.SSHKeyKey{key}, created)
	if err != nil || !slices.Equal(ended, []store.SSHKeyKey{key}) {
		t.Errorf("after: %v, %v", ended, err)
	}
}
