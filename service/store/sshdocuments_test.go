package store_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/service/store"
)

func putSSHDocument(s *store.Store, key store.SSHKeyKey, name string, content []byte) error {
	return s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.PutSSHDocument(key, name, content, created)
	})
}

// expectSSHDocument checks a document's content; "" stands for no document.
func expectSSHDocument(t testing.TB, s *store.Store, key store.SSHKeyKey, name, want string) {
	t.Helper()
	got, err := s.SSHDocument(context.Background(), key, name)
	if want == "" && errors.Is(err, store.ErrNotFound) {
		return
	}
	if err != nil || string(got) != want {
		t.Errorf("%s is %q, %v; want %q", name, got, err, want)
	}
}

func TestDocumentsOfAnSSHKeyAreStoredReplacedRenamedAndRemoved(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	key := insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one"))
	other := insertSSHKey(t, s, org, sshKey("ssh_2", "SHA256:two"))
	for name, content := range map[string]string{"draft": "old", "damaged": "older", "filters": "\x00\xff"} {
		if err := putSSHDocument(s, key, name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := putSSHDocument(s, other, "draft", []byte("of another person")); err != nil {
		t.Fatal(err)
	}

	names, err := s.SSHDocumentNames(context.Background(), key)
	if err != nil || !slices.Equal(names, []string{"damaged", "draft", "filters"}) {
		t.Errorf("SSHDocumentNames = %q, %v", names, err)
	}
	if err := putSSHDocument(s, key, "draft", []byte("new")); err != nil {
		t.Fatal(err)
	}
	expectSSHDocument(t, s, key, "draft", "new")
	write(t, s, func(tx *store.Tx) error { return tx.RenameSSHDocument(key, "draft", "damaged", created) })
	expectSSHDocument(t, s, key, "draft", "")
	expectSSHDocument(t, s, key, "damaged", "new")
	write(t, s, func(tx *store.Tx) error { return tx.RemoveSSHDocument(key, "damaged", created) })
	write(t, s, func(tx *store.Tx) error { return tx.RemoveSSHDocument(key, "damaged", created) })
	expectSSHDocument(t, s, key, "damaged", "")
	expectSSHDocument(t, s, key, "filters", "\x00\xff")
	expectSSHDocument(t, s, other, "draft", "of another person")
}

func TestRenamingNoDocumentKeepsTheOneWithTheNewName(t *testing.T) {
	s := openChecked(t)
	key := insertSSHKey(t, s, organization(t, s, "a"), sshKey("ssh_1", "SHA256:one"))
	if err := putSSHDocument(s, key, "kept", []byte("kept")); err != nil {
		t.Fatal(err)
	}

	err := s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.RenameSSHDocument(key, "none", "kept", created)
	})

	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("RenameSSHDocument: %v", err)
	}
	expectSSHDocument(t, s, key, "kept", "kept")
}

func TestTheDocumentsOfAnSSHKeyAreBounded(t *testing.T) {
	s := openChecked(t)
	key := insertSSHKey(t, s, organization(t, s, "a"), sshKey("ssh_1", "SHA256:one"))
	largest := bytes.Repeat([]byte("x"), store.MaxSSHDocument)

	if err := putSSHDocument(s, key, "a", append(largest, 'x')); !errors.Is(err, store.ErrSSHDocumentsFull) {
		t.Errorf("a document that is too large: %v", err)
	}
	for _, name := range []string{"a", "b", "b"} {
		if err := putSSHDocument(s, key, name, largest); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if err := putSSHDocument(s, key, "c", []byte("x")); !errors.Is(err, store.ErrSSHDocumentsFull) {
		t.Errorf("more than all of them may take: %v", err)
	}
	if err := putSSHDocument(s, 999, "a", nil); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a document of no key: %v", err)
	}
}

func TestTheNumberOfDocumentsIsBounded(t *testing.T) {
	s := openChecked(t)
	key := insertSSHKey(t, s, organization(t, s, "a"), sshKey("ssh_1", "SHA256:one"))
	write(t, s, func(tx *store.Tx) error {
		for i := range 256 {
			if err := tx.PutSSHDocument(key, strconv.Itoa(i), nil, created); err != nil {
				return err
			}
		}
		return nil
	})

	if err := putSSHDocument(s, key, "256", nil); !errors.Is(err, store.ErrSSHDocumentsFull) {
		t.Errorf("one more: %v", err)
	}
	if err := putSSHDocument(s, key, "255", []byte("x")); err != nil {
		t.Errorf("one of them again: %v", err)
	}
}

// Two processes that store documents of one key at the same time must not both fit into the room
// that is left for one.
func TestDocumentsThatAreStoredAtOnceStayWithinTheLimit(t *testing.T) {
	stores, _ := openShared(t, 2)
	key := insertSSHKey(t, stores[0], organization(t, stores[0], "a"), sshKey("ssh_1", "SHA256:one"))
	content := bytes.Repeat([]byte("x"), store.MaxSSHDocument-1000)
	var stored atomic.Int32
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			err := putSSHDocument(stores[i%2], key, strconv.Itoa(i), content)
			switch {
			case err == nil:
				stored.Add(1)
			case !errors.Is(err, store.ErrSSHDocumentsFull):
				t.Error(err)
			}
		})
	}

	wg.Wait()

	if stored.Load() != 2 {
		t.Errorf("%d stored, not 2", stored.Load())
	}
}

