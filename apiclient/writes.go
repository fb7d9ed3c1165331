package apiclient

import (
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// freshConnections returns base with a new connection for every request. Requests that must
// not be sent twice need it: on a reused connection that turns out dead, net/http either
// sends them again or cannot tell whether they arrived.
func freshConnections(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	if shared, ok := base.(*http.Transport); ok {
		own := shared.Clone()
		own.DisableKeepAlives = true
		return own
	}
	return base
}

// progress records how far a request got. The transport may report from other goroutines.
type progress struct{ waiting, connected atomic.Bool }

func (w *progress) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { w.waiting.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { w.connected.Store(true) },
	}
}

// unsent reports whether the request certainly never left: it waited for a connection and
// got none. A transport that reports nothing leaves it unknown.
func (w *progress) unsent() bool { return w.waiting.Load() && !w.connected.Load() }
