package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
)

// A body that comes too late, or not whole, is its sender's failure: no figure of
// the service's own failures counts it.
func TestABodyThatDoesNotArriveIsRefused(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		ctx  context.Context
		body io.Reader
		want string
	}{
		"too late":  {ended, strings.NewReader("{}"), "the body took too long to arrive"},
		"not whole": {t.Context(), io.MultiReader(strings.NewReader("{"), iotest.ErrReader(io.ErrUnexpectedEOF)), "the body broke off"},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", c.body)
		r.Header.Set("Content-Type", "application/json")
		_, err := (&call{exchange: &exchange{w: w, r: r}, ctx: c.ctx}).body()
		if p, ok := errors.AsType[*problem](err); !ok || p.status != http.StatusBadRequest || p.text != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
