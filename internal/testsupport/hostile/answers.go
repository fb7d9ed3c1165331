package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// mark separates the text of the service from the attack that follows it. If a request contains
// such a text, the mark and the attack are removed before the service gets it.
const mark = "¦"

// Answers is a handler that adds attacks to the responses of the handler Next.
type Answers struct {
	Next http.Handler
	// Words says that attacks are added to enumerated values too, such as statuses.
	Words bool
	// Refuse is the status of every response, unless it is 0. The error text is then an attack, and
	// Next is not called.
	Refuse int

	turn atomic.Uint64
}

// ServeHTTP passes a request to Next and adds attacks to all texts and headers in the response.
func (a *Answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.Refuse != 0 {
		a.headers(w.Header())
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.Refuse)
		_, _ = w.Write(appendJSON(nil, map[string]any{"error": a.next(false)}))
		return
	}
	good := &answer{header: http.Header{}, status: http.StatusOK}
	a.Next.ServeHTTP(good, plain(r))
	for name, values := range good.header {
		w.Header()[name] = values
	}
	w.Header().Del("Content-Length")
	a.headers(w.Header())
	body := good.body.Bytes()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&value) == nil {
		body = appendJSON(nil, a.spoil("", value))
	}
	w.WriteHeader(good.status)
	if good.status != http.StatusNoContent {
		_, _ = w.Write(body)
	}
}

// headers sets headers that contain attacks. It leaves out control characters, which net/http
// refuses in headers.
func (a *Answers) headers(h http.Header) {
	text := func() string {
		return strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return -1
			}
			return r
		}, a.next(true))
	}
	for _, name := range []string{"X-Request-Id", "Server", "Via"} {
		h.Set(name, text())
	}
	h.Set("Content-Disposition", `attachment; filename="`+text()+`.pdf"`)
	h.Set("WWW-Authenticate", `Bearer scope="`+text()+`"`)
}

// next returns another attack at each call. If short is set, the attack has fewer than 60 bytes.
func (a *Answers) next(short bool) string {
	all := Texts()
	for {
		// Vary the step between attacks, so that a field that each record has receives all attacks
		// in turn.
		text := all[a.turn.Add(1)*0x9e3779b97f4a7c15>>32%uint64(len(all))].Value
		if !short || len(text) < 60 {
			return text
		}
	}
}

// words lists the fields with enumerated values. Programs decide by these values.
var words = map[string]bool{
	"status": true, "type": true, "direction": true, "currency": true, "event_types": true, "event_type": true,
	"source": true, "scopes": true,
}

func (a *Answers) spoil(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		spoilt := map[string]any{a.next(true): a.next(false)}
		for key, inner := range v {
			spoilt[key] = a.spoil(key, inner)
		}
		return spoilt
	case []any:
		for i := range v {
			v[i] = a.spoil(name, v[i])
		}
		return v
	case string:
		switch {
		case v == "" && (name == "next_cursor" || strings.HasSuffix(name, "_at")), isTime(v), name == "quantity",
			name == "secret":
			return v
		case words[name]:
			if a.Words {
				return v + a.next(true)
			}
			return v
		case name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_cursor") || name == "number" ||
			name == "url":
			return v + mark + a.next(true)
		}
		return v + mark + a.next(false)
	}
	return value
}

func isTime(s string) bool {
	_, date := time.Parse(time.DateOnly, s)
	_, moment := time.Parse(time.RFC3339, s)
	return date == nil || moment == nil
}

// appendJSON appends a value as JSON. It escapes only what JSON requires, even if the text is not
// valid UTF-8.
func appendJSON(b []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		b = append(b, '{')
		for key, inner := range v {
			b = append(appendJSON(append(appendJSON(b, key), ':'), inner), ',')
		}
		return append(bytes.TrimSuffix(b, []byte(",")), '}')
	case []any:
		b = append(b, '[')
		for _, inner := range v {
			b = append(appendJSON(b, inner), ',')
		}
		return append(bytes.TrimSuffix(b, []byte(",")), ']')
	case string:
		b = append(b, '"')
		for i := range len(v) {
			switch c := v[i]; {
			case c < ' ':
				b = fmt.Appendf(b, `\u%04x`, c)
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			default:
				b = append(b, c)
			}
		}
		return append(b, '"')
	case nil:
		return append(b, "null"...)
	}
	return fmt.Append(b, value)
}

// plain returns a copy of a request. Its IDs and cursors lack the attacks that earlier responses
// added to them.
func plain(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for i, s := range segments {
		segments[i], _, _ = strings.Cut(s, "%C2%A6")
	}
	r.URL.RawPath = ""
	r.URL.Path = strings.Join(segments, "/")
	query := r.URL.Query()
	for _, values := range query {
		for i := range values {
			values[i], _, _ = strings.Cut(values[i], mark)
		}
	}
	r.URL.RawQuery = query.Encode()
	r.RequestURI = ""
	return r
}

// answer stores the response of a handler.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }
