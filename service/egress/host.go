package egress

import (
	"net/netip"
	"strconv"
	"strings"
)

// reserved lists top-level and other domains that are not part of the public internet. They are
// reserved by RFC 6761, 6762, 7686 and 8375 and, for internal, by ICANN. Hosts files use
// localdomain.
var reserved = [...]string{
	"localhost", "localdomain", "localdomain6", "local", "internal", "home.arpa", "onion", "invalid", "test",
}

// IsPublicName reports whether a name can exist in the public DNS. Its last label must start with a
// letter, as those of all top-level domains do: some resolvers treat names that end in a number,
// such as 127.1 and 0x7f.1, as addresses.
func IsPublicName(name string) bool {
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

// fullyQualified returns host with a final dot. Without the dot, the resolver would also look the
// name up in the search domains, which belong to the service's own network.
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

// allowedPort reports whether a port is 443 or at least 1024.
func allowedPort(s string) bool {
	n, _ := strconv.ParseUint(s, 10, 16)
	return isPort(s) && (n == 443 || n >= 1024)
}
