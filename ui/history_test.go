package ui

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/client/history"
	"tarmac/client/snapshot"
)

// withHistory opens a dashboard whose visible page needs the history, on a server with one
// transaction in the current month.
func withHistory(t *testing.T) *dashboard {
	d := open(t, healthy())
	needHistory(d)
	return d
}

// needHistory shows the history, as a page does that needs it.
func needHistory(d *dashboard) {
	page := &d.session.pages[d.session.active]
	page.Needs = append(page.Needs, snapshot.History)
	d.session.data.Show(page.Needs...)
	clear(d.api.asked)
}

func TestTheHistoryIsReadWithoutWaitingBetweenSteps(t *testing.T) {
	d := withHistory(t)
	d.after(time.Second)
	past := &d.session.data.History
	if p := past.Progress(); !p.Complete || p.Months != history.Months || len(past.Ledger().Rows) != 1 {
		t.Errorf("%+v", p)
	}
	// The server counts its one row in every month, so all months but one are read twice.
	if n := d.api.asked["/transactions"]; n < 3+history.Months || n > 3+2*history.Months-1+5 {
		t.Errorf("%d requests", n)
	}
	clear(d.api.asked)
	for range 60 {
		d.after(time.Second)
	}
	if n := d.api.total(); n >= 50 {
		t.Errorf("then %d requests in a minute: %v", n, d.api.asked)
	}
}

func TestA429ResponseInTheMiddleOfTheHistoryIsWaitedFor(t *testing.T) {
	d := withHistory(t)
	d.api.status, d.api.wait = http.StatusTooManyRequests, "10"
	d.after(time.Second)
	d.api.status, d.api.wait = 0, ""
	clear(d.api.asked)
	d.after(5 * time.Second)
	if n := d.api.total(); n != 0 {
		t.Errorf("%d requests were sent too early", n)
	}
	for range 20 {
		d.after(time.Second)
	}
	if p := d.session.data.History.Progress(); !p.Complete {
		t.Errorf("%+v", p)
	}
}

func TestTheHistoryIsReadAgainAfterARefresh(t *testing.T) {
	d := withHistory(t)
	d.after(time.Second)
	d.api.bodies["/transactions"] = strings.Replace(d.api.bodies["/transactions"], "Łukasz", "Renamed", 1)
	d.after(2 * time.Minute)
	d.press("r")
	if name := d.session.data.History.Ledger().Rows[0].CounterpartyName; !strings.HasPrefix(name, "Renamed") {
		t.Errorf("the counterparty is %s", name)
	}
	clear(d.api.asked)
	d.after(2 * time.Second)
	d.press("r") // in the same minute, only the last two months are read again
	if n := d.api.asked["/transactions"]; n > 12 {
		t.Errorf("%d requests", n)
	}
}

func TestHiddenPagesDoNotReadTheHistoryAgain(t *testing.T) {
	d := withHistory(t)
	d.after(time.Second)
	d.press("6")
	clear(d.api.asked)
	for range 11 {
		d.after(time.Minute)
	}
	shown := d.api.asked["/transactions"]
	clear(d.api.asked)
	needHistory(d)
	for range 11 {
		d.after(time.Minute)
	}
	if again := d.api.asked["/transactions"] - shown; again < 2*4 {
		t.Errorf("%d requests while it is hidden, %d more while it is shown", shown, again)
	}
}

// The first page reads the rows of its sentences only when its own figures are on the screen, and
// not for users over SSH, of whom many share a machine.
func TestTheFirstPageReadsTheHistoryAfterItsFigures(t *testing.T) {
	d := open(t, healthy())
	if past := &d.session.data.History; past.Progress().Months > 0 {
		t.Errorf("%d months are read before the first second", past.Progress().Months)
	}
	d.after(2 * time.Second)
	if p := d.session.data.History.Progress(); !p.Complete {
		t.Errorf("the history is not read: %+v", p)
	}

	d = open(t, healthy())
	d.options.Remote = true
	d.after(time.Minute)
	if p := d.session.data.History.Progress(); p.Months > 0 {
		t.Errorf("over SSH, %d months are read", p.Months)
	}
}
