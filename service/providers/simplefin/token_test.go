package simplefin_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tarmac/service/providers"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/wire"
)

func TestATokenIsCheckedBeforeItIsSent(t *testing.T) {
	code := "c0de" + strings.Repeat("x", 20)
	encode := func(url string) string { return base64.StdEncoding.EncodeToString([]byte(url)) }
	for name, test := range map[string]struct{ token, want string }{
		"nothing":          {"", "no setup token"},
		"no base64":        {"hello, world " + code, "no setup token"},
		"no URL":           {encode("hello " + code), "no setup token"},
		"a URL":            {"https://" + host + "/simplefin/claim/" + code, "no setup token"},
		"an access URL":    {"https://user:" + code + "@" + host + "/simplefin", "access URL"},
		"http":             {encode("http://" + host + "/simplefin/claim/" + code), "https://"},
		"another port":     {encode("https://" + host + ":8443/simplefin/claim/" + code), "https://"},
		"with credentials": {encode("https://user:" + code + "@" + host + "/claim"), "https://"},
		"a file":           {encode("file:///etc/passwd"), "no setup token"},
	} {
		err := simplefin.Kind().Check(wire.NewSecret(test.token))

		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestATokenMayBeBrokenIntoLinesAndLackItsPadding(t *testing.T) {
	token := newServer(t).Token()
	broken := " " + token[:20] + "\r\n  " + strings.TrimRight(token[20:], "=") + "\n"

	if err := simplefin.Kind().Check(wire.NewSecret(broken)); err != nil {
		t.Error(err)
	}
}

func TestAClaimedTokenGivesTheAccounts(t *testing.T) {
	s := newServer(t)
	s.Open(s.Connect("Harbor Bank", "Ada"), "Checking (4821)", "USD", 100_00)

	listing, err := s.connect(t).Accounts(t.Context())

	if err != nil || len(listing.Accounts) != 1 {
		t.Errorf("%d accounts, %v", len(listing.Accounts), err)
	}
}

func TestASecondClaimWarnsOfACompromisedToken(t *testing.T) {
	s := newServer(t)
	token := wire.NewSecret(s.Token())
	if _, err := simplefin.Kind().Claim(t.Context(), s.client, token); err != nil {
		t.Fatal(err)
	}

	_, err := simplefin.Kind().Claim(t.Context(), s.client, token)

	failure := failureOf(t, err)
	if failure.Cause != providers.Denied || !strings.Contains(failure.Text, "somebody else") ||
		!strings.Contains(failure.Text, host) {
		t.Errorf("%+v", failure)
	}
}

func TestAClaimWhoseAnswerIsLostMayHaveUsedTheToken(t *testing.T) {
	s := newServer(t)
	s.LoseClaims(true)

	_, err := simplefin.Kind().Claim(t.Context(), s.client, wire.NewSecret(s.Token()))

	if failure := failureOf(t, err); failure.Cause != providers.Unreachable ||
		!strings.Contains(failure.Text, "may be used up") {
		t.Errorf("%+v", failure)
	}
}

func TestAnAnswerToAClaimThatIsNoAccessURLIsRefused(t *testing.T) {
	const password = "pa55w0rd"
	for name, body := range map[string]string{
		"nothing":         "",
		"a page":          "<!doctype html><title>Sign in</title>" + password,
		"http":            "http://user:" + password + "@" + host + "/simplefin",
		"no password":     "https://" + host + "/simplefin",
		"another host":    "https://user:" + password + "@collector.example.net/simplefin",
		"another port":    "https://user:" + password + "@" + host + ":8443/simplefin",
		"an invalid URL":  "https://user:" + password + "@%zz/",
		"a control sign":  "https://user:" + password + "\x00@" + host + "/simplefin",
		"a second answer": "https://user:" + password + "@" + host + "/a\nhttps://user:" + password + "@" + host + "/b",
	} {
		s := newServer(t)
		s.answer = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }

		_, err := simplefin.Kind().Claim(t.Context(), s.client, wire.NewSecret(s.Token()))

		failure := failureOf(t, err)
		if failure.Cause != providers.Malformed || !strings.Contains(failure.Text, "may be used up") ||
			strings.Contains(failure.Text, password) {
			t.Errorf("%s: %+v", name, failure)
		}
	}
}

func TestAnAccessURLOnASiblingOfTheTokensHostIsAccepted(t *testing.T) {
	s := newServer(t)
	s.answer = func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "https://user:password@beta-"+host+"/simplefin")
	}

	credential, err := simplefin.Kind().Claim(t.Context(), s.client, wire.NewSecret(s.Token()))

	if err != nil || credential.Reveal() != "https://user:password@beta-"+host+"/simplefin" {
		t.Error(err)
	}
}

// failureOf returns the failure that err is. The test fails if err is something else.
func failureOf(t *testing.T, err error) *providers.Failure {
	t.Helper()
	var failure *providers.Failure
	if !errors.As(err, &failure) {
		t.Fatalf("%v is no failure of a provider", err)
	}
	return failure
}
