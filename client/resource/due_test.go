package resource_test

import (
	"errors"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/resource"
)

func TestWhenSomethingIsFetchedAgain(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	unknown, waiting := resource.State{}, resource.State{Waiting: true}
	fresh := resource.State{Status: resource.Ready, LoadedAt: ago(3 * time.Second)}
	old := resource.State{Status: resource.Ready, LoadedAt: ago(time.Minute)}
	stale := resource.State{
		Status:   resource.Stale,
		LoadedAt: ago(time.Minute),
		Err:      errors.New("broken"),
		RetryAt:  now.Add(time.Second),
	}
	failed := resource.State{Status: resource.Failed, Err: errors.New("broken"), RetryAt: now.Add(time.Second)}
	retry := resource.State{Status: resource.Failed, Err: errors.New("broken"), RetryAt: now}
	refused := resource.State{Status: resource.Failed, Err: apiclient.ErrUnauthorized, RetryAt: now.Add(time.Minute)}

	for name, c := range map[string]struct {
		state  resource.State
		policy resource.Policy
		want   bool
	}{
		"never fetched": {unknown, resource.Policy{}, true},
		"an answer is awaited": {waiting,
			resource.Policy{MaxAge: time.Second, Changed: true, Recovered: true, Returned: true}, false},
		"younger than its interval":            {fresh, resource.Policy{MaxAge: 15 * time.Second}, false},
		"as old as its interval":               {old, resource.Policy{MaxAge: time.Minute}, true},
		"no interval":                          {old, resource.Policy{}, false},
		"news":                                 {fresh, resource.Policy{Changed: true}, true},
		"news of something just read":          {fresh, resource.Policy{Changed: true, MinAge: 5 * time.Second}, false},
		"news of something read a minute ago":  {old, resource.Policy{Changed: true, MinAge: 5 * time.Second}, true},
		"failed, before its retry time":        {failed, resource.Policy{MaxAge: time.Second, Changed: true}, false},
		"failed, at its retry time":            {retry, resource.Policy{}, true},
		"failed, while the server is away":     {retry, resource.Policy{Unreachable: true}, false},
		"failed, when the server is back":      {failed, resource.Policy{Recovered: true}, true},
		"fresh, when the server is back":       {fresh, resource.Policy{Recovered: true}, false},
		"failed, on a return":                  {failed, resource.Policy{Returned: true}, true},
		"stale, on a return":                   {stale, resource.Policy{Returned: true}, false},
		"fresh, on a return":                   {fresh, resource.Policy{Returned: true}, false},
		"refused, on a return":                 {refused, resource.Policy{Returned: true}, false},
		"failed, on a return without a server": {failed, resource.Policy{Returned: true, Unreachable: true}, false},
	} {
		if got := resource.Due(c.state, now, c.policy); got != c.want {
			t.Errorf("%s: due %t, want %t", name, got, c.want)
		}
	}
}

func TestAnInterruptionIsOverForWhatItMadeStaleAlone(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var known, broken resource.Resource[int]
	known.Complete(known.Begin(), 1, resource.Ready, nil, now, time.Time{})
	broken.Complete(broken.Begin(), 0, resource.Ready, errors.New("broken"), now, now.Add(time.Minute))

	known.Interrupt(apiclient.ErrUnauthorized, now.Add(time.Minute))
	if s := known.State(); s.Status != resource.Stale || !s.RetryAt.Equal(now.Add(time.Minute)) {
		t.Errorf("interrupted: %+v", s)
	}

	if !known.Resume(now) || broken.Resume(now) || known.Resume(now) {
		t.Error("it is over more than once, or for what was not interrupted")
	}
	if s := known.State(); !s.RetryAt.Equal(now) {
		t.Errorf("after it: %+v", s)
	}
	if s := broken.State(); !s.RetryAt.Equal(now.Add(time.Minute)) {
		t.Errorf("what failed by itself: %+v", s)
	}
}
