package panel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views/parts/panel"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func settle(r *resource.Resource[int], value int, condition resource.Status, err error, at time.Time) {
	r.Complete(r.Begin(), value, condition, err, at, at.Add(4*time.Second))
}

func TestEveryStateIsReached(t *testing.T) {
	broken := errors.New("broken")
	forbidden := fmt.Errorf("account: %w", &apiclient.Error{Status: 403, Scope: "account:read"})
	for name, c := range map[string]struct {
		do   func(r *resource.Resource[int])
		want resource.Status
	}{
		"never asked":    {func(*resource.Resource[int]) {}, resource.Loading},
		"asked":          {func(r *resource.Resource[int]) { r.Begin() }, resource.Loading},
		"answered":       {func(r *resource.Resource[int]) { settle(r, 1, resource.Ready, nil, noon) }, resource.Ready},
		"nothing there":  {func(r *resource.Resource[int]) { settle(r, 0, resource.Empty, nil, noon) }, resource.Empty},
		"not open":       {func(r *resource.Resource[int]) { settle(r, 0, resource.NotOpen, nil, noon) }, resource.NotOpen},
		"failed at once": {func(r *resource.Resource[int]) { settle(r, 0, resource.Ready, broken, noon) }, resource.Failed},
		"failed after an answer": {func(r *resource.Resource[int]) {
			settle(r, 1, resource.Ready, nil, noon)
			settle(r, 0, 0, broken, noon)
		}, resource.Stale},
		"failed after emptiness": {func(r *resource.Resource[int]) {
			settle(r, 0, resource.Empty, nil, noon)
			settle(r, 0, 0, broken, noon)
		}, resource.Failed},
		"refused": {func(r *resource.Resource[int]) { settle(r, 0, 0, forbidden, noon) }, resource.NotAllowed},
		"refused after an answer": {func(r *resource.Resource[int]) {
			settle(r, 1, resource.Ready, nil, noon)
			settle(r, 0, 0, forbidden, noon)
		}, resource.NotAllowed},
		"recovered": {func(r *resource.Resource[int]) {
			settle(r, 0, 0, broken, noon)
			settle(r, 1, resource.Ready, nil, noon)
		}, resource.Ready},
		"renewing keeps old state": {func(r *resource.Resource[int]) { settle(r, 1, resource.Ready, nil, noon); r.Begin() },
			resource.Ready},
	} {
		var r resource.Resource[int]
		c.do(&r)
		if got := r.State().Status; got != c.want {
			t.Errorf("%s: status %d, want %d", name, got, c.want)
		}
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	var r resource.Resource[int]
	first := r.Begin()
	second := r.Begin()
	if r.Complete(first, 1, resource.Ready, nil, noon, time.Time{}) {
		t.Error("the answer to the first request counted")
	}
	if !r.Complete(second, 2, resource.Ready, nil, noon, time.Time{}) {
		t.Error("the answer to the second request did not count")
	}
	if r.Complete(second, 3, resource.Ready, nil, noon, time.Time{}) {
		t.Error("a second answer to one request counted")
	}
	third := r.Begin()
	r.Forget()
	if r.Complete(third, 4, resource.Ready, nil, noon, time.Time{}) {
		t.Error("an answer from before Forget counted")
	}
	if _, known := r.Value(); known {
		t.Error("a value survived Forget")
	}
}

func TestAFailureKeepsTheValueAndItsAge(t *testing.T) {
	var r resource.Resource[int]
	settle(&r, 7, resource.Ready, nil, noon)
	settle(&r, 0, resource.Ready, errors.New("broken"), noon.Add(time.Minute))
	settle(&r, 0, resource.Ready, errors.New("broken"), noon.Add(2*time.Minute))
	if v, known := r.Value(); v != 7 || !known {
		t.Errorf("value %d, %v", v, known)
	}
	if !r.LoadedAt().Equal(noon) || r.Failures() != 2 {
		t.Errorf("loaded at %v, %d failures", r.LoadedAt(), r.Failures())
	}
	if got := panel.Notice(r.State(), noon.Add(2*time.Minute)); got != "stale, 2m old: broken · retry in 4s" {
		t.Errorf("notice %q", got)
	}
}

func TestWords(t *testing.T) {
	until := noon.Add(3500 * time.Millisecond)
	if got := panel.Countdown(until, noon); got != "retry in 4s" {
		t.Errorf("countdown %q", got)
	}
	if got := panel.Countdown(until, until); got != "retrying" {
		t.Errorf("countdown at zero %q", got)
	}
	for d, want := range map[time.Duration]string{-time.Second: "0s", 59 * time.Second: "59s", 90 * time.Second: "1m",
		3 * time.Hour: "3h", 50 * time.Hour: "2d"} {
		if got := panel.Age(d); got != want {
			t.Errorf("Age(%v) = %q, want %q", d, got, want)
		}
	}
	for err, want := range map[error]string{
		context.DeadlineExceeded:                    "no answer in time",
		&apiclient.Error{Status: 401}:               "the server refused the token",
		&apiclient.Error{Status: 429}:               "rate limited",
		&apiclient.Error{Status: 503, Message: "x"}: "x",
	} {
		if got := problem.Reason(err); got != want {
			t.Errorf("Why(%v) = %q, want %q", err, got, want)
		}
	}
	refused := resource.State{Status: resource.NotAllowed, Err: &apiclient.Error{Status: 403, Scope: "payments:read"}}
	if got := strings.Join(panel.Lines(refused, "", noon), " "); !strings.Contains(got, "payments:read") {
		t.Errorf("a refused panel says %q", got)
	}
}

func TestWorstIsWhatAPanelOfSeveralPartsShows(t *testing.T) {
	ready, stale, failed := resource.State{Status: resource.Ready}, resource.State{Status: resource.Stale},
		resource.State{Status: resource.Failed}
	if got := resource.Worst(ready, stale); got.Status != resource.Stale {
		t.Errorf("ready and stale: %d", got.Status)
	}
	if got := resource.Worst(stale, ready, failed); got.Status != resource.Failed {
		t.Errorf("stale, ready and failed: %d", got.Status)
	}
}

// A panel fills its size exactly in every state.
func TestAPanelFillsItsRoomExactly(t *testing.T) {
	looks := theme.New(true)
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(1, 130).Draw(t, "width"), rapid.IntRange(1, 30).Draw(t, "height")
		status := resource.Status(rapid.IntRange(int(resource.Loading), int(resource.Failed)).Draw(t, "status"))
		state := resource.State{Status: status, LoadedAt: noon, RetryAt: noon.Add(time.Minute)}
		if status == resource.Stale || status == resource.Failed || status == resource.NotAllowed {
			state.Err = errors.New(rapid.StringOf(rapid.RuneFrom([]rune("wide 株式会社 text"))).Draw(t, "error"))
		}
		words := rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune("ab 株é…"))), 0, 40).Draw(t, "body")
		lines := panel.Draw(looks, panel.Frame{
			Title: rapid.SampledFrom([]string{"", "Balance", "株式会社の残高の表題がとても長い場合"}).Draw(t,
				"title"),
			Note:  rapid.SampledFrom([]string{"", "synced 14:02 UTC"}).Draw(t, "note"),
			Width: width, Height: height, EmptyText: "Nothing here.",
			Body: func(int, int) []string { return words },
		}, state, noon)
		if len(lines) != height {
			t.Fatalf("%d lines instead of %d", len(lines), height)
		}
		for _, line := range lines {
			if w := ansi.StringWidth(line); w != width {
				t.Fatalf("a line of %d cells instead of %d: %q", w, width, line)
			}
		}
	})
}

