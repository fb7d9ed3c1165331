package reading_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/reading"
)

type rig struct {
	*sample.Organization
	*snapshot.Snapshot
	*reading.History
}

func open(t *testing.T, change func(*sample.Organization)) *rig {
	o := sample.New()
	change(o)
	s := o.Unfetched(t)
	s.Show(snapshot.History)
	env := views.Env{Snapshot: s, Now: func() time.Time { return sample.Now }}
	return &rig{o, s, reading.New(env)}
}

// step reads one step of the history.
func (r *rig) step() { r.Update(r.Snapshot.Load(snapshot.History)()) }

// text is what is shown.
func (r *rig) text() string { return ansi.Strip(strings.Join(r.Lines(theme.New(true)), "\n")) }

func TestProgressIsShownUntilAllMonthsAreRead(t *testing.T) {
	r := open(t, func(*sample.Organization) {})
	for range 4 {
		r.step()
	}
	if text := r.text(); !strings.HasPrefix(text, "Reading: 1 of 40 months · ") {
		t.Errorf("%q", text)
	}
	r.LoadHistory(r.Snapshot)
	if text := r.text(); text != "" {
		t.Errorf("%q", text)
	}
}

func TestAFailureInTheMiddleIsShown(t *testing.T) {
	r := open(t, func(*sample.Organization) {})
	for range 4 {
		r.step()
	}
	r.Fail[snapshot.History] = &apiclient.Error{Status: 429, RetryAfter: 5 * time.Second}
	r.step()
	if text := r.text(); !strings.Contains(text, "rate limited") || !strings.Contains(text, "Reading: 1 of 40 months") {
		t.Errorf("%q", text)
	}
}

func TestMonthsThatDoNotAddUpAreNamed(t *testing.T) {
	r := open(t, func(o *sample.Organization) {
		for i := range o.Rows {
			if i%20 == 0 {
				o.Rows[i].Unreadable = &apiclient.ContractError{}
			}
		}
	})
	r.LoadHistory(r.Snapshot)
	if text := r.text(); !strings.HasPrefix(text, "! 2026-1") || strings.Count(text, "\n") != 2 ||
		!strings.Contains(text, "\n! and ") {
		t.Errorf("%q", text)
	}
	hidden := theme.New(true)
	hidden.Masked = true
	if line := ansi.Strip(r.Lines(hidden)[0]); strings.Contains(line, "$") || !strings.Contains(line, "•••") {
		t.Errorf("%q", line)
	}
}

func TestALargeHistoryIsAskedAbout(t *testing.T) {
	r := open(t, func(o *sample.Organization) {
		one := o.Rows[0]
		for range 50_000 {
			o.Rows = append(o.Rows, one)
		}
		o.SortRows()
	})
	r.step()
	if text := r.text(); !r.Asking() || !strings.Contains(text, "! 50,220 transactions in 40 months take ") ||
		!strings.Contains(text, " to read. Read all?") ||
		!strings.Contains(text, "y read all · n only the newest 40,000") || len(r.History.Help()) != 1 {
		t.Fatalf("%q", text)
	}
	if _, handled := r.Answer(sample.Press("x")); handled || !r.Asking() {
		t.Error("x is an answer")
	}
	cmd, handled := r.Answer(sample.Press("n"))
	if !handled || r.Asking() || cmd == nil || len(r.History.Help()) != 0 {
		t.Fatal("n is no answer")
	}
	r.Update(cmd().(snapshot.Result))
	r.LoadHistory(r.Snapshot)
	if text := r.text(); !strings.HasPrefix(text, "Only the newest 0 of 40 months are read: 0 of 50,") ||
		!strings.HasSuffix(text, " transactions · r asks again") {
		t.Errorf("%q", text)
	}

	r.Snapshot.History.AskAgain()
	r.RenewHistory()
	r.LoadHistory(r.Snapshot)
	if cmd, handled = r.Answer(sample.Press("y")); !handled || r.Asking() || cmd == nil {
		t.Error("y is no answer")
	}
}
