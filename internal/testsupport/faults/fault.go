package faults

import (
	"fmt"
	"net/http"
	"strconv"
)

// Fault is something that goes wrong with a request or its response. The zero value does nothing.
type Fault struct {
	Name string
	// Holds says that the response, or the rest of it, does not arrive as long as the client waits.
	Holds bool

	acts bool // the service carries out the request before the fault changes the response
	do   func(*exchange)
}

// WithLostResponse returns a worse form of the fault: the service carries out the request, but the
// client does not receive the response.
func (f Fault) WithLostResponse() Fault {
	if !f.acts {
		f.Name, f.acts = f.Name+", after it was done", true
	}
	return f
}

// ReachesService reports whether the service carries out the request.
func (f Fault) ReachesService() bool { return f.acts }

// Refusal returns a fault that responds with an error status, and with the error body and the
// headers that the API sends with that status.
func Refusal(status int) Fault {
	return Fault{Name: strconv.Itoa(status), do: func(x *exchange) {
		x.w.Header().Set("X-Request-Id", "req_of_a_fault")
		switch status {
		case http.StatusUnauthorized:
			x.w.Header().Set("WWW-Authenticate", `Bearer realm="finance"`)
		case http.StatusForbidden:
			x.w.Header().Set("WWW-Authenticate", `Bearer realm="finance", error="insufficient_scope", scope="some:scope"`)
		case http.StatusTooManyRequests:
			x.w.Header().Set("Retry-After", "2")
		}
		x.write(status, "application/json", `{"error":"as the fault wants it"}`)
	}}
}

// TooManyRequests returns a fault that responds with status 429 and with retryAfter as the value of
// Retry-After. If retryAfter is "", the header is missing.
func TooManyRequests(retryAfter string) Fault {
	return RetryAfter(http.StatusTooManyRequests, retryAfter)
}

// RetryAfter returns a fault that responds with an error status and with retryAfter as the value of
// Retry-After. If retryAfter is "", the header is missing.
func RetryAfter(status int, retryAfter string) Fault {
	name := fmt.Sprintf("%d, come back after %s", status, retryAfter)
	if retryAfter == "" {
		name = fmt.Sprintf("%d, no word when", status)
	}
	return Fault{Name: name, do: func(x *exchange) {
		if retryAfter != "" {
			x.w.Header().Set("Retry-After", retryAfter)
		}
		x.write(status, "application/json", `{"error":"as the fault wants it"}`)
	}}
}

const page = "<!doctype html><title>Sign in</title><p>Balance: $987,654,321.00"

// Page returns a fault that responds with an HTML page and the given status.
func Page(status int) Fault {
	return Fault{Name: fmt.Sprintf("a page with %d", status), do: func(x *exchange) {
		x.write(status, "text/html; charset=utf-8", page)
	}}
}

// Redirect returns a fault that redirects to the same URL or, if elsewhere is set, to another host.
func Redirect(status int, elsewhere bool) Fault {
	f := Fault{Name: fmt.Sprintf("%d in a circle", status)}
	if elsewhere {
		f.Name = fmt.Sprintf("%d to another host", status)
	}
	f.do = func(x *exchange) {
		to := x.r.URL.RequestURI()
		if elsewhere {
			to = x.options.Elsewhere + to
		}
		x.w.Header().Set("Location", to)
		x.write(status, "text/html", page)
	}
	return f
}

// Answers returns faults whose responses arrive completely and without delay, but break the
// contract.
func Answers() []Fault {
	return []Fault{
		Page(http.StatusOK), Page(http.StatusBadGateway), Page(http.StatusServiceUnavailable), Page(http.StatusForbidden),
		Redirect(http.StatusFound, true), Redirect(http.StatusTemporaryRedirect, true),
		Redirect(http.StatusPermanentRedirect, false),
		TooManyRequests(""), TooManyRequests("99999999999999999999"), TooManyRequests("-1"), TooManyRequests("soon"),
		{Name: "no content", do: func(x *exchange) { x.w.WriteHeader(http.StatusNoContent) }},
		{Name: "an empty body", acts: true, do: func(x *exchange) { x.respond(nil) }},
		{Name: "null", acts: true, do: func(x *exchange) { x.respond([]byte("null")) }},
		{Name: "no JSON", acts: true, do: func(x *exchange) { x.respond([]byte(`{"balance": $987,654,321.00`)) }},
		{Name: "an empty object", acts: true, do: func(x *exchange) { x.respond([]byte("{}")) }},
		{Name: "other types", acts: true, do: func(x *exchange) { x.distort(otherTypes) }},
		{Name: "nothing but nulls", acts: true, do: func(x *exchange) { x.distort(nulls) }},
		{Name: "every other field missing", acts: true, do: func(x *exchange) { x.distort(everyOther) }},
		{Name: "another content type", acts: true, do: func(x *exchange) {
			x.good.header.Set("Content-Type", "text/plain; charset=utf-8")
			x.respond(x.good.body.Bytes())
		}},
		{Name: "the status of another success", acts: true, do: func(x *exchange) {
			x.good.status = http.StatusPartialContent
			x.respond(x.good.body.Bytes())
		}},
	}
}

// Connections returns faults of the connection: it ends too early, never ends, or does not carry
// HTTP.
func Connections() []Fault {
	return []Fault{
		{Name: "hung up", do: func(x *exchange) { x.raw("", false) }},
		{Name: "reset", do: func(x *exchange) { x.raw("", true) }},
		{Name: "reset in the header", do: func(x *exchange) { x.raw("HTTP/1.1 200 OK\r\nContent-Ty", true) }},
		{Name: "hung up in the body", acts: true, do: func(x *exchange) { x.half(false) }},
		{Name: "reset in the body", acts: true, do: func(x *exchange) { x.half(true) }},
		{Name: "no HTTP", do: func(x *exchange) { x.raw("220 mail.example ready\r\n\r\n", false) }},
		{Name: "an endless body", do: (*exchange).flood},
		{Name: "an endless body, packed", do: (*exchange).bomb},
		{Name: "an endless header", do: (*exchange).headers},
		{Name: "endless interim answers", do: (*exchange).interim},
		{Name: "silence", Holds: true, do: (*exchange).hold},
		{Name: "silence in the header", Holds: true, do: func(x *exchange) { x.stall("HTTP/1.1 200 OK\r\nContent-Ty") }},
		{Name: "silence in the body", Holds: true, acts: true, do: (*exchange).drip},
	}
}

// Cursors returns faults of lists whose next page repeats an earlier page.
func Cursors() []Fault {
	return []Fault{
		{Name: "a next page that is this one", acts: true, do: (*exchange).sameAgain},
		{Name: "a first page for ever", acts: true, do: (*exchange).firstAgain},
	}
}
