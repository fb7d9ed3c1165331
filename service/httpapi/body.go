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

const maxBodyBytes = 1 << 20

// bodyTimeout is the longest time for reading the body of a request. It is shorter than
// requestTimeout, which leaves time for handling the request.
const bodyTimeout = 10 * time.Second

// body reads the request's body. Content-Type must be JSON, and the body may have at most
// maxBodyBytes. The declared size and type are checked before anything is read.
func (c *call) body() ([]byte, error) {
	if c.r.ContentLength > maxBodyBytes {
		return nil, tooLarge()
	}
	if !declaresJSON(c.r.Header) {
		return nil, &problem{status: http.StatusUnsupportedMediaType, text: "content type must be application/json"}
	}
	// MaxBytesReader also closes the connection of a caller that sends too much.
	body, err := c.readWithTimeout(http.MaxBytesReader(c.w, c.r.Body, maxBodyBytes))
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

// readWithTimeout reads all of r. It fails with os.ErrDeadlineExceeded after bodyTimeout.
func (c *call) readWithTimeout(r io.Reader) ([]byte, error) {
	connection := http.NewResponseController(c.w)
	// Setting the deadline fails only if the connection is broken. Reading then fails too.
	_ = connection.SetReadDeadline(time.Now().Add(bodyTimeout))
	body, err := io.ReadAll(r)
	if err == nil {
		// The deadline must not expire later: net/http would then cancel the request as if its
		// caller had hung up.
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
	contentType, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	charset, other := parameters["charset"]
	return err == nil && contentType == "application/json" && (!other || strings.EqualFold(charset, "utf-8"))
}

// bodyError turns a *jsonbody.Error into a problem with status 400. It returns other errors
// unchanged.
func bodyError(err error) error {
	if refused, ok := errors.AsType[*jsonbody.Error](err); ok {
		return invalid("%s", refused.Text)
	}
	return err
}

// maxDiscardedBytes is the largest number of bytes that discardBody reads.
const maxDiscardedBytes = 16 << 20

// discardBody reads and discards the rest of the request's body after the response. Many callers
// send the whole body before they read the response. If the connection were closed earlier, it
// would be reset and the response lost. The server's ReadTimeout bounds the time for this. HTTP/2
// does not need it.
func (x *exchange) discardBody() {
	if x.r.ContentLength == 0 || x.r.ProtoMajor != 1 {
		return
	}
	if http.NewResponseController(x.w).Flush() == nil {
		_, _ = io.CopyN(io.Discard, x.r.Body, maxDiscardedBytes)
	}
}
