package httpapi

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// It is the caller's failure, so that metrics of the service's own failures exclude it.
func TestABodyThatDoesNotArriveIsABadRequest(t *testing.T) {
	for name, c := range map[string]struct {
		body io.Reader
		want string
	}{
		"too late":  {iotest.ErrReader(os.ErrDeadlineExceeded), "the body did not arrive within 10 seconds"},
		"not whole": {io.MultiReader(strings.NewReader("{"), iotest.ErrReader(io.ErrUnexpectedEOF)), "the body broke off"},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", c.body)
		r.Header.Set("Content-Type", "application/json")
		_, err := (&call{exchange: &exchange{w: w, r: r}, ctx: t.Context()}).body()
		if p, ok := errors.AsType[*problem](err); !ok || p.status != http.StatusBadRequest || p.text != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
