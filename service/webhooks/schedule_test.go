package webhooks_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/service/webhooks"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var statuses = []webhooks.Status{webhooks.Active, webhooks.Paused, webhooks.AutoDisabled}

func result(code int) webhooks.Result {
	return webhooks.Result{Code: code, Problem: webhooks.StatusProblem(code)}
}

func TestOnlyA2xxStatusIsAnAcknowledgment(t *testing.T) {
	for code, want := range map[int]webhooks.Problem{
		200: "", 202: "", 204: "", 299: "", 301: "redirect", 304: "redirect", 307: "redirect", 400: "http_status",
		401: "http_status",
		404: "http_status", 410: "gone", 429: "http_status", 500: "http_status", 503: "http_status", 101: "http_status",
		600: "http_status",
	} {
		if got := webhooks.StatusProblem(code); got != want {
			t.Errorf("%d: %q, want %q", code, got, want)
		}
	}
}

// The test has its own copy of the schedule (docs/api.md, Retry schedule).
func TestADeliveryFailsAfterEightAttemptsOnSchedule(t *testing.T) {
	schedule := []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
	}
	var total time.Duration
	for n, want := range schedule {
		for jitter, factor := range map[float64]float64{0: 1, -1: 0.8, 0.5: 1.1} {
			v := result(500).Consequence(n, false, webhooks.Endpoint{Status: webhooks.Active}, now, jitter)
			if scaled := time.Duration(float64(want) * factor); (v.RetryIn-scaled).Abs() > time.Microsecond ||
				v.Status != webhooks.Pending {
				t.Errorf("failure %d, jitter %v: %+v, want %v", n+1, jitter, v, scaled)
			}
		}
		total += want
	}
	if total != 27*time.Hour+35*time.Minute+5*time.Second {
		t.Errorf("the schedule takes %v", total)
	}
	v := result(500).Consequence(7, false, webhooks.Endpoint{Status: webhooks.Active}, now, 0)
	if v != (webhooks.Consequence{Status: webhooks.Failed, StartFailing: true}) {
		t.Errorf("the eighth failure: %+v", v)
	}
}

func TestTheWaitFollowsTheScheduleTheProblemAndRetryAfter(t *testing.T) {
	timeout := webhooks.Result{Problem: webhooks.TimedOut}
	asking := func(code int, wait time.Duration) webhooks.Result {
		r := result(code)
		r.RetryAfter = wait
		return r
	}
	for name, c := range map[string]struct {
		result   webhooks.Result
		failures int
		jitter   float64
		want     time.Duration
	}{
		"a timeout waits a minute at least":              {timeout, 0, 0, time.Minute},
		"jitter does not shorten the wait of a timeout":  {timeout, 0, -0.5, 66 * time.Second},
		"jitter does not shorten the wait of 429":        {result(429), 0, -1, 72 * time.Second},
		"jitter may shorten the wait of a later timeout": {timeout, 1, -0.5, 270 * time.Second},
		"a later timeout waits as scheduled":             {timeout, 1, 0, 5 * time.Minute},
		"429 waits a minute at least":                    {result(429), 0, 0, time.Minute},
		"503 waits as scheduled":                         {result(503), 0, 0, 5 * time.Second},
		"503 asks for more":                              {asking(503, 8*time.Second), 0, 0, 8 * time.Second},
		"503 asks for less":                              {asking(503, time.Second), 1, 0, 5 * time.Minute},
		"503 asks for too much":                          {asking(503, time.Hour), 0, 0, 10 * time.Second},
		"503 asks for the longest duration":              {asking(503, 1<<63-1), 6, 0, 20 * time.Hour},
		"429 asks for more":                              {asking(429, 90*time.Second), 0, 0, 90 * time.Second},
		"429 asks for too much":                          {asking(429, time.Hour), 0, 0, 2 * time.Minute},
		"500 may not ask":                                {asking(500, 8*time.Second), 0, 0, 5 * time.Second},
		"jitter does not shorten a Retry-After":          {asking(503, 8*time.Second), 0, -0.5, 8800 * time.Millisecond},
		"a negative Retry-After is ignored":              {asking(503, -time.Hour), 0, 0, 5 * time.Second},
		"a refused connection waits as scheduled": {webhooks.Result{
			Problem: webhooks.ConnectionRefused,
		}, 2, 0, 30 * time.Minute},
		"a response that broke off is no acknowledgment": {webhooks.Result{
			Code: 200, Problem: webhooks.ConnectionReset,
		}, 0, 0, 5 * time.Second},
		"no response and no problem is no acknowledgment": {webhooks.Result{}, 0, 0, 5 * time.Second},
		"a redirect is retried as scheduled":              {result(302), 3, 0, 2 * time.Hour},
		"404 is retried as scheduled":                     {result(404), 3, 0, 2 * time.Hour},
	} {
		v := c.result.Consequence(c.failures, false, webhooks.Endpoint{Status: webhooks.Active}, now, c.jitter)
		if v.Status != webhooks.Pending || (v.RetryIn-c.want).Abs() > time.Microsecond || !v.StartFailing || v.StopFailing ||
			v.Disable != "" {
			t.Errorf("%s: %+v, want %v", name, v, c.want)
		}
	}
}

