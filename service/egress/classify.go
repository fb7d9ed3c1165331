package egress

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"tarmac/service/webhooks"
)

// Classify returns the problem of a delivery whose transport failed with err (docs/api.md,
// Delivery record). If a connection could not be made it is webhooks.ConnectionRefused. An error
// of unknown kind is webhooks.ConnectionReset.
func Classify(err error) webhooks.Problem {
	if err == nil {
		return webhooks.NoProblem
	}
	if errors.Is(err, ErrBlocked) {
		return webhooks.BlockedAddress
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return webhooks.DNSError
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return webhooks.TimedOut
	}
	if isTLSError(err) {
		return webhooks.TLSError
	}
	// A reset while the connection is being made is still a reset.
	if network, ok := errors.AsType[*net.OpError](err); ok && network.Op == "dial" && !errors.Is(err, syscall.ECONNRESET) {
		return webhooks.ConnectionRefused
	}
	return webhooks.ConnectionReset
}

// isTLSError reports whether the TLS handshake or connection failed.
func isTLSError(err error) bool {
	// The error is a TLS alert, sent by either side. Its type is not exported by crypto/tls.
	if network, ok := errors.AsType[*net.OpError](err); ok &&
		(network.Op == "remote error" || network.Op == "local error") {
		return true
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	// Most errors of crypto/tls can be recognized only by this prefix.
	return errors.Is(err, http.ErrSchemeMismatch) || strings.HasPrefix(err.Error(), "tls: ")
}
