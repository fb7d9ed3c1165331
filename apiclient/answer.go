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
	maxBody      = 8 << 20  // of a JSON answer
	maxPDF       = 32 << 20 // of a document
	maxErrorBody = 64 << 10 // of an answer that says no
)

// kind is what the body of a good answer is.
type kind int

const (
	jsonBody kind = iota
	pdfBody
	noBody
)

func (k kind) accept() string {
	if k == pdfBody {
		return "application/pdf, application/json" // errors are JSON
	}
	return "application/json"
}

func (k kind) is(contentType string) bool {
	if k == pdfBody {
		media, _, err := mime.ParseMediaType(contentType)
		return err == nil && media == "application/pdf"
	}
	return isJSON(contentType)
}

func (k kind) most() int64 {
	if k == pdfBody {
		return maxPDF
	}
	return maxBody
}

func (k kind) String() string {
	if k == pdfBody {
		return "a PDF document"
	}
	return "JSON"
}

// reply is a good answer.
type reply struct {
	header http.Header
	body   []byte
	open   bool // only the end of the connection ended the body: it may lack its end
}

// reply reads the body of a good answer.
func (c *Client) reply(ctx context.Context, call call, resp *http.Response) (reply, error) {
	got := reply{header: resp.Header}
	if call.kind == noBody {
		return got, nil
	}
	if media := resp.Header.Get("Content-Type"); !call.kind.is(media) {
		wrong := call.broken("", fmt.Sprintf("is %s instead of %s", shown(c.clean(media)), call.kind))
		wrong.Elsewhere = true
		return reply{}, wrong
	}
	most := call.kind.most()
	size := min(max(resp.ContentLength, 0), most)
	buffer := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	n, err := buffer.ReadFrom(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return reply{}, &NetworkError{
			Method: call.method, Route: call.route, Err: fmt.Errorf("the answer broke off: %w", c.cause(ctx, err)),
			Partial: true, OutcomeUnknown: call.changes(),
		}
	case n > most:
		return reply{}, call.broken("", fmt.Sprintf("is larger than %d MiB", most>>20))
	}
	got.body = buffer.Bytes()
	got.open = resp.ContentLength < 0 && len(resp.TransferEncoding) == 0 && !resp.Uncompressed && resp.ProtoMajor < 2
	return got, nil
}

// refusal makes the error of an answer of another status than the call's.
func (c *Client) refusal(call call, resp *http.Response) error {
	e := &Error{
		Status: resp.StatusCode, Method: call.method, Route: call.route,
		RequestID:  c.clean(resp.Header.Get("X-Request-Id")),
		RetryAfter: retryAfter(resp.Header.Get("Retry-After"), c.clock.Now()),
	}
	if e.Status == http.StatusTooManyRequests && !call.changes() {
		e.RetryAfter = c.gate.shut(c.clock.Now())
	}
	if e.Status < 300 {
		return call.broken("", fmt.Sprintf("has status %d instead of %d", e.Status, call.status))
	}
	if e.Status < 400 {
		// Where to is not told: the address may carry a secret.
		e.Message = "the server redirects to another address; redirects are not followed, check the base URL"
		e.OutcomeUnknown = call.changes() && acted(e.Status)
		return e
	}
	if e.Status == http.StatusForbidden {
		e.Scope = c.clean(scopeOf(resp.Header.Get("WWW-Authenticate")))
	}
	e.Message = c.clean(sentence(resp))
	e.OutcomeUnknown = call.changes() && acted(e.Status)
	if e.Message == "" {
		e.Message = "the server answered " + strings.ToLower(statusText(e.Status))
	}
	return e
}

// sentence reads the text of an answer that says no (docs/api.md, Errors), and ""
// where the answer is not the API's own.
func sentence(resp *http.Response) string {
	if !isJSON(resp.Header.Get("Content-Type")) {
		return ""
	}
	var answer struct {
		Error string `json:"error"`
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil || json.Unmarshal(body, &answer) != nil {
		return ""
	}
	return answer.Error
}

// acted reports whether a server that answered status may have done what it was
// asked all the same. A gateway cannot know, and a service that failed may have
// failed after it acted, whatever it says. See Other is what some answer to a write
// that was done.
func acted(status int) bool {
	return status == http.StatusSeeOther || status >= 500
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "with an unknown status"
}

// cause takes the URL out of a transport's error, and says that time is up where
// that is why.
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

// clean is one line of what a server or a proxy says. What is to be hidden is hidden in
// the clean text: between its letters there may have been some that nobody sees.
func (c *Client) clean(s string) string { return termtext.Line(c.hide(termtext.Block(s))) }

// hide takes the token, and whatever looks like a signing secret, out of what a
// server or a proxy sends back.
func (c *Client) hide(s string) string {
	return hideSecrets(strings.ReplaceAll(s, c.token().Reveal(), redacted))
}

func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil &&
		(media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json"))
}

func shown(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	if media = strings.TrimSpace(termtext.Line(media)); media == "" || len(media) > 60 {
		return "something"
	}
	return media
}