func TestAnEndpointIsDisabledWhenGoneOrFailingForFiveDays(t *testing.T) {
	since := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	const days = 24 * time.Hour
	for name, c := range map[string]struct {
		code, failures int
		test           bool
		status         webhooks.Status
		since          *time.Time
		want           webhooks.Consequence
	}{
		"exhausted after five days": {500, 7, false, webhooks.Active, since(5 * days), webhooks.Consequence{
			Status: "failed", Disable: "failing", StartFailing: true,
		}},
		"exhausted a moment sooner": {500, 7, false, webhooks.Active, since(5*days - 1), webhooks.Consequence{
			Status: "failed", StartFailing: true,
		}},
		"exhausted for the first": {500, 7, false, webhooks.Active, nil, webhooks.Consequence{
			Status: "failed", StartFailing: true,
		}},
		"exhausted while paused": {500, 7, false, webhooks.Paused, since(9 * days), webhooks.Consequence{
			Status: "failed", StartFailing: true,
		}},
		"a test exhausted": {500, 7, true, webhooks.Active, since(9 * days), webhooks.Consequence{Status: "failed"}},
		"not exhausted": {500, 0, false, webhooks.Active, since(9 * days), webhooks.Consequence{
			Status: "pending", RetryIn: 5 * time.Second, StartFailing: true,
		}},
		"failed too often": {500, 20, false, webhooks.Active, since(9 * days), webhooks.Consequence{
			Status: "failed", Disable: "failing", StartFailing: true,
		}},
		"gone": {410, 0, false, webhooks.Active, nil, webhooks.Consequence{
			Status: "failed", Disable: "gone", StartFailing: true,
		}},
		"gone at last": {410, 7, false, webhooks.Active, since(9 * days), webhooks.Consequence{
			Status: "failed", Disable: "gone", StartFailing: true,
		}},
		"gone while paused": {410, 0, false, webhooks.Paused, nil, webhooks.Consequence{
			Status: "failed", StartFailing: true,
		}},
		"a test found it gone": {410, 0, true, webhooks.Active, nil, webhooks.Consequence{Status: "failed"}},
		"a test failed": {500, 0, true, webhooks.AutoDisabled, since(days), webhooks.Consequence{
			Status: "pending", RetryIn: 5 * time.Second,
		}},
		"a test arrived": {200, 0, true, webhooks.AutoDisabled, since(days), webhooks.Consequence{
			Status: "delivered", StopFailing: true,
		}},
		"arrived at last": {204, 7, false, webhooks.Active, since(9 * days), webhooks.Consequence{
			Status: "delivered", StopFailing: true,
		}},
	} {
		e := webhooks.Endpoint{Status: c.status, FailingSince: c.since}
		if got := result(c.code).Consequence(c.failures, c.test, e, now, 0); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

var problems = []webhooks.Problem{
	webhooks.NoProblem, webhooks.DNSError, webhooks.ConnectionRefused, webhooks.ConnectionReset, webhooks.TimedOut,
	webhooks.TLSError,
	webhooks.BlockedAddress, webhooks.Redirected, webhooks.BadStatus, webhooks.GoneForGood,
}

// A pending delivery waits between 4 seconds and MaxRetryWait, and test events do not count
// against the endpoint.
func TestEveryConsequenceIsWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := webhooks.Result{
			Code: rapid.OneOf(
				rapid.IntRange(0, 999), rapid.SampledFrom([]int{200, 204, 302, 410, 429, 500, 503}),
			).Draw(t, "code"),
			Problem:    rapid.SampledFrom(problems).Draw(t, "problem"),
			RetryAfter: time.Duration(rapid.Int64().Draw(t, "retry after")),
		}
		before := rapid.IntRange(0, 30).Draw(t, "failures")
		test := rapid.Bool().Draw(t, "test")
		e := webhooks.Endpoint{Status: rapid.SampledFrom(statuses).Draw(t, "status")}
		if rapid.Bool().Draw(t, "failing") {
			since := now.Add(-time.Duration(rapid.Int64Range(0, int64(20*24*time.Hour)).Draw(t, "since")))
			e.FailingSince = &since
		}
		v := r.Consequence(before, test, e, now, rapid.Float64Range(-1, 0.999).Draw(t, "jitter"))
		if v.StartFailing && v.StopFailing || v.StopFailing != (v.Status == webhooks.Delivered) ||
			v.StartFailing != (!test && v.Status != webhooks.Delivered) {
			t.Fatalf("the clock: %+v", v)
		}
		if v.Disable != "" && (test || e.Status != webhooks.Active || v.Status != webhooks.Failed) {
			t.Fatalf("disabled: %+v", v)
		}
		if (v.Status == webhooks.Pending) != (v.RetryIn > 0) || v.RetryIn < 0 || v.RetryIn > webhooks.MaxRetryWait ||
			v.Status == webhooks.Pending && v.RetryIn < 4*time.Second {
			t.Fatalf("the wait: %+v", v)
		}
		if before >= 7 && v.Status == webhooks.Pending || r.Code == 410 && v.Status != webhooks.Failed {
			t.Fatalf("it is still pending: %+v", v)
		}
		if v.Status == webhooks.Delivered && (r.Code < 200 || r.Code > 299) {
			t.Fatalf("acknowledged by %d", r.Code)
		}
	})
}

