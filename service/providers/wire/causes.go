package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
)

// proxyRefused is the error for a proxy that does not connect to the provider.
type proxyRefused struct{ status int }

func (*proxyRefused) Error() string { return "the proxy refused to connect" }

// checkProxy returns a *proxyRefused if the proxy's answer to a CONNECT request has another status
// than 200.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &proxyRefused{answer.StatusCode}
	}
	return nil
}

// isCertificate reports whether an error says that the server's certificate could not be verified.
func isCertificate(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, new(x509.HostnameError)) ||
		errors.As(err, new(x509.UnknownAuthorityError))
}

// isDial reports whether no connection could be made, so that nothing was sent.
func isDial(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && (failed.Op == "dial" || failed.Op == "proxyconnect") || errors.As(err, new(*net.DNSError))
}
