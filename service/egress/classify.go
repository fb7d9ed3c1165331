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

// Classify returns what kept an attempt from being answered, judged by the error
// of the transport (docs/api.md, Delivery record). What fits nothing else is a
// connection that broke; one that was never made counts as refused.
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
	if isTLS(err) {
		return webhooks.TLSError
	}
	// A receiver may break off while the connection is still being made.
	if network, ok := errors.AsType[*net.OpError](err); ok && network.Op == "dial" && !errors.Is(err, syscall.ECONNRESET) {
		return webhooks.ConnectionRefused
	}
	return webhooks.ConnectionReset
}

// isTLS reports whether the two sides could not agree on a secure connection.
func isTLS(err error) bool {
	// An alert of either side: package tls keeps the type of alerts to itself.
	if network, ok := errors.AsType[*net.OpError](err); ok && (network.Op == "remote error" || network.Op == "local error") {
		return true
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	// Most errors of package tls have no type; all begin with its name.
	return errors.Is(err, http.ErrSchemeMismatch) || strings.HasPrefix(err.Error(), "tls: ")
}
