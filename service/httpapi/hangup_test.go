package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestOnlyAFailureCausedByTheCallerHangingUpIsLoggedAs499(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("the service stops"))
	canceled := fmt.Errorf("reading: %w", context.Canceled)
	late := fmt.Errorf("reading: %w", context.DeadlineExceeded)
	for name, c := range map[string]struct {
		callerCtx context.Context
		err       error
		want      int
	}{
		"the caller left":                      {gone, canceled, statusHungUp},
		"the caller left while it waited":      {gone, overloaded(canceled), statusHungUp},
		"the caller left during figures":       {gone, figuresError(canceled), statusHungUp},
		"the caller left after a time-out":     {gone, late, http.StatusInternalServerError},
		"the caller left a damaged database":   {gone, errors.New("the file is damaged"), http.StatusInternalServerError},
		"the caller left after it was refused": {gone, notFound("invoice"), http.StatusNotFound},
		"the service stops":                    {stopped, canceled, http.StatusInternalServerError},
		"the time of the request ran out":      {t.Context(), late, http.StatusInternalServerError},
		"something else was canceled":          {t.Context(), canceled, http.StatusInternalServerError},
	} {
		x := &exchange{w: httptest.NewRecorder(), r: httptest.NewRequest(http.MethodGet, "/", nil), callerCtx: c.callerCtx}
		x.fail(c.err)
		if x.status != c.want {
			t.Errorf("%s: counted as %d, want %d", name, x.status, c.want)
		}
	}
}
