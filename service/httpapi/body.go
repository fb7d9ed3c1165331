package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"tarmac/service/jsonbody"
)

// maxBody is how large a request's body may be.
const maxBody = 1 << 20

// bodyTimeout is for all of a body: a sender that is slower must not use up the
// time that the work has (requestTimeout).
const bodyTimeout = 10 * time.Second

// body reads a request's body, which must be JSON of at most maxBody bytes. Size
// and type are looked at before anything is read.
func (c *call) body() ([]byte, error) {
	if c.r.ContentLength > maxBody {
		return nil, tooLarge()
	}
	if !declaresJSON(c.r.Header) {
		return nil, &problem{status: http.StatusUnsupportedMediaType, text: "content type must be application/json"}
	}
	// The reader also ends the connection of a sender that goes on and on.
	body, err := c.inTime(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return nil, tooLarge()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, invalid("the body did not arrive within %d seconds", bodyTimeout/time.Second)
	}
	if err != nil {
		return nil, &problem{status: http.StatusBadRequest, text: "the body broke off", cause: err}
	}
	return body, nil
}

// inTime reads all of r, or until bodyTimeout.
func (c *call) inTime(r io.Reader) ([]byte, error) {
	connection := http.NewResponseController(c.w)
	// A connection whose time cannot be limited is broken, which reading tells.
	_ = connection.SetReadDeadline(time.Now().Add(bodyTimeout))
	body, err := io.ReadAll(r)
	if err == nil {
		// Left as it is, it would cut off the work: the server would take the caller for gone.
		_ = connection.SetReadDeadline(time.Time{})
	}
	return body, err
}

func tooLarge() *problem {
	return &problem{status: http.StatusRequestEntityTooLarge, text: "body is larger than 1 MiB"}
}

func declaresJSON(header http.Header) bool {
	if len(header.Values("Content-Type")) != 1 || header.Get("Content-Encoding") != "" {
		return false
	}
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	charset, other := parameters["charset"]
	return err == nil && kind == "application/json" && (!other || strings.EqualFold(charset, "utf-8"))
}

// refusedBody turns what is wrong with a body into what its sender is told.
func refusedBody(err error) error {
	if refused, ok := errors.AsType[*jsonbody.Error](err); ok {
		return invalid("%s", refused.Text)
	}
	return err
}

// mostDiscarded is how much is read of a body that nobody wants.
const mostDiscarded = 16 << 20

// discardRest reads and throws away what the caller still sends after its answer. Many
// callers send everything before they read, and a connection that is closed under them
// is reset, which takes the answer with it. The server's time for a request ends it;
// HTTP/2 ends a stream without this.
func (x *exchange) discardRest() {
	if x.r.ContentLength == 0 || x.r.ProtoMajor != 1 {
		return
	}
	if http.NewResponseController(x.w).Flush() == nil {
		_, _ = io.CopyN(io.Discard, x.r.Body, mostDiscarded)
	}
}
