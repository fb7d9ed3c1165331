package apiclient

import (
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// freshConnections returns a copy of base that opens a new connection for each request. If net/http
// reuses a connection that turns out to be closed, it sends the request again or cannot tell
// whether it arrived. Neither is acceptable for writes. A transport that is not an *http.Transport
// is returned unchanged.
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

// progress records how far a request has got. It is safe for concurrent use, because a transport
// may report from other goroutines.
type progress struct{ waiting, connected atomic.Bool }

func (w *progress) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { w.waiting.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { w.connected.Store(true) },
	}
}

// unsent reports whether the request was certainly not sent, because no connection was available
// for it. For a transport that does not report connections, it returns false.
func (w *progress) unsent() bool { return w.waiting.Load() && !w.connected.Load() }
