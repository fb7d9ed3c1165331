package spend_test

import (
	"errors"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/spend"
)

var errBroken = &apiclient.NetworkError{Err: errors.New("broken pipe")}

func oneRow(o *sample.Organization) { o.Rows = o.Rows[:1] }

func TestWhatIsSaidWithoutFigures(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*sample.Organization)
		want   []string // on each list of figures
	}{
		"no rows": {only(func(apiclient.Transaction) bool { return false }),
			[]string{"No transactions yet.", "No transactions yet.", "No transactions yet."}},
		"one row of this month": {oneRow,
			[]string{"No money out in 2026-05..2026-10.", "No money out recurs among 1 transaction.", "Net"}},
		"no amounts in USD": {only(func(x apiclient.Transaction) bool { return !x.Reporting.Known() }),
			[]string{"° without 3 transactions that have no USD rate", "Whether money out recurs is not known",
				"° without 2 transactions that have no USD rate"}},
		"failed": {func(o *sample.Organization) { o.Fail[snapshot.History] = errBroken },
			[]string{"Could not load", "Could not load", "Could not load"}},
	} {
		r := open(t, c.change)
		for _, want := range c.want {
			sample.CheckText(t, r, want)
			r.press("]")
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestFiguresAreShownWhileOlderMonthsAreRead(t *testing.T) {
	r := newRig(t, nil)
	r.read(4)
	r.press("shift+tab")
	sample.CheckText(t, r, "Reading: 1 of 40 months", "has not been read yet.")
	r.press("tab")
	r.read(1)
	sample.CheckText(t, r, "Reading: 3 of 40 months", "as far as read", "Gusto")
	sample.CheckNoText(t, r, "the ledger's total")
	r.press("shift+tab")
	r.read(1000)
	sample.CheckText(t, r, "to the cent", "Net")
	sample.CheckNoText(t, r, "Reading:", "has not been read")
}

func TestTheQuestionAboutALargeHistoryIsAnswered(t *testing.T) {
	r := open(t, func(o *sample.Organization) {
		one := o.Rows[len(o.Rows)-1]
		for range 41_000 {
			o.Rows = append(o.Rows, one)
		}
	})
	sample.CheckText(t, r, "Read all?")
	r.press("n")
	r.read(1000)
	sample.CheckText(t, r, "Only the newest 24 of 40 months are read")
}

func TestTheDayTurnsTheMonths(t *testing.T) {
	now := sample.Now
	o := sample.New()
	data := o.SnapshotWithHistory(t)
	r := newRig(t, nil)
	r.Screen = newScreen(data, &now)
	r.SetSize(120, 37)
	sample.CheckText(t, r, "2026-08..2026-10")
	now = now.AddDate(0, 1, 0)
	r.Update(views.Tick{Now: now})
	sample.CheckText(t, r, "2026-09..2026-11")
}

func newScreen(data *snapshot.Snapshot, now *time.Time) *spend.Screen {
	return spend.New(views.Env{Snapshot: data, Theme: theme.New(true), Now: func() time.Time { return *now }})
}

func TestTheListIsChosenWhileTheFiguresLoad(t *testing.T) {
	r := newRig(t, nil)

	r.press("]", "d")
	r.read(1000)

	sample.CheckText(t, r, "money in", "recur", "Rhythm")
}

func TestRecurringDoesNotSpeakForRowsThatItDidNotLookAt(t *testing.T) {
	r := open(t, func(o *sample.Organization) {
		var known, unknown []apiclient.Transaction
		for _, x := range o.Rows {
			switch {
			case x.Direction != apiclient.Outflow:
			case x.Reporting.Known():
				known = append(known, x)
			default:
				unknown = append(unknown, x)
			}
		}
		o.Rows = append(known[:1:1], unknown[0])
		o.SortRows()
	})
	r.press("]")
	sample.CheckText(t, r, "no money out known to recur", "1 of 2 transactions not looked at")
	sample.CheckNoText(t, r, "no money out recurs")
}
