package problem_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/problem"
)

func refusal(status int, message string) *apiclient.Error {
	return &apiclient.Error{Status: status, Message: message, Method: "GET", Route: "/account"}
}

func proposing(status int, message string) *apiclient.Error {
	return &apiclient.Error{Status: status, Message: message, Method: "POST", Route: "/invoices"}
}

func lost(err error) error {
	return &apiclient.NetworkError{Method: "GET", Route: "/account", Err: err}
}

func certificate() *x509.Certificate {
	return &x509.Certificate{
		DNSNames: []string{"a.example", "b.example", "c.example", "d.example"}, Issuer: pkix.Name{CommonName: "Corp Root"},
		RawIssuer: []byte("issuer"), RawSubject: []byte("subject"),
		NotBefore: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC),
	}
}

// Own books are a part of this program: nobody else can be told of their failures.
func TestFailuresOfOwnBooksSpeakOfNoServer(t *testing.T) {
	for message, want := range map[string]string{
		"cash is not known: import rates": "cash is not known: import rates",
		"figures are temporarily unavailable; retry later": "figures are temporarily unavailable; run `tarmac doctor`; " +
			"docs/import.md says how to restore a backup",
		"": "the books could not be read; run `tarmac doctor`; docs/import.md says how to restore a backup",
	} {
		e := refusal(503, message)
		e.Local, e.RetryAfter = true, 30*time.Second
		if got := problem.Line(e); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

func TestEveryErrorHasAReasonItsDetailAndWhatToDo(t *testing.T) {
	dial := &net.OpError{
		Op:   "dial",
		Net:  "tcp",
		Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080},
		Err:  errors.New("connection refused"),
	}
	self := certificate()
	self.RawSubject = self.RawIssuer
	verification := func(err error) error { return lost(&tls.CertificateVerificationError{Err: err}) }
	for name, c := range map[string]struct {
		err                    error
		reason, detail, advice string
	}{
		"401": {refusal(401, "invalid API token"), "the server refused the token",
			"the server refused the token: invalid API token (401)", "tarmac login"},
		"403 of a scope": {&apiclient.Error{Status: 403, Scope: "account:read"}, "not allowed",
			"not allowed: the token lacks the scope account:read (403)", "scope account:read"},
		"403": {refusal(403, "the server answered forbidden"), "not allowed", "not allowed (403)",
			"GET /account needs the scope account:read"},
		"404": {refusal(404, "no such invoice"), "not found",
			"not found: no such invoice (404)", ""},
		"404, a page": {refusal(404, "the server answered not found"), "not found",
			"not found (404)", "base URL"},
		"409 of a proposal": {proposing(409, "the organization has no active owner to attribute the invoice to"),
			"the organization has no active owner to attribute the invoice to",
			"the organization has no active owner to attribute the invoice to (409)", "ask an administrator to set"},
		"409 of the drafts": {proposing(409, "the organization already has 3 drafts"),
			"the organization already has 3 drafts",
			"the organization already has 3 drafts (409)", "ask an administrator to decide about the drafts"},
		"409, bare": {proposing(409, "Conflict"), "the organization has no active owner for the invoice",
			"the organization has no active owner for the invoice (409)", "active owner"},
		"409, something": {proposing(409, "a request with this key is still running"),
			"a request with this key is still running", "a request with this key is still running (409)",
			"check the current state"},
		"409 of an endpoint": {&apiclient.Error{Status: 409, Message: "conflict", Method: "PATCH",
			Route: "/webhooks/{webhookId}"}, "the current state does not allow it",
			"the current state does not allow it (409)", "check the current state"},
		"422": {refusal(422, `unsupported currency "EUR"`), `unsupported currency "EUR"`,
			`unsupported currency "EUR" (422)`, ""},
		"429": {&apiclient.Error{Status: 429, RetryAfter: 11500 * time.Millisecond}, "rate limited",
			"rate limited: the server asks to wait 12 s (429)", "this token"},
		"500": {refusal(500, "internal error"), "internal error", "internal error (500)", "try again later"},
		"500, a page": {refusal(500, "the server answered internal server error"), "the server failed",
			"the server failed (500)", "try again later"},
		"502, a page": {refusal(502, "the server answered bad gateway"), "a gateway cannot reach the server",
			"a gateway cannot reach the server (502)", "try again later"},
		"302": {refusal(302, "the server redirects to another address; redirects are not followed, check the base URL"),
			"the server redirects to another address",
			"the server redirects to another address: redirects are not followed (302)", "base URL"},
		"418": {refusal(418, "the server answered i'm a teapot"), "the server answered i'm a teapot",
			"the server answered i'm a teapot (418)", "base URL"},
		"407": {refusal(407, "the server answered proxy authentication required"), "the proxy requires a login",
			"the proxy requires a login: it answered 407", "HTTPS_PROXY"},

		"a page": {&apiclient.ContractError{Method: "GET", Route: "/account", Problem: "is text/html instead of JSON",
			NotAPI: true},
			"the response does not follow the API",
			"the response does not follow the API: it is text/html instead of JSON", "login page"},
		"a field": {&apiclient.ContractError{Method: "GET", Route: "/account", Field: "data[3].amount_known",
			Problem: "is missing"},
			"the response could not be read", "the response could not be read: field data[3].amount_known is missing",
			"whoever runs the service"},

		"self-signed": {verification(x509.UnknownAuthorityError{Cert: self}), "the server's certificate is self-signed",
			"no trusted authority signed the certificate of a.example, b.example, c.example, others", "--ca-file"},
		"unknown authority": {verification(x509.UnknownAuthorityError{Cert: certificate()}),
			"the server's certificate is signed by an unknown authority", "unknown authority: Corp Root", "--ca-file"},
		"expired": {verification(x509.CertificateInvalidError{Cert: certificate(), Reason: x509.Expired,
			Detail: "current time 2026-01-01T00:00:00Z is after 2025-03-01T00:00:00Z"}),
			"the server's certificate has expired", "has expired: it is valid from 2025-01-01 to 2025-03-01", "clock"},
		"not valid yet": {verification(x509.CertificateInvalidError{Cert: certificate(), Reason: x509.Expired,
			Detail: "current time 2024-01-01T00:00:00Z is before 2025-01-01T00:00:00Z"}),
			"the server's certificate is not valid yet", "it is valid from 2025-01-01 to 2025-03-01", "clock"},
		"another host": {verification(x509.HostnameError{Certificate: certificate(), Host: "finance.example"}),
			"the server's certificate is for another host",
			"it is for a.example, b.example, c.example, others, not for finance.example", "base URL"},
		"no TLS": {lost(http.ErrSchemeMismatch), "the server does not speak TLS on this port",
			"the server does not speak TLS on this port", "port"},

		"refused": {lost(dial), "the server cannot be reached",
			"the server cannot be reached: cannot connect to 127.0.0.1:8080 (connection refused)", "server is running"},
		"no name": {lost(&net.DNSError{Name: "finance.example", Err: "no such host", IsNotFound: true}),
			"the server cannot be reached", "finance.example has no address (no such host)", "typos"},
		"silence": {lost(context.DeadlineExceeded), "no answer in time", "no answer in time", "--timeout"},
		"hung up": {lost(io.EOF), "the connection closed before the answer",
			"the connection closed before the answer", "try again"},
		"no HTTP": {lost(errors.New(`malformed HTTP response "220 mail.example ready"`)), "the response is not HTTP",
			"the response is not HTTP", "base URL"},
		"login": {lost(&apiclient.ProxyError{Status: 407}), "the proxy requires a login",
			"the proxy requires a login: it answered 407", "NO_PROXY"},
		"a proxy": {lost(&apiclient.ProxyError{Status: 403}), "the proxy refuses the connection", "it answered 403",
			"NO_PROXY"},
		"cut short": {&apiclient.NetworkError{Err: fmt.Errorf("the answer broke off: %w", io.ErrUnexpectedEOF),
			Partial: true}, "the response was cut short", "the response was cut short: unexpected EOF", "try again"},
		"cut late": {&apiclient.NetworkError{Err: context.DeadlineExceeded, Partial: true}, "the response was cut short",
			"the rest did not arrive in time", "--timeout"},
		"other": {errors.New("broken pipe."), "broken pipe", "broken pipe", ""},

		"unsent": {&apiclient.NetworkError{Method: "POST", Route: "/invoices", Err: dial}, "the server cannot be reached",
			"(connection refused); nothing was sent", "server is running"},
		"unknown": {&apiclient.Error{Status: 503, Message: "busy", Method: "POST", OutcomeUnknown: true}, "busy",
			"busy (503)", "may have taken effect: check"},
		"wrapped": {fmt.Errorf("account: %w", refusal(401, "")), "the server refused the token",
			"the server refused the token (401)", "tarmac login"},
	} {
		p := problem.Of(c.err)
		if p.Reason != c.reason || problem.Reason(c.err) != c.reason {
			t.Errorf("%s: the reason is %q, want %q", name, p.Reason, c.reason)
		}
		if !strings.HasSuffix(p.Detail, c.detail) || !strings.HasPrefix(p.Detail, p.Reason) {
			t.Errorf("%s: the detail is %q, want %q", name, p.Detail, c.detail)
		}
		if !strings.Contains(p.Advice, c.advice) || (p.Advice == "") != (c.advice == "") {
			t.Errorf("%s: the advice is %q, want %q", name, p.Advice, c.advice)
		}
	}
	if p := problem.Of(nil); p != (problem.Problem{}) {
		t.Errorf("no error is %+v", p)
	}
}

func TestOnlyNoAnswerAtAllIsOffline(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"nobody there": {lost(&net.OpError{Op: "dial", Err: errors.New("connection refused")}), true},
		"silence":      {lost(context.DeadlineExceeded), true},
		"hung up":      {lost(io.EOF), true},
		"cut short":    {&apiclient.NetworkError{Err: io.ErrUnexpectedEOF, Partial: true}, false},
		"certificate":  {lost(x509.UnknownAuthorityError{}), false},
		"no HTTP":      {lost(errors.New("malformed HTTP response")), false},
		"a login":      {lost(&apiclient.ProxyError{Status: 407}), false},
		"503":          {refusal(503, "busy"), false},
		"a field":      {&apiclient.ContractError{Field: "x"}, false},
	} {
		if got := problem.Of(c.err).Offline; got != c.want {
			t.Errorf("%s: offline is %v", name, got)
		}
	}
}

