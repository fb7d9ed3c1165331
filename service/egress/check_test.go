package egress_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tarmac/internal/testsupport/testdns"
	"tarmac/service/egress"
	"tarmac/service/webhooks"
)

func newGuard(t testing.TB, config egress.Config) *egress.Guard {
	t.Helper()
	g, err := egress.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// check checks a URL as the API does.
func check(ctx context.Context, g *egress.Guard, raw string) error {
	u, err := webhooks.CheckURL(raw)
	if err != nil {
		return err
	}
	return g.Check(ctx, u)
}

// host returns an address as it is written in a URL.
func host(a string) string {
	if strings.Contains(a, ":") {
		return "[" + a + "]"
	}
	return a
}

func TestOnlyPublicAddressesAreAllowed(t *testing.T) {
	dns := testdns.Serve(t)
	g := newGuard(t, egress.Config{Resolver: dns.Resolver})
	const name = "hooks.example.com"
	for _, a := range notPublic {
		if err := check(t.Context(), g, "https://"+host(a)+"/x"); err != webhooks.ErrNotPublic {
			t.Errorf("%s: %v", a, err)
		}
		for _, addresses := range [][]string{{a}, {"8.8.8.8", "2606:4700::1111", a}} {
			dns.Set(name, addresses...)
			if err := check(t.Context(), g, "https://"+name+"/x"); err != webhooks.ErrNotPublic {
				t.Errorf("a name of %v: %v", addresses, err)
			}
		}
		if !isSpecial(netip.MustParseAddr(a)) {
			t.Errorf("%s is missing from the test's own blocks", a)
		}
	}
	for _, a := range public {
		if err := check(t.Context(), g, "https://"+host(a)+"/x"); err != nil {
			t.Errorf("%s: %v", a, err)
		}
		dns.Set(name, a)
		if err := check(t.Context(), g, "https://"+name+"/x"); err != nil {
			t.Errorf("a name of %s: %v", a, err)
		}
		if isSpecial(netip.MustParseAddr(a)) {
			t.Errorf("%s is in the test's own blocks", a)
		}
	}
}

// A name that is not public is refused without a query. For a public name only the name
// itself is queried.
func TestOnlyPublicNamesAreAllowed(t *testing.T) {
	for _, closedAddress := range []string{
		"localhost", "LocalHost", "localhost.", "a.localhost", "receiver", "receiver.", "printer.local", "db.internal",
		"metadata.google.internal", "localhost.localdomain", "Localhost.LocalDomain.", "localhost6.localdomain6",
		"db.localdomain", "nas.home.arpa", "x.onion", "x.invalid", "x.test", "X.Test.", "internal", "home.arpa",
		"127.1", "127.0.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001", "127.0.0.1.", "8.8.8.8.",
		"1.2.3.4.5",
		"example.123", "example.0x1", "256.256.256.256", "08.8.8.8", "8.8.8.8.nip.0", "[fe80::1%25eth0]", "[::1%25lo]",
		"[2606:4700::1111%25a]",
		"a..example.com", ".example.com", "example.com..", ".", "..", "-a.example.com", "a-.example.com", "a<b>.example.com",
		`a"b.example.com`,
		"a!b.example.com", "a,b.example.com", strings.Repeat("a", 64) + ".example.com",
		strings.Repeat("a.", 127) + "example.com",
		"[8.8.8.8]", "[hooks.example.com]",
	} {
		dns := testdns.Serve(t)
		g := newGuard(t, egress.Config{Resolver: dns.Resolver})
		if err := check(t.Context(), g, "https://"+closedAddress+"/"); err != webhooks.ErrNotPublic &&
			err != webhooks.ErrNotHTTPS {
			t.Errorf("%q: %v", closedAddress, err)
		}
		if len(dns.Queried()) > 0 {
			t.Errorf("%q: asked for %q", closedAddress, dns.Queried())
		}
	}
	for _, allowed := range []string{
		"hooks.example.com", "hooks.example.com.", "Hooks.Example.COM", "xn--bcher-kva.example.com", "bucher.xn--p1ai",
		"1.example.com",
		"a_b.example.com", "localhost.example.com", "localdomain.com", "test.com", "mylocal.net",
		strings.Repeat("a", 63) + ".example.com",
	} {
		dns := testdns.Serve(t)
		g := newGuard(t, egress.Config{Resolver: dns.Resolver})
		if err := check(t.Context(), g, "https://"+allowed+"/"); err != nil {
			t.Errorf("%q: %v", allowed, err)
		}
		if !dns.Only(strings.ToLower(strings.TrimSuffix(allowed, "."))) {
			t.Errorf("%q: asked for %q", allowed, dns.Queried())
		}
	}
}

func TestPortsOfOtherServicesAreRefused(t *testing.T) {
	g := newGuard(t, egress.Config{})
	for port, want := range map[string]error{
		"": nil, ":443": nil, ":8443": nil, ":1024": nil, ":9000": nil, ":65535": nil,
		":": webhooks.ErrPort, ":0": webhooks.ErrPort, ":22": webhooks.ErrPort, ":25": webhooks.ErrPort,
		":80":  webhooks.ErrPort,
		":444": webhooks.ErrPort, ":1023": webhooks.ErrPort, ":65536": webhooks.ErrPort,
		":99999999999999999999": webhooks.ErrPort,
		":0443":                 webhooks.ErrPort, ":08443": webhooks.ErrPort,
	} {
		for _, h := range []string{"8.8.8.8", "[2606:4700::1111]"} {
			if err := check(t.Context(), g, "https://"+h+port+"/"); err != want {
				t.Errorf("%s%s: %v, want %v", h, port, err, want)
			}
		}
	}
}

func TestAnExemptionIsForOneHostAndPort(t *testing.T) {
	dns := testdns.Serve(t)
	dns.Set("receiver.test", "127.0.0.1")
	g := newGuard(
		t,
		egress.Config{
			Resolver: dns.Resolver, Allow: []string{"127.0.0.1:9443", "Receiver.test:443", "[::1]:80", "single:8443"},
		},
	)
	for raw, want := range map[string]error{
		"https://127.0.0.1:9443/x":     nil,
		"https://127.0.0.1:9444/x":     webhooks.ErrNotPublic,
		"https://127.0.0.1/x":          webhooks.ErrNotPublic,
		"https://127.0.0.2:9443/x":     webhooks.ErrNotPublic,
		"https://localhost:9443/x":     webhooks.ErrNotPublic,
		"https://127.1:9443/x":         webhooks.ErrNotPublic,
		"https://receiver.test/x":      nil,
		"https://RECEIVER.test:443/x":  nil,
		"https://receiver.test:8443/x": webhooks.ErrNotPublic,
		"https://a.receiver.test/x":    webhooks.ErrNotPublic,
		"https://[::1]:80/":            nil,
		"https://[0:0::0:1]:80/":       nil,
		"https://[::1]:81/":            webhooks.ErrPort,
		"https://single:8443/":         nil,
		"http://127.0.0.1:9443/x":      webhooks.ErrNotHTTPS,
	} {
		if err := check(t.Context(), g, raw); err != want {
			t.Errorf("%s: %v, want %v", raw, err, want)
		}
	}
}

func TestTheErrorOfAnInvalidExemptionNamesIt(t *testing.T) {
	for _, entry := range []string{
		"", "127.0.0.1", ":9443", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:x", "127.0.0.1:65536", "::1:9443",
		"https://127.0.0.1:9443",
		"127.0.0.1:9443/x", "10.0.0.0/8:443", "*:443", "a@b:443", "a b:443",
	} {
		_, err := egress.New(egress.Config{Allow: []string{"127.0.0.1:9443", entry}})
		if err == nil || !strings.HasPrefix(err.Error(), `"`+entry+`" is not a HOST:PORT`) {
			t.Errorf("%q: %v", entry, err)
		}
	}
}

func TestANameThatDoesNotResolveIsAllowedAfterATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			here, there := net.Pipe()
			context.AfterFunc(ctx, func() { there.Close() })
			return here, ctx.Err()
		}}
		g := newGuard(t, egress.Config{Resolver: silent})
		began := time.Now()
		if err := check(t.Context(), g, "https://hooks.example.com/"); err != nil {
			t.Errorf("no answer: %v", err)
		}
		if waited := time.Since(began); waited != 2*time.Second {
			t.Errorf("waited %v", waited)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := check(ctx, g, "https://hooks.example.com/"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the caller's own limit: %v", err)
		}
	})
}