func TestAClaimLastsUntilItsSessionEnds(t *testing.T) {
	stores, _ := openShared(t, 2)
	s, other := stores[0], stores[1]
	key := insertSSHKey(t, s, organization(t, s, "a"), sshKey("ssh_1", "SHA256:one"))
	startSSHSession(t, s, key, "s1")
	startSSHSession(t, s, key, "s2")
	claim := func(s *store.Store, session string, after time.Duration) error {
		return s.Write(context.Background(), func(tx *store.Tx) error {
			return tx.ClaimSSHDocument(key, "draft", session, created.Add(after))
		})
	}

	if err := claim(s, "s1", 0); err != nil {
		t.Fatal(err)
	}
	for _, session := range []string{"s1", "s2"} {
		if err := claim(other, session, time.Minute); !errors.Is(err, store.ErrSSHDocumentClaimed) {
			t.Errorf("%s, while s1 has it: %v", session, err)
		}
	}
	write(t, other, func(tx *store.Tx) error { return tx.ReleaseSSHDocument("draft", "s2") })
	if err := claim(other, "s2", 0); !errors.Is(err, store.ErrSSHDocumentClaimed) {
		t.Errorf("after s2 released what s1 has: %v", err)
	}
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHSession("s1", created, "left") })
	if err := claim(other, "s2", 0); err != nil {
		t.Errorf("after the end of s1: %v", err)
	}
	write(t, other, func(tx *store.Tx) error { return tx.ReleaseSSHDocument("draft", "s2") })
	startSSHSession(t, s, key, "s3")
	if err := claim(s, "s3", 0); err != nil {
		t.Errorf("after s2 released it: %v", err)
	}
	if err := claim(s, "s2", 2*time.Minute); err != nil {
		t.Errorf("after s3 was lost: %v", err)
	}
}

func TestAKeyThatIsAddedAgainKeepsItsDocuments(t *testing.T) {
	s := openChecked(t)
	a, b := organization(t, s, "a"), organization(t, s, "b")
	key := insertSSHKey(t, s, a, sshKey("ssh_1", "SHA256:one"))
	elsewhere := insertSSHKey(t, s, b, sshKey("ssh_2", "SHA256:one"))
	for _, k := range []store.SSHKeyKey{key, elsewhere} {
		if err := putSSHDocument(s, k, "draft", []byte("mine")); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_1", created) })

	again := insertSSHKey(t, s, a, sshKey("ssh_3", "SHA256:one"))

	expectSSHDocument(t, s, again, "draft", "mine")
	expectSSHDocument(t, s, key, "draft", "")
	expectSSHDocument(t, s, elsewhere, "draft", "mine")
}

func TestDocumentsOfKeysThatEndedArePruned(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	lasting := sshKey("ssh_3", "SHA256:three")
	lasting.ExpiresAt = nil
	expiring := insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one")) // after a day
	revoked := insertSSHKey(t, s, org, sshKey("ssh_2", "SHA256:two"))
	open := insertSSHKey(t, s, org, lasting)
	for _, key := range []store.SSHKeyKey{expiring, revoked, open} {
		if err := putSSHDocument(s, key, "draft", []byte("mine")); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s, func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_2", created.Add(time.Hour)) })
	prune := func(after time.Duration, want int64) {
		t.Helper()
		write(t, s, func(tx *store.Tx) error {
			n, err := tx.PruneSSHDocuments(created.Add(after), 9)
			if n != want {
				t.Errorf("%d deleted, not %d", n, want)
			}
			return err
		})
	}

	prune(2*time.Hour, 1)
	expectSSHDocument(t, s, revoked, "draft", "")
	expectSSHDocument(t, s, expiring, "draft", "mine")
	prune(48*time.Hour, 1)
	expectSSHDocument(t, s, expiring, "draft", "")
	expectSSHDocument(t, s, open, "draft", "mine")
}

func TestClaimsOfSessionsThatWereLostArePruned(t *testing.T) {
	s := openChecked(t)
	key := insertSSHKey(t, s, organization(t, s, "a"), sshKey("ssh_1", "SHA256:one"))
	for _, id := range []string{"lost", "lost too"} {
		startSSHSession(t, s, key, id)
		write(t, s, func(tx *store.Tx) error { return tx.ClaimSSHDocument(key, "draft of "+id, id, created) })
	}
	write(t, s, func(tx *store.Tx) error {
		return tx.StartSSHSession(store.SSHSession{ID: "later", Key: key, Process: "p2", BeganAt: created.Add(time.Hour)})
	})
	write(t, s, func(tx *store.Tx) error { return tx.ClaimSSHDocument(key, "later", "later", created) })

	for _, want := range []int64{2, 0} {
		write(t, s, func(tx *store.Tx) error {
			n, err := tx.PruneSSHClaims(created.Add(time.Minute), 9)
			if n != want {
				t.Errorf("%d deleted, not %d", n, want)
			}
			return err
		})
	}

	startSSHSession(t, s, key, "other")
	err := s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.ClaimSSHDocument(key, "later", "other", created)
	})
	if !errors.Is(err, store.ErrSSHDocumentClaimed) {
		t.Errorf("the claim of an open session: %v", err)
	}
}
