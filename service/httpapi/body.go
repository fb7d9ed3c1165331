package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"tarmac/service/jsonbody"
)

// maxBody is how large a request's body may be.
const maxBody = 1 << 20

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
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return nil, tooLarge()
	}
	if err != nil {
		return nil, &problem{status: http.StatusBadRequest, text: "the body broke off", cause: err}
	}
	return body, nil
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
