package alerts_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/alerts"
	"tarmac/internal/testsupport/sample"
	"tarmac/internal/testsupport/screen"
	"tarmac/theme"
	"tarmac/views"
	page "tarmac/views/alerts"
)

var update = sample.UpdateFlag()

// watched is what is watched on a machine. now is the time of the page.
type watched struct {
	of  alerts.Overview
	err error
	now time.Time
}

func (w *watched) env(t *testing.T) views.Env {
	w.now = sample.Now
	return views.Env{
		Context: t.Context(), Timeout: time.Minute, Now: func() time.Time { return w.now }, Theme: theme.New(true),
		Alerts: func(context.Context) (*alerts.Overview, error) {
			of := w.of
			return &of, w.err
		},
	}
}

func some() *watched {
	at := sample.Now.Add(-time.Hour)
	return &watched{of: alerts.Overview{
		Alerts: []alerts.Entry{
			{Number: 1, Rule: "runway-below", Tells: "tells below 9 months", State: "runway 8.7 months (below 9)",
				LastTold: &at, To: []string{"mail"}, Open: true},
			{Number: 2, Rule: "cash-below", Tells: "tells below 250k", State: "cash $1,234,567.89",
				To: []string{"mail", "desk"}},
			{Number: 3, Rule: "perhaps", Problem: "is no rule"},
		},
		Channels: []alerts.Reach{{Name: "mail", Kind: "mail", Waiting: 2, Problem: "answered with 451"},
			{Name: "desk", Kind: "command"}},
		LastLook: &at,
	}}
}

func run(s *page.Screen, cmd tea.Cmd) (told []tea.Msg) {
	for cmd != nil {
		msg := cmd()
		cmd = s.Update(msg)
		told = append(told, msg)
	}
	return told
}

func TestPictures(t *testing.T) {
	w := some()
	s := page.New(w.env(t))
	run(s, s.Init())
	for _, size := range []struct{ width, height, blank int }{{200, 57, 25}, {120, 37, 15}, {80, 21, 15}} {
		s.SetSize(size.width, size.height)
		if blank := screen.LargestBlank("\n\n"+s.View()+"\n.", size.width); blank > size.blank {
			t.Errorf("at %dx%d the page is blank to %d %%:\n%s", size.width, size.height, blank, s.View())
		}
		sample.CheckSize(t, s.View(), size.width, size.height)
		sample.Golden(t, fmt.Sprintf("%dx%d", size.width, size.height), s.View(), *update)
	}
	sample.CheckAllSizes(t, s)
	sample.CheckMasked(t, s, 1_234_567_89)
}

func TestItSaysWhenNothingIsWatchedAndWhenThatIsNotKnown(t *testing.T) {
	w := &watched{}
	s := page.New(w.env(t))
	s.SetSize(80, 21)
	sample.CheckText(t, s, "Loading")
	run(s, s.Init())
	sample.CheckText(t, s, "Nothing is watched", "tarmac alerts add runway-below 9", "Nobody has looked yet")
	if strings.Contains(s.View(), "alerts remove") {
		t.Errorf("an alert can be removed where there is none:\n%s", s.View())
	}

	w.err = errors.New("the state cannot be read")
	failed := page.New(w.env(t))
	failed.SetSize(80, 21)
	if told := run(failed, failed.Init()); len(told) != 1 {
		t.Errorf("a failure tells %v", told)
	}
	sample.CheckText(t, failed, "Could not load")
}

func TestWhatIsToldAfterTheFirstReadingIsTold(t *testing.T) {
	w := some()
	s := page.New(w.env(t))
	last := func(told []tea.Msg) tea.Msg { return told[len(told)-1] }
	open := []string{"runway-below: runway 8.7 months (below 9)", "cash-below: cash $1,234,567.89"}

	if got := last(run(s, s.Update(views.Tick{}))); !reflect.DeepEqual(got, views.AlertsTold{Open: open[:1]}) {
		t.Fatalf("the first reading tells %v", got)
	}
	if s.Update(views.Tick{}) != nil {
		t.Error("it reads again at once")
	}
	w.now = w.now.Add(time.Minute)
	at := w.now
	w.of.Alerts[1].LastTold, w.of.Alerts[1].Open = &at, true
	told := run(s, s.Update(views.Tick{}))

	if got := last(told); !reflect.DeepEqual(got, views.AlertsTold{Open: open, Text: open[1]}) {
		t.Errorf("it tells %v", got)
	}
	w.now = w.now.Add(time.Minute)
	if got := last(run(s, s.Update(views.Tick{}))); !reflect.DeepEqual(got, views.AlertsTold{Open: open}) {
		t.Errorf("it tells %v again", got)
	}
}
