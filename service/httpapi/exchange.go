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

// exchange is one request and its response. The response is complete before any of it is
// written, so that any failure can still be answered as an error.
type exchange struct {
	w         http.ResponseWriter
	r         *http.Request
	callerCtx context.Context // ends when the caller hangs up
	id        string
	pathParam string // the value of the path's variable, "" if it has none
	operation string // "" for routes outside the contract
	route     string
	status    int
	failure   error // cause of a status that is not a success
	org       string
	token     string
}

// ServeHTTP implements http.Handler.
func (api *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	api.exchange(w, r).discardBody()
}

// exchange answers, logs and counts one request, even if its handler panics.
func (api *API) exchange(w http.ResponseWriter, r *http.Request) (x *exchange) {
	started := time.Now()
	ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
	defer cancel()
	x = &exchange{w: w, r: r.WithContext(ctx), callerCtx: r.Context(), id: "req_" + rand.Text()}
	header := w.Header()
	header.Set("X-Request-Id", x.id)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	defer func() {
		elapsed := time.Since(started)
		api.OnResponse(x.operation, x.status, elapsed)
		api.log(x, elapsed)
	}()
	defer x.recover()
	found, pathParam, problem := api.findRoute(r)
	if problem != nil {
		x.fail(problem)
		return x
	}
	x.operation, x.route, x.pathParam = found.operation, found.pattern, pathParam
	found.serve(x)
	return x
}

// recover answers a panic with an internal error, or closes the connection if the response
// has begun.
func (x *exchange) recover() {
	cause := recover()
	if cause == nil {
		return
	}
	err := errors.New("a fault in the program: " + panics.Of(cause).Where())
	if x.status != 0 {
		x.failure = err
		panic(http.ErrAbortHandler)
	}
	x.fail(err)
}

// log writes one line for each request, without its query, its body or a secret.
func (api *API) log(x *exchange, elapsed time.Duration) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("request_id", x.id), slog.String("method", methodLabel(x.r.Method)), slog.String("route", x.route),
		slog.Int("status", x.status), slog.Float64("took_ms", float64(elapsed.Microseconds())/1000),
		slog.String("org", x.org), slog.String("token", x.token),
	}
	if x.failure != nil && x.status >= statusHungUp {
		attrs = append(attrs, slog.String("error", x.failure.Error()))
	}
	if x.failure != nil && x.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	api.Logger.LogAttrs(x.r.Context(), level, "request", attrs...)
}

// methodLabel returns a well-known method as it is, and "other" for the rest: a caller may
// send any text of any length as the method.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return "other"
}

// fail responds with an error, and records it for the log.
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

// statusHungUp is logged and counted for a request whose caller hung up before the
// response. It is never sent. Proxies such as nginx use the same number.
const statusHungUp = 499

// hungUp reports whether p was caused by the caller hanging up, and not by a time-out or by the
// service stopping.
func (x *exchange) hungUp(p *problem) bool {
	return errors.Is(p, context.Canceled) && errors.Is(context.Cause(x.callerCtx), context.Canceled)
}

const jsonType = "application/json"

// write sends the complete response.
func (x *exchange) write(status int, contentType string, body []byte) {
	x.status = status
	header := x.w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	x.w.WriteHeader(status)
	if x.r.Method == http.MethodHead {
		return
	}
	_, _ = x.w.Write(body) // fails only if the caller is gone
}

func (api *API) contract(x *exchange) {
	if len(api.Contract) == 0 {
		x.fail(notFound("route"))
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
