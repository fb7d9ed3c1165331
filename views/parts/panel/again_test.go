package panel_test

import (
	"errors"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/views/parts/panel"
)

// While the server asks to wait, no key to retry is shown.
func TestWhileTheServerWantsAPauseNoKeyIsOffered(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		err          error
		failed, line string
	}{
		{errors.New("broken pipe"), "retry in 9s · r now · ! details",
			"◌ stale, 8s old: broken pipe · retry in 9s · r now · ! details"},
		{&apiclient.Error{Status: 429}, "retry in 9s · ! details",
			"◌ stale, 8s old: rate limited · retry in 9s · ! details"},
	} {
		s := resource.State{
			Status:   resource.Failed,
			Err:      c.err,
			LoadedAt: at.Add(-8 * time.Second),
			RetryAt:  at.Add(9 * time.Second),
		}
		if got := panel.Lines(s, "", at); len(got) != 2 || got[1] != c.failed || panel.Line(s, at) != "" {
			t.Errorf("%q, %q", got, panel.Line(s, at))
		}
		s.Status = resource.Stale
		if got := panel.Line(s, at); got != c.line {
			t.Errorf("%q, want %q", got, c.line)
		}
	}
}
