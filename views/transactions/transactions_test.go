package transactions

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestTheListSaysWhatTheServerSays(t *testing.T) {
	d := open(t, 1000)
	d.says(
		"1,000 transactions",
		"in $1,234,567.89 ° ·",
		"out $234,567.89 ° ·",
		"net +$1,000,000.00 ° · ° 12 without USD rate",
		"row 1 of 1,000",
		"-1,234.56  USD",
		"+1,500,000     JPY",
		"—     EUR",
		"✓",
	)
}

// A session that shares a machine with others keeps few rows in memory, and reads the others again.
func TestASessionMayKeepFewerPages(t *testing.T) {
	d := open(t, 10_000)
	d.Env.KeptPages = 3

	for range 60 {
		d.press("G")
	}
	d.says("row 10,000 of 10,000")
	if d.store.held > 3 {
		t.Errorf("%d pages are in memory", d.store.held)
	}

	d.list.Table.SetCursor(5000)
	d.drain(d.Update(views.Tick{}))
	if row, ok := d.store.row(5000); !ok || row.ID != d.server.ids[5000] {
		t.Errorf("row 5000 is %v", row)
	}
}

func TestPagesAreFetchedAheadAndPlacesAreRight(t *testing.T) {
	d := open(t, 10_000)
	if len(d.server.queries) != 1 {
		t.Fatalf("%d requests for the first screen", len(d.server.queries))
	}
	for range 15 {
		d.press("pgdown")
	}
	if len(d.server.queries) < 3 || d.store.end() <= d.list.Table.Cursor()+d.list.Table.Height() {
		t.Errorf("at row %d only %d are there", d.list.Table.Cursor(), d.store.end())
	}
	for range 60 {
		d.press("G")
	}
	d.says("row 10,000 of 10,000")
	if d.store.held > keptPages {
		t.Errorf("%d pages are in memory", d.store.held)
	}
	// The first pages were evicted and must be fetched again.
	d.list.Table.SetCursor(5000)
	d.drain(d.Update(views.Tick{}))
	d.says("row 5,001 of 10,000")
	if row, ok := d.store.row(5000); !ok || row.ID != d.server.ids[5000] {
		t.Errorf("row 5000 is %v", row)
	}
	d.press("g")
	d.says("row 1 of 10,000")
}

func TestDatesThatCannotBeAreRefusedWithASentence(t *testing.T) {
	d := open(t, 3)
	before := len(d.server.queries)
	d.press("f")
	d.write("2026-03-31..2026-01-01")
	d.press("enter")
	d.says("2026-03-31 is after 2026-01-01")
	if !d.Typing() || len(d.server.queries) != before {
		t.Error("what was typed wrong was lost, or asked for")
	}
	d.press("esc")
	if d.Typing() || !d.filter.empty() {
		t.Error("esc did not leave everything as it was")
	}
}

func TestARowThatCannotBeReadSaysSoAmongTheOthers(t *testing.T) {
	l := newLedger(3, func(int) int { return 1 })
	l.bad = func(row int) bool { return row == 1 }
	r := read(t, l)

	sample.CheckText(t, r, "1 transaction could not be read", "row 1 of 3", "2026-11-20", "2026-11-18")
	r.press(t, "j", "enter")
	sample.CheckText(t, r, "row 2 of 3", "Problem", "could not be read: field date is", "unreadable")

	l.bad = nil
	r.drain(t, r.Refresh())
	sample.CheckNoText(t, r, "could not be read")
}

func TestEmptyListsSayWhy(t *testing.T) {
	d := open(t, 0)
	d.says("No transactions yet.")
	d.press("/")
	d.write("nothing")
	d.press("enter")
	d.says("No transactions match these filters. x removes the last one.")
}

