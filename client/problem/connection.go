package problem

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/termtext"
)

// ofConnection describes the error of a request that got no complete response.
func ofConnection(err error) Problem {
	var (
		proxy  *apiclient.ProxyError
		lookup *net.DNSError
		dial   *net.OpError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return newProblem("interrupted before the answer", "", "")
	case errors.As(err, &proxy):
		return ofProxy(proxy.Status)
	case isTLS(err):
		return Certificate(err)
	case errors.As(err, &lookup):
		return offline(lookup.Name+" has no address ("+lookup.Err+")",
			"check the base URL for typos, and the network or VPN connection of this computer")
	case errors.As(err, &dial) && dial.Op == "proxyconnect":
		return offline("the proxy set in the environment does not answer ("+lastCause(err)+")",
			"correct HTTPS_PROXY in the environment, or exclude the server with NO_PROXY")
	case errors.As(err, &dial) && dial.Op == "dial" && !isTimeout(err):
		return offline("cannot connect"+toAddress(dial.Addr)+" ("+lastCause(err)+")",
			"check that the server is running, that the base URL has the right port, and that no firewall blocks it")
	case isTimeout(err):
		p := newProblem("no answer in time", "", "try again, or with a longer --timeout")
		p.Offline = true
		return p
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		p := newProblem("the connection closed before the answer", "",
			"try again; check for a proxy or firewall in between")
		p.Offline = true
		return p
	case strings.Contains(err.Error(), "malformed HTTP"), strings.Contains(err.Error(), "transport connection broken"):
		return newProblem("the response is not HTTP", "", "check the base URL: another service may listen on that port")
	}
	return offline(lastCause(err), "run `tarmac doctor` to check the connection")
}

// truncatedResponse describes a response that arrived only in part.
func truncatedResponse(err error) Problem {
	if isTimeout(err) {
		return newProblem("the response was cut short", "the rest did not arrive in time",
			"try again, or with a longer --timeout")
	}
	return newProblem("the response was cut short", lastCause(err), "try again; check for a proxy or firewall in between")
}

func offline(why, advice string) Problem {
	p := newProblem("the server cannot be reached", why, advice)
	p.Offline = true
	return p
}

func ofProxy(status int) Problem {
	if status == http.StatusProxyAuthRequired {
		return newProblem("the proxy requires a login", "it answered 407",
			"put user name and password into HTTPS_PROXY, or exclude the server with NO_PROXY")
	}
	return newProblem("the proxy refuses the connection", "it answered "+strconv.Itoa(status),
		"ask the proxy's administrator, or exclude the server with NO_PROXY")
}

func isTimeout(err error) bool {
	var late net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &late) && late.Timeout()
}

func toAddress(address net.Addr) string {
	if address == nil {
		return ""
	}
	return " to " + address.String()
}

// isTLS reports whether the error is a failure of the TLS connection.
func isTLS(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		record       tls.RecordHeaderError
		alert        tls.AlertError
		remote       *net.OpError
	)
	return errors.As(err, &verification) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.Is(err, http.ErrSchemeMismatch) || errors.As(err, new(x509.CertificateInvalidError)) ||
		errors.As(err, new(x509.HostnameError)) || errors.As(err, new(x509.UnknownAuthorityError)) ||
		errors.As(err, &remote) && strings.HasPrefix(remote.Op, "remote error")
}

// Certificate describes an error of a TLS handshake, such as an expired certificate.
func Certificate(err error) Problem {
	var (
		invalid   x509.CertificateInvalidError
		hostname  x509.HostnameError
		authority x509.UnknownAuthorityError
		record    tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return outOfDate(invalid)
	case errors.As(err, &hostname):
		return newProblem("the server's certificate is for another host",
			"it is for "+names(hostname.Certificate)+", not for "+hostname.Host,
			"use the certificate's host name in the base URL")
	case errors.As(err, &authority) && isSelfSigned(authority.Cert):
		return newProblem("the server's certificate is self-signed",
			"no trusted authority signed the certificate of "+names(authority.Cert),
			unknownAuthority)
	case errors.As(err, &authority):
		issuer := ""
		if authority.Cert != nil {
			issuer = authority.Cert.Issuer.CommonName
		}
		return newProblem("the server's certificate is signed by an unknown authority",
			cmp.Or(issuer, "the authority has no name"),
			unknownAuthority)
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return newProblem("the server does not speak TLS on this port", "",
			"check the port in the base URL; http:// is allowed for this computer only")
	}
	return newProblem("TLS handshake failed", lastCause(err), "check that the port in the base URL is the API's")
}

const unknownAuthority = "if the authority is your own, pass its PEM file with --ca-file or TARMAC_CA_FILE " +
	"(`tarmac login --ca-file` saves it); otherwise the connection may be intercepted"

func isSelfSigned(c *x509.Certificate) bool {
	return c != nil && bytes.Equal(c.RawIssuer, c.RawSubject)
}

func outOfDate(e x509.CertificateInvalidError) Problem {
	reason := "the server's certificate has expired"
	if strings.Contains(e.Detail, " is before ") { // from the error text of crypto/x509
		reason = "the server's certificate is not valid yet"
	}
	from, to := e.Cert.NotBefore.UTC().Format(time.DateOnly), e.Cert.NotAfter.UTC().Format(time.DateOnly)
	return newProblem(reason, "it is valid from "+from+" to "+to,
		"check this computer's clock; if it is right, the server's administrator must renew the certificate")
}

// mostNames is the maximum number of a certificate's host names that an error lists.
const mostNames = 3

func names(c *x509.Certificate) string {
	if c == nil {
		return "other hosts"
	}
	all := append([]string(nil), c.DNSNames...)
	for _, address := range c.IPAddresses {
		all = append(all, address.String())
	}
	if len(all) == 0 {
		return cmp.Or(termtext.Line(c.Subject.CommonName), "no host")
	}
	if len(all) > mostNames {
		all = append(all[:mostNames], "others")
	}
	return termtext.Line(strings.Join(all, ", "))
}

// lastCause returns the text of the innermost error. The errors that wrap it only repeat the
// address.
func lastCause(err error) string {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return termtext.Line(err.Error())
}
