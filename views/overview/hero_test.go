package overview_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
	"tarmac/views/overview"
)

// read returns the page of a company whose rows explain its burn, with their reasons computed.
func read(t *testing.T) *overview.Screen {
	t.Helper()
	o := sample.New()
	data := o.SnapshotWithHistory(t)
	this := civil.Of(sample.Now).FirstOfMonth()
	var net int64
	for _, r := range data.History.Ledger().Rows {
		if back := this.MonthsSince(r.Date.FirstOfMonth()); back >= 1 && back <= 3 && r.Purpose == spending.Operating {
			cents, _ := r.Signed()
			net += cents
		}
	}
	spendable := int64(2_400_000_00)
	burn := (2 - net) / 3
	left := apiclient.MonthsOf(10 * spendable / burn)
	o.Cash.RunwayCashCents, o.Cash.MonthlyBurnCents, o.Cash.RunwayMonths = &spendable, burn, &left
	o.Load(data)
	s := newScreen(data)
	s.SetSize(120, 37)
	for _, answer := range o.Load(data) {
		if cmd := s.Update(answer); cmd != nil {
			s.Update(cmd())
		}
	}
	return s
}

func TestTheTopSaysHowLongTheCashLastedThreeMonthsAgo(t *testing.T) {
	s := read(t)

	if text := ansi.Strip(s.View()); !regexp.MustCompile(`● \w+, \d+\.\d in Aug`).MatchString(text) {
		t.Errorf("it says\n%s", text)
	}
}

func TestThePageSaysWhyTheLastMonthBurnedMoreAndOpensTheChanges(t *testing.T) {
	s := read(t)

	for _, size := range [][2]int{{120, 37}, {80, 21}} {
		s.SetSize(size[0], size[1])
		text := ansi.Strip(s.View())
		if !strings.Contains(text, "Why October ") {
			t.Errorf("at %v it says\n%s", size, text)
		}
	}
	for range 4 { // cash, owed, months, changes
		s.Update(tab)
	}
	if visit, ok := s.Update(enter)().(views.Visit); !ok || visit.Screen != views.Spend {
		t.Errorf("enter opens %+v", visit)
	}
}
