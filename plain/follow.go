package plain

import (
	"errors"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/internal/termtext"
)

// followEvery is the polling interval of the command follow while the server responds.
const followEvery = 3 * time.Second

// follower polls the event feed and prints each new event once.
type follower struct {
	options  apiclient.TailOptions
	tailer   *apiclient.Tailer
	failures int // number of consecutive failed polls
}

// follow prints new events until the user types a line or presses ctrl+c. It begins after the
// newest event that the page has printed.
func (p *eventsPage) follow(s *session, _ string) error {
	f := follower{options: apiclient.TailOptions{Types: p.types}}
	if p.after == "" && p.rows.known() {
		for _, e := range p.rows.value.Data {
			if f.options.Since = e.ID; e.ID != "" { // an event that could not be decoded may lack its ID
				break
			}
		}
	}
	f.tailer = apiclient.NewTailer(s.server.Client, f.options)
	s.say("Following events. Press Enter to stop.")
	for {
		wait, more := f.poll(s)
		if !more {
			return nil
		}
		select {
		case <-s.After(wait):
			continue
		case line, ok := <-s.lines:
			s.say("Stopped following.")
			text := typedText(line)
			switch {
			case !ok:
				return errEnd
			case text != "":
				return s.execute(text)
			}
			return nil
		case <-s.Interrupts:
		case <-s.ctx.Done():
		}
		return s.answer("Stopped following.")
	}
}

// poll prints the events since the last poll. It returns how long to wait before the next poll. The
// result more is false if the command follow has ended.
func (f *follower) poll(s *session) (wait time.Duration, more bool) {
	s.waiting = true // the user does not wait for this request, so print no notice if it is slow
	events, err := requestOnce(s, f.tailer.Poll)
	switch {
	case errors.Is(err, errInterrupted) || s.ctx.Err() != nil:
		s.say("Stopped following.")
		return 0, false
	case errors.As(err, new(*apiclient.UnknownEventError)):
		missed := &apiclient.MissedError{LastID: f.options.Since}
		s.say("%s Everything the feed still keeps follows.", problem.Sentence(missed.Error()))
		f.options.Since = apiclient.SinceBeginning
		f.tailer = apiclient.NewTailer(s.server.Client, f.options)
		return f.poll(s)
	case errors.Is(err, apiclient.ErrForbidden), errors.Is(err, apiclient.ErrUnauthorized),
		errors.Is(err, apiclient.ErrInvalid):
		s.say("Events: %s", errorInWords(err))
		return 0, false
	case err != nil:
		if f.failures == 0 {
			reason := termtext.Line(strings.TrimSuffix(errorInWords(err), "."))
			s.say("Events: %s. Retrying after the last event.", reason)
		}
		f.failures++
		wait := followEvery * time.Duration(min(f.failures, 10))
		var api *apiclient.Error
		if errors.As(err, &api) {
			wait = max(wait, api.RetryAfter)
		}
		return wait, true
	}
	if f.failures > 0 {
		s.say("Connected again.")
	}
	f.failures = 0
	if missed := f.tailer.Missed(); missed != nil {
		s.say("%s", problem.Sentence(missed.Error()))
	}
	for i := range events {
		s.say("%s.", eventLine(&events[i]))
	}
	return followEvery, true
}
