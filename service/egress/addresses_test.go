package egress_test

import "net/netip"

// notPublic lists addresses of every special-purpose block of the IANA registries, with the
// edges of some, of multicast and unallocated blocks, and of the metadata services of clouds.
var notPublic = []string{
	"0.0.0.0", "0.0.0.1", "0.255.255.255", // this network
	"10.0.0.0", "10.1.2.3", "10.255.255.255", // private use
	"100.64.0.0", "100.100.100.200", "100.127.255.255", // shared address space
	"127.0.0.1", "127.1.2.3", "127.255.255.255", // loopback
	"169.254.0.1", "169.254.169.254", "169.254.170.2", // link local, where metadata is
	"172.16.0.0", "172.17.0.1", "172.31.255.255", // private use
	"192.0.0.1", "192.0.0.8", "192.0.0.170", "192.0.0.192", // protocol assignments
	"192.0.2.1", "198.51.100.1", "203.0.113.255", // documentation
	"192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1", // AS112, AMT, 6to4 relay
	"192.168.0.1", "192.168.255.255", // private use
	"198.18.0.0", "198.19.255.255", // benchmarking
	"224.0.0.1", "239.255.255.255", // multicast
	"240.0.0.1", "255.255.255.254", "255.255.255.255", // reserved, broadcast
	"168.63.129.16",                // Azure's host
	"::", "::1", "::7f00:1", "::2", // unspecified, loopback, IPv4-compatible
	"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0:7f00:1", // IPv4-mapped and -translated
	"64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", // NAT64
	"100::1", "100:0:0:1::1", // discard only, dummy
	"2001::1", "2001:0:7f00:1::", "2001:2::1", "2001:10::1", "2001:20::1", "2001:30::1", // protocol assignments, Teredo
	"2001:1ff:ffff::1",
	"2001:db8::1", "2001:db8:ffff::1", "3fff::1", "3fff:fff::1", // documentation
	"2002::1", "2002:7f00:1::1", "2002:a00:1::1", // 6to4
	"2620:4f:8000::1",               // AS112
	"4000::1", "5f00::1", "8000::1", // not allocated, segment routing
	"fc00::1", "fd00:ec2::254", "fd20:ce::254", "fdff::1", // unique local
	"fe80::1", "febf::1", "fec0::1", // link local, site local
	"ff02::1", "ff0e::1", // multicast
}

// public lists neighbors of those blocks and some well-known addresses.
var public = []string{
	"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.215.14", "100.63.255.255", "100.128.0.0", "126.255.255.255",
	"128.0.0.0",
	"168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
	"192.0.3.0",
	"192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.101.0", "203.0.112.255", "203.0.114.0",
	"223.255.255.255",
	"2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700:4700::1111",
	"2620:4f:8001::1", "2a00:1450::1",
	"3ffe::1",
}

// special lists the same blocks as prefixes.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
	"198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/3", "168.63.129.16/32",
	"::/3", "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "4000::/2", "8000::/1",
)

func prefixes(all ...string) (parsed []netip.Prefix) {
	for _, p := range all {
		parsed = append(parsed, netip.MustParsePrefix(p))
	}
	return parsed
}

func isSpecial(a netip.Addr) bool {
	for _, p := range special {
		if p.Contains(a) {
			return true
		}
	}
	return a.Is4In6() || a.Zone() != ""
}
