package wire_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/providers/internet"
	"tarmac/internal/testsupport/testdns"
	"tarmac/service/providers/wire"
)

const host = "api.bank.example.com"

// through returns a client whose requests to host are answered by handler.
func through(t *testing.T, handler http.HandlerFunc) (*wire.Client, *internet.Internet) {
	t.Helper()
	online, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = online.Close() })
	online.Handle(host, handler)
	client, err := wire.New(wire.Config{Proxy: online.Proxy, RootCAs: online.RootCAs(), Version: "1.2"})
	if err != nil {
		t.Fatal(err)
	}
	return client, online
}

func request() wire.Request {
	return wire.Request{
		Host: host, Path: "/v1/accounts", Query: url.Values{"since": {"2026-01-01"}}, Bearer: wire.NewSecret("sesame"),
		Timeout: 5 * time.Second, MaxBody: 1 << 20,
	}
}

func TestARequestIsSentOnceWithItsCredentialInAHeader(t *testing.T) {
	var got []*http.Request
	client, _ := through(t, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, `{"amount": 12.30, "name": "x"}`)
	})

	response, err := client.Do(t.Context(), request())

	if err != nil || len(got) != 1 {
		t.Fatalf("%d requests, %v", len(got), err)
	}
	r := got[0]
	if r.URL.String() != "/v1/accounts?since=2026-01-01" || r.Host != host || r.UserAgent() != "tarmac/1.2" ||
		r.Header.Get("Authorization") != "Bearer sesame" {
		t.Errorf("request is %s %s with %v", r.Host, r.URL, r.Header)
	}
	var v struct{ Amount any }
	if err := response.JSON(host, &v); err != nil || fmt.Sprint(v.Amount) != "12.30" {
		t.Errorf("amount is %v, %v", v.Amount, err)
	}
}