func TestWhatWasAskedForIsNamed(t *testing.T) {
	e := refusal(500, "internal error")
	e.RequestID = "req_1"
	if p := problem.Of(e); p.Request != "GET /account" || p.RequestID != "req_1" {
		t.Errorf("%+v", p)
	}
}

func TestALineHasTheWordsInThePlaceOfTheError(t *testing.T) {
	for err, want := range map[error]string{
		errors.New("no\nprofile"): "no profile",
		fmt.Errorf("nothing was stored: %w; 5 rows",
			refusal(404, "no such invoice")): "nothing was stored: GET /account: not found: no such " +
			"invoice (404); 5 rows",
		refusal(403, "no"): "GET /account: not allowed: no (403); GET /account needs the scope account:read: " +
			"ask for a token with it",
		&apiclient.Error{Status: 503, Message: "busy", Method: "GET", Route: "/account",
			RetryAfter: 2 * time.Second}: "GET /account: busy (503); the server asks to wait 2 s; try again later, or tell " +
			"the server's administrator",
	} {
		if got := problem.Line(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Attackers may write certificates and responses.
func TestNoWordHoldsControlCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hostile := rapid.StringOf(rapid.RuneFrom([]rune("a\x1b[2J\n\r\u202e\x00\u009b;"))).Draw(t, "text")
		c := &x509.Certificate{
			DNSNames:   []string{hostile},
			Issuer:     pkix.Name{CommonName: hostile},
			RawSubject: []byte(hostile),
		}
		for _, err := range []error{
			lost(x509.HostnameError{Certificate: c, Host: hostile}), lost(x509.UnknownAuthorityError{Cert: c}),
			lost(errors.New(hostile)),
			refusal(500, hostile), &apiclient.ContractError{Field: hostile, Problem: hostile},
			lost(&net.DNSError{Name: hostile, Err: hostile}), errors.New(hostile),
		} {
			p := problem.Of(err)
			for _, text := range []string{p.Reason, p.Detail, p.Advice, p.Text()} {
				if strings.ContainsFunc(text, unicode.IsControl) || strings.ContainsRune(text, '\u202e') {
					t.Fatalf("%T says %q", err, text)
				}
			}
		}
	})
}

