package pace_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/ownbooks"
	"tarmac/service/providers"
	"tarmac/service/providers/pace"
)

var (
	kind  = providers.Kind{ProviderKind: ownbooks.ProviderKind{Every: 6 * time.Hour}, Daily: 24, Reserve: 4}
	start = time.Date(2026, 11, 23, 10, 30, 0, 0, time.UTC)
)

func TestTheNextReadingKeepsThePaceAndBacksOff(t *testing.T) {
	for name, test := range map[string]struct {
		failures int
		failure  *providers.Failure
		wait     time.Duration
	}{
		"after a success":               {0, nil, 6 * time.Hour},
		"after the first failure":       {1, &providers.Failure{}, time.Minute},
		"after the fourth":              {4, &providers.Failure{}, 8 * time.Minute},
		"after many":                    {1000, &providers.Failure{}, 6 * time.Hour},
		"the provider names a time":     {1, &providers.Failure{RetryAfter: 100 * time.Minute}, 100 * time.Minute},
		"it names one that is too soon": {9, &providers.Failure{RetryAfter: time.Second}, 256 * time.Minute},
		"asked too often":               {1, &providers.Failure{Cause: providers.Limited}, 6 * time.Hour},
		"asked too often, with a short wait": {
			1, &providers.Failure{Cause: providers.Limited, RetryAfter: 4 * time.Second}, time.Minute,
		},
		"asked too often, with a long wait": {
			1, &providers.Failure{Cause: providers.Limited, RetryAfter: 7 * time.Hour}, 7 * time.Hour,
		},
		"the token is refused": {1, &providers.Failure{Cause: providers.Denied}, 24 * time.Hour},
		"a payment is wanted":  {7, &providers.Failure{Cause: providers.Unpaid}, 24 * time.Hour},
	} {
		if got := pace.Next(kind, start, test.failures, test.failure, 0).Sub(start); got != test.wait {
			t.Errorf("%s: the next reading is in %s, want %s", name, got, test.wait)
		}
	}
}

func TestNobodyAsksBeforeTheTimeThatTheProviderNames(t *testing.T) {
	limited := func(wait time.Duration) *providers.Failure {
		return &providers.Failure{Cause: providers.Limited, RetryAfter: wait}
	}
	for name, test := range map[string]struct {
		failures int
		failure  *providers.Failure
		want     time.Time
	}{
		"it names a time":             {1, limited(4 * time.Second), start.Add(4 * time.Second)},
		"it names one with an error":  {9, &providers.Failure{RetryAfter: time.Minute}, start.Add(time.Minute)},
		"a limit without a time":      {1, limited(0), start.Add(time.Minute)},
		"a third one":                 {3, limited(0), start.Add(4 * time.Minute)},
		"an error that names no time": {1, &providers.Failure{}, time.Time{}},
	} {
		if got := pace.WaitUntil(start, test.failures, test.failure); !got.Equal(test.want) {
			t.Errorf("%s: nobody asks until %s, want %s", name, got, test.want)
		}
	}
}

func TestTheNextReadingIsSpreadWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := start.Add(time.Duration(rapid.Int64Range(0, int64(48*time.Hour)).Draw(t, "now")))
		failures := rapid.IntRange(0, 100).Draw(t, "failures")
		jitter := rapid.Float64Range(-1, 1).Draw(t, "jitter")
		var failure *providers.Failure
		if failures > 0 {
			failure = &providers.Failure{
				Cause:      providers.Cause(rapid.IntRange(0, int(providers.Unpaid)).Draw(t, "cause")),
				RetryAfter: time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "retry after")),
			}
		}

		next := pace.Next(kind, now, failures, failure, jitter)

		switch {
		case next.Minute() == 0:
			t.Errorf("next reading at %s, when everybody asks", next)
		case !next.After(now) || next.After(now.Add(pace.LongestWait)):
			t.Errorf("next reading in %s", next.Sub(now))
		case failure != nil && failure.Cause != providers.Denied && failure.Cause != providers.Unpaid &&
			next.Before(now.Add(failure.RetryAfter)):
			t.Errorf("next reading in %s although the provider asked for %s", next.Sub(now), failure.RetryAfter)
		case failure != nil && failure.Cause != providers.Denied && failure.Cause != providers.Unpaid &&
			next.Before(pace.WaitUntil(now, failures, failure)):
			t.Errorf("next reading in %s, when nobody may ask", next.Sub(now))
		}
	})
}

func TestTheBudgetHoldsInEvery24Hours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, sent := start, []time.Time(nil)
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(3*time.Hour)).Draw(t, "wait")))
			byPerson := rapid.Bool().Draw(t, "by a person")
			budget := pace.BudgetOf(kind, sent, now, byPerson)
			if budget.Left == 0 {
				if !budget.Returned.After(now) || pace.BudgetOf(kind, sent, budget.Returned, byPerson).Left == 0 {
					t.Errorf("the budget is said to return at %s, %s from now", budget.Returned, budget.Returned.Sub(now))
				}
				continue
			}
			sent = append(sent, now)
			within := 0
			for _, at := range sent {
				if at.After(now.Add(-24 * time.Hour)) {
					within++
				}
			}
			if within > kind.Daily || !byPerson && within > kind.Daily-kind.Reserve {
				t.Fatalf("%d requests within 24 hours", within)
			}
		}
	})
}

func TestAProviderWithoutALimitHasNoBudget(t *testing.T) {
	if budget := pace.BudgetOf(providers.Kind{}, make([]time.Time, 1000), start, false); budget.Left != -1 {
		t.Errorf("%d requests are left", budget.Left)
	}
}
