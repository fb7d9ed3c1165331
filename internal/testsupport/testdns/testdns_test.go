package testdns_test

import (
	"errors"
	"net"
	"testing"

	"tarmac/internal/testsupport/testdns"
)

func TestNothingIsFoundAtOnce(t *testing.T) {
	found, err := testdns.EmptyResolver().LookupNetIP(t.Context(), "ip", "hooks.example.com.")
	var failed *net.DNSError
	if len(found) > 0 || !errors.As(err, &failed) {
		t.Errorf("found %v (%v)", found, err)
	}
}