// The schedule takes 27 hours and 35 minutes. Jitter changes that by at most a fifth, and
// Retry-After at most doubles it.
func TestAFailingDeliveryEndsAfterEightAttempts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asks := rapid.Bool().Draw(t, "asks")
		const plain = 27*time.Hour + 35*time.Minute + 5*time.Second
		least, most := plain*8/10, plain*12/10
		if asks {
			most = (2*plain + 2*time.Minute) * 12 / 10
		}
		var total time.Duration
		for n := 0; ; n++ {
			r := result(500)
			if asks {
				r = result(rapid.SampledFrom([]int{429, 503}).Draw(t, "code"))
				r.RetryAfter = time.Duration(rapid.Int64Range(0, int64(48*time.Hour)).Draw(t, "retry after"))
			}
			v := r.Consequence(
				n, false, webhooks.Endpoint{Status: webhooks.Active}, now, rapid.Float64Range(-1, 0.999).Draw(t, "jitter"),
			)
			if v.Status != webhooks.Pending {
				if n != 7 || v.Status != webhooks.Failed {
					t.Fatalf("after %d failures: %+v", n+1, v)
				}
				break
			}
			total += v.RetryIn
		}
		if total < least || total > most {
			t.Fatalf("it took %v", total)
		}
	})
}
