package testdns

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Names is a DNS server on the loopback interface. Its records may change at any time and are not
// cached. Other names do not exist.
type Names struct {
	// Resolver asks this server alone.
	Resolver *net.Resolver

	mu        sync.Mutex
	addresses map[string][]netip.Addr // by name without the last dot
	queried   []string
}

// Serve starts a DNS server without records. It ends with the test.
func Serve(t testing.TB) *Names {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &Names{addresses: map[string][]netip.Addr{}}
	n.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var packet [1500]byte
		for {
			size, from, err := socket.ReadFrom(packet[:])
			if err != nil {
				return
			}
			if _, err := socket.WriteTo(n.answer(packet[:size]), from); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { socket.Close(); <-ended })
	return n
}

// Set replaces the addresses of a name.
func (n *Names) Set(name string, addresses ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.addresses[name] = nil
	for _, a := range addresses {
		n.addresses[name] = append(n.addresses[name], netip.MustParseAddr(a))
	}
}

// answer returns the response to a query (RFC 1035, section 4).
func (n *Names) answer(query []byte) []byte {
	const head, typeA, typeAAAA = 12, 1, 28
	var labels []string
	at := head
	for size := int(query[at]); size > 0; size = int(query[at]) {
		labels = append(labels, string(query[at+1:at+1+size]))
		at += 1 + size
	}
	kind := binary.BigEndian.Uint16(query[at+1:])
	name := strings.ToLower(strings.Join(labels, "."))

	n.mu.Lock()
	n.queried = append(n.queried, name)
	addresses, known := n.addresses[name]
	n.mu.Unlock()

	out := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[head:at+5]...)
	if !known {
		out[3] |= 3 // no such name
	}
	for _, a := range addresses {
		if a.Is4() != (kind == typeA) || kind != typeA && kind != typeAAAA {
			continue
		}
		out[7]++
		out = append(out, 0xc0, head, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(a.BitLen()/8)) // TTL 0
		out = append(out, a.AsSlice()...)
	}
	return out
}

// Only reports whether the name was queried, and no other name.
func (n *Names) Only(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, queried := range n.queried {
		if queried != name {
			return false
		}
	}
	return len(n.queried) > 0
}

// Queried returns the names that were queried, in order.
func (n *Names) Queried() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.queried)
}
