package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tarmac/service/store"
)

// A session whose key is revoked is ended within a second, and stores what was typed until then.
func TestASessionThatIsBeingEndedStoresItsDraftAndNothingLater(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	revoked := insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one"))
	expiring := insertSSHKey(t, s, org, sshKey("ssh_2", "SHA256:two")) // after a day
	write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_1", created.Add(24*time.Hour)) })
	leaving, gone := created.Add(24*time.Hour+14*time.Second), created.Add(24*time.Hour+16*time.Second)

	for _, key := range []store.SSHKeyKey{revoked, expiring} {
		write(t, s, func(tx *store.Tx) error { return tx.PutSSHDocument(key, "draft", []byte("typed"), leaving) })
		for what, change := range map[string]func(*store.Tx) error{
			"put":    func(tx *store.Tx) error { return tx.PutSSHDocument(key, "draft", []byte("late"), gone) },
			"remove": func(tx *store.Tx) error { return tx.RemoveSSHDocument(key, "draft", gone) },
			"rename": func(tx *store.Tx) error { return tx.RenameSSHDocument(key, "draft", "other", gone) },
			"claim":  func(tx *store.Tx) error { return tx.ClaimSSHDocument(key, "draft", "s1", gone) },
		} {
			if err := s.Write(context.Background(), change); !errors.Is(err, store.ErrSSHKeyEnded) {
				t.Errorf("%s after the end of key %d: %v", what, key, err)
			}
		}
		expectSSHDocument(t, s, key, "draft", "typed")
	}
}

// An operator revokes a key and adds it again, to change its scopes, while a draft is being typed.
func TestASessionOfAKeyThatWasAddedAgainStoresItsDraftThere(t *testing.T) {
	stores, _ := openShared(t, 2)
	s, other := stores[0], stores[1]
	org := organization(t, s, "a")
	old := insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one"))
	startSSHSession(t, s, old, "s1")
	write(t, s, func(tx *store.Tx) error { return tx.ClaimSSHDocument(old, "draft", "s1", created) })
	write(t, other, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_1", created) })
	again := insertSSHKey(t, other, org, sshKey("ssh_2", "SHA256:one"))
	startSSHSession(t, other, again, "s2")

	if err := putSSHDocument(s, old, "draft", []byte("typed")); err != nil {
		t.Fatal(err)
	}

	expectSSHDocument(t, s, again, "draft", "typed")
	claim := func(tx *store.Tx) error { return tx.ClaimSSHDocument(again, "draft", "s2", created) }
	if err := other.Write(context.Background(), claim); !errors.Is(err, store.ErrSSHDocumentClaimed) {
		t.Errorf("while the first session has the draft: %v", err)
	}
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHSession("s1", created, "revoked") })
	write(t, other, claim)
}

// Older versions could leave documents with a revoked key after the key had been added again.
func TestOfTwoDocumentsWithOneNameTheNewestKeepsItAndTheOtherIsSetAside(t *testing.T) {
	stores, path := openShared(t, 1)
	s := stores[0]
	org := organization(t, s, "a")
	first := insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one"))
	for _, name := range []string{"draft", "filters"} {
		if err := putSSHDocument(s, first, name, []byte("old "+name)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_1", created) })
	second := insertSSHKey(t, s, org, sshKey("ssh_2", "SHA256:one"))
	ask[int64](t, path, fmt.Sprintf(`INSERT INTO ssh_documents (org_id, key_id, name, content, saved_at)
		SELECT org_id, %d, 'draft', content, saved_at + 1 FROM ssh_documents WHERE key_id = %d AND name = 'filters'
		RETURNING key_id`, first, second))
	write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_2", created) })

	third := insertSSHKey(t, s, org, sshKey("ssh_3", "SHA256:one"))

	expectSSHDocument(t, s, third, "draft", "old filters")
	expectSSHDocument(t, s, third, "draft.aside-ssh_2", "old draft")
	expectSSHDocument(t, s, third, "filters", "old filters")
}

// Whichever comes first, the draft belongs to the new key at the end.
func TestADraftThatIsStoredWhileItsKeyIsAddedAgainIsNotLeftBehind(t *testing.T) {
	stores, _ := openShared(t, 2)
	org := organization(t, stores[0], "a")
	for i := range 20 {
		print, old, next := fmt.Sprint("SHA256:", i), fmt.Sprint("ssh_old_", i), fmt.Sprint("ssh_new_", i)
		key := insertSSHKey(t, stores[0], org, sshKey(old, print))
		write(t, stores[0], func(tx *store.Tx) error { return tx.RevokeSSHKey(old, created) })
		stored := make(chan error)
		go func() { stored <- putSSHDocument(stores[0], key, "draft", []byte("typed")) }()

		again := insertSSHKey(t, stores[1], org, sshKey(next, print))

		if err := <-stored; err != nil {
			t.Fatal(err)
		}
		expectSSHDocument(t, stores[0], again, "draft", "typed")
	}
}
