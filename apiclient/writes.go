package apiclient

import (
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// freshConnections returns a copy of base that opens a new connection for every request. If a
// reused connection turns out to be closed, net/http either resends the request or cannot tell
// whether it arrived; writes allow neither. Transports other than *http.Transport are returned
// unchanged.
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

// unsent reports whether the request was certainly not sent, because it asked for a connection and
// got none. It returns false for a transport that does not report connections.
func (w *progress) unsent() bool { return w.waiting.Load() && !w.connected.Load() }
