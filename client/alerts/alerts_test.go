package alerts_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/figures"
	"tarmac/client/settings"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

var monday = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

func parse(t testing.TB, all ...settings.Alert) (parsed []*alerts.Alert) {
	t.Helper()
	for _, a := range all {
		one, err := alerts.Parse(a)
		if err != nil {
			t.Fatalf("%+v: %v", a, err)
		}
		parsed = append(parsed, one)
	}
	return parsed
}

// runway returns a reading with a runway of some tenths of a month.
func runway(at time.Time, tenths int64) *alerts.Reading {
	months := apiclient.MonthsOf(tenths)
	cents := int64(tenths * 100)
	cash := figures.CashOf(&apiclient.CashPosition{
		Currency: "USD", CashCents: cents, IsBurning: true, Sufficient: true, RunwayMonths: &months, RunwayCashCents: &cents,
	}, figures.Window{})
	synced := at.Add(-2 * time.Hour)
	return &alerts.Reading{Now: at, Cash: &cash, Account: &apiclient.Account{SyncedAt: &synced}}
}

// texts empties the outbox and returns the texts of its findings.
func texts(s *alerts.State) (all []string) {
	for _, l := range s.Outbox {
		for _, f := range l.Findings {
			all = append(all, f.Text)
		}
	}
	s.Outbox = nil
	return all
}

