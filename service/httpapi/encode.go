package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"tarmac/internal/civil"
)

// buffer holds a response while it is encoded. Buffers are reused through a sync.Pool because
// responses are large: a page of a hundred transactions takes forty kilobytes.
type buffer struct{ b []byte }

func (b *buffer) Write(p []byte) (int, error) {
	b.b = append(b.b, p...)
	return len(p), nil
}

const (
	bufferSize      = 64 << 10
	maxPooledBuffer = 1 << 20
)

var buffers = sync.Pool{New: func() any { return &buffer{b: make([]byte, 0, bufferSize)} }}

func borrowBuffer() *buffer { return buffers.Get().(*buffer) }

func returnBuffer(b *buffer) {
	if cap(b.b) <= maxPooledBuffer {
		b.b = b.b[:0]
		buffers.Put(b)
	}
}

// jsonAppender is implemented by responses that append their own JSON instead of using
// encoding/json.
type jsonAppender interface{ appendJSON([]byte) []byte }

// customResponse is a response that has headers, a status other than 200, or a body other than
// JSON.
type customResponse struct {
	status      int
	header      [][2]string
	body        any    // encoded as JSON, unless raw is set
	raw         []byte // sent unchanged instead of body, if not nil
	contentType string // content type of raw; the default is JSON
}

// respond sends v as JSON with status 200. If v is a customResponse, it sends that instead.
func (x *exchange) respond(v any) error {
	r, ok := v.(customResponse)
	if !ok {
		r = customResponse{status: http.StatusOK, body: v}
	}
	for _, h := range r.header {
		x.w.Header().Set(h[0], h[1])
	}
	switch {
	case r.status == http.StatusNoContent:
		x.status = r.status
		x.w.WriteHeader(r.status)
		return nil
	case r.raw != nil:
		x.write(r.status, cmp.Or(r.contentType, jsonType), r.raw)
		return nil
	}
	body := borrowBuffer()
	defer returnBuffer(body)
	if err := body.encode(r.body); err != nil {
		return err
	}
	x.write(r.status, jsonType, body.b)
	return nil
}

// encodeJSON returns v as JSON in a new slice, which the caller may keep.
func encodeJSON(v any) ([]byte, error) {
	body := borrowBuffer()
	defer returnBuffer(body)
	if err := body.encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(body.b), nil
}

func (b *buffer) encode(v any) error {
	if a, ok := v.(jsonAppender); ok {
		b.b = append(a.appendJSON(b.b), '\n')
		return nil
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	return nil
}

// appendString appends s as a JSON string, with the bytes that encoding/json writes if it does not
// escape HTML. Plain ASCII, by far the most common, is copied without an encoder.
func appendString(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendEscaped(b, s)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendEscaped(b []byte, s string) []byte {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // unreachable: every string can be encoded
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}

// appendField appends a comma, the quoted name, a colon and the value as a JSON string.
func appendField(b []byte, name, value string) []byte {
	b = appendKey(b, name)
	return appendString(b, value)
}

func appendKey(b []byte, name string) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

func appendInt(b []byte, name string, n int64) []byte {
	return appendDigits(appendKey(b, name), n)
}

// appendDate appends a comma, the quoted name, a colon and the date as "YYYY-MM-DD".
func appendDate(b []byte, name string, d civil.Date) []byte {
	b = append(appendKey(b, name), '"')
	year, month, day := d.Year(), int(d.Month()), d.Day()
	b = appendPair(appendPair(b, year/100), year%100)
	b = appendPair(append(b, '-'), month)
	b = appendPair(append(b, '-'), day)
	return append(b, '"')
}

func appendPair(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }

func appendDigits(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

func appendBool(b []byte, name string, v bool) []byte {
	return strconv.AppendBool(appendKey(b, name), v)
}

// timestamp returns t in UTC with microseconds, as responses show times.
func timestamp(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func nullableTime(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := timestamp(*t)
	return &u
}
