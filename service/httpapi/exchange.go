package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"tarmac/internal/panics"
)

// exchange is one request and the answer to it. Nothing is written before the
// whole answer is known, so that a failure at any point can still be told.
type exchange struct {
	w         http.ResponseWriter
	r         *http.Request
	caller    context.Context // ends when the caller hangs up
	id        string
	variable  string // what stood in the path for its variable
	operation string
	route     string
	status    int
	failure   error // why the status is not a success
	org       string
	token     string
}

// ServeHTTP answers one request.
func (api *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	api.exchange(w, r).discardRest()
}

// exchange answers one request, and logs and counts it. It is returned after a panic too.
func (api *API) exchange(w http.ResponseWriter, r *http.Request) (x *exchange) {
	started := time.Now()
	ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
	defer cancel()
	x = &exchange{w: w, r: r.WithContext(ctx), caller: r.Context(), id: "req_" + rand.Text()}
	header := w.Header()
	header.Set("X-Request-Id", x.id)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	defer func() {
		took := time.Since(started)
		api.Answered(x.operation, x.status, took)
		api.log(x, took)
	}()
	defer x.recover()
	found, variable, problem := api.find(r)
	if problem != nil {
		x.fail(problem)
		return x
	}
	x.operation, x.route, x.variable = found.operation, found.pattern, variable
	found.serve(x)
	return x
}

// recover answers a panic as an internal error when nothing was answered yet.
func (x *exchange) recover() {
	cause := recover()
	if cause == nil {
		return
	}
	err := errors.New("a fault in the program: " + panics.Of(cause).Where())
	if x.status != 0 {
		// The answer has begun: breaking the connection is the only honest end.
		x.failure = err
		panic(http.ErrAbortHandler)
	}
	x.fail(err)
}

// log writes one line a request. It holds no query, no body and no secret.
func (api *API) log(x *exchange, took time.Duration) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("request_id", x.id), slog.String("method", known(x.r.Method)), slog.String("route", x.route),
		slog.Int("status", x.status), slog.Float64("took_ms", float64(took.Microseconds())/1000), slog.String("org", x.org), slog.String("token", x.token),
	}
	if x.failure != nil && x.status >= statusHungUp {
		attrs = append(attrs, slog.String("error", x.failure.Error()))
	}
	if x.failure != nil && x.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	api.Logger.LogAttrs(x.r.Context(), level, "request", attrs...)
}

// known is a method that the contract or a browser uses; any other is whatever its
// sender wrote, of any length.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// fail answers with an error.
func (x *exchange) fail(err error) {
	p := problemOf(err)
	x.failure = p
	for _, h := range p.header {
		x.w.Header().Set(h[0], h[1])
	}
	body := borrowBuffer()
	defer returnBuffer(body)
	body.b = append(body.b, `{"error":`...)
	body.b = appendString(body.b, p.text)
	body.b = append(body.b, "}\n"...)
	x.write(p.status, jsonType, body.b)
	if x.hungUp(p) {
		x.status = statusHungUp
	}
}

// statusHungUp is what a request counts as whose caller left before it was answered, as
// with the proxies that operators know. It is not sent: nobody is there to read it.
const statusHungUp = 499

// hungUp reports whether p came of the caller's leaving, and not of a time-out or of
// the end of the service.
func (x *exchange) hungUp(p *problem) bool {
	return errors.Is(p, context.Canceled) && errors.Is(context.Cause(x.caller), context.Canceled)
}

const jsonType = "application/json"

// write sends the whole answer.
func (x *exchange) write(status int, contentType string, body []byte) {
	x.status = status
	header := x.w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	x.w.WriteHeader(status)
	if x.r.Method == http.MethodHead {
		return
	}
	// A caller that has gone away is nothing to do anything about.
	_, _ = x.w.Write(body)
}

func (api *API) contract(x *exchange) {
	if len(api.Contract) == 0 {
		x.fail(noSuch("route"))
		return
	}
	x.write(http.StatusOK, "application/yaml", api.Contract)
}

func (api *API) health(x *exchange) {
	x.write(http.StatusOK, jsonType, []byte(`{"status":"ok"}`+"\n"))
}

func (api *API) ready(x *exchange) {
	if err := api.Store.Ready(x.r.Context()); err != nil {
		x.fail(retryLater(http.StatusServiceUnavailable, "the database cannot be read", err))
		return
	}
	x.write(http.StatusOK, jsonType, []byte(`{"status":"ready"}`+"\n"))
}
