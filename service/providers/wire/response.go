package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"tarmac/internal/termtext"
	"tarmac/service/egress"
)

// ErrorKind classifies an Error.
type ErrorKind uint8

// Kinds of errors.
const (
	Unsent       ErrorKind = iota // nothing was sent
	NoAnswer                      // the request may have been sent, but there is no whole answer
	Redirected                    // the answer is a redirect, which is not followed
	BadStatus                     // the answer has another status than 200 to 299; see Error.Status
	NotJSON                       // the answer is no JSON, such as the HTML page of a captive portal
	WrongContent                  // the answer is JSON of another shape than expected
)

// Error is an error of a request. Its text is a clean sentence without secrets, without parts of
// the answer's body and without the URL.
type Error struct {
	Kind       ErrorKind
	Text       string
	Host       string // host that the request was for
	Status     int    // HTTP status; 0 without an answer
	RetryAfter time.Duration
	Waited     time.Duration // time after which the host had not answered, if that is what failed; else 0
	// Body is the body of an answer with a wrong status, at most 64 KiB, for error codes in it. It
	// is hostile text and may repeat the credential: never print it.
	Body []byte
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

const maxErrorBody = 64 << 10

// failed returns the error for a request without an answer. Errors of net/http contain the URL, so
// only their cause is looked at.
func (c *Client) failed(ctx, limited context.Context, r Request, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) { // the caller had less time than the request
		r.Timeout = max(time.Since(r.began).Round(time.Second), time.Second)
	} else if ctx.Err() != nil {
		return &Error{Kind: NoAnswer, Text: "the request was stopped", Host: r.Host}
	}
	e := &Error{Kind: NoAnswer, Host: r.Host}
	var refused *proxyRefused
	switch {
	case limited.Err() != nil:
		e.Waited, e.Text = r.Timeout, fmt.Sprintf("%s did not answer within %s", r.Host, r.Timeout)
	case errors.Is(err, egress.ErrBlocked):
		e.Kind, e.Text = Unsent, r.Host+" has a private address here, and is not asked"
	case isCertificate(err):
		e.Kind, e.Text = Unsent, "the certificate of "+r.Host+" is not valid; does a network ask for a login first?"
	case errors.As(err, &refused):
		e.Kind, e.Text = Unsent, fmt.Sprintf("the proxy refused to connect to %s (status %d)", r.Host, refused.status)
	case isDial(err):
		e.Kind, e.Text = Unsent, r.Host+" cannot be reached"
	default:
		e.Text = "the connection to " + r.Host + " broke"
	}
	return e
}

// read reads the answer to a request.
func (c *Client) read(ctx, limited context.Context, r Request, answer *http.Response) (*Response, error) {
	e := &Error{Kind: BadStatus, Host: r.Host, Status: answer.StatusCode}
	switch {
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		e.Kind = Redirected
		e.Text = fmt.Sprintf("%s answered with a redirect%s, which is not followed", r.Host, target(answer))
		return nil, e
	case answer.StatusCode < 200 || answer.StatusCode >= 300:
		e.Text = fmt.Sprintf("%s answered with status %d", r.Host, answer.StatusCode)
		e.RetryAfter = retryAfter(answer.Header, time.Now())
		e.Body, _ = io.ReadAll(io.LimitReader(answer.Body, maxErrorBody))
		return nil, e
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, r.MaxBody+1))
	if err != nil {
		return nil, c.failed(ctx, limited, r, err)
	}
	if int64(len(body)) > r.MaxBody {
		e.Kind, e.Text = NoAnswer, fmt.Sprintf("the answer of %s is longer than %d MB", r.Host, r.MaxBody>>20)
		return nil, e
	}
	return &Response{Status: answer.StatusCode, Header: answer.Header, Body: body}, nil
}

// target returns " to HOST" for a redirect, or "".
func target(answer *http.Response) string {
	to, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || !egress.IsPublicName(to.Hostname()) {
		return ""
	}
	return " to " + termtext.Line(to.Hostname())
}

// maxRetryAfter is the longest wait that is believed.
const maxRetryAfter = 24 * time.Hour

// retryAfter returns the wait that the header Retry-After asks for, at most a day, or 0.
// A date is compared with the provider's own clock, if the answer has its time.
func retryAfter(header http.Header, now time.Time) time.Duration {
	if at, err := http.ParseTime(header.Get("Date")); err == nil {
		now = at
	}
	text := header.Get("Retry-After")
	wait := time.Duration(0)
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil {
		wait = time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), maxRetryAfter)
}

// maxText is the largest length in bytes of a text in an answer, as it is written there.
const maxText = 16 << 10

// hasLongText reports whether a text in JSON is longer than maxText.
func hasLongText(body []byte) bool {
	start := -1 // index of the first byte of a text; -1 outside of texts
	for i := 0; i < len(body); i++ {
		switch {
		case start < 0:
			if body[i] == '"' {
				start = i + 1
			}
		case i-start > maxText:
			return true
		case body[i] == '\\':
			i++
		case body[i] == '"':
			start = -1
		}
	}
	return false
}

// JSON decodes the body into v. Numbers in untyped values are json.Number; unknown fields are
// ignored. A text of more than 16 KiB is an error. Errors are of type *Error.
func (r *Response) JSON(host string, v any) error {
	e := &Error{Kind: NotJSON, Host: host, Status: r.Status}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/json" && !json.Valid(r.Body) {
		e.Text = "the answer of " + host + " is no JSON; does a network ask for a login first?"
		return e
	}
	if hasLongText(r.Body) {
		e.Kind, e.Text = WrongContent, fmt.Sprintf("the answer of %s has a text of more than %d KB", host, maxText>>10)
		return e
	}
	dec := json.NewDecoder(bytes.NewReader(r.Body))
	dec.UseNumber()
	err := dec.Decode(v)
	if _, rest := dec.Token(); err == nil && rest != io.EOF {
		err = errors.New("there is more than one value")
	}
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		e.Kind = WrongContent
		e.Text = fmt.Sprintf("the field %q in the answer of %s is not as documented", termtext.Line(wrong.Field), host)
		if wrong.Field == "" {
			e.Text = "the answer of " + host + " is not as documented"
		}
		return e
	}
	e.Text = "the answer of " + host + " is damaged or cut off"
	return e
}
