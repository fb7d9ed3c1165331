package simplefin_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/service/providers"
)

func TestARefusedRequestSaysWhatToDo(t *testing.T) {
	const noAccounts = `{"errlist":[{"code":"gen.auth","msg":"Forbidden"}],"accounts":[],"connections":[]}`
	for name, test := range map[string]struct {
		status int
		body   string
		cause  providers.Cause
		want   string
	}{
		"revoked":            {http.StatusForbidden, noAccounts, providers.Denied, "connect SimpleFIN again"},
		"revoked, in a text": {http.StatusForbidden, "Forbidden", providers.Denied, "connect SimpleFIN again"},
		"revoked, with 200":  {http.StatusOK, noAccounts, providers.Denied, "connect SimpleFIN again"},
		"unauthorized":       {http.StatusUnauthorized, "", providers.Denied, "connect SimpleFIN again"},
		"a firewall's page":  {http.StatusForbidden, "<!DOCTYPE html><title>Blocked", providers.Unreachable, "web page"},
		"a login page":       {http.StatusOK, "<html><title>Wi-Fi", providers.Unreachable, "login"},
		"a slow bank":        {524, "error code: 524", providers.Unreachable, "524"},
		"not paid":           {http.StatusPaymentRequired, "Payment required", providers.Unpaid, "pay"},
		"too often":          {http.StatusTooManyRequests, "", providers.Limited, "too often"},
	} {
		s := newServer(t)
		p := s.connect(t)
		s.answer = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(test.status)
			fmt.Fprint(w, test.body)
		}

		_, err := p.Accounts(t.Context())
		failure := failureOf(t, err)

		if failure.Cause != test.cause || !strings.Contains(failure.Text, test.want) ||
			strings.Contains(failure.Text, "used up") {
			t.Errorf("%s: %+v", name, failure)
		}
		if test.status == http.StatusTooManyRequests && failure.RetryAfter != 90*time.Second {
			t.Errorf("%s: tried again after %s", name, failure.RetryAfter)
		}
		for _, secret := range s.Secrets() {
			if strings.Contains(failure.Text, secret) {
				t.Errorf("%s: %q contains a secret", name, failure.Text)
			}
		}
	}
}

func TestARedirectIsRefusedWithItsHost(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	followed := 0
	s.answer = func(w http.ResponseWriter, r *http.Request) {
		followed++
		http.Redirect(w, r, "https://beta-"+host+"/", http.StatusFound)
	}

	_, err := p.Accounts(t.Context())

	failure := failureOf(t, err)
	if failure.Cause != providers.Unreachable || !strings.Contains(failure.Text, "beta-"+host) || followed != 1 {
		t.Errorf("%+v after %d requests", failure, followed)
	}
}

func TestAnAccessThatWasRevokedIsDenied(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	s.Revoke()

	_, err := p.Accounts(t.Context())

	if failure := failureOf(t, err); failure.Cause != providers.Denied {
		t.Errorf("%+v", failure)
	}
}

func TestABalanceOfThisMomentIsNotAsked(t *testing.T) {
	s := newServer(t)
	p := s.connect(t)
	asked := len(s.Requests())

	_, err := p.Balance(t.Context(), "ACT-1")

	if failureOf(t, err); len(s.Requests()) != asked {
		t.Error("a request was sent")
	}
}
