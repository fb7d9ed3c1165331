package egress

import (
	"net/netip"
	"strconv"
	"strings"
)

// reserved are the domains that are not of the public internet (RFC 6761, 6762,
// 7686, 8375; ICANN for internal; hosts files for localdomain).
var reserved = [...]string{"localhost", "localdomain", "localdomain6", "local", "internal", "home.arpa", "onion", "invalid", "test"}

// publicName reports whether a name can be one of the public DNS. Its last label
// begins with a letter, as every top domain does: what ends in a number is read
// as an address by some resolvers, in whatever notation (127.1, 0x7f.1).
func publicName(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	labels := strings.Split(name, ".")
	if len(name) > 253 || len(labels) < 2 {
		return false
	}
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	if first := labels[len(labels)-1][0]; first < 'a' || first > 'z' {
		return false
	}
	for _, domain := range reserved {
		if name == domain || strings.HasSuffix(name, "."+domain) {
			return false
		}
	}
	return true
}

func isLabel(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_"
	return s != "" && len(s) <= 63 && s[0] != '-' && s[len(s)-1] != '-' && strings.Trim(s, letters) == ""
}

// absolute returns a name that is looked up as it stands. Without the dot at its
// end it would also be tried inside the domains that the machine searches, which
// are those of its own network.
func absolute(host string) string {
	if _, err := netip.ParseAddr(host); err == nil || strings.HasSuffix(host, ".") {
		return host
	}
	return host + "."
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == s
}

// usualPort reports whether the port is that of HTTPS, or of no other service of
// the system.
func usualPort(s string) bool {
	n, _ := strconv.ParseUint(s, 10, 16)
	return isPort(s) && (n == 443 || n >= 1024)
}
