package stripe_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/service/providers"
	"tarmac/service/providers/stripe"
	"tarmac/service/providers/wire"
)

func TestOnlyRestrictedKeysAreTaken(t *testing.T) {
	for key, want := range map[string]string{
		"rk_live_51Sesame": "", "rk_test_51Sesame": "", " rk_live_51Sesame\n": "",
		"":                                    "is empty",
		"sk_live_51Sesame":                    "can do everything",
		"sk_test_51Sesame":                    "can do everything",
		"pk_live_51Sesame":                    "publishable",
		"rk_live_":                            "no restricted key",
		"rk_51Sesame":                         "no restricted key",
		"rk_live_51Sesame\r\nHost: x":         "no restricted key",
		"rk_live_51Sesämé":                    "no restricted key",
		"secret-token:51Sesame":               "no restricted key",
		"rk_live_" + strings.Repeat("x", 1e6): "no restricted key",
	} {
		err := stripe.Kind().Check(wire.NewSecret(key))

		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", key, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "51Ses")):
			t.Errorf("%.40q: %v, want %q", key, err, want)
		}
	}
}

func TestARefusedRequestSaysWhatToDo(t *testing.T) {
	problem := func(code string) string {
		return `{"error":{"type":"invalid_request_error","code":"` + code + `","message":"rk_live_51Sesame"}}`
	}
	const page = "<!DOCTYPE html><title>Blocked"
	for name, test := range map[string]struct {
		status int
		body   string
		cause  providers.Cause
		want   string
	}{
		"a deleted key":        {401, problem(""), providers.Denied, "connect Stripe again"},
		"a key without rights": {403, problem("more_permissions_required"), providers.Denied, "Invoices: Read"},
		"a proxy's 401":        {401, page, providers.Unreachable, "not Stripe's"},
		"a firewall's page":    {403, page, providers.Unreachable, "not Stripe's"},
		"a portal's 404":       {404, page, providers.Unreachable, "not Stripe's"},
		"a lock":               {409, problem("lock_timeout"), providers.Unreachable, "is busy"},
		"a limit":              {429, problem("rate_limit"), providers.Limited, "too often"},
		"an outage":            {503, page, providers.Unreachable, "status 503"},
		"an old version":       {400, problem("version_gone"), providers.Malformed, "status 400, version_gone"},
		"a code with a key":    {400, problem("rk live: 51Sesame"), providers.Malformed, "(status 400);"},
		"a payment":            {402, problem("card_declined"), providers.Malformed, "status 402"},
		"a login page":         {200, page, providers.Unreachable, "login"},
	} {
		s := newServer(t)
		p := s.connect(t)
		s.answer = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(test.status)
			_, _ = fmt.Fprint(w, test.body)
		}

		_, err := p.Read(t.Context(), providers.Request{Now: now})

		failure := failureOf(t, err)
		if failure.Cause != test.cause || !strings.Contains(failure.Text, test.want) ||
			strings.Contains(failure.Text, "51Sesame") {
			t.Errorf("%s: %+v", name, failure)
		}
		if test.status > 200 && failure.RetryAfter != 90*time.Second {
			t.Errorf("%s: tried again after %s", name, failure.RetryAfter)
		}
	}
}

func TestAKeyThatWasDeletedOrLacksItsPermissionIsDenied(t *testing.T) {
	for name, end := range map[string]func(*server){
		"deleted": func(s *server) { s.Revoke() }, "forbidden": func(s *server) { s.SetForbidden(true) },
	} {
		s := newServer(t)
		p := s.connect(t)
		end(s)

		_, err := p.Accounts(t.Context())

		if failure := failureOf(t, err); failure.Cause != providers.Denied {
			t.Errorf("%s: %+v", name, failure)
		}
	}
}

func TestAnInvoiceIsNotGoneWhileStripeCannotBeAsked(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	sent := s.Send(harbor("A-1"))
	s.Pay(sent, 125000)
	s.answer = func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, sent.ID) {
			http.NotFound(w, r) // not Stripe's answer
			return
		}
		s.ServeHTTP(w, r)
	}

	_, err := p.Read(t.Context(), providers.Request{Invoices: []string{sent.ID}, Now: now})

	if failure := failureOf(t, err); failure.Cause != providers.Unreachable {
		t.Errorf("%+v", failure)
	}
}

func TestABalanceIsNotAsked(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)

	_, err := p.Balance(t.Context(), "")

	if failureOf(t, err); len(s.Requests()) != 0 {
		t.Error("a request was sent")
	}
}
