package alerts_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/internal/civil"
)

// sessionSource is a company with a bill, whose cash lasts for some months.
type sessionSource struct {
	at     time.Time
	months int64
	looks  int
	err    error
}

func (s *sessionSource) Account(context.Context) (*apiclient.Account, error) {
	s.looks++
	return &apiclient.Account{Status: apiclient.AccountOpen, SyncedAt: &s.at}, s.err
}

func (s *sessionSource) CashPosition(context.Context) (*apiclient.CashPosition, error) {
	cents, runway := s.months*1000_00, apiclient.MonthsOf(10*s.months)
	return &apiclient.CashPosition{
		Status: apiclient.AccountOpen, Currency: "USD", AsOf: s.at, CashCents: cents, MonthlyBurnCents: 1000_00,
		IsBurning: true, Sufficient: true, RunwayCashCents: &cents, RunwayMonths: &runway,
	}, s.err
}

func (s *sessionSource) TransactionPage(
	context.Context, apiclient.TransactionQuery,
) (*apiclient.TransactionPage, error) {
	return &apiclient.TransactionPage{}, s.err
}

func (s *sessionSource) Bills(context.Context) (*apiclient.Bills, error) {
	due := civil.Of(s.at).AddDays(3)
	return &apiclient.Bills{Kept: true, Known: true, Currency: "USD", All: []apiclient.Bill{{
		Number: "7", VendorName: "Harbor Print", State: apiclient.BillOpen, DueOn: due,
		Open: apiclient.NewAmount(450_00, "USD"), Reporting: apiclient.NewAmount(450_00, "USD"),
	}}}, s.err
}

// A dashboard without settings of its person looks itself, at the same alerts for everybody.
func TestASessionShowsItsOwnAlerts(t *testing.T) {
	source := &sessionSource{at: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), months: 12}
	read, err := alerts.OfSession(source, func() time.Time { return source.at })
	if err != nil {
		t.Fatal(err)
	}
	shown := func() (open string, o *alerts.Overview) {
		t.Helper()
		o, err := read(t.Context())
		if err != nil || len(o.Channels) > 0 || !o.IsSession {
			t.Fatalf("%v, %+v", err, o)
		}
		for _, e := range o.Open() {
			open += e.Rule + " "
		}
		return open, o
	}

	open, o := shown()
	if open != "bill-due " || !strings.Contains(o.Looked(), "2026-11-20 09:00 UTC") || source.looks != 1 {
		t.Errorf("crossed are %q, %s after %d looks:\n%s", open, o.Looked(), source.looks, strings.Join(o.Lines(), "\n"))
	}
	told := o.LastTold()
	source.at, source.months = source.at.Add(time.Minute), 4
	if open, _ := shown(); open != "bill-due " || source.looks != 1 {
		t.Errorf("a minute later crossed are %q after %d looks", open, source.looks)
	}
	source.at = source.at.Add(5 * time.Minute)
	open, o = shown()
	text := alerts.TextOf(o.Since(told))
	if open != "runway-below bill-due " || !strings.HasPrefix(text, "runway-below: ") {
		t.Errorf("then crossed are %q, told %q", open, text)
	}
	source.at, source.err = source.at.Add(5*time.Minute), apiclient.ErrForbidden
	if _, o = shown(); !strings.Contains(strings.Join(o.Lines(), "\n"), "not known: ") {
		t.Errorf("without an answer:\n%s", strings.Join(o.Lines(), "\n"))
	}
}