func TestARefusedSSHKeyIsNotCalledAToken(t *testing.T) {
	for status, want := range map[int]string{
		401: "GET /account: the server refused the SSH key: no (401); it was revoked or has expired: " +
			"ask the server's operator",
		403: "GET /account: not allowed: the SSH key lacks the scope account:read (403); ask the server's operator to " +
			"add it again with the scope account:read",
		429: "GET /account: rate limited (429); wait, and check what else uses this SSH key",
	} {
		err := refusal(status, "no")
		err.Credential = "SSH key"
		if status == 403 {
			err.Scope = "account:read"
		}

		if got := problem.Line(err); got != want {
			t.Errorf("%d: %q, not %q", status, got, want)
		}
	}
}

// A gateway may refuse a request without naming the scope. The operation says which one it needs.
func TestARefusalNamesTheScopeOfItsOperation(t *testing.T) {
	for route, want := range map[string]string{
		"/insights/cash-position": "account:read", "/receivables/aging": "invoices:read", "/events": "event_feed:read",
		"/transactions/{transactionId}": "payments:read", "/webhooks": "webhook_endpoints:manage",
	} {
		err := &apiclient.Error{Method: "GET", Route: route, Status: 403, Message: "no"}

		if p := problem.Of(err); problem.Scope(err) != want || !strings.Contains(p.Advice, want) {
			t.Errorf("%s needs %q, advice %q", route, problem.Scope(err), p.Advice)
		}
	}
	if problem.Scope(&apiclient.Error{Method: "GET", Route: "/account", Status: 401}) != "" {
		t.Error("a refused token lacks no scope")
	}
}

func TestAnExpiredCursorHasAWayOut(t *testing.T) {
	p := problem.Of(&apiclient.Error{Method: "GET", Route: "/transactions", Status: 400, Message: "cursor expired"})

	if p.Advice != "start again from the first page, without the cursor" {
		t.Errorf("the advice is %q", p.Advice)
	}
}
