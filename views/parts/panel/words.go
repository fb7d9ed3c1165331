package panel

import (
	"errors"
	"strconv"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/internal/plural"
)

// Age writes how old something is, coarsely: "8s", "3m", "2h", "4d".
func Age(d time.Duration) string {
	n, unit := plural.Span(d)
	return strconv.Itoa(n) + unit[:1]
}

// Countdown writes how long until the next attempt: "retry in 4s", or "retrying"
// when it is due.
func Countdown(until time.Time, now time.Time) string {
	left := until.Sub(now)
	if until.IsZero() || left <= 0 {
		return "retrying"
	}
	// Rounded up: a countdown that says 0 and waits is a lie.
	return "retry in " + Age(left+time.Second-time.Nanosecond)
}

// Lines returns what a panel without figures says, the fact first and what to do
// about it after.
func Lines(s resource.State, emptyText string, now time.Time) []string {
	switch s.Status {
	case resource.Loading:
		return []string{"Loading…"}
	case resource.Empty:
		return []string{emptyText}
	case resource.NotOpen:
		return []string{"No account is open yet.", "Figures appear once an account is open."}
	case resource.NotAllowed:
		var api *apiclient.Error
		if errors.As(s.Err, &api) && api.Scope != "" {
			return []string{"Not allowed.", "The token lacks the scope " + api.Scope + "."}
		}
		return []string{"Not allowed.", "The token lacks the required scope."}
	case resource.Failed:
		if errors.Is(s.Err, apiclient.ErrUnauthorized) {
			return []string{"The server refused the token.", "It is unknown, expired or revoked. Set another token and restart."}
		}
		return []string{"Could not load: " + problem.Reason(s.Err) + ".", Again(s, now)}
	}
	return nil
}

// Again says when the next attempt is, and the key for one at once where that is of
// use: not while the server wants to be left alone.
func Again(s resource.State, now time.Time) string {
	if errors.Is(s.Err, apiclient.ErrRateLimited) {
		return Countdown(s.RetryAt, now) + detailsHint
	}
	return Countdown(s.RetryAt, now) + " · r now" + detailsHint
}

// detailsHint names the key that says more.
const detailsHint = " · ! details"

// Notice returns the line that stands with old figures: their age and why they
// are old; "" for fresh ones.
func Notice(s resource.State, now time.Time) string {
	if s.Status != resource.Stale {
		return ""
	}
	return age(s, now) + ": " + problem.Reason(s.Err) + " · " + Countdown(s.RetryAt, now)
}

// Line is Notice for a line of its own, with the key that renews at once where that
// is of use. Of fresh figures it says what they lack; "" for nothing.
func Line(s resource.State, now time.Time) string {
	lacks := Lacks(s)
	switch {
	case s.Status != resource.Stale && lacks == "":
		return ""
	case s.Status != resource.Stale:
		return lacks + detailsHint
	}
	line := "◌ " + age(s, now) + ": " + problem.Reason(s.Err) + " · " + Again(s, now)
	if lacks != "" {
		line += " · " + lacks
	}
	return line
}

// Lacks says how many records of the value could not be read; "" for none.
func Lacks(s resource.State) string {
	if s.Partial.Records == 0 || !s.HasFigures() {
		return ""
	}
	return problem.Unreadable(s.Partial.Records, s.Partial.Noun)
}

// notice is Notice in so many cells: what has no room is left out from its end, the
// age comes last.
func notice(s resource.State, now time.Time, room int) string {
	if s.Status != resource.Stale {
		return ""
	}
	for _, text := range [...]string{Notice(s, now), age(s, now) + ": " + problem.Reason(s.Err), age(s, now)} {
		if ansi.StringWidth(text) <= room {
			return text
		}
	}
	return "stale"
}

func age(s resource.State, now time.Time) string {
	return "stale, " + Age(now.Sub(s.LoadedAt)) + " old"
}
