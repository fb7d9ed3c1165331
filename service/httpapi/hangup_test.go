package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Only what a caller's leaving brought about counts as that.
func TestATimeOutOrAStopIsNoCallerHangingUp(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("the service stops"))
	canceled := fmt.Errorf("reading: %w", context.Canceled)
	late := fmt.Errorf("reading: %w", context.DeadlineExceeded)
	for name, c := range map[string]struct {
		caller context.Context
		err    error
		want   int
	}{
		"the caller left":                      {gone, canceled, statusHungUp},
		"the caller left while it waited":      {gone, busy(canceled), statusHungUp},
		"figures were not had in time for it":  {gone, figuresFailed(canceled), statusHungUp},
		"the caller left, and time ran out":    {gone, late, http.StatusInternalServerError},
		"the caller left, and all is damaged":  {gone, errors.New("the file is damaged"), http.StatusInternalServerError},
		"the caller left after it was refused": {gone, noSuch("invoice"), http.StatusNotFound},
		"the service stops":                    {stopped, canceled, http.StatusInternalServerError},
		"the time of the request ran out":      {t.Context(), late, http.StatusInternalServerError},
		"something else was canceled":          {t.Context(), canceled, http.StatusInternalServerError},
	} {
		x := &exchange{w: httptest.NewRecorder(), r: httptest.NewRequest(http.MethodGet, "/", nil), caller: c.caller}
		x.fail(c.err)
		if x.status != c.want {
			t.Errorf("%s: counted as %d, want %d", name, x.status, c.want)
		}
	}
}