// An allowed URL keeps its host when it is parsed again, and its host is not in a special
// block.
func FuzzAllowedURLsArePublic(f *testing.F) {
	for _, a := range slices.Concat(notPublic, public) {
		f.Add("https://" + host(a) + "/x")
	}
	for _, raw := range []string{
		"https://hooks.example.com:8443/?a=b", "https://0x7f.1/", "https://[::1%25lo]/", "https://localhost./",
		"https://a.%31/",
	} {
		f.Add(raw)
	}
	nobody := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no server")
	}}
	g := newGuard(f, egress.Config{Resolver: nobody})
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := webhooks.CheckURL(raw)
		if err != nil || g.Check(t.Context(), u) != nil {
			return
		}
		again, err := webhooks.CheckURL(u.String())
		if len(u.String()) <= webhooks.MaxURL && (err != nil || again.Host != u.Host) {
			t.Fatalf("%q was allowed and is written %q: %v", raw, u, err)
		}
		name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
		if a, err := netip.ParseAddr(name); err == nil {
			if isSpecial(a) {
				t.Fatalf("%q was allowed", raw)
			}
			return
		}
		top := name[strings.LastIndex(name, ".")+1:]
		if top == name || strings.Trim(top, "0123456789") == "" || slices.Contains([]string{
			"localhost", "localdomain", "localdomain6", "local", "internal", "test", "onion", "invalid",
		}, top) {
			t.Fatalf("%q was allowed", raw)
		}
	})
}
