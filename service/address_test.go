package service_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"tarmac/service/connections"
)

// loggedRequest is the line that the log has for a request.
type loggedRequest struct {
	Msg, Address, Error, Trace string
	Status                     int
	CallerRequestID            string `json:"caller_request_id"`
}

// loggedRequests returns the lines of requests since the log was last read.
func (f *fixture) loggedRequests() (lines []loggedRequest) {
	f.t.Helper()
	for text := range strings.Lines(f.logs.String()) {
		var line loggedRequest
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			f.t.Fatal(err)
		}
		if line.Msg == "request" {
			lines = append(lines, line)
		}
	}
	return lines
}

func (f *fixture) trust(networks ...string) {
	f.t.Helper()
	var err error
	if f.proxies, err = connections.ParseProxies(networks); err != nil {
		f.t.Fatal(err)
	}
	f.restart()
}

func TestEachWrongTokenLeavesALineWithItsAddress(t *testing.T) {
	f := start(t, 0)
	for range 40 {
		f.get("svc_org_guess", prefix+"/ping")
	}

	lines := f.loggedRequests()
	if len(lines) != 40 {
		t.Fatalf("40 wrong tokens left %d lines", len(lines))
	}
	for i, line := range lines {
		want := loggedRequest{
			Msg: "request", Address: "127.0.0.1", Status: http.StatusUnauthorized, Error: "invalid API token",
		}
		if i >= 30 {
			want.Status = http.StatusTooManyRequests
			want.Error = "rate limit exceeded; retry after 2 seconds: too many failed authentications: invalid API token"
		}
		if line != want {
			t.Errorf("line %d: %+v, want %+v", i+1, line, want)
		}
	}
}

// The proxy may be trusted or not; only then does its header count, for the log and for the limit.
func TestWrongTokensCountForTheAddressThatATrustedProxyNames(t *testing.T) {
	f := start(t, 0)
	guess := func(client string) int {
		return f.send("svc_org_guess", http.MethodGet, prefix+"/ping", "", "X-Forwarded-For", "203.0.113.9, "+client).status
	}
	last := func() string {
		lines := f.loggedRequests()
		return lines[len(lines)-1].Address
	}

	if guess("192.0.2.1"); last() != "127.0.0.1" {
		t.Errorf("without a trusted proxy the address is %s", last())
	}
	f.trust("127.0.0.0/8")
	for i := range 31 {
		want := http.StatusUnauthorized
		if i == 30 {
			want = http.StatusTooManyRequests
		}
		if got := guess("192.0.2.1"); got != want || last() != "192.0.2.1" {
			t.Fatalf("guess %d: %d from %s", i+1, got, last())
		}
	}
	if got := guess("[2001:db8::7]:4711"); got != http.StatusUnauthorized || last() != "2001:db8::7" {
		t.Errorf("another client of the proxy: %d from %s", got, last())
	}
	if got := guess("unknown"); got != http.StatusUnauthorized || last() != "127.0.0.1" {
		t.Errorf("a header without an address: %d from %s", got, last())
	}
}

func TestTheLogNamesTheCallersRequestAndTrace(t *testing.T) {
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	f := start(t, 0)
	for _, c := range []struct{ name, id, traceparent, wantID, wantTrace string }{
		{"both", "job-7_a.b", "00-" + trace + "-00f067aa0ba902b7-01", "job-7_a.b", trace},
		{"the longest id", strings.Repeat("a", 64), "", strings.Repeat("a", 64), ""},
		{"an id that is too long", strings.Repeat("a", 65), "", "", ""},
		{"other characters", `a"b`, "00-" + strings.ToUpper(trace) + "-00f067aa0ba902b7-01", "", ""},
		{"no trace", "", "00-" + strings.Repeat("0", 32) + "-00f067aa0ba902b7-01", "", ""},
		{"no parent", "", "00-" + trace + "-0000000000000000-01", "", ""},
		{"more than version 00 has", "", "00-" + trace + "-00f067aa0ba902b7-01-more", "", ""},
		{"a later version", "", "01-" + trace + "-00f067aa0ba902b7-01-more", "", trace},
		{"no version", "", "ff-" + trace + "-00f067aa0ba902b7-01", "", ""},
		{"cut short", "", "00-" + trace + "-00f067aa0ba902b7", "", ""},
	} {
		f.send("", http.MethodGet, "/healthz", "", "X-Request-Id", c.id, "Traceparent", c.traceparent)

		lines := f.loggedRequests()
		if got := lines[len(lines)-1]; got.CallerRequestID != c.wantID || got.Trace != c.wantTrace {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	header := http.Header{"X-Request-Id": {"one", "two"}}
	f.do(http.MethodGet, "/healthz", header)
	lines := f.loggedRequests()
	if got := lines[len(lines)-1]; got.CallerRequestID != "" || got.Address != "127.0.0.1" {
		t.Errorf("two ids: %+v", got)
	}
}
