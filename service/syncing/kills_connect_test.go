//go:build unix

package syncing_test

import (
	"strings"
	"testing"

	"tarmac/service/providers/wire"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// A token can be claimed once. If the process that claims it is killed, the connection says that
// the token may be used up, or it has the accounts. A new token makes a connection that is read.
func TestAKilledConnectLeavesAConnectionThatSaysWhatToDo(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many processes")
	}
	k := newKilledReadings(t)
	k.learn()
	k.disconnect(k.list(t))
	states := map[syncing.State]int{}
	for range killsOf(t) {
		k.kill(k.server.Token())

		left := k.list(t)
		if len(left) > 1 {
			t.Errorf("%d connections are left", len(left))
		}
		for _, c := range left {
			states[c.State]++
			k.checkLeft(c)
		}
		k.clock.advance(betweenReadings)
		k.reconnect()
	}
	t.Logf("states of connections after kills: %v", states)
}

// checkLeft checks a connection that a killed process has left.
func (k *killedReadings) checkLeft(c syncing.Connection) {
	k.t.Helper()
	switch c.State {
	case store.ConnectionClaiming:
		outcomes, err := k.Sync(k.t.Context(), k.org, c.ID, syncing.SyncOptions{})
		if err != nil || !strings.Contains(outcomes[0].Problem, "may be used up") {
			k.t.Errorf("after a claim: %+v, %v", outcomes, err)
		}
	case store.ConnectionChoosing:
	default:
		k.t.Errorf("the connection is %s", c.State)
	}
}

// reconnect connects with a new token, reads, and removes the connections. A connection that has
// its token but not its accounts is the only other one.
func (k *killedReadings) reconnect() {
	k.t.Helper()
	c, _, err := k.Connect(k.t.Context(), k.org, syncing.ConnectRequest{
		Provider: "simplefin", Token: wire.NewSecret(k.server.Token()),
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.choose(k.t, c, c.Accounts[0].RemoteID)
	all := k.list(k.t)
	for _, other := range all {
		if other.ID != c.ID && other.State != store.ConnectionChoosing {
			k.t.Errorf("beside the new connection there is %+v", other)
		}
	}
	k.disconnect(all)
}

func (k *killedReadings) disconnect(all []syncing.Connection) {
	k.t.Helper()
	for _, c := range all {
		if err := k.Disconnect(k.t.Context(), k.org, c.ID, true); err != nil {
			k.t.Fatal(err)
		}
	}
}
