package problem_test

import (
	"errors"
	"io"
	"regexp"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
)

// Errors of own books send nobody to people who run a server: there are none.
func TestErrorsOfOwnBooksSpeakOfNoServer(t *testing.T) {
	var all []error
	for _, status := range []int{400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504} {
		for _, message := range []string{"", "no such record", "it is busy; retry later"} {
			all = append(all, &apiclient.Error{
				Status: status, Message: message, Method: "POST", Route: "/invoices", Local: true, Scope: "invoices:read",
			})
		}
	}
	for _, cause := range []error{io.EOF, io.ErrUnexpectedEOF, errors.New("connection refused")} {
		all = append(all, &apiclient.NetworkError{Method: "GET", Route: "/account", Err: cause, Local: true})
	}
	foreign := regexp.MustCompile(`(?i)server|administrator|token|base URL|proxy|firewall|\(\d+\)`)

	for _, err := range all {
		p := problem.Of(err)

		if text := p.Text() + p.Request; p.Reason == "" || foreign.MatchString(text) {
			t.Errorf("%#v is %q", err, text)
		}
	}
}

func TestWaitingHelpsOnlyIfOwnBooksSayRetryLater(t *testing.T) {
	unavailable := func(message string, local bool) error {
		return &apiclient.Error{Status: 503, Message: message, Local: local, RetryAfter: 30 * time.Second}
	}
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"a balance that nobody stated": {unavailable("the balance of Main is not known", true), true},
		"a busy database":              {unavailable("it is busy; retry later", true), false},
		"no reason":                    {unavailable("", true), false},
		"another server":               {unavailable("the balance of Main is not known", false), false},
		"no connection":                {io.EOF, false},
	} {
		if got := problem.Lasts(c.err); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
