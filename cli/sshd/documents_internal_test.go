package sshd

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"time"

	"tarmac/client/plan"
	"tarmac/client/state"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service/access"
	"tarmac/service/store"
)

// newSSHDocuments returns the documents of two open sessions of one SSH key, and of a session of
// another key.
func newSSHDocuments(t *testing.T) (mine, again, other sshDocuments) {
	t.Helper()
	st, err := store.Open(t.Context(), migrated.File(t), store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	folder := func(session, fingerprint string) sshDocuments {
		found, err := st.SSHKeysByFingerprint(t.Context(), fingerprint)
		if err != nil || len(found) != 1 {
			t.Fatalf("SSHKeysByFingerprint = %+v, %v", found, err)
		}
		d := sshDocuments{store: st, key: found[0].Key, session: session, now: func() time.Time { return now }}
		err = d.change(func(tx *store.Tx) error {
			return tx.StartSSHSession(store.SSHSession{ID: session, Key: d.key, BeganAt: now})
		})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	err = st.Write(t.Context(), func(tx *store.Tx) error {
		org, err := tx.CreateOrganization(store.Organization{PublicID: "org_a", Name: "a", CreatedAt: now})
		if err != nil {
			return err
		}
		return errors.Join(
			tx.InsertSSHKey(org, access.SSHKey{PublicID: "ssh_1", Fingerprint: "SHA256:one", CreatedAt: now}, []byte("1")),
			tx.InsertSSHKey(org, access.SSHKey{PublicID: "ssh_2", Fingerprint: "SHA256:two", CreatedAt: now}, []byte("2")))
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder("s1", "SHA256:one"), folder("s2", "SHA256:one"), folder("s3", "SHA256:two")
}

func TestASessionSeesTheDocumentsOfItsKeyOnly(t *testing.T) {
	mine, again, other := newSSHDocuments(t)

	err := errors.Join(mine.Write("draft-b.json", []byte("old")), mine.Write("draft-b.json", []byte("new")),
		mine.Write("draft-a.json", nil), mine.Write("filters.json", []byte("{}")), other.Write("draft-c.json", nil))
	if err != nil {
		t.Fatal(err)
	}

	if content, err := again.Read("draft-b.json", 3); err != nil || string(content) != "new" {
		t.Errorf("Read = %q, %v", content, err)
	}
	if names, err := again.List("draft-"); err != nil || !slices.Equal(names, []string{"draft-a.json", "draft-b.json"}) {
		t.Errorf("List = %q, %v", names, err)
	}
	if _, err := other.Read("draft-b.json", 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another person reads it: %v", err)
	}
}

func TestADocumentOfAnSSHKeyIsSetAsideAndRemoved(t *testing.T) {
	mine, again, _ := newSSHDocuments(t)
	if err := mine.Write("draft.json", []byte("damaged")); err != nil {
		t.Fatal(err)
	}

	if err := mine.Rename("draft.json", "draft.json.damaged"); err != nil {
		t.Fatal(err)
	}
	if err := mine.Rename("draft.json", "draft.json.damaged"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Rename of nothing: %v", err)
	}
	if content, err := again.Read("draft.json.damaged", 100); err != nil || string(content) != "damaged" {
		t.Errorf("Read = %q, %v", content, err)
	}
	if err := errors.Join(mine.Remove("draft.json.damaged"), mine.Remove("draft.json.damaged")); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Read("draft.json.damaged", 100); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read after Remove: %v", err)
	}
}

func TestADocumentLongerThanItsReaderAllowsIsRefused(t *testing.T) {
	mine, _, _ := newSSHDocuments(t)
	if err := mine.Write("draft.json", make([]byte, 2049)); err != nil {
		t.Fatal(err)
	}

	_, err := mine.Read("draft.json", 2048)

	if err == nil || err.Error() != "the server's draft.json is larger than 2 KiB" {
		t.Errorf("Read: %v", err)
	}
}

func TestANameBelongsToOneSessionUntilItReleasesIt(t *testing.T) {
	mine, again, other := newSSHDocuments(t)

	release, err := mine.Claim("draft.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Claim("draft.json"); !errors.Is(err, state.ErrClaimed) {
		t.Errorf("the other session of the key: %v", err)
	}
	if _, err := other.Claim("draft.json"); err != nil {
		t.Errorf("a session of another key: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Claim("draft.json"); err != nil {
		t.Errorf("after the release: %v", err)
	}
}

// Two sessions of a key share its plan, and neither overwrites what the other has written.
func TestThePlanOfAKeyIsSharedByItsSessions(t *testing.T) {
	mine, again, other := newSSHDocuments(t)
	of := func(d sshDocuments) plan.Document { return plan.DocumentOf(d, "ssh") }
	const first = "plan from 2026-11 in USD\n"

	err := errors.Join(of(mine).Replace("", first), of(again).Replace(first, first+"overdue\n"))

	if _, text, readErr := of(mine).Read(); errors.Join(err, readErr) != nil || text != first+"overdue\n" {
		t.Errorf("%q, %v, %v", text, err, readErr)
	}
	if err := of(mine).Replace(first, first+"floor 5\n"); !errors.Is(err, plan.ErrChanged) {
		t.Errorf("overwritten: %v", err)
	}
	if _, _, err := of(other).Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another person reads it: %v", err)
	}
}
