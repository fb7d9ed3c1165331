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

// Age formats a duration in one unit: "8s", "3m", "2h", "4d".
func Age(d time.Duration) string {
	n, unit := plural.Span(d)
	return strconv.Itoa(n) + unit[:1]
}

// Countdown says when the next request is sent, such as "retry in 4s". If that time has come, it
// returns "retrying".
func Countdown(until time.Time, now time.Time) string {
	left := until.Sub(now)
	if until.IsZero() || left <= 0 {
		return "retrying"
	}
	// Round up, so that a countdown never shows 0s before its end.
	return "retry in " + Age(left+time.Second-time.Nanosecond)
}

// Lines returns the text of a panel without figures: what is wrong, followed by when the request is
// retried or what to do. It returns nil if there are figures.
func Lines(s resource.State, emptyText string, now time.Time) []string {
	switch s.Status {
	case resource.Loading:
		return []string{"Loading…"}
	case resource.Empty:
		return []string{emptyText}
	case resource.NotOpen:
		return []string{"No account is open yet.", "Figures appear once an account is open."}
	case resource.NotAllowed:
		if scope := problem.Scope(s.Err); scope != "" {
			return []string{"Not allowed.", "The " + problem.Credential(s.Err) + " lacks the scope " + scope + "."}
		}
		return []string{"Not allowed.", "The " + problem.Credential(s.Err) + " lacks the required scope."}
	case resource.Failed:
		if errors.Is(s.Err, apiclient.ErrUnauthorized) {
			return refusedCredential(s.Err)
		}
		return []string{"Could not load: " + problem.Reason(s.Err) + ".", RetryHint(s, now)}
	}
	return nil
}

func refusedCredential(err error) []string {
	advice := "It is unknown, expired or revoked. Set another token and restart."
	api, ok := errors.AsType[*apiclient.Error](err)
	switch {
	case ok && api.Local:
		p := problem.Of(err)
		return []string{problem.Sentence(p.Reason), problem.Sentence(p.Advice)}
	case ok && api.Credential != "":
		advice = "It was revoked or has expired. Ask the server's operator."
	}
	return []string{"The server refused the " + problem.Credential(err) + ".", advice}
}

// RetryHint says when the next request is sent, and which keys retry now and show details. While
// the server limits the request rate, no key retries. No time is said if waiting does not help.
func RetryHint(s resource.State, now time.Time) string {
	if problem.Lasts(s.Err) {
		return "r now" + detailsHint
	}
	if errors.Is(s.Err, apiclient.ErrRateLimited) {
		return Countdown(s.RetryAt, now) + detailsHint
	}
	return Countdown(s.RetryAt, now) + " · r now" + detailsHint
}

// detailsHint names the key that shows the details of an error.
const detailsHint = " · ! details"

// Notice returns the age of stale figures, why they are stale, and the time until the next request.
// It returns "" if the figures are not stale.
func Notice(s resource.State, now time.Time) string {
	if s.Status != resource.Stale {
		return ""
	}
	text := age(s, now) + ": " + problem.Reason(s.Err)
	if problem.Lasts(s.Err) {
		return text
	}
	return text + " · " + Countdown(s.RetryAt, now)
}

// Line returns the text above a list: why its rows are stale and which keys help, and how many
// records could not be decoded. It returns "" if there is nothing to say.
func Line(s resource.State, now time.Time) string {
	lacks := Unreadable(s)
	switch {
	case s.Status != resource.Stale && lacks == "":
		return ""
	case s.Status != resource.Stale:
		return lacks + detailsHint
	}
	line := "◌ " + age(s, now) + ": " + problem.Reason(s.Err) + " · " + RetryHint(s, now)
	if lacks != "" {
		line += " · " + lacks
	}
	return line
}

// Unreadable says how many records could not be decoded. It returns "" if all could.
func Unreadable(s resource.State) string {
	if s.Partial.Records == 0 || !s.HasFigures() {
		return ""
	}
	return problem.Unreadable(s.Partial.Records, s.Partial.Noun)
}

// NoticeWithin returns the text of Notice, shortened to fit into width cells: without the
// countdown, without the reason, or just "stale". It returns "" if the figures are not stale.
func NoticeWithin(s resource.State, now time.Time, width int) string {
	if s.Status != resource.Stale {
		return ""
	}
	for _, text := range [...]string{Notice(s, now), age(s, now) + ": " + problem.Reason(s.Err), age(s, now)} {
		if ansi.StringWidth(text) <= width {
			return text
		}
	}
	return "stale"
}

func age(s resource.State, now time.Time) string {
	return "stale, " + Age(now.Sub(s.LoadedAt)) + " old"
}
