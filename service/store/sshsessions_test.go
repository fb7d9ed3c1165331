package store_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"tarmac/service/store"
)

// startSSHSession records a session of process p1 that began at created, and returns it as
// SSHSessions lists it.
func startSSHSession(t testing.TB, s *store.Store, key store.SSHKeyKey, id string) store.SSHSession {
	t.Helper()
	one := store.SSHSession{
		ID: id, Key: key, Process: "p1", Remote: "192.0.2.7:4711", Client: "SSH-2.0-OpenSSH_9.2", BeganAt: created,
	}
	write(t, s, func(tx *store.Tx) error { return tx.StartSSHSession(one) })
	one.KeyPublicID, one.KeyName, one.SeenAt = "ssh_1", "Ada", created
	return one
}

func listSSHSessions(t testing.TB, s *store.Store, org store.OrgKey, limit int) []store.SSHSession {
	t.Helper()
	all, err := s.SSHSessions(context.Background(), org, limit)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestASessionIsOneLineFromItsStartToItsEnd(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	key := insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one"))

	first, second := startSSHSession(t, s, key, "s1"), startSSHSession(t, s, key, "s2")
	if got := listSSHSessions(t, s, org, 9); !reflect.DeepEqual(got, []store.SSHSession{second, first}) {
		t.Errorf("open: %+v", got)
	}
	write(t, s, func(tx *store.Tx) error { return tx.CountSSHProposal("s1") })
	// The second call changes nothing.
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHSession("s1", created.Add(time.Hour), "left") })
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHSession("s1", created.Add(2*time.Hour), "stopped") })
	// A proposal that was under way at the end counts.
	write(t, s, func(tx *store.Tx) error { return tx.CountSSHProposal("s1") })
	write(t, s, func(tx *store.Tx) error { return tx.CountSSHProposal("none") })

	first.SeenAt, first.EndedAt, first.EndReason, first.Proposed = created.Add(time.Hour), at(time.Hour), "left", 2
	if got := listSSHSessions(t, s, org, 9); !reflect.DeepEqual(got, []store.SSHSession{second, first}) {
		t.Errorf("after the end of one: %+v", got)
	}
	if got := listSSHSessions(t, s, org, 1); !reflect.DeepEqual(got, []store.SSHSession{second}) {
		t.Errorf("the newest: %+v", got)
	}
}

func TestTheSessionsOfAnotherOrganizationAreNotListed(t *testing.T) {
	s := openChecked(t)
	org, other := organization(t, s, "a"), organization(t, s, "b")
	startSSHSession(t, s, insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one")), "s1")

	if got := listSSHSessions(t, s, other, 9); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestASessionShowsWhenItsKeyWasLastUsed(t *testing.T) {
	s := openChecked(t)
	key := insertSSHKey(t, s, organization(t, s, "a"), sshKey("ssh_1", "SHA256:one"))
	lastUse := func() *time.Time {
		c, err := s.SSHCredential(context.Background(), key)
		if err != nil {
			t.Fatal(err)
		}
		return c.LastUsedAt
	}

	startSSHSession(t, s, key, "s1")
	if got := lastUse(); got == nil || !got.Equal(created) {
		t.Errorf("after the start: %v", got)
	}
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHSession("s1", created.Add(time.Hour), "left") })
	if got := lastUse(); got == nil || !got.Equal(created.Add(time.Hour)) {
		t.Errorf("after the end: %v", got)
	}
}

func TestASessionOfNoKeyAndTheEndOfNoSessionAreErrors(t *testing.T) {
	s := openChecked(t)

	err := s.Write(context.Background(), func(tx *store.Tx) error {
		return tx.StartSSHSession(store.SSHSession{ID: "s1", Key: 7, BeganAt: created})
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("StartSSHSession: %v", err)
	}
	err = s.Write(context.Background(), func(tx *store.Tx) error { return tx.EndSSHSession("s1", created, "left") })
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("EndSSHSession: %v", err)
	}
}

func TestTheClientsOfTheLatestSessionsComeFirst(t *testing.T) {
	s := openChecked(t)
	key := insertSSHKey(t, s, organization(t, s, "a"), sshKey("ssh_1", "SHA256:one"))
	for i, remote := range []string{"192.0.2.1:1", "192.0.2.2:1", "192.0.2.3:1"} {
		one := store.SSHSession{ID: remote, Key: key, Remote: remote, BeganAt: created.Add(time.Duration(i))}
		write(t, s, func(tx *store.Tx) error { return tx.StartSSHSession(one) })
	}

	if got, err := s.SSHRemotes(context.Background(), 2); err != nil ||
		!slices.Equal(got, []string{"192.0.2.3:1", "192.0.2.2:1"}) {
		t.Errorf("SSHRemotes = %q, %v", got, err)
	}
}

