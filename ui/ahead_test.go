package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// starting is a dashboard whose first connection has not been opened yet. Opened lists the
// connections that were asked for, and pending holds commands that have not run.
type starting struct {
	*dashboard
	opened  []string
	pending []tea.Cmd
	fail    error
}

// start returns a dashboard that offers the demo, own books and a typed server. If first is not "",
// it opens that connection.
func start(t *testing.T, first string) *starting {
	t.Helper()
	s := &starting{dashboard: &dashboard{t: t, api: healthy(), now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}}
	profile := func(name string) *Profile {
		return &Profile{Name: name, Open: func(context.Context) (Connection, error) {
			s.opened = append(s.opened, name)
			return Connection{Client: s.clientOf(s.api), Profile: name}, s.fail
		}}
	}
	o := Options{
		Now: func() time.Time { return s.now }, Timeout: time.Minute,
		Demo: profile("demo"), Books: profile("own books"),
		Connect: func(ctx context.Context, baseURL, _ string) (Connection, error) { return profile(baseURL).Open(ctx) },
	}
	server := profile("server")
	o.Profiles = []*Profile{server, o.Books}
	o.Start = map[string]*Profile{"own books": o.Books, "server": server, "demo": o.Demo}[first]
	s.Model = New(t.Context(), o)
	s.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if o.Start != nil {
		s.pending = append(s.pending, s.connect(o.Start, o.Start, false))
	}
	return s
}

// types sends keys and keeps the resulting commands, as if nothing had been answered yet.
func (s *starting) types(keys ...string) {
	for _, k := range keys {
		if _, cmd := s.Update(keyPress(k)); cmd != nil {
			s.pending = append(s.pending, cmd)
		}
	}
}

// answers runs the commands that have not run, in the order in which they were issued or, as
// commands run at the same time, in reverse.
func (s *starting) answers(reversed bool) {
	for len(s.pending) > 0 {
		at := 0
		if reversed {
			at = len(s.pending) - 1
		}
		cmd := s.pending[at]
		s.pending = append(s.pending[:at:at], s.pending[at+1:]...)
		s.drain(cmd)
	}
}

// Keys that were typed before the first connection is open, or just after it failed, never begin
// the demo: only moving to it on the page and choosing it does.
func TestKeysTypedAheadNeverBeginTheDemo(t *testing.T) {
	ahead := [][]string{
		{"enter"}, {"2", "enter"}, {"9", "enter", "enter"}, {"esc", "enter"}, {"esc", "esc", "enter"},
		{"4", "/", "a", "enter"}, {"tab", "enter"}, {"down", "enter"}, {"p", "esc", "enter"}, {":", "enter"},
		{"esc", "p", "enter"}, {"?", "esc", "enter"},
	}
	for _, first := range []string{"own books", "server"} {
		for _, keys := range ahead {
			for _, fail := range []error{nil, errors.New("the file is locked")} {
				for _, reversed := range []bool{false, true} {
					s := start(t, first)
					s.fail = fail
					s.types(keys...)
					s.answers(reversed)
					s.types("4", "enter", "esc", "enter")
					s.answers(reversed)
					for _, name := range s.opened {
						if name == "demo" {
							t.Errorf("%s, failure %v, reversed %v: %v opens %v", first, fail, reversed, keys, s.opened)
						}
					}
				}
			}
		}
	}
}

// On the page that offers the choice, and in its form, keys act as they are typed.
func TestKeysTypedAheadOnTheWelcomePage(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"enter", "enter", "4", "esc"}, "demo"}, // the keys after the first one wait for the demo
		{[]string{"down", "down", "enter", "enter"}, "own books"},
		{[]string{"enter", "esc", "down", "down", "enter"}, "own books"},
	} {
		for _, reversed := range []bool{false, true} {
			s := start(t, "")
			s.types(c.keys...)
			s.answers(reversed)
			if s.welcoming() == (s.session != nil) || s.session != nil && s.session.connection.Profile != c.want {
				t.Errorf("%v, reversed %v: opened %v:\n%s", c.keys, reversed, s.opened, s.text())
			}
			if s.session == nil && s.dial == nil && !s.welcome.Choosing() {
				t.Errorf("%v, reversed %v: the page waits for nothing:\n%s", c.keys, reversed, s.text())
			}
		}
	}
}
