package egress

import (
	"net/netip"
	"strconv"
	"strings"
)

// reserved lists domains that are not part of the public internet (RFC 6761, 6762, 7686,
// 8375; ICANN for internal; hosts files for localdomain).
var reserved = [...]string{
	"localhost", "localdomain", "localdomain6", "local", "internal", "home.arpa", "onion", "invalid", "test",
}

// isPublicName reports whether a name can be in the public DNS. Its last label must start with a
// letter, as all top-level domains do, because some resolvers take a name that ends in a number
// for an address (127.1, 0x7f.1).
func isPublicName(name string) bool {
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

// fullyQualified returns a name with a final dot. Without it the resolver would also try
// the name inside the search domains, which belong to the service's own network.
func fullyQualified(host string) string {
	if _, err := netip.ParseAddr(host); err == nil || strings.HasSuffix(host, ".") {
		return host
	}
	return host + "."
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == s
}

// allowedPort reports whether the port is 443 or not a system port (below 1024).
func allowedPort(s string) bool {
	n, _ := strconv.ParseUint(s, 10, 16)
	return isPort(s) && (n == 443 || n >= 1024)
}
