package faults

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// maxEndless is the maximum size in bytes of a response that would otherwise never end. Clients
// that read without a limit need it.
const maxEndless = 256 << 20

// exchange is a request to which a fault is applied.
type exchange struct {
	w       http.ResponseWriter
	r       *http.Request
	options Options
	next    http.Handler
	good    *answer // response of the service; nil if the service was not called
}

// callService calls the service and returns its response.
func (x *exchange) callService(r *http.Request) *answer {
	a := &answer{status: http.StatusOK, header: http.Header{}}
	x.next.ServeHTTP(a, r)
	return a
}

func (x *exchange) drain() { _, _ = io.Copy(io.Discard, io.LimitReader(x.r.Body, 1<<20)) }

func (x *exchange) write(status int, kind, body string) {
	x.w.Header().Set("Content-Type", kind)
	x.w.WriteHeader(status)
	_, _ = io.WriteString(x.w, body)
}

// respond sends the response of the service with another body.
func (x *exchange) respond(body []byte) {
	for name, values := range x.good.header {
		x.w.Header()[name] = values
	}
	x.w.Header().Del("Content-Length")
	x.w.WriteHeader(x.good.status)
	if x.good.status != http.StatusNoContent {
		_, _ = x.w.Write(body)
	}
}

// distort sends the response of the service with changed JSON. If the body is not JSON, it sends
// invalid JSON.
func (x *exchange) distort(change func(any) any) {
	var value any
	decoder := json.NewDecoder(&x.good.body)
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		x.respond([]byte(`{"`))
		return
	}
	body, err := json.Marshal(change(value))
	if err != nil {
		body = []byte(`{"`)
	}
	x.respond(body)
}

// raw takes over the connection, writes text and closes the connection. If reset is set, it closes
// the connection with a TCP reset.
func (x *exchange) raw(text string, reset bool) {
	if conn := x.hijack(text); conn != nil {
		if tcp, ok := conn.(*net.TCPConn); ok && reset {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
}

// hijack takes over the connection and writes text to it. If the connection cannot be taken over,
// it aborts the request.
func (x *exchange) hijack(text string) net.Conn {
	hijacker, ok := x.w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(conn, text)
	return conn
}

// head returns the header of a response whose body has the given number of bytes.
func (x *exchange) head(length int) string {
	status, kind := http.StatusOK, "application/json"
	if x.good != nil {
		status = x.good.status
		kind = x.good.header.Get("Content-Type")
	}
	return fmt.Sprintf("HTTP/1.1 %d Fine\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", status, kind, length)
}

// half sends half of the service's response and then closes the connection. The Content-Length
// announces more than the whole body.
func (x *exchange) half(reset bool) {
	body := x.good.body.Bytes()
	x.raw(x.head(len(body)+64)+string(body[:len(body)/2]), reset)
}

// hold sends nothing and waits until the client gives up.
func (x *exchange) hold() {
	if x.options.Held != nil {
		x.options.Held(x.r)
	}
	<-x.r.Context().Done()
}

// stall sends the start of a response, and then nothing until the client gives up.
func (x *exchange) stall(text string) {
	conn := x.hijack(text)
	if x.options.Held != nil {
		x.options.Held(x.r)
	}
	_, _ = io.Copy(io.Discard, conn) // returns when the client hangs up
	_ = conn.Close()
}

func (x *exchange) drip() {
	body := x.good.body.Bytes()
	x.stall(x.head(len(body)+64) + string(body[:len(body)/2]))
}

// repeat writes piece again and again until the client hangs up or maxEndless is reached.
func repeat(w io.Writer, piece []byte) {
	for n := 0; n < maxEndless; n += len(piece) {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

func (x *exchange) flood() {
	x.write(http.StatusOK, "application/json", `{"data":[`)
	repeat(x.w, bytes.Repeat([]byte(`"9",`), 8<<10))
}

// bomb sends compressed data that expands without end. It is sent in pieces of one megabyte.
func (x *exchange) bomb() {
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20))
	_ = z.Close()
	x.w.Header().Set("Content-Encoding", "gzip")
	x.write(http.StatusOK, "application/json", "")
	repeat(x.w, member.Bytes())
}

func (x *exchange) headers() {
	conn := x.hijack("HTTP/1.1 200 OK\r\n")
	repeat(conn, []byte("X-More: "+strings.Repeat("x", 4<<10)+"\r\n"))
	_ = conn.Close()
}

func (x *exchange) interim() {
	conn := x.hijack("")
	repeat(conn, []byte("HTTP/1.1 103 Early Hints\r\nLink: </"+strings.Repeat("x", 1<<10)+">\r\n\r\n"))
	_ = conn.Close()
}

// sameAgain sends a page whose next_cursor is the cursor of the request, so that the next page is
// the same.
func (x *exchange) sameAgain() {
	here := x.r.URL.Query().Get("cursor") + x.r.URL.Query().Get("starting_after")
	x.distort(func(value any) any {
		if list, ok := value.(map[string]any); ok && here != "" {
			list["next_cursor"] = here
		}
		return value
	})
}

// firstAgain sends the first page of a list, even if the request is for another page.
func (x *exchange) firstAgain() {
	first := x.r.Clone(x.r.Context())
	query := first.URL.Query()
	query.Del("cursor")
	query.Del("starting_after")
	first.URL = &url.URL{Path: x.r.URL.Path, RawQuery: query.Encode()}
	x.good = x.callService(first)
	x.respond(x.good.body.Bytes())
}
