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

// exchange is one HTTP request and its response. The whole response is encoded before any of it is
// sent, so that a failure while encoding can still be answered as an error.
type exchange struct {
	w         http.ResponseWriter
	r         *http.Request
	callerCtx context.Context // ends when the caller hangs up
	id        string
	caller    caller
	pathParam string // value of the variable in the route's path, or "" if it has none
	operation string // operation's name; "" if the route is not an API operation
	route     string
	status    int
	failure   error // reason why the request failed, for the log
	org       string
	token     string
}

// ServeHTTP implements http.Handler.
func (api *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	api.exchange(w, r).discardBody()
}

// exchange responds to one request, logs and counts it, even if the handler panics.
func (api *API) exchange(w http.ResponseWriter, r *http.Request) (x *exchange) {
	started := time.Now()
	ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
	defer cancel()
	x = &exchange{w: w, r: r.WithContext(ctx), callerCtx: r.Context(), id: "req_" + rand.Text(),
		caller: callerOf(r, api.Proxies)}
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
	if api.stopping.Load() {
		header.Set("Connection", "close")
	}
	found, pathParam, problem := api.findRoute(r)
	if problem != nil {
		x.fail(problem)
		return x
	}
	x.operation, x.route, x.pathParam = found.operation, found.pattern, pathParam
	found.serve(x)
	return x
}

// recover responds to a panic with an internal error. If sending the response has begun, it closes
// the connection instead.
func (x *exchange) recover() {
	cause := recover()
	if cause == nil {
		return
	}
	err := errors.New("a fault in the program: " + panics.Describe(cause).Where())
	if x.status != 0 {
		x.failure = err
		panic(http.ErrAbortHandler)
	}
	x.fail(err)
}

// log writes one line about a request, without its query, its body or a secret.
func (api *API) log(x *exchange, elapsed time.Duration) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("request_id", x.id), slog.String("method", methodLabel(x.r.Method)), slog.String("route", x.route),
		slog.Int("status", x.status), slog.Float64("took_ms", float64(elapsed.Microseconds())/1000),
		slog.String("org", x.org), slog.String("token", x.token),
	}
	attrs = x.caller.log(attrs)
	if x.failure != nil && tellsReason(x.status) {
		attrs = append(attrs, slog.String("error", x.failure.Error()))
	}
	if x.failure != nil && x.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	api.Logger.LogAttrs(x.r.Context(), level, "request", attrs...)
}

// tellsReason reports whether the log says why a request failed with a status. It does for failures
// of the service and for refusals that may be an attack. The texts of other refusals may quote the
// caller.
func tellsReason(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return true
	}
	return status >= statusHungUp
}

// methodLabel returns a standard HTTP method unchanged, and "other" for any other text. A caller
// may send any text of any length as the method, which must not fill the log.
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
	if p.extension != nil {
		// An encoding error leaves the member out, and the error is still answered.
		if extension, err := encodeJSON(p.extension); err == nil {
			body.b = append(appendKey(body.b, "extension"), extension...)
		}
	}
	body.b = append(body.b, "}\n"...)
	x.write(p.status, jsonType, body.b)
	if x.hungUp(p) {
		x.status = statusHungUp
	}
}

// statusHungUp is the status in the log and the metrics of a request whose caller hung up before
// the response. It is never sent. Proxies such as nginx use the same number.
const statusHungUp = 499

// hungUp reports whether the request failed with p because the caller hung up. It returns false for
// a time-out, and if the service is stopping.
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
	_, _ = x.w.Write(body) // fails only if the caller has hung up
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

// readyTimeout is the longest time for which a probe waits for the database.
const readyTimeout = time.Second

func (api *API) ready(x *exchange) {
	if api.stopping.Load() {
		x.fail(retryLater(http.StatusServiceUnavailable, "the service is stopping", nil))
		return
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), readyTimeout)
	defer cancel()
	if err := api.Store.Ready(ctx); err != nil {
		x.fail(retryLater(http.StatusServiceUnavailable, "the database cannot be used", err))
		return
	}
	x.write(http.StatusOK, jsonType, []byte(`{"status":"ready"}`+"\n"))
}