func TestAnswersThatAreNotTheProvidersAreErrorsWithoutTheirContent(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		kind   wire.ErrorKind
		text   string
	}{
		"a redirect elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example.net/?token=sesame", http.StatusTemporaryRedirect)
		}, wire.Redirected, "api.bank.example.com answered with a redirect to evil.example.net, which is not followed"},
		"an error that repeats the token": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("Authorization"), http.StatusUnauthorized)
		}, wire.BadStatus, "api.bank.example.com answered with status 401"},
		"an endless body": {func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := io.WriteString(w, strings.Repeat("x", 64<<10)); err != nil {
					return
				}
			}
		}, wire.NoAnswer, "the answer of api.bank.example.com is longer than 1 MB"},
		"a body that is cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"sesame":`)
		}, wire.NoAnswer, "the connection to api.bank.example.com broke"},
		"the page of a captive portal": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "<html>sesame</html>")
		}, wire.NotJSON, "the answer of api.bank.example.com is no JSON; does a network ask for a login first?"},
		"JSON that is cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"sesame": `)
		}, wire.NotJSON, "the answer of api.bank.example.com is damaged or cut off"},
		"another shape": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"accounts": [{"id": "sesame"}]}`)
		}, wire.WrongContent, `the field "accounts" in the answer of api.bank.example.com is not as documented`},
		"a text without end": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"a": "\"", "b": "`+strings.Repeat("x", 17<<10)+`"}`)
		}, wire.WrongContent, "the answer of api.bank.example.com has a text of more than 16 KB"},
		"no object": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `[]`)
		}, wire.WrongContent, "the answer of api.bank.example.com is not as documented"},
		"two values": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{} {}`)
		}, wire.NotJSON, "the answer of api.bank.example.com is damaged or cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			client, internet := through(t, test.answer)
			response, err := client.Do(t.Context(), request())
			if err == nil {
				var v struct {
					Accounts string `json:"accounts"`
				}
				err = response.JSON(host, &v)
			}

			e, ok := errors.AsType[*wire.Error](err)
			if !ok || e.Kind != test.kind || e.Text != test.text {
				t.Errorf("error is %+v, want %q", err, test.text)
			}
			if n := internet.Connections("evil.example.net"); n != 0 {
				t.Errorf("the other host was asked %d times", n)
			}
		})
	}
}

func TestTheWaitThatAProviderAsksForIsBounded(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"120": 2 * time.Minute, "99999999999999": 24 * time.Hour, "-5": 0, "soon": 0, "": 0,
		"Fri, 31 Dec 1999 23:59:59 GMT": 0, "Fri, 31 Dec 2199 23:59:59 GMT": 24 * time.Hour,
		"Wed, 30 Dec 2026 12:20:00 GMT": 20 * time.Minute,
	} {
		client, _ := through(t, func(w http.ResponseWriter, _ *http.Request) {
			// The wait is counted by the provider's clock, which may be far from ours.
			w.Header().Set("Date", "Wed, 30 Dec 2026 12:00:00 GMT")
			w.Header().Set("Retry-After", header)
			w.WriteHeader(http.StatusTooManyRequests)
		})

		_, err := client.Do(t.Context(), request())

		if e, ok := errors.AsType[*wire.Error](err); !ok || e.RetryAfter != want {
			t.Errorf("%q is a wait of %+v, want %s", header, err, want)
		}
	}
}

func TestASilentHostIsGivenUp(t *testing.T) {
	released := make(chan struct{})
	client, _ := through(t, func(http.ResponseWriter, *http.Request) { <-released })
	defer close(released)
	r := request()
	r.Timeout = 50 * time.Millisecond

	_, err := client.Do(t.Context(), r)

	if e, ok := errors.AsType[*wire.Error](err); !ok || e.Text != "api.bank.example.com did not answer within 50ms" {
		t.Errorf("error is %v", err)
	}
}

func TestHostsThatMustNotBeAskedAreNotAsked(t *testing.T) {
	direct, err := wire.New(wire.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"127.0.0.1", "127.1", "0x7f.1", "localhost", "api.localhost", "bank.internal", "printer.local",
		"api.bank.example.com:8443", "user@api.bank.example.com", "api.bank.example.com/x?", "[::1]", "", "..", "a b.c",
	} {
		r := request()
		r.Host = name

		_, err := direct.Do(t.Context(), r)

		if e, ok := errors.AsType[*wire.Error](err); !ok || e.Kind != wire.Unsent {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAHostInAPrivateNetworkIsNotAsked(t *testing.T) {
	dns := testdns.Serve(t)
	direct, err := wire.New(wire.Config{Resolver: dns.Resolver})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:192.168.0.1"} {
		dns.Set(host, address)

		_, err := direct.Do(t.Context(), request())

		e, ok := errors.AsType[*wire.Error](err)
		if !ok || e.Kind != wire.Unsent || e.Text != host+" has a private address here, and is not asked" {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestAHostThatCannotBeReachedIsNamed(t *testing.T) {
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = gone.Close()
	online, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = online.Close() })
	online.Handle(host, http.NotFoundHandler())
	to := &url.URL{Scheme: "http", Host: gone.Addr().String(), User: url.UserPassword("ada", "sesame")}
	for name, test := range map[string]struct {
		config wire.Config
		text   string
	}{
		"no such name": {
			wire.Config{Resolver: testdns.EmptyResolver()}, "api.bank.example.com cannot be reached",
		},
		"no proxy": {
			wire.Config{Proxy: http.ProxyURL(to)}, "api.bank.example.com cannot be reached",
		},
		"another authority": {
			wire.Config{Proxy: online.Proxy, RootCAs: x509.NewCertPool()},
			"the certificate of api.bank.example.com is not valid; does a network ask for a login first?",
		},
	} {
		client, err := wire.New(test.config)
		if err != nil {
			t.Fatal(err)
		}

		_, err = client.Do(t.Context(), request())

		if e, ok := errors.AsType[*wire.Error](err); !ok || e.Kind != wire.Unsent || e.Text != test.text {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAProxyThatRefusesIsNamed(t *testing.T) {
	client, online := through(t, func(http.ResponseWriter, *http.Request) {})
	online.SetDown(host, true)

	_, err := client.Do(t.Context(), request())

	e, ok := errors.AsType[*wire.Error](err)
	if !ok || e.Kind != wire.Unsent || e.Text != "the proxy refused to connect to api.bank.example.com (status 502)" {
		t.Errorf("error is %v", err)
	}
}

// A connection that ends without an answer may have carried the request.
func TestARequestIsNeverSentASecondTime(t *testing.T) {
	asked := 0
	client, _ := through(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked > 1 {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, "{}")
	})
	if _, err := client.Do(t.Context(), request()); err != nil {
		t.Fatal(err)
	}

	_, err := client.Do(t.Context(), request())

	if e, ok := errors.AsType[*wire.Error](err); !ok || e.Kind != wire.NoAnswer || asked != 2 {
		t.Errorf("%d requests, %v", asked, err)
	}
}

func TestACanceledRequestSaysSo(t *testing.T) {
	client, _ := through(t, func(http.ResponseWriter, *http.Request) {})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, err := client.Do(ctx, request())

	if e, ok := errors.AsType[*wire.Error](err); !ok || e.Text != "the request was stopped" {
		t.Errorf("error is %v", err)
	}
}

func TestASecretIsPrintedByNothing(t *testing.T) {
	secret := wire.NewSecret("sesame")
	holder := struct {
		Token  wire.Secret
		hidden wire.Secret
	}{secret, secret}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, text := range []string{fmt.Sprintf(verb, secret), fmt.Sprintf(verb, &secret), fmt.Sprintf(verb, holder)} {
			if strings.Contains(text, "sesame") || strings.Contains(text, "736573616d65") {
				t.Errorf("%s prints %s", verb, text)
			}
		}
	}
}
