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

// bound ends what is endless, in case a client reads on.
const bound = 256 << 20

// exchange is a request that something befalls.
type exchange struct {
	w       http.ResponseWriter
	r       *http.Request
	options Options
	next    http.Handler
	good    *answer // what the service said, where it was asked
}

// ask has the service answer a request.
func (x *exchange) ask(r *http.Request) *answer {
	a := &answer{status: http.StatusOK, header: http.Header{}}
	x.next.ServeHTTP(a, r)
	return a
}

func (x *exchange) drain() { _, _ = io.Copy(io.Discard, io.LimitReader(x.r.Body, 1<<20)) }

func (x *exchange) say(status int, kind, body string) {
	x.w.Header().Set("Content-Type", kind)
	x.w.WriteHeader(status)
	_, _ = io.WriteString(x.w, body)
}

// pass gives what the service said, with another body.
func (x *exchange) pass(body []byte) {
	for name, values := range x.good.header {
		x.w.Header()[name] = values
	}
	x.w.Header().Del("Content-Length")
	x.w.WriteHeader(x.good.status)
	if x.good.status != http.StatusNoContent {
		_, _ = x.w.Write(body)
	}
}

// distort gives what the service said with its JSON changed; what is none is cut.
func (x *exchange) distort(change func(any) any) {
	var value any
	decoder := json.NewDecoder(&x.good.body)
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		x.pass([]byte(`{"`))
		return
	}
	body, err := json.Marshal(change(value))
	if err != nil {
		body = []byte(`{"`)
	}
	x.pass(body)
}

// raw takes the connection, says something and ends it, by a reset where reset is
// set.
func (x *exchange) raw(text string, reset bool) {
	if conn := x.take(text); conn != nil {
		if tcp, ok := conn.(*net.TCPConn); ok && reset {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
}

// take says something over a connection that is the server's no longer. A
// connection that cannot be taken is hung up.
func (x *exchange) take(text string) net.Conn {
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

// head is the beginning of a good answer whose body has so many bytes.
func (x *exchange) head(length int) string {
	status, kind := http.StatusOK, "application/json"
	if x.good != nil {
		status = x.good.status
		kind = x.good.header.Get("Content-Type")
	}
	return fmt.Sprintf("HTTP/1.1 %d Fine\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", status, kind, length)
}

// half promises more than it says.
func (x *exchange) half(reset bool) {
	body := x.good.body.Bytes()
	x.raw(x.head(len(body)+64)+string(body[:len(body)/2]), reset)
}

// hold says nothing until the client gives up.
func (x *exchange) hold() {
	if x.options.Held != nil {
		x.options.Held(x.r)
	}
	<-x.r.Context().Done()
}

// stall begins and then says nothing more until the client gives up.
func (x *exchange) stall(text string) {
	conn := x.take(text)
	if x.options.Held != nil {
		x.options.Held(x.r)
	}
	_, _ = io.Copy(io.Discard, conn) // ends when the client hangs up
	_ = conn.Close()
}

func (x *exchange) drip() {
	body := x.good.body.Bytes()
	x.stall(x.head(len(body)+64) + string(body[:len(body)/2]))
}

// repeat writes a piece over and over until the client has enough.
func repeat(w io.Writer, piece []byte) {
	for n := 0; n < bound; n += len(piece) {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

func (x *exchange) flood() {
	x.say(http.StatusOK, "application/json", `{"data":[`)
	repeat(x.w, bytes.Repeat([]byte(`"9",`), 8<<10))
}

// bomb is small on the way and endless unpacked: members of a megabyte each.
func (x *exchange) bomb() {
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20))
	_ = z.Close()
	x.w.Header().Set("Content-Encoding", "gzip")
	x.say(http.StatusOK, "application/json", "")
	repeat(x.w, member.Bytes())
}

func (x *exchange) headers() {
	conn := x.take("HTTP/1.1 200 OK\r\n")
	repeat(conn, []byte("X-More: "+strings.Repeat("x", 4<<10)+"\r\n"))
	_ = conn.Close()
}

func (x *exchange) interim() {
	conn := x.take("")
	repeat(conn, []byte("HTTP/1.1 103 Early Hints\r\nLink: </"+strings.Repeat("x", 1<<10)+">\r\n\r\n"))
	_ = conn.Close()
}

// sameAgain makes a page lead back to itself, and a first one to its own rows.
func (x *exchange) sameAgain() {
	here := x.r.URL.Query().Get("cursor") + x.r.URL.Query().Get("starting_after")
	x.distort(func(value any) any {
		if list, ok := value.(map[string]any); ok && here != "" {
			list["next_cursor"] = here
		}
		return value
	})
}

// firstAgain answers every page with the first one.
func (x *exchange) firstAgain() {
	first := x.r.Clone(x.r.Context())
	query := first.URL.Query()
	query.Del("cursor")
	query.Del("starting_after")
	first.URL = &url.URL{Path: x.r.URL.Path, RawQuery: query.Encode()}
	x.good = x.ask(first)
	x.pass(x.good.body.Bytes())
}