func TestAnswersToAnOldFilterAreDropped(t *testing.T) {
	d := open(t, 300)
	late := d.Update(press("d"))
	now := d.Update(press("d"))
	if late == nil || now == nil {
		t.Fatal("a filter did not ask")
	}
	answer := late()
	d.drain(now)
	d.server.insert(0, 5)
	total := d.store.total
	d.drain(d.Update(answer))
	if d.store.total != total || d.filter.direction != apiclient.Outflow {
		t.Error("a late answer counted")
	}
}

func TestAFailureKeepsTheRowsAndIsTriedAgain(t *testing.T) {
	d := open(t, 1000)
	d.server.fail = errors.New("broken")
	d.press("G")
	d.says("row 1 of 1,000", "jumping to the oldest", "stale", "broken", "retry in 2s", "r now")
	asked := len(d.server.queries)
	d.press("down")
	if len(d.server.queries) != asked {
		t.Error("a failure was tried again at once")
	}
	d.server.fail = nil
	d.clock.at = d.clock.at.Add(3 * time.Second)
	d.drain(d.Update(views.Tick{}))
	if strings.Contains(d.text(), "stale") || !strings.Contains(d.text(), "row 1,000 of 1,000") {
		t.Errorf("it did not recover:\n%s", d.text())
	}
}

func TestWithoutRowsAFailureSaysSoAndRefreshTriesNow(t *testing.T) {
	d := open(t, 10)
	d.server.fail = errors.New("broken")
	d.press("d")
	d.says("Could not load: broken.", "retry in 2s · r now")
	d.server.fail = nil
	d.drain(d.Refresh())
	d.says("row 1 of 10")
	d.server.fail = fmt.Errorf("transactions: %w", &apiclient.Error{Status: 403, Scope: "payments:read"})
	d.drain(d.Refresh())
	d.says("The token lacks the scope payments:read.")
	if strings.Contains(d.text(), "Cloud Hosting") || strings.Contains(d.text(), "$1,234,567.89") {
		t.Error("what may no longer be read is still shown")
	}
	for _, group := range d.Help() {
		for _, b := range group.Bindings {
			if b.Enabled() && b.Help().Key != "x" && b.Help().Key != "X" {
				t.Errorf("%s is offered for what may not be read", b.Help().Key)
			}
		}
	}
}

func TestACursorThatIsNoLongerTakenBeginsAnew(t *testing.T) {
	d := open(t, 1000)
	d.server.fail = &apiclient.Error{Status: 400, Message: "invalid cursor"}
	d.press("G")
	d.server.fail = nil
	d.clock.at = d.clock.at.Add(time.Minute)
	d.drain(d.Update(views.Tick{}))
	d.says("row 1 of 1,000")
}

func TestNewerRowsMoveNothingUntilAsked(t *testing.T) {
	d := open(t, 1000)
	for range 5 {
		d.press("pgdown")
	}
	row, _ := d.store.row(d.list.Table.Cursor())
	id, view := row.ID, d.list.Table.Cursor()
	d.server.insert(0, 3)
	d.latest()
	d.says("newer transactions: g", "row "+fmt.Sprint(view+1)+" of 1,000")
	d.press("G") // fetches more, and gets the new count
	d.list.Table.SetCursor(view + 3)
	if row, ok := d.store.row(d.list.Table.Cursor()); !ok || row.ID != id {
		t.Errorf("the row one reads is not three further down")
	}
	d.press("g")
	d.says("row 1 of 1,003")
	if row, ok := d.store.row(0); !ok || row.ID != d.server.ids[0] {
		t.Error("g does not lead to the newest transaction")
	}
	if strings.Contains(d.text(), "newer transactions") {
		t.Error("the newest are shown, yet there are said to be newer ones")
	}
}

func TestTheTopRowFollowsTheHead(t *testing.T) {
	d := open(t, 50)
	d.server.insert(0, 2)
	d.latest()
	if row, ok := d.store.row(0); !ok || row.ID != d.server.ids[0] || d.list.Table.Cursor() != 0 {
		t.Errorf("the first row is %v, the cursor on %d", row, d.list.Table.Cursor())
	}
	d.says("row 1 of 52")
}

