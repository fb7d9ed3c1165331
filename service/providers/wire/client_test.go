package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/providers/internet"
	"tarmac/service/providers/wire"
)

const host = "api.bank.test"

// through returns a client whose requests to host are answered by handler.
func through(t *testing.T, handler http.HandlerFunc) (*wire.Client, *internet.Internet) {
	t.Helper()
	net, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = net.Close() })
	net.Handle(host, handler)
	client, err := wire.New(wire.Config{Proxy: net.Proxy, RootCAs: net.RootCAs(), Version: "1.2"})
	if err != nil {
		t.Fatal(err)
	}
	return client, net
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
			http.Redirect(w, r, "https://evil.test/?token=sesame", http.StatusTemporaryRedirect)
		}, wire.Redirected, "api.bank.test answered with a redirect to evil.test, which is not followed"},
		"an error that repeats the token": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("Authorization"), http.StatusUnauthorized)
		}, wire.BadStatus, "api.bank.test answered with status 401"},
		"an endless body": {func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := io.WriteString(w, strings.Repeat("x", 64<<10)); err != nil {
					return
				}
			}
		}, wire.NoAnswer, "the answer of api.bank.test is longer than 1 MB"},
		"a body that is cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"sesame":`)
		}, wire.NoAnswer, "the connection to api.bank.test broke"},
		"the page of a captive portal": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "<html>sesame</html>")
		}, wire.NotJSON, "the answer of api.bank.test is no JSON; does a network ask for a login first?"},
		"JSON that is cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"sesame": `)
		}, wire.NotJSON, "the answer of api.bank.test is damaged or cut off"},
		"another shape": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"accounts": [{"id": "sesame"}]}`)
		}, wire.WrongContent, `the field "accounts" in the answer of api.bank.test is not as documented`},
		"two values": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{} {}`)
		}, wire.NotJSON, "the answer of api.bank.test is damaged or cut off"},
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
			if n := internet.Connections("evil.test"); n != 0 {
				t.Errorf("the other host was asked %d times", n)
			}
		})
	}
}

func TestTheWaitThatAProviderAsksForIsBounded(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"120": 2 * time.Minute, "99999999999999": 24 * time.Hour, "-5": 0, "soon": 0, "": 0,
		"Fri, 31 Dec 1999 23:59:59 GMT": 0, "Fri, 31 Dec 2199 23:59:59 GMT": 24 * time.Hour,
	} {
		client, _ := through(t, func(w http.ResponseWriter, _ *http.Request) {
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

	if e, ok := errors.AsType[*wire.Error](err); !ok || e.Text != "api.bank.test did not answer within 50ms" {
		t.Errorf("error is %v", err)
	}
}

func TestHostsThatMustNotBeAskedAreNotAsked(t *testing.T) {
	direct, err := wire.New(wire.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"127.0.0.1", "localhost", "api.bank.test:8443", "user@api.bank.test", "api.bank.test/x?", "[::1]", "", "..", "a b.c",
	} {
		r := request()
		r.Host = name

		_, err := direct.Do(t.Context(), r)

		if e, ok := errors.AsType[*wire.Error](err); !ok || e.Kind != wire.Unsent {
			t.Errorf("%q: %v", name, err)
		}
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
