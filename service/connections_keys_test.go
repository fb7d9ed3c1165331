package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/service"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// connections returns the connections of an organization.
func (f *fixture) connections(orgID string) []syncing.Connection {
	f.t.Helper()
	_, org, err := f.service.Organization(f.t.Context(), orgID)
	if err != nil {
		f.t.Fatal(err)
	}
	all, err := f.service.Syncing().List(f.t.Context(), org)
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

// sealedToken returns the encrypted token of a connection.
func (f *fixture) sealedToken(c syncing.Connection) (sealed []byte) {
	f.t.Helper()
	err := f.service.Store().Read(f.t.Context(), func(snap *store.Snapshot) (err error) {
		sealed, err = snap.ConnectionSecret(c.Key)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return sealed
}

func TestACopyTakesConnectionsWithTokensThatItsKeyDecrypts(t *testing.T) {
	t.Parallel()
	f := start(t, 0)
	a := f.tenant("a")
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Fatal(err)
	}
	f.server.Close()
	if err := f.service.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.open)
	target := filepath.Join(t.TempDir(), "target.db")
	from := service.CopyConfig{From: f.database, To: target, KeyFile: filepath.Join(t.TempDir(), "none")}

	_, _, withoutKey := copies(t, from)
	from.KeyFile = f.keyFile
	_, _, err := copies(t, from)

	if withoutKey == nil || !strings.Contains(withoutKey.Error(), "its secrets are encrypted") {
		t.Errorf("without the key: %v", withoutKey)
	}
	if err != nil {
		t.Fatal(err)
	}
	g := f.openOn(target)
	all := g.connections(a.id)
	if len(all) != 1 || all[0].Provider != "stub" || len(g.sealedToken(all[0])) == 0 {
		t.Fatalf("connections of the copy are %+v", all)
	}
	outcome := syncStub(t, target, f.keyFile, a.id)
	if outcome.Problem != "" {
		t.Errorf("reading the copy: %s", outcome.Problem)
	}
}

func TestACopyIsRefusedIfATokenCannotBeDecrypted(t *testing.T) {
	t.Parallel()
	f := start(t, 0)
	a := f.tenant("a")
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Fatal(err)
	}
	c := f.connections(a.id)[0]
	damaged := f.sealedToken(c)
	damaged[len(damaged)-1] ^= 1
	f.write(func(tx *store.Tx) error { return tx.SetConnectionSecret(c.Key, damaged) })
	f.server.Close()
	if err := f.service.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.open)

	done, _, err := copies(t, service.CopyConfig{
		From: f.database, To: filepath.Join(t.TempDir(), "target.db"), KeyFile: f.keyFile,
	})

	if err == nil || len(done) > 0 || !strings.Contains(err.Error(), "connect it again, before copying") {
		t.Errorf("%d copied, %v", len(done), err)
	}
}

func TestResettingALostKeyDeletesTheTokensAndKeepsTheConnections(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(f.keyFile); err != nil {
		t.Fatal(err)
	}

	paused, disconnected, err := f.service.ResetKey(t.Context())
	f.restart()

	if paused != 0 || disconnected != 1 || err != nil {
		t.Errorf("%d paused, %d disconnected, %v", paused, disconnected, err)
	}
	all := f.connections(a.id)
	if len(all) != 1 || all[0].State != store.ConnectionDenied || f.sealedToken(all[0]) != nil ||
		!strings.Contains(all[0].Problem, "connect it again") {
		t.Fatalf("connections are %+v", all)
	}
	if outcome := syncStub(t, f.database, f.keyFile, a.id); !strings.Contains(outcome.Problem, "connect it again") ||
		outcome.Connection.State != store.ConnectionDenied {
		t.Errorf("a reading says %q and leaves the state %s", outcome.Problem, outcome.Connection.State)
	}
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Errorf("connecting again: %v", err)
	}
	if all = f.connections(a.id); len(all) != 1 || all[0].State != store.ConnectionReady {
		t.Errorf("connected again, the connections are %+v", all)
	}
}
