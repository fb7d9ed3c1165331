package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
)

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
