// Package publicaddress tells public addresses from those that reach a private network or this
// machine.
package publicaddress

import (
	"net/netip"

	"code.dny.dev/ssrf"
)

// azurePlatform is public according to the address registries, but inside Azure it reaches the
// platform's internal services.
var azurePlatform = netip.MustParsePrefix("168.63.129.16/32")

// Guardian returns what refuses connections to addresses that are not public. It allows all ports.
func Guardian() *ssrf.Guardian {
	return ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(azurePlatform))
}
