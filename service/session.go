package service

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/netip"

	"tarmac/service/httpapi"
)

// SessionTransport returns a transport that passes requests of a session over SSH to Handler
// without a network. The session's SSH key authorizes them. remote is the address of the person,
// for the limits of addresses.
func (s *Service) SessionTransport(session httpapi.Session, remote netip.AddrPort) http.RoundTripper {
	return &sessionTransport{s.handler, session, remote.String()}
}

type sessionTransport struct {
	handler http.Handler
	session httpapi.Session
	remote  string
}

// RoundTrip implements http.RoundTripper. The response is complete when RoundTrip returns.
func (t *sessionTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	served := request.Clone(httpapi.WithSession(ctx, t.session))
	served.RequestURI, served.RemoteAddr = request.URL.RequestURI(), t.remote
	served.Header.Del("Authorization")
	if served.Body == nil {
		served.Body = http.NoBody
	}
	defer func() { _ = served.Body.Close() }()
	w := &responseWriter{header: http.Header{}}
	if err := serveAborting(t.handler, w, served); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: request,
	}, nil
}

// serveAborting serves a request and returns an error if the handler gives up with
// http.ErrAbortHandler.
func serveAborting(handler http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if fault := recover(); fault == http.ErrAbortHandler {
			err = errors.New("the service broke off its response")
		} else if fault != nil {
			panic(fault)
		}
	}()
	handler.ServeHTTP(w, r)
	return nil
}

// responseWriter keeps a response in memory.
type responseWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *responseWriter) Header() http.Header { return w.header }

func (w *responseWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *responseWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}