func newState(t testing.TB) *alerts.State {
	t.Helper()
	s, err := alerts.Load(filepath.Join(t.TempDir(), "alerts.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestACrossingIsToldOnceAndAgainOnlyAfterAWayBack(t *testing.T) {
	all := parse(t, settings.Alert{Rule: "runway-below", Limit: "9"})
	s := newState(t)
	var told []string
	for day, tenths := range []int64{127, 91, 89, 85, 91, 89, 94, 88, 95, 96, 89, 89} {
		s.Observe(all, runway(monday.AddDate(0, 0, day), tenths), "Acme", []string{"mail"})
		for _, text := range texts(s) {
			told = append(told, fmt.Sprint(day, " ", text))
		}
	}
	want := []string{"2 Runway 8.9 months (below 9.0).", "10 Runway 8.9 months (below 9.0)."}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if got := s.Words(all[0]); got != "runway 8.9 months (below 9.0)" {
		t.Errorf("state %q", got)
	}
}

func TestACrossingIsRepeatedIfThatIsWanted(t *testing.T) {
	all := parse(t, settings.Alert{Rule: "runway-below", Limit: "9", Repeat: "7d"})
	s := newState(t)
	count := 0
	for day := range 15 {
		s.Observe(all, runway(monday.AddDate(0, 0, day), 50), "Acme", []string{"mail"})
		count += len(texts(s))
	}
	if count != 3 {
		t.Errorf("told %d times in 15 days", count)
	}
}

func TestWhatCannotBeKnownIsToldOnce(t *testing.T) {
	all := parse(t, settings.Alert{Rule: "runway-below", Limit: "9"}, settings.Alert{Rule: "cash-below", Limit: "1"},
		settings.Alert{Rule: "unknown", Limit: "6h"})
	s := newState(t)
	look := func(hours int, r *alerts.Reading) []string {
		r.Now = monday.Add(time.Duration(hours) * time.Hour)
		s.Observe(all, r, "Acme", []string{"mail"})
		return texts(s)
	}
	down := &alerts.Reading{Unreachable: "no answer from the server"}
	for hours, want := range map[int]string{0: "[]", 5: "[]"} {
		if got := fmt.Sprint(look(hours, down)); got != want {
			t.Errorf("after %d hours: %s", hours, got)
		}
	}
	if got := look(6, down); len(got) != 1 || got[0] != "2 alerts cannot be known: No answer from the server." {
		t.Errorf("after 6 hours: %q", got)
	}
	if got := look(30, down); len(got) != 0 {
		t.Errorf("told again: %q", got)
	}
	if got := look(31, runway(monday, 50)); len(got) != 1 || !strings.HasPrefix(got[0], "Runway 5.0") {
		t.Errorf("when it is known again: %q", got)
	}
}

func TestASilentServerIsTold(t *testing.T) {
	all := parse(t, settings.Alert{Rule: "server-unreachable"})
	s := newState(t)
	var told []string
	for minute := range 40 {
		s.Observe(all, &alerts.Reading{Now: monday.Add(time.Duration(minute) * time.Minute), Unreachable: "no answer"}, "",
			[]string{"mail"})
		if got := texts(s); len(got) > 0 {
			told = append(told, fmt.Sprint(minute, got))
		}
	}
	if fmt.Sprint(told) != "[15 [No answer.]]" {
		t.Errorf("told %q", told)
	}
}

// payments returns a reading with payments of some cents, each with its ID.
func payments(at time.Time, cents map[string]int64) *alerts.Reading {
	var all []apiclient.Transaction
	for id, c := range cents {
		direction := apiclient.Inflow
		if c < 0 {
			direction, c = apiclient.Outflow, -c
		}
		all = append(all, apiclient.Transaction{
			ID: id, Date: apiclient.DateOf(at), Direction: direction, CounterpartyName: "Acme\x1b[31m " + id,
			Amount: apiclient.NewAmount(c, "USD"), Reporting: apiclient.NewAmount(c, "USD"),
		})
	}
	slices.SortFunc(all, func(a, b apiclient.Transaction) int { return strings.Compare(a.ID, b.ID) })
	return &alerts.Reading{Now: at, Latest: spending.NewLedger(all, nil, nil)}
}

func TestOnlyNewPaymentsAreTold(t *testing.T) {
	all := parse(t, settings.Alert{Rule: "payment-above", Limit: "10k"})
	s := newState(t)
	s.Observe(all, payments(monday, map[string]int64{"tx_a": 20_000_00}), "Acme", []string{"mail"})
	if got := texts(s); len(got) > 0 {
		t.Fatalf("what was there before is told: %q", got)
	}
	s.Observe(all, payments(monday, map[string]int64{"tx_a": 20_000_00, "tx_b": -10_000_01, "tx_c": 10_000_00}), "Acme",
		[]string{"mail"})
	got := texts(s)
	if len(got) != 1 || got[0] != "Paid $10,000.01 to Acme tx_b on 2026-11-23 (above $10,000.00)." {
		t.Errorf("told %q", got)
	}
}

func TestACostIsUnusualAgainstTheMonthsBeforeIt(t *testing.T) {
	for name, c := range map[string]struct {
		oldest, newest int64 // cents of October 2025 and of October 2026
		want           []string
	}{
		"the last month": {100_00, 121_00, []string{
			"Acme cost $121.00 in 2026-10, more than 20 % above the highest of the 12 months before, $100.00.",
		}},
		"a year before":       {300_00, 100_00, nil},
		"as high as the year": {300_00, 300_00, nil},
	} {
		all := parse(t, settings.Alert{Rule: "unusual-month"})
		s := newState(t)
		var rows []apiclient.Transaction
		for back := range int64(13) {
			cents := int64(100_00)
			switch back {
			case 0:
				cents = c.newest
			case 12:
				cents = c.oldest
			}
			rows = append(rows, apiclient.Transaction{
				ID: fmt.Sprint(back), Date: civil.New(2026, 10, 5).AddMonths(int(-back)), Direction: apiclient.Outflow,
				CounterpartyName: "Acme", Amount: apiclient.NewAmount(cents, "USD"), Reporting: apiclient.NewAmount(cents, "USD"),
			})
		}

		s.Observe(all, &alerts.Reading{Now: monday, History: spending.NewLedger(rows[1:], nil, nil)}, "", []string{"mail"})
		s.Outbox = nil
		s.Observe(all, &alerts.Reading{Now: monday, History: spending.NewLedger(rows, nil, nil)}, "", []string{"mail"})

		if got := texts(s); !slices.Equal(got, c.want) {
			t.Errorf("%s: told %q", name, got)
		}
	}
}

func TestManyFindingsAreOneMessage(t *testing.T) {
	all := parse(t, settings.Alert{Rule: "payment-above", Limit: "1"}, settings.Alert{Rule: "runway-below", Limit: "9",
		To: []string{"chat"}})
	s := newState(t)
	begin := payments(monday, nil)
	begin.Cash = runway(monday, 100).Cash
	s.Observe(all, begin, "Acme", []string{"mail"})
	s.Outbox = nil
	many := map[string]int64{}
	for n := range 100 {
		many[fmt.Sprintf("tx_%03d", n)] = 5_00
	}
	r := payments(monday.AddDate(0, 0, 5), many)
	r.Cash = runway(r.Now, 10).Cash
	s.Observe(all, r, "Acme", []string{"mail"})
	if len(s.Outbox) != 2 {
		t.Fatalf("%d messages", len(s.Outbox))
	}
	for _, l := range s.Outbox {
		if _, mail := l.Channels["mail"]; mail {
			if !strings.HasSuffix(l.Title, ", and 99 more") || !strings.Contains(l.Note, "5 days") || len(l.Findings) != 100 {
				t.Errorf("%q, %q, %d findings", l.Title, l.Note, len(l.Findings))
			}
		} else if _, chat := l.Channels["chat"]; !chat || len(l.Findings) != 1 {
			t.Errorf("%+v", l)
		}
	}
}

func TestAlertsThatAreNoneAreRefused(t *testing.T) {
	for _, c := range []struct {
		alert settings.Alert
		want  string
	}{
		{settings.Alert{Rule: "runway"}, "is no rule; there are runway-below"},
		{settings.Alert{Rule: "runway-below"}, "needs a limit in months, such as 9"},
		{settings.Alert{Rule: "runway-below", Limit: "nine"}, `has the limit "nine": it must be in months`},
		{settings.Alert{Rule: "runway-below", Limit: "9.55"}, "it must be in months"},
		{settings.Alert{Rule: "cash-below", Limit: "much"}, "it must be in an amount"},
		{settings.Alert{Rule: "price-rise", Limit: "-5%"}, "it must be in percent"},
		{settings.Alert{Rule: "silent-bank", Limit: "soon"}, "it must be in days"},
		{settings.Alert{Rule: "unknown", Limit: "0h"}, "it must be in hours or days"},
		{settings.Alert{Rule: "books-do-not-add-up", Limit: "1"}, "takes no limit"},
		{settings.Alert{Rule: "runway-below", Limit: "9", Of: "Acme"}, "takes no name"},
		{settings.Alert{Rule: "runway-below", Limit: "9", Repeat: "often"}, "is repeated after"},
	} {
		if _, err := alerts.Parse(c.alert); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.alert, err, c.want)
		}
	}
}

