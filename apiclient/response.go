package apiclient

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
	"strings"

	"tarmac/internal/termtext"
)

const (
	maxBody      = 8 << 20  // maximum size of a JSON body, in bytes
	maxPDF       = 32 << 20 // maximum size of a PDF document, in bytes
	maxErrorBody = 1 << 20  // maximum number of bytes read from a response with an error status
)

// bodyKind is the kind of body expected in a response.
type bodyKind int

const (
	jsonBody bodyKind = iota
	pdfBody
	noBody
)

func (k bodyKind) accept() string {
	if k == pdfBody {
		return "application/pdf, application/json" // errors are sent as JSON
	}
	return "application/json"
}

func (k bodyKind) matches(contentType string) bool {
	if k == pdfBody {
		media, _, err := mime.ParseMediaType(contentType)
		return err == nil && media == "application/pdf"
	}
	return isJSON(contentType)
}

func (k bodyKind) maxBytes() int64 {
	if k == pdfBody {
		return maxPDF
	}
	return maxBody
}

func (k bodyKind) String() string {
	if k == pdfBody {
		return "a PDF document"
	}
	return "JSON"
}

// result is the header and the body of a successful response.
type result struct {
	header         http.Header
	body           []byte
	maybeTruncated bool // the body ended with the connection, so part of it may be missing
}

// readResult reads the body of a response that has the expected status.
func (c *Client) readResult(ctx context.Context, call call, resp *http.Response) (result, error) {
	got := result{header: resp.Header}
	if call.kind == noBody {
		return got, nil
	}
	if media := resp.Header.Get("Content-Type"); !call.kind.matches(media) {
		wrong := call.contractError("", fmt.Sprintf("is %s instead of %s", mediaName(c.clean(media)), call.kind))
		wrong.NotAPI = true
		return result{}, wrong
	}
	most := call.kind.maxBytes()
	size := min(max(resp.ContentLength, 0), most)
	buffer := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	n, err := buffer.ReadFrom(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return result{}, &NetworkError{
			Method: call.method, Route: call.route, Err: fmt.Errorf("the answer broke off: %w", c.cause(ctx, err)),
			Partial: true, OutcomeUnknown: call.isWrite(),
		}
	case n > most:
		return result{}, call.contractError("", fmt.Sprintf("is larger than %d MiB", most>>20))
	}
	got.body = buffer.Bytes()
	got.maybeTruncated = resp.ContentLength < 0 && len(resp.TransferEncoding) == 0 && !resp.Uncompressed &&
		resp.ProtoMajor < 2
	return got, nil
}

// statusError returns the error for a response with an unexpected status.
func (c *Client) statusError(call call, resp *http.Response) error {
	e := &Error{
		Status: resp.StatusCode, Method: call.method, Route: call.route,
		RequestID:  c.clean(resp.Header.Get("X-Request-Id")),
		Credential: c.credential, Local: c.local,
		RetryAfter: retryAfter(resp.Header.Get("Retry-After"), c.clock.Now()),
	}
	if e.Status == http.StatusTooManyRequests && !call.isWrite() {
		e.RetryAfter = c.limiter.waitFor(c.clock.Now())
	}
	if e.Status < 300 {
		return call.contractError("", fmt.Sprintf("has status %d instead of %d", e.Status, call.status))
	}
	if e.Status < 400 {
		// Do not name the target of the redirect, because its URL may contain a secret.
		e.Message = "the server redirects to another address; redirects are not followed, check the base URL"
		e.OutcomeUnknown = call.isWrite() && mayHaveActed(e.Status)
		return e
	}
	if e.Status == http.StatusForbidden {
		e.Scope = c.clean(scopeOf(resp.Header.Get("WWW-Authenticate")))
	}
	var text string
	text, e.Extension = errorBody(resp)
	e.Message = c.clean(text)
	e.OutcomeUnknown = call.isWrite() && mayHaveActed(e.Status)
	if e.Message == "" {
		e.Message = "the server answered " + strings.ToLower(statusText(e.Status))
	}
	return e
}

// errorBody returns the message in an error response (docs/api.md, Errors) and its extension, if it
// has one. If the response does not have the form of the API, the message is "".
func errorBody(resp *http.Response) (message string, x *Extension) {
	if !isJSON(resp.Header.Get("Content-Type")) {
		return "", nil
	}
	var response struct {
		Error     string          `json:"error"`
		Extension json.RawMessage `json:"extension"`
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil || json.Unmarshal(body, &response) != nil {
		return "", nil
	}
	if applies(resp.Header, extension) && !isNull(response.Extension) {
		if x, err = decodeExtension(response.Extension); err != nil {
			x = nil // the error itself matters more
		}
	}
	return response.Error, x
}

// mayHaveActed reports whether a server that responded with this status may have carried out the
// write. A gateway that reports an error does not know what the service behind it did, and a
// service may fail after it has changed data. Some servers answer a completed write with 303 See
// Other.
func mayHaveActed(status int) bool {
	return status == http.StatusSeeOther || status >= 500
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "with an unknown status"
}

// cause returns the error of the context if that has ended, and otherwise the transport's error
// without the URL. An error whose text contains the token or a signing secret is replaced.
func (c *Client) cause(ctx context.Context, err error) error {
	if stopped := ctx.Err(); stopped != nil {
		return stopped
	}
	inner := withoutURL(err)
	if text := termtext.Block(inner.Error()); c.hide(text) != text {
		return errors.New("the server's answer cannot be read")
	}
	return inner
}

func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// clean returns text from a server or a proxy as one line that is safe to print and contains no
// secrets. It first removes invisible characters, because these may split a secret.
func (c *Client) clean(s string) string { return termtext.Line(c.hide(termtext.Block(s))) }

// hide masks the token, and everything that has the form of a signing secret, in text from a server
// or a proxy.
func (c *Client) hide(s string) string {
	if token := c.token().Reveal(); token != "" {
		s = strings.ReplaceAll(s, token, redacted)
	}
	return hideSecrets(s)
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil &&
		(media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json"))
}

func mediaName(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	if media = strings.TrimSpace(termtext.Line(media)); media == "" || len(media) > 60 {
		return "something"
	}
	return media
}
