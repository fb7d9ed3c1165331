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

// Classify returns the problem to record for a webhook delivery whose transport failed with err
// (docs/api.md, Delivery record). If no connection could be made, the problem is
// webhooks.ConnectionRefused. For an error of unknown kind it is webhooks.ConnectionReset.
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
	// A reset is reported as a reset even if it happens while the connection is being made.
	if network, ok := errors.AsType[*net.OpError](err); ok && network.Op == "dial" && !errors.Is(err, syscall.ECONNRESET) {
		return webhooks.ConnectionRefused
	}
	return webhooks.ConnectionReset
}

// isTLSError reports whether err comes from TLS, during or after the handshake.
func isTLSError(err error) bool {
	// crypto/tls does not export the type of TLS alerts. An alert arrives as a *net.OpError with
	// one of these two operations, for alerts received and sent.
	if network, ok := errors.AsType[*net.OpError](err); ok &&
		(network.Op == "remote error" || network.Op == "local error") {
		return true
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	// crypto/tls has no common type for its errors. Most of them have this prefix.
	return errors.Is(err, http.ErrSchemeMismatch) || strings.HasPrefix(err.Error(), "tls: ")
}
