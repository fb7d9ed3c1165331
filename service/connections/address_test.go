package connections_test

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"tarmac/service/connections"
)

func TestAddressesAreCountedByNetwork(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:1234": "192.0.2.7", "192.0.2.7": "192.0.2.7", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff::9]:81": "2001:db8:1:2::/64", "2001:db8:1:2::1": "2001:db8:1:2::/64",
		"[2001:db8:1:2::1]": "2001:db8:1:2::/64", "[::ffff:192.0.2.7]:1": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7",
		"[fe80::1%eth0]:1": "fe80::/64", "@": "", "": "", "[::ffff:127.0.0.1]:1": "127.0.0.1", "[::1]:1": "::1",
	} {
		if got := connections.Network(connections.Parse(remote)); got != want {
			t.Errorf("%q is counted by %q; want %q", remote, got, want)
		}
	}
}

func TestTheClientIsTheRightmostAddressThatIsNoProxys(t *testing.T) {
	proxies, err := connections.ParseProxies([]string{
		"10.0.0.0/8", "127.0.0.1", "2001:db8:f::/48", "::ffff:172.16.0.0/108",
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		peer      string
		forwarded []string
		want      string
	}{
		"no proxy, forged":       {"192.0.2.1:5", []string{"198.51.100.9"}, "192.0.2.1"},
		"no header":              {"10.0.0.1:5", nil, "10.0.0.1"},
		"one proxy":              {"10.0.0.1:5", []string{"192.0.2.7"}, "192.0.2.7"},
		"forged on the left":     {"10.0.0.1:5", []string{"203.0.113.1, 10.9.9.9, 192.0.2.7"}, "192.0.2.7"},
		"two proxies":            {"127.0.0.1:5", []string{"203.0.113.1, 192.0.2.7, 10.1.2.3"}, "192.0.2.7"},
		"several lines":          {"10.0.0.1:5", []string{"203.0.113.1", "192.0.2.7", "10.1.2.3"}, "192.0.2.7"},
		"a port":                 {"10.0.0.1:5", []string{"192.0.2.7:4711"}, "192.0.2.7"},
		"IPv6":                   {"[2001:db8:f::1]:5", []string{"2001:db8:1::7"}, "2001:db8:1::7"},
		"IPv6 with a port":       {"10.0.0.1:5", []string{"[2001:db8:1::7]:99"}, "2001:db8:1::7"},
		"IPv4 in IPv6":           {"[::ffff:10.0.0.1]:5", []string{"::ffff:192.0.2.7"}, "192.0.2.7"},
		"a proxy in IPv6 form":   {"10.0.0.1:5", []string{"192.0.2.7, ::ffff:172.16.5.5"}, "192.0.2.7"},
		"garbage":                {"10.0.0.1:5", []string{"192.0.2.7, unknown"}, "10.0.0.1"},
		"garbage behind a proxy": {"10.0.0.1:5", []string{"<script>, 10.0.0.2"}, "10.0.0.2"},
		"an empty element":       {"10.0.0.1:5", []string{"192.0.2.7,"}, "10.0.0.1"},
		"an empty line":          {"10.0.0.1:5", []string{""}, "10.0.0.1"},
		"only proxies":           {"10.0.0.1:5", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		"a long list":            {"10.0.0.1:5", []string{strings.Repeat("192.0.2.9,", 9999) + "192.0.2.7"}, "192.0.2.7"},
		"a long list of proxies": {"10.0.0.1:5", []string{"192.0.2.7" + strings.Repeat(",10.0.0.2", 9999)}, "10.0.0.2"},
		"no address at all":      {"@", []string{"192.0.2.7"}, "invalid IP"},
	} {
		if got := proxies.Client(connections.Parse(c.peer), c.forwarded).String(); got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
	}
}

func TestNetworksOfProxiesAreChecked(t *testing.T) {
	for _, text := range []string{
		"", "proxy.example", "10.0.0.0/33", "0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "fe80::1%eth0",
	} {
		if got, err := connections.ParseProxies([]string{text}); err == nil {
			t.Errorf("%q was accepted as %v", text, got)
		}
	}
	if _, err := connections.ParseProxies(make([]string, 65)); err == nil || !strings.Contains(err.Error(), "at most 64") {
		t.Errorf("65 networks: %v", err)
	}
	got, err := connections.ParseProxies([]string{"10.1.2.3/8"})
	if err != nil || got[0] != netip.MustParsePrefix("10.0.0.0/8") {
		t.Errorf("10.1.2.3/8: %v, %v", got, err)
	}
}

// The key of any address is short and does not depend on the port.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{
		"", ":", "192.0.2.1:1", "[2001:db8::1]:1", "[::ffff:127.0.0.1]:1", "[fe80::1%eth0]:1", "fe80::1%eth0", "@", "a:b:c",
		"[]:1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, remote string) {
		addr := connections.Parse(remote)
		key := connections.Network(addr)
		host, _, err := net.SplitHostPort(remote)
		if err != nil {
			return
		}
		again := connections.Parse(net.JoinHostPort(host, "7"))
		if again != addr || len(key) > 45 {
			t.Errorf("%q is counted by %q, on another port by %q", remote, key, connections.Network(again))
		}
		ip := net.ParseIP(host)
		if ip != nil && ip.IsLoopback() != addr.IsLoopback() {
			t.Errorf("%q is of this machine: %v", remote, addr.IsLoopback())
		}
	})
}

// Whatever the header holds, the client is the peer or an address in the header, and the peer if it
// is no proxy.
func FuzzForwarded(f *testing.F) {
	for _, seed := range []string{
		"", "192.0.2.1", "10.0.0.2, 192.0.2.1", ",,,", "10.0.0.1,10.0.0.1", "[::1",
		"[2001:db8::1]:1, 10.0.0.9",
	} {
		f.Add(seed)
	}
	proxies := connections.Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	f.Fuzz(func(t *testing.T, header string) {
		proxy, stranger := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("192.0.2.200")
		if got := proxies.Client(stranger, []string{header}); got != stranger {
			t.Errorf("a stranger's header %q made it %s", header, got)
		}
		got := proxies.Client(proxy, []string{header})
		if !got.IsValid() {
			t.Errorf("%q: no address", header)
		}
		if got == proxy {
			return
		}
		for text := range strings.SplitSeq(header, ",") {
			if connections.Parse(strings.TrimSpace(text)) == got {
				return
			}
		}
		t.Errorf("%q does not name %s", header, got)
	})
}
