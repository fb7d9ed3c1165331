package problem_test

import (
	"errors"
	"io"
	"regexp"
	"testing"

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
