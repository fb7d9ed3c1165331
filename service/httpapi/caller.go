package httpapi

import (
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"strings"

	"tarmac/service/connections"
)

// caller is what the log says about where a request comes from.
type caller struct {
	address   netip.Addr // zero if it is unknown
	requestID string     // the caller's X-Request-Id; "" without a valid one
	trace     string     // trace-id of a valid traceparent, or ""
}

// callerOf returns the caller of a request. Only the proxies may say which address they pass a
// request on for.
func callerOf(r *http.Request, proxies connections.Proxies) caller {
	c := caller{
		address: proxies.Client(connections.Parse(r.RemoteAddr), r.Header.Values("X-Forwarded-For")),
		trace:   traceOf(singleHeader(r.Header, "Traceparent", traceparentForm)),
	}
	if id := singleHeader(r.Header, "X-Request-Id", requestIDForm); len(id) <= maxRequestID {
		c.requestID = id
	}
	return c
}

const maxRequestID = 64

var (
	requestIDForm = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	// https://www.w3.org/TR/trace-context/#traceparent-header: later versions may add fields.
	traceparentForm = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$`)
)

// singleHeader returns the value of a header that occurs once and has the given form, or "".
func singleHeader(header http.Header, name string, form *regexp.Regexp) string {
	values := header.Values(name)
	if len(values) != 1 || !form.MatchString(values[0]) {
		return ""
	}
	return values[0]
}

// traceOf returns the trace-id of a traceparent, or "" if one of its ids or its version is invalid.
func traceOf(traceparent string) string {
	fields := strings.Split(traceparent, "-")
	if len(fields) < 4 || fields[0] == "ff" || fields[0] == "00" && len(fields) > 4 ||
		strings.Trim(fields[1], "0") == "" || strings.Trim(fields[2], "0") == "" {
		return ""
	}
	return fields[1]
}

// log adds the caller to the attributes of a request's line.
func (c caller) log(attrs []slog.Attr) []slog.Attr {
	if c.address.IsValid() {
		attrs = append(attrs, slog.String("address", c.address.String()))
	}
	if c.requestID != "" {
		attrs = append(attrs, slog.String("caller_request_id", c.requestID))
	}
	if c.trace != "" {
		attrs = append(attrs, slog.String("trace", c.trace))
	}
	return attrs
}