// channel records what it takes, and refuses while broken is set.
type channel struct {
	broken error
	took   []string
}

func (c *channel) Send(_ context.Context, m *alerts.Message) error {
	if c.broken != nil {
		return c.broken
	}
	c.took = append(c.took, m.ID)
	return nil
}

func post(s *alerts.State, at time.Time, title string) {
	s.Post(alerts.Message{At: at, Title: title, Findings: []alerts.Finding{{Text: title}}}, []string{"mail"})
}

func TestADigestIsDueOnceAWeekInItsZone(t *testing.T) {
	schedule, err := alerts.ParseSchedule("Monday 08:00", "America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	s := newState(t)
	var sent []string
	// 25 October and 1 November 2026: the clocks of Europe and of America change.
	for at := time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC); at.Before(time.Date(2026, 11, 11, 0, 0, 0, 0,
		time.UTC)); at = at.Add(7 * time.Minute) {
		if s.DigestDue(schedule, at) {
			s.Digest = at
			sent = append(sent, at.Truncate(time.Hour).Format("01-02 15:04"))
		}
		if next := schedule.Next(at); !next.After(at) || next.Sub(at) > 169*time.Hour {
			t.Fatalf("next after %v is %v", at, next)
		}
	}
	if want := []string{"10-26 12:00", "11-02 13:00", "11-09 13:00"}; !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	for _, c := range [][2]string{{"monday", ""}, {"someday 08:00", ""}, {"monday 25:00", ""}, {"monday 8", ""},
		{"monday 08:00", "Mars"}} {
		if _, err := alerts.ParseSchedule(c[0], c[1]); err == nil {
			t.Errorf("%q in %q is no schedule", c[0], c[1])
		}
	}
}
