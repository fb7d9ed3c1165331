package spend_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/spend"
)

var update = sample.UpdateFlag()

// rig is the page on a snapshot of the sample organization.
type rig struct {
	*spend.Screen
	t    *testing.T
	org  *sample.Organization
	data *snapshot.Snapshot
}

// newRig returns the visible page before any row of the history has been read.
func newRig(t *testing.T, change func(*sample.Organization)) *rig {
	t.Helper()
	o := sample.New()
	if change != nil {
		change(o)
		o.SortRows()
	}
	data := o.Snapshot(t)
	data.Show(snapshot.History)
	r := &rig{t: t, org: o, data: data}
	r.Screen = spend.New(views.Env{
		Snapshot: data, Now: func() time.Time { return sample.Now }, Theme: theme.New(true),
	})
	r.Update(views.Visible(true))
	r.SetSize(120, 37)
	return r
}

// open returns the page after the whole history has been read.
func open(t *testing.T, change func(*sample.Organization)) *rig {
	t.Helper()
	r := newRig(t, change)
	r.read(1000)
	return r
}

// read reads at most the given number of steps of the history.
func (r *rig) read(steps int) {
	r.t.Helper()
	for range steps {
		if !r.data.HistoryIsDue() {
			return
		}
		r.send(r.data.Load(snapshot.History)())
		if r.data.State(snapshot.History).Err != nil {
			return
		}
	}
}

// send delivers a message and runs the resulting commands. It returns the last message that is not
// for the page itself.
func (r *rig) send(msg tea.Msg) (last tea.Msg) {
	r.t.Helper()
	if answer, ok := msg.(snapshot.Result); ok {
		r.data.Update(answer)
	}
	return r.run(r.Update(msg))
}

func (r *rig) run(cmd tea.Cmd) (last tea.Msg) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			if one := r.run(c); one != nil {
				last = one
			}
		}
	case views.Copy, views.Notice, views.Visit:
		return msg
	default:
		return r.send(msg)
	}
	return last
}

// press presses keys and returns the last message for the dashboard.
func (r *rig) press(keys ...string) (last tea.Msg) {
	r.t.Helper()
	for _, k := range keys {
		if msg := r.send(sample.Press(k)); msg != nil {
			last = msg
		}
	}
	return last
}

// typed types a text.
func (r *rig) typed(text string) {
	r.t.Helper()
	for _, c := range text {
		r.send(tea.KeyPressMsg{Code: c, Text: string(c)})
	}
}

// only keeps the rows for which keep returns true.
func only(keep func(apiclient.Transaction) bool) func(*sample.Organization) {
	return func(o *sample.Organization) {
		var kept []apiclient.Transaction
		for _, t := range o.Rows {
			if keep(t) {
				kept = append(kept, t)
			}
		}
		o.Rows = kept
	}
}
