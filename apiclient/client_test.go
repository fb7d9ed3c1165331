package apiclient_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
)

func TestBaseURL(t *testing.T) {
	for base, ok := range map[string]bool{
		"https://finance.example.com":              true,
		"https://finance.example.com/":             true,
		"https://finance.example.com/tenant/a":     true,
		"https://finance.example.com/api/ext/v1":   true,
		"https://finance.example.com:8443":         true,
		"http://localhost:8080":                    true,
		"http://127.0.0.1:8080":                    true,
		"http://[::1]:8080":                        true,
		"http://finance.example.com":               false,
		"http://127.0.0.1.example.com":             false,
		"http://192.168.0.1":                       false,
		"http://127.8.9.1":                         true,
		"http://LOCALHOST":                         true,
		"http://[::ffff:127.0.0.1]":                true,
		"http://localhost.":                        false,
		"http://localhost.example.com":             false,
		"http://a.localhost":                       false,
		"http://localho\u017ft":                    false,
		"http://localhost\u3002example.com":        false,
		"http://2130706433":                        false,
		"http://0x7f000001":                        false,
		"http://127.1":                             false,
		"http://0177.0.0.1":                        false,
		"http://0.0.0.0":                           false,
		"http://[::]":                              false,
		"http://[fe80::1%25lo]":                    false,
		"http://127.0.0.1@finance.example.com":     false,
		"http://finance.example.com#@127.0.0.1":    false,
		"http://127.0.0.1\\@finance.example.com":   false,
		"HTTP://finance.example.com":               false,
		"ftp://localhost":                          false,
		"finance.example.com":                      false,
		"https://":                                 false,
		"https:finance":                            false,
		"":                                         false,
		"https://user:hunter2@finance.example.com": false,
		"https://finance.example.com?key=hunter2":  false,
		"https://finance.example.com?":             false,
		"https://finance.example.com#":             false,
		"https://finance.example.com/a/../b":       false,
		"https://finance.example.com/\nhunter2":    false,
	} {
		_, err := apiclient.New(base, apiclient.Token(secret))
		if (err == nil) != ok {
			t.Errorf("New(%q): %v", base, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("New(%q) repeats the password: %v", base, err)
		}
	}
}

func TestRequestsGoBelowTheBaseURL(t *testing.T) {
	var paths []string
	handler := func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.EscapedPath())
		answer(w, 404, `{"error":"no such thing"}`)
	}
	client, _ := serve(t, handler)
	_, _ = client.Invoice(t.Context(), "inv/../x?y#z é")
	if want := "/api/ext/v1/invoices/inv%2F..%2Fx%3Fy%23z%20%C3%A9"; len(paths) != 1 || paths[0] != want {
		t.Errorf("asked for %q, want %s", paths, want)
	}
	for _, id := range []string{"", ".", "..", strings.Repeat("x", 300)} {
		if _, err := client.Transaction(t.Context(), id); err == nil {
			t.Errorf("id %q was sent", id)
		}
	}
	if len(paths) != 1 {
		t.Errorf("ids that are none were sent: %q", paths)
	}
}

func TestHeaders(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for name, want := range map[string]string{"Authorization": "Bearer " + secret, "Accept": "application/json",
			"User-Agent": "tarmac/1.2.3"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		answer(w, 200, `{"org_id":"org_1"}`)
	}, apiclient.WithUserAgent("tarmac/1.2.3"))
	if _, err := client.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := apiclient.New("https://x", apiclient.Token(secret), apiclient.WithUserAgent("a\r\nb: c")); err == nil {
		t.Error("a user agent with a line end was taken")
	}
}

func TestTokenIsChecked(t *testing.T) {
	for _, bad := range []string{"", "a b", "a\nb", "tökén", "x\x00", strings.Repeat("x", 5000)} {
		_, err := apiclient.New("https://x", apiclient.Token(bad))
		if err == nil {
			t.Errorf("token %q was taken", bad)
		}
		if bad != "" && err != nil && strings.Contains(err.Error(), bad) {
			t.Errorf("the error shows the token: %v", err)
		}
	}
}

// The token is never printed, logged or returned, even if the server sends it back.
func TestTokenIsNeverShown(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	token := apiclient.Token(secret)
	logger.Info("token", "token", token, "any",
		fmt.Sprintf("%v %+v %#v %s %q %x", token, token, token, token, token, token))
	if err := json.NewEncoder(&out).Encode(map[string]any{"token": token}); err != nil {
		t.Fatal(err)
	}

	echo := map[string]http.HandlerFunc{
		"error body": func(w http.ResponseWriter, r *http.Request) {
			answer(w, 401, `{"error":"bad header `+r.Header.Get("Authorization")+`"}`)
		},
		"headers": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Request-Id", secret)
			w.Header().Set("WWW-Authenticate", `Bearer scope="`+secret+`"`)
			answer(w, 403, `{}`)
		},
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/?token="+secret, http.StatusFound)
		},
		"content type": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/"+secret)
		},
		"field name": answering(`{"data":[],"summary":{"` + secret + `":1}}`),
		"half an answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			answer(w, 200, secret)
		},
		"no HTTP": func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = conn.Write([]byte(secret + "\r\n\r\n"))
			_ = conn.Close()
		},
	}
	for name, handler := range echo {
		client, _ := serve(t, handler, apiclient.WithLogger(logger))
		_, err := client.TransactionPage(t.Context(), apiclient.TransactionQuery{Keyword: "confidential"})
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		fmt.Fprintf(&out, "%s: %v %+v %#v | %v %+v %#v %s\n", name, client, client, client, err, err, err, err)
		for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
			fmt.Fprintf(&out, "%v %+v %#v\n", inner, inner, inner)
		}
	}
	for _, leak := range []string{secret, "confidential", "elsewhere", fmt.Sprintf("%x", secret)} {
		if at := strings.Index(out.String(), leak); at >= 0 {
			t.Errorf("%q is shown in %q", leak, out.String()[max(0, at-200):min(out.Len(), at+60)])
		}
	}
}

func TestRate(t *testing.T) {
	client, clock := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("RateLimit-Policy", `"token";q=300;w=60`)
		w.Header().Set("RateLimit", `"token";r=287;t=3`)
		answer(w, 200, `{"org_id":"org_1"}`)
	})
	if got := client.Rate(); got != (apiclient.Rate{}) {
		t.Errorf("before any answer: %+v", got)
	}
	if _, err := client.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := client.Rate(),
		(apiclient.Rate{Limit: 300, Window: time.Minute, Remaining: 287, ResetIn: 3 * time.Second,
			At: clock.Now()}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