func TestAStalePanelKeepsItsFiguresAndSaysSo(t *testing.T) {
	state := resource.State{Status: resource.Stale, Err: context.DeadlineExceeded, LoadedAt: noon,
		RetryAt: noon.Add(5 * time.Second)}
	lines := panel.Draw(theme.New(true), panel.Frame{
		Title: "Balance", Note: "synced 12:00 UTC", Width: 90, Height: 4,
		Body: func(int, int) []string { return []string{"$1,234.56"} },
	}, state, noon.Add(time.Second))
	text := ansi.Strip(strings.Join(lines, "\n"))
	for _, want := range []string{"$1,234.56", "stale, 1s old", "no answer in time", "retry in 4s"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A narrow panel uses a shorter notice instead of cutting a long one.
func TestANarrowPanelSaysAtLeastHowOldItsFiguresAre(t *testing.T) {
	state := resource.State{Status: resource.Stale, Err: context.DeadlineExceeded, LoadedAt: noon,
		RetryAt: noon.Add(5 * time.Second)}
	for width, want := range map[int]string{
		90: "◌ stale, 1s old: no answer in time · retry in 4s ─╮",
		60: "◌ stale, 1s old: no answer in time ─╮",
		40: "◌ stale, 1s old ─╮",
		26: "◌ stale ─╮",
	} {
		lines := panel.Draw(theme.New(true), panel.Frame{
			Title: "Balance", Width: width, Height: 4, Body: func(int, int) []string { return nil },
		}, state, noon.Add(time.Second))
		if got := ansi.Strip(lines[0]); !strings.HasSuffix(got, " "+want) {
			t.Errorf("at %d columns: %q, want %q at its end", width, got, want)
		}
	}
}

func TestWhatAListLacksIsSaidUntilItIsWhole(t *testing.T) {
	var r resource.Resource[[]apiclient.Invoice]
	list := []apiclient.Invoice{{ID: "inv_1"}, {ID: "inv_2", Unreadable: &apiclient.ContractError{Problem: "is missing"}}}
	r.Complete(r.Begin(), list, resource.Ready, nil, noon, time.Time{})
	r.SetPartial(resource.PartialOf("invoice", list))
	if s := r.State(); panel.Unreadable(s) != "1 invoice could not be read" ||
		panel.Line(s, noon) != "1 invoice could not be read · ! details" || !errors.Is(s.Partial.Err, list[1].Unreadable) {
		t.Errorf("%+v says %q", s, panel.Line(s, noon))
	}

	r.Complete(r.Begin(), nil, resource.Ready, errors.New("broken pipe"), noon, noon)
	if s := r.State(); panel.Unreadable(s) == "" || !strings.Contains(panel.Line(s, noon), "stale") {
		t.Errorf("%+v says %q", s, panel.Line(s, noon))
	}
	r.Complete(r.Begin(), list[:1], resource.Ready, nil, noon, time.Time{})
	r.SetPartial(resource.PartialOf("invoice", list[:1]))
	if s := r.State(); panel.Unreadable(s) != "" || panel.Line(s, noon) != "" {
		t.Errorf("%+v says %q", s, panel.Line(s, noon))
	}
}

func TestARefusedSSHKeyIsNotCalledAToken(t *testing.T) {
	scope := &apiclient.Error{Status: 403, Scope: "account:read", Credential: "SSH key"}
	for _, c := range []struct {
		state resource.State
		want  string
	}{
		{resource.State{Status: resource.NotAllowed, Err: scope}, "The SSH key lacks the scope account:read."},
		{
			resource.State{Status: resource.Failed, Err: &apiclient.Error{Status: 401, Credential: "SSH key"}},
			"It was revoked or has expired. Ask the server's operator.",
		},
	} {
		lines := panel.Lines(c.state, "", noon)

		if got := lines[len(lines)-1]; got != c.want {
			t.Errorf("the panel says %q, not %q", got, c.want)
		}
	}
}
