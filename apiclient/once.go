package apiclient

import (
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// once returns base with a new connection for every request, for requests that
// must not be sent twice: net/http repeats some by itself when a connection that
// it used before turns out to be dead, and where it does not, a write that never
// arrived looks like one that may have.
func once(base http.RoundTripper) http.RoundTripper {
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

// way is how far a request came. The transport may report it from elsewhere.
type way struct{ waiting, connected atomic.Bool }

func (w *way) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { w.waiting.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { w.connected.Store(true) },
	}
}

// unsent reports whether surely nothing of the request went out: it waited for a
// connection, secured where it is to be, and got none. A transport that reports
// nothing proves nothing.
func (w *way) unsent() bool { return w.waiting.Load() && !w.connected.Load() }