func TestASessionWhoseProcessDiedIsLostAfterTwoMinutes(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	startSSHSession(t, s, insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one")), "s1")
	write(t, s, func(tx *store.Tx) error { return tx.KeepSSHProcess("p2", created.Add(time.Hour)) })
	write(t, s, func(tx *store.Tx) error { return tx.KeepSSHProcess("p1", created.Add(time.Minute)) })

	one := listSSHSessions(t, s, org, 1)[0]

	if one.Lost(created.Add(3*time.Minute-time.Microsecond)) || !one.Lost(created.Add(3*time.Minute)) {
		t.Errorf("seen at %v", one.SeenAt)
	}
}

func TestProcessesAreListedWhileTheyServe(t *testing.T) {
	s := openChecked(t)
	ended, killed := store.SSHProcess{ID: "p1", Host: "a", Address: ":22", HostKey: "SHA256:1", Identity: "i1",
		BeganAt: created},
		store.SSHProcess{ID: "p2", Host: "b", Address: ":22", HostKey: "SHA256:2", BeganAt: created}
	for _, p := range []store.SSHProcess{ended, killed} {
		write(t, s, func(tx *store.Tx) error { return tx.StartSSHProcess(p) })
	}
	expect := func(after time.Duration, want ...store.SSHProcess) {
		t.Helper()
		got, err := s.SSHProcesses(context.Background(), created.Add(after))
		for i := range got {
			if lost := got[i].LostAt(); !lost.After(created.Add(after)) {
				t.Errorf("after %v: %s counts as dead from %v", after, got[i].ID, lost)
			}
			got[i].SeenAt = time.Time{}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("after %v: %+v, %v; want %+v", after, got, err, want)
		}
	}

	expect(time.Minute, ended, killed)
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHProcess("p1", created.Add(time.Minute)) })
	write(t, s, func(tx *store.Tx) error { return tx.KeepSSHProcess("p1", created.Add(time.Minute)) })
	write(t, s, func(tx *store.Tx) error { return tx.KeepSSHProcess("p2", created.Add(time.Minute)) })
	expect(3*time.Minute-time.Second, killed)
	expect(3 * time.Minute)
	for _, prune := range []struct {
		after time.Duration
		want  int64
	}{{time.Minute, 0}, {time.Hour, 2}} {
		write(t, s, func(tx *store.Tx) error {
			n, err := tx.PruneSSHProcesses(created.Add(prune.after), 9)
			if n != prune.want {
				t.Errorf("%d seen before %v deleted, not %d", n, prune.after, prune.want)
			}
			return err
		})
	}
}

func TestTheSessionsOfAKilledProcessEndWhenTheyWereLastSeen(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	key := insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one"))
	for _, p := range []string{"p1", "p2"} {
		write(t, s, func(tx *store.Tx) error { return tx.StartSSHProcess(store.SSHProcess{ID: p, BeganAt: created}) })
	}
	open, ended := startSSHSession(t, s, key, "s1"), startSSHSession(t, s, key, "s2")
	seen := created.Add(time.Minute)
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHSession("s2", created, "left") })
	write(t, s, func(tx *store.Tx) error { return tx.ClaimSSHDocument(key, "draft", "s1", created) })
	write(t, s, func(tx *store.Tx) error { return tx.KeepSSHProcess("p1", seen) })

	for range 2 {
		write(t, s, func(tx *store.Tx) error { return tx.LoseSSHProcess("p1") })
	}

	open.SeenAt, open.EndedAt, open.EndReason = seen, &seen, "the server process was killed"
	at := created
	ended.EndedAt, ended.EndReason = &at, "left"
	if got := listSSHSessions(t, s, org, 2); !reflect.DeepEqual(got, []store.SSHSession{ended, open}) {
		t.Errorf("the sessions are %+v", got)
	}
	all, err := s.SSHProcesses(context.Background(), seen)
	if err != nil || len(all) != 1 || all[0].ID != "p2" {
		t.Errorf("the processes are %+v, %v", all, err)
	}
	third := startSSHSession(t, s, key, "s3")
	write(t, s, func(tx *store.Tx) error { return tx.ClaimSSHDocument(key, "draft", third.ID, seen) })
}

func TestOldSessionsArePrunedUnlessTheyAreOpen(t *testing.T) {
	s := openChecked(t)
	org := organization(t, s, "a")
	key := insertSSHKey(t, s, org, sshKey("ssh_1", "SHA256:one"))
	for _, id := range []string{"s1", "s2", "s3"} {
		startSSHSession(t, s, key, id)
	}
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHSession("s1", created.Add(time.Hour), "left") })
	write(t, s, func(tx *store.Tx) error { return tx.EndSSHSession("s2", created.Add(time.Hour), "left") })
	write(t, s, func(tx *store.Tx) error { return tx.KeepSSHProcess("p1", created.Add(3*time.Hour)) })

	for _, want := range []int64{1, 1, 0} {
		write(t, s, func(tx *store.Tx) error {
			n, err := tx.PruneSSHSessions(created.Add(2*time.Hour), 1)
			if n != want {
				t.Errorf("%d deleted, not %d", n, want)
			}
			return err
		})
	}

	if left := listSSHSessions(t, s, org, 9); len(left) != 1 || left[0].ID != "s3" {
		t.Errorf("left: %+v", left)
	}
}
