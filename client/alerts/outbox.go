package alerts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tarmac/internal/plural"
)

const (
	firstPause = time.Minute
	mostPause  = 2 * time.Hour
	patience   = 24 * time.Hour // time after which a message is given up
	// leastAttempts is the number of attempts before a message is given up, also by a clock that
	// jumps and on a machine that slept.
	leastAttempts = 8
	mostWaits     = 5 // number of waiting messages from which they become one
)

// Sender sends a message through a channel. An error that is a *Later asks for a pause.
type Sender interface {
	Send(ctx context.Context, m *Message) error
}

// Later is the error of a channel that asks to wait.
type Later struct {
	Err   error
	After time.Duration
}

func (e *Later) Error() string { return e.Err.Error() }
func (e *Later) Unwrap() error { return e.Err }

// Deliver sends the messages that wait for each channel, the oldest first. After the first one that
// a channel does not take, the others for it wait too. save is called after each message that was
// taken or refused. Deliver returns the first error of save.
func (s *State) Deliver(ctx context.Context, senders map[string]Sender, now func() time.Time, save func() error) error {
	for _, name := range s.waiting() {
		sender, known := senders[name]
		if !known {
			s.drop(name)
			if err := save(); err != nil {
				return err
			}
			continue
		}
		if err := s.deliverTo(ctx, name, sender, now, save); err != nil {
			return err
		}
	}
	return nil
}

// waiting returns the names of the channels that messages wait for.
func (s *State) waiting() (names []string) {
	for _, l := range s.Outbox {
		for name := range l.Channels {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func (s *State) deliverTo(ctx context.Context, name string, to Sender, now func() time.Time, save func() error) error {
	for ctx.Err() == nil {
		letters := s.lettersFor(name)
		if len(letters) == 0 {
			return nil
		}
		first := letters[0].Channels[name]
		if at := now(); at.Before(first.Next) && first.Next.Sub(at) <= mostPause {
			return nil // a time beyond the longest pause was set by a clock that was ahead
		}
		message, taken := &letters[0].Message, letters[:1]
		if len(letters) > mostWaits {
			message, taken = together(letters), letters
		}
		note, done := s.prepareNote(name, taken)
		err := to.Send(ctx, message)
		if err == nil {
			note()
		}
		done()
		if err != nil && ctx.Err() != nil {
			return nil // the program ends; nothing is known about the channel
		}
		if err == nil {
			delete(s.Refused, name)
			s.taken(name, taken)
		} else {
			s.refused(name, letters[0], err, now())
		}
		if err := save(); err != nil {
			return err
		}
		if err != nil && len(s.lettersFor(name)) > 0 && s.lettersFor(name)[0] == letters[0] {
			return nil
		}
	}
	return nil
}

func (s *State) lettersFor(name string) (letters []*Letter) {
	for _, l := range s.Outbox {
		if _, waits := l.Channels[name]; waits {
			letters = append(letters, l)
		}
	}
	return letters
}

// together makes one message of several. It has the ID of the first.
func together(letters []*Letter) *Message {
	m := letters[0].Message
	m.Findings = nil
	m.Text, m.Page, m.Masked = "", "", ""
	for _, l := range letters {
		m.Findings = append(m.Findings, l.Findings...)
		if l.Text != "" {
			m.Text, m.Page, m.Masked = l.Text, l.Page, l.Masked
		}
	}
	n, unit := plural.Span(letters[len(letters)-1].At.Sub(m.At))
	m.Note = fmt.Sprintf("%d messages of %s, which could not be sent before.", len(letters), plural.Count(n, unit))
	if len(m.Findings) > 0 {
		m.Title = titleOf(m.Findings)
	}
	return &m
}

// taken removes letters that a channel has taken.
func (s *State) taken(name string, letters []*Letter) {
	for _, l := range letters {
		delete(l.Channels, name)
	}
	s.Outbox = slices.DeleteFunc(s.Outbox, func(l *Letter) bool { return len(l.Channels) == 0 })
}

// refused remembers that a channel did not take a letter. After a day and several attempts the
// letter is given up.
func (s *State) refused(name string, l *Letter, why error, now time.Time) {
	d := l.Channels[name]
	d.Attempts++
	d.Problem = why.Error()
	wait := min(firstPause<<min(d.Attempts-1, 10), mostPause)
	var later *Later
	if errors.As(why, &later) {
		wait = min(max(wait, later.After), mostPause)
	}
	d.Next = now.Add(wait)
	if now.Sub(l.At) >= patience && d.Attempts >= leastAttempts {
		s.Refused[name] = "has taken nothing for a day: " + d.Problem
		s.taken(name, []*Letter{l})
	}
}

// drop removes what waits for a channel that is no more.
func (s *State) drop(name string) { s.taken(name, s.lettersFor(name)) }

// NextDelivery returns the earliest time at which a message can be sent, or the zero time if none
// waits.
func (s *State) NextDelivery() (at time.Time) {
	for _, name := range s.waiting() {
		if next := s.lettersFor(name)[0].Channels[name].Next; at.IsZero() || next.Before(at) {
			at = next
		}
	}
	return at
}

// Waiting returns the number of messages that wait for a channel, and what it said last.
func (s *State) Waiting(name string) (n int, problem string) {
	letters := s.lettersFor(name)
	if len(letters) > 0 {
		problem = letters[0].Channels[name].Problem
	}
	return len(letters), problem
}