func TestRefreshFarDownStaysThere(t *testing.T) {
	d := open(t, 2000)
	for range 8 {
		d.press("G")
	}
	row, _ := d.store.row(d.list.Table.Cursor())
	id := row.ID
	d.server.insert(0, 500)
	d.drain(d.Refresh())
	if row, ok := d.store.row(d.list.Table.Cursor()); !ok || row.ID != id {
		t.Errorf("the list jumped to row %d", d.list.Table.Cursor())
	}
	d.says("of 2,500")
}

func TestDetailSaysEverythingInWords(t *testing.T) {
	d := open(t, 10)
	for d.current().Reporting.Known() {
		d.press("down")
	}
	d.press("enter")
	d.says("Counterparty", "no name", "amount in EUR", "no USD rate, excluded", "none matched", "Reference")
	d.SetSize(60, 20)
	d.says("amount in EUR")
	if strings.Contains(d.text(), "row 1 of 10\n") {
		t.Error("list and detail side by side at 60 columns")
	}
	if !d.Back() || d.Back() {
		t.Error("esc closes the detail once")
	}
	d.says("Date")
}

func TestATransactionWithoutALogoHasNoRowForOne(t *testing.T) {
	d := open(t, 10)
	row := d.current()

	row.LogoURL = ""
	d.press("enter")
	if strings.Contains(d.text(), "Logo") {
		t.Errorf("there is no logo:\n%s", d.text())
	}

	d.press("esc")
	row.LogoURL = "https://logos.example/c.png"
	d.list.Invalidate()
	d.press("enter")
	d.says("Logo", "https://logos.example/c.png")
}

func TestPasteGoesIntoTheFilterOnlyAndClean(t *testing.T) {
	d := open(t, 10)
	d.drain(d.Update(tea.PasteMsg{Content: "x"}))
	if !d.filter.empty() || d.Typing() {
		t.Error("a paste into the list did something")
	}
	d.press("/")
	d.Update(tea.PasteMsg{Content: "ac\x1b[31mme\n"})
	d.press("enter")
	if d.last().Keyword != "acme" {
		t.Errorf("asked for %q", d.last().Keyword)
	}
}

func TestNoKeyIsBoundTwiceAndAllAreInHelp(t *testing.T) {
	d := open(t, 10)
	d.press("d", "enter")
	bound := map[string]bool{}
	for _, group := range d.Help() {
		for _, b := range group.Bindings {
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
			for _, k := range b.Keys() {
				if bound[k] {
					t.Errorf("%s is bound twice", k)
				}
				bound[k] = true
				if strings.Contains("1234567?qr", k) || k == "ctrl+c" || k == "ctrl+l" {
					t.Errorf("%s belongs to the whole program", k)
				}
			}
		}
	}
}

func TestTheListingIsOldWhileTheServerIsAwayAndReadAgainWhenItReturns(t *testing.T) {
	d := open(t, 300)
	d.press("j", "j")
	d.poll()
	d.server.queries = nil
	d.server.fail = &apiclient.Error{Status: 503}
	d.clock.at = d.clock.at.Add(20 * time.Second)
	d.poll()
	if text := ansi.Strip(d.View()); !strings.Contains(text, "◌ stale, 20s old") ||
		!strings.Contains(text, "row 3 of 300") {
		t.Errorf("the listing does not say how old it is:\n%s", text)
	}
	d.drain(d.Update(views.Tick{Now: d.clock.at}))
	if n := len(d.server.queries); n != 0 {
		t.Errorf("%d requests to a server that is away", n)
	}
	d.server.fail = nil
	d.server.insert(0, 2)
	d.poll()
	if text := ansi.Strip(d.View()); strings.Contains(text, "stale") || !strings.Contains(text, "302 transactions") ||
		!strings.Contains(text, "row 5 of 302") {
		t.Errorf("the listing was not read again:\n%s", text)
	}
	if n := len(d.server.queries); n != 1 {
		t.Errorf("%d requests when it returned", n)
	}
}
