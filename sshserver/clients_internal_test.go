package sshserver

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
)

// admitFrom admits a connection from an address and fails the test if it is refused.
func admitFrom(t *testing.T, c *clients, address string) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() { _, _ = ours.Close(), theirs.Close() })
	admitted, err := c.admit(ours, netip.MustParseAddrPort(address))
	if err != nil {
		t.Fatal(err)
	}
	return admitted
}

func (c *clients) has(one *client) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.all[one]
	return ok
}

func TestAFloodEndsNoSlowLoginOfAnotherNetwork(t *testing.T) {
	for _, tt := range []struct{ name, slow, flood string }{
		{"one address", "192.0.2.1:1", "198.51.100.1:%d"},
		{"one IPv6 network", "[2001:db8:1::1]:1", "[2001:db8:2::%x]:2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newClients(DefaultLimits)
			slow := admitFrom(t, c, tt.slow)
			for i := range 10 * DefaultLimits.Unauthenticated {
				admitFrom(t, c, fmt.Sprintf(tt.flood, 1000+i))
			}
			if !c.has(slow) {
				t.Error("the connection that was first and slow is closed")
			}
		})
	}
}

func TestAFloodFromSeveralNetworksClosesItsOwnConnections(t *testing.T) {
	c := newClients(DefaultLimits)
	slow := admitFrom(t, c, "192.0.2.1:1")
	for i := range 10 * DefaultLimits.Unauthenticated {
		admitFrom(t, c, fmt.Sprintf("198.51.100.%d:%d", i%8, 1000+i))
	}
	if late := admitFrom(t, c, "192.0.2.2:1"); !c.has(slow) || !c.has(late) {
		t.Error("a connection from another network than the flood's is closed")
	}
	if len(c.all) > DefaultLimits.Unauthenticated {
		t.Errorf("%d connections have not authenticated", len(c.all))
	}
}

func TestManyNetworksWithOneConnectionEachKeepTheLimit(t *testing.T) {
	c := newClients(DefaultLimits)
	first := admitFrom(t, c, "192.0.2.1:1")
	for i := range DefaultLimits.Unauthenticated {
		admitFrom(t, c, fmt.Sprintf("198.51.100.%d:1", i))
	}
	if len(c.all) != DefaultLimits.Unauthenticated || c.has(first) {
		t.Errorf("%d connections; the oldest is open: %t", len(c.all), c.has(first))
	}
}
