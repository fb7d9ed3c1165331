package connections

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Parse returns the address in a text such as "192.0.2.7", "192.0.2.7:1234", "[2001:db8::1]:80" or
// "2001:db8::1". An IPv4 address in IPv6 form becomes an IPv4 address, and a zone is removed. The
// result is the zero Addr for any other text.
func Parse(text string) netip.Addr {
	host, _, err := net.SplitHostPort(text)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

// Network returns the key by which connections, requests and failed authentications of an address
// are counted. The key is an IPv4 address, or an IPv6 /64 network, which usually belongs to one
// customer. For the zero Addr it is "".
func Network(addr netip.Addr) string {
	switch {
	case !addr.IsValid():
		return ""
	case addr.Is4() || addr.IsLoopback():
		return addr.String()
	}
	network, err := addr.Prefix(64)
	if err != nil {
		return addr.String()
	}
	return network.String()
}

// Proxies are the networks of proxies whose header X-Forwarded-For is believed. Anyone else can
// forge that header.
type Proxies []netip.Prefix

// maxProxies is the largest number of networks that ParseProxies accepts. Each request from a proxy
// is compared with all of them.
const maxProxies = 64

// ParseProxies parses networks such as "10.0.0.0/8", and single addresses. It refuses networks that
// contain all addresses, because callers could then choose the address that they are counted by.
func ParseProxies(texts []string) (Proxies, error) {
	if len(texts) > maxProxies {
		return nil, fmt.Errorf("at most %d networks can be trusted; combine some of them", maxProxies)
	}
	var all Proxies
	for _, text := range texts {
		prefix, err := parseNetwork(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		all = append(all, prefix)
	}
	return all, nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		addr, err := netip.ParseAddr(text)
		if err != nil || addr.Zone() != "" {
			return netip.Prefix{}, errors.New("not a network such as 10.0.0.0/8 or an address such as 192.0.2.7")
		}
		prefix = netip.PrefixFrom(addr, addr.BitLen())
	}
	if addr := prefix.Addr(); addr.Is4In6() && prefix.Bits() >= 96 {
		prefix = netip.PrefixFrom(addr.Unmap(), prefix.Bits()-96)
	}
	if prefix.Bits() == 0 {
		return netip.Prefix{}, errors.New("contains all addresses, so callers could choose their own; name the proxies")
	}
	return prefix.Masked(), nil
}

// Trust reports whether addr belongs to a proxy.
func (p Proxies) Trust(addr netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// maxForwarded is the number of addresses of X-Forwarded-For that Client reads. No request passes
// that many proxies.
const maxForwarded = 16

// Client returns the address of the client whose request arrived from peer with the given values of
// X-Forwarded-For: the rightmost address that is not a proxy's. It is peer if that is no proxy. If
// the values name no such address among the last maxForwarded, or are not addresses, it is the last
// proxy that passed the request on.
func (p Proxies) Client(peer netip.Addr, forwarded []string) netip.Addr {
	client := peer
	read := 0
	for i := len(forwarded) - 1; i >= 0; i-- {
		for rest, more := forwarded[i], true; more; read++ {
			if read == maxForwarded || !p.Trust(client) {
				return client
			}
			text := rest
			comma := strings.LastIndexByte(rest, ',')
			if more = comma >= 0; more {
				rest, text = rest[:comma], rest[comma+1:]
			}
			addr := Parse(strings.TrimSpace(text))
			if !addr.IsValid() {
				return client
			}
			client = addr
		}
	}
	return client
}
