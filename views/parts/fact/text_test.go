package fact_test

import (
	"errors"
	"testing"
	"time"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views/parts/fact"
)

func TestASectionSaysHowOldItsFiguresAreAndWhyThereAreNone(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	at := now.Add(-4 * time.Minute)
	for want, state := range map[string]resource.State{
		"Cash, as of 2026-11-20 13:58 UTC\n  Cash: $5.00 (all of it)\n": {Status: resource.Ready,
			LoadedAt: at},
		"Cash, as of 2026-11-20 13:58 UTC\n  stale, 4m old: no luck\n  Cash: $5.00 (all of it)\n": {Status: resource.Stale,
			LoadedAt: at, Err: errors.New("no luck")},
		"Cash\n  could not be loaded: no luck\n": {Status: resource.Failed,
			Err: errors.New("no luck"), RetryAt: now},
		"Cash\n  There is none.\n":                                                  {Status: resource.Empty},
		"Cash\n  Not allowed. The token lacks the required scope.\n":                {Status: resource.NotAllowed},
		"Cash\n  No account is open yet. Figures appear once an account is open.\n": {Status: resource.NotOpen},
		"Cash\n  Loading…\n":                                                        {Status: resource.Loading},
	} {
		got := fact.Section("Cash", fact.WithDate("as of", &at), state, "There is none.", now, func() []string {
			f := fact.Sum(theme.New(true), "Cash", figures.Total{Currency: "USD", Minor: 500})
			f.After = " all of it"
			return fact.TextLines([]fact.Fact{f})
		})
		if got != want {
			t.Errorf("%v: %q, want %q", state.Status, got, want)
		}
	}
}
