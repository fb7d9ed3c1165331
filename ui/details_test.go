package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

func TestDetailsSayWhatWentWrongSinceWhenAndWhatToDo(t *testing.T) {
	a := healthy()
	a.broken = "/account"
	d := open(t, a)
	d.after(time.Minute)

	d.press("!")

	d.shows(
		"╭─ Problem ─",
		"As the test wants it (500).",
		"What to do  Try again later, or tell the server's administrator.",
		"Request     GET /account",
		"Since       2026-11-20 12:00",
		"times in a row",
		"Next try    retry in",
		"esc back  y copy  r refresh",
	)
	if strings.Contains(d.text(), "? help") {
		t.Error("it offers the help, which does not open")
	}
	d.press("esc")
	if strings.Contains(d.text(), "╭─ Problem ─") {
		t.Error("esc does not close it")
	}
}

func TestDetailsBeginWithThePageInFront(t *testing.T) {
	a := healthy()
	a.broken = "/receivables/aging"
	a.bodies["/account"] = `{"org_id":5}`
	d := open(t, a)

	for page, first := range map[string]string{"3": "As the test wants it (500).", "1": "field org_id",
		"6": "field org_id"} {
		d.press(page, "!")
		text := d.text()
		box := text[strings.Index(text, "2 problems"):]
		if at := strings.Index(box, first); at < 0 || at > strings.Index(box, "What to do") {
			t.Errorf("page %s begins with something else than %s:\n%s", page, first, text)
		}
		if !strings.Contains(box, "Also") || !strings.Contains(box, "GET /account") {
			t.Errorf("page %s does not name the other:\n%s", page, text)
		}
		d.press("!")
	}
}

func TestWhereNothingIsWrongDetailsSaySo(t *testing.T) {
	d := open(t, healthy())

	d.press("!")

	d.shows("no alerts, and no problems here")
	if d.details.open {
		t.Error("an empty box is open")
	}
}

func TestDetailsListTheAlertsThatTheHeaderCounts(t *testing.T) {
	d := open(t, healthy())
	d.tellAlerts(views.AlertsTold{Open: []string{"cash-below: cash $1,234.00", "runway-below: runway 5.2 months"}})

	d.press("!")
	d.shows("2 alerts", "╭─ 2 alerts ─", "cash-below: cash $1,234.00", "runway-below: runway 5.2 months")
	d.press("esc", "*", "!")
	if strings.Contains(d.text(), "1,234") {
		t.Errorf("hidden amounts are shown:\n%s", d.text())
	}

	a := healthy()
	a.broken = "/account"
	d = open(t, a)
	d.tellAlerts(views.AlertsTold{Open: []string{"cash-below: cash $1,234.00"}})
	d.press("!")
	d.shows("╭─ 1 alert, 1 problem ─", "cash-below: cash $1,234.00", "As the test wants it (500).")
}

func TestDetailsThatArePassedSaySoAndAreCopied(t *testing.T) {
	a := healthy()
	a.fail = errors.New("connection refused")
	d := open(t, a)
	d.press("!")
	d.shows("The server cannot be reached: connection refused.")

	_, cmd := d.Update(keyPress("y"))
	if c, ok := cmd().(views.Copy); !ok ||
		!strings.HasPrefix(c.Text, "The server cannot be reached: connection refused.\n") {
		t.Errorf("copied %+v", c)
	}
	a.fail = nil
	d.after(time.Minute)
	d.shows("Resolved.")
}

func TestDetailsScrollWhereTheyHaveNoRoom(t *testing.T) {
	a := healthy()
	a.broken = "/account"
	d := open(t, a)
	for _, size := range []tea.WindowSizeMsg{{Width: 40, Height: 12}, {Width: 80, Height: 24}, {Width: 200, Height: 60},
		{Width: 20, Height: 6}} {
		d.Update(size)
		d.press("!", "G")
		lines := strings.Split(d.render(), "\n")
		if len(lines) != size.Height {
			t.Errorf("%d lines at %d", len(lines), size.Height)
		}
		if size.Width >= 40 {
			d.shows("retry in")
		}
		d.press("!")
	}
}

// A server with an invalid certificate is not reported as offline.
func TestTheHeaderNamesWhatKeepsEverythingAway(t *testing.T) {
	a := healthy()
	d := open(t, a)
	a.fail = errNotHTTP
	d.after(20 * time.Second)
	d.shows("✕ the response is not HTTP 20s", "stale, 20s old: the response is not HTTP")
	if strings.Contains(d.text(), "offline") {
		t.Errorf("it is called offline:\n%s", d.text())
	}
}

var errNotHTTP = errors.New(`malformed HTTP response "220 mail.example ready"`)
