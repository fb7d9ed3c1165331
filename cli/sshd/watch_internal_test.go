package sshd

import (
	"crypto/rand"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/store"
	"tarmac/sshserver"
)

// watched are open sessions over SSH, on a clock that the test sets.
type watched struct {
	*sshSessions
	at     time.Time
	grants map[string]any
	ended  map[string]error // causes for which sessions were ended, by their ID
}

// Grants implements sessionEnder.
func (w *watched) Grants() map[string]any { return w.grants }

// End implements sessionEnder.
func (w *watched) End(shouldEnd func(string) bool, cause error) {
	for id := range w.grants {
		if shouldEnd(id) && w.ended[id] == nil {
			w.ended[id] = cause
		}
	}
}

// newWatched returns no sessions of a service, which is closed at the end of the test.
func newWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{at: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC), grants: map[string]any{}, ended: map[string]error{}}
	now := func() time.Time { return w.at }
	path := migrated.File(t)
	svc, err := service.Open(t.Context(), service.Config{
		Database: path, KeyFile: path + ".key", Ephemeral: true, Logger: slog.New(slog.DiscardHandler), Now: now,
		Entropy: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = svc.Close() }) // some tests close it before
	w.sshSessions = newSSHSessions(svc, "", now, slog.New(slog.DiscardHandler))
	return w
}

// key adds an organization with an SSH key that expires after a time; 0 means never.
func (w *watched) key(t *testing.T, name string, expires time.Duration) store.SSHCredential {
	t.Helper()
	k := access.SSHKey{PublicID: "ssh_" + name, Fingerprint: "SHA256:" + name, CreatedAt: w.at}
	if expires > 0 {
		at := w.at.Add(expires)
		k.ExpiresAt = &at
	}
	err := w.service.Store().Write(t.Context(), func(tx *store.Tx) error {
		org, err := tx.CreateOrganization(store.Organization{PublicID: "org_" + name, Name: name, CreatedAt: w.at})
		if err != nil {
			return err
		}
		return tx.InsertSSHKey(org, k, []byte(name))
	})
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.service.Store().SSHKeysByFingerprint(t.Context(), k.Fingerprint)
	if err != nil || len(found) != 1 {
		t.Fatalf("SSHKeysByFingerprint = %+v, %v", found, err)
	}
	return found[0]
}

// session opens a session with these keys. It shows the organization of the first one unless
// chooses is true.
func (w *watched) session(id string, chooses bool, keys ...store.SSHCredential) {
	one := &sshSession{
		sshSessions: w.sshSessions, keys: keys, current: map[store.SSHKeyKey]int{},
		Session: &sshserver.Session{ID: id, Login: sshserver.Login{Remote: netip.MustParseAddrPort("192.0.2.7:4711")}},
	}
	if !chooses {
		one.begin(keys[0].Key)
	}
	w.grants[id] = keys
	w.add(one)
}

// expect checks which sessions were ended for a cause.
func (w *watched) expect(t *testing.T, when string, cause error, want ...string) {
	t.Helper()
	var got []string
	for id, why := range w.ended {
		if why != cause {
			t.Errorf("%s: %s ended because %v", when, id, why)
		}
		got = append(got, id)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q have ended, not %q", when, got, want)
	}
}

func TestAnExpiringKeyEndsItsSessionsThoughTheDatabaseDoesNotAnswer(t *testing.T) {
	w := newWatched(t)
	lasting, expiring, later := w.key(t, "a", 0), w.key(t, "b", time.Hour), w.key(t, "c", 2*time.Hour)
	w.session("expiring", false, expiring, lasting)
	w.session("lasting", false, lasting, expiring)
	w.session("one of two left", true, expiring, later)
	w.session("later", true, later)
	w.grants["not begun"] = []store.SSHCredential{expiring}
	if err := w.service.Close(); err != nil {
		t.Fatal(err)
	}

	w.at = w.at.Add(time.Hour - time.Microsecond)
	w.endExpired(w)
	w.expect(t, "before", nil)
	w.at = w.at.Add(time.Microsecond)
	w.endExpired(w)
	w.expect(t, "at the end", store.ErrSSHKeyEnded, "expiring", "not begun")
	w.at = w.at.Add(time.Hour)
	w.endExpired(w)
	w.expect(t, "an hour later", store.ErrSSHKeyEnded, "expiring", "later", "not begun", "one of two left")
}

func TestARevokedKeyEndsTheSessionsThatNeedIt(t *testing.T) {
	w := newWatched(t)
	kept, revoked := w.key(t, "a", 0), w.key(t, "b", 0)
	w.session("shows it", false, revoked, kept)
	w.session("shows the other", false, kept, revoked)
	w.session("chooses", true, kept, revoked)
	w.grants["not begun"] = []store.SSHCredential{revoked}
	check := func() {
		t.Helper()
		if err := w.endRevoked(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}

	check()
	w.expect(t, "before", nil)
	err := w.service.Store().Write(t.Context(), func(tx *store.Tx) error { return tx.RevokeSSHKey("ssh_b", w.at) })
	if err != nil {
		t.Fatal(err)
	}
	check()
	w.expect(t, "afterwards", store.ErrSSHKeyEnded, "not begun", "shows it")
}

func TestSessionsEndWhenTheirKeysCouldNotBeCheckedForFiveMinutes(t *testing.T) {
	w := newWatched(t)
	w.at = w.at.Add(time.Hour)
	if err := w.endRevoked(t.Context(), w); err != nil { // answers though no session is open
		t.Fatal(err)
	}
	w.session("open", false, w.key(t, "a", 0))
	if err := w.service.Close(); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		if err := w.endRevoked(t.Context(), w); err == nil {
			t.Fatal("the database answers")
		}
	}

	w.at = w.at.Add(5*time.Minute - time.Microsecond)
	check()
	w.expect(t, "before", nil)
	w.at = w.at.Add(time.Microsecond)
	check()
	w.expect(t, "afterwards", errUnchecked, "open")
}
