// Package sample provides an organization in memory for tests of screens. Its figures are fixed and
// consistent. Each part of it can be made to fail, to be empty, or to contain the worst values that
// a server may send.
package sample

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/long"
)

// Now is the current time in tests of screens, an afternoon in the middle of a month.
var Now = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

// Organization provides the data that a snapshot fetches. Tests may change its fields before they
// call Snapshot. If Fail has an error for a part, fetching that part returns the error.
type Organization struct {
	Account apiclient.Account
	Cash    apiclient.CashPosition
	Aging   apiclient.ReceivablesAging
	Months  map[civil.Date]apiclient.Summary // by the first day of the month
	Latest  []apiclient.Transaction
	Rows    []apiclient.Transaction // the history, newest first; its totals are not those of Months
	Feed    []apiclient.Event       // newest first
	Fail    map[snapshot.Part]error
}

// New returns an organization with a runway of 14.2 months. A third of its receivables are overdue,
// and its income has grown for thirteen months.
func New() *Organization {
	synced := Now.Add(-time.Minute)
	runway := apiclient.MonthsOf(142)
	o := &Organization{
		Account: apiclient.Account{
			Currency: "USD", OrgID: "org_1",
			Status:   apiclient.AccountOpen,
			SyncedAt: &synced,
			Balance: &apiclient.Balance{
				AvailableCents: 181_422_567, HoldingCents: 4_200_000, LockedCents: 2_500_000, PendingCents: 1_875_050,
			},
		},
		Cash: apiclient.CashPosition{
			Currency: "USD",
			OrgID:    "org_1", Status: apiclient.AccountOpen, AsOf: Now, CashCents: 243_918_842, MonthlyBurnCents: 16_701_311,
			IsBurning: true, Sufficient: true, RunwayCashCents: ptr(int64(237_218_842)), RunwayMonths: &runway,
			RunwayNote: "About 14.2 months at the average net burn of the last 3 full months.",
		},
		Aging: apiclient.ReceivablesAging{
			Currency: "USD", OrgID: "org_1", AsOf: &synced,
			Buckets: apiclient.AgingBuckets{
				CurrentCents: 41_250_000, Days1To30Cents: 12_840_050, Days31To60Cents: 4_420_000, Days61To90Cents: 1_250_000,
				Days90PlusCents: 2_875_099,
			},
			Totals: apiclient.AgingTotals{
				OutstandingCents: ptr(int64(62_635_149)), OverdueCents: ptr(int64(21_385_149)),
				InvoiceCount: ptr(int64(48)), OverdueCount: ptr(int64(17)), UnconvertedCount: ptr(int64(2)),
			},
		},
		Months: map[civil.Date]apiclient.Summary{},
		Fail:   map[snapshot.Part]error{},
	}
	for i, name := range []string{"Northwind Traders", "Acme Robotics GmbH", "日本電機株式会社",
		"Blue Harbor Logistics", "Müller & Söhne", "Contoso"} {
		o.Aging.TopOverdue = append(o.Aging.TopOverdue, apiclient.OverdueCustomer{
			Name: name, OverdueCents: ptr(int64(7_250_000 / (i + 1))), OverdueCount: ptr(int64(5 - i/2)),
			OldestDaysPastDue: ptr(int64(127 - 19*i)),
		})
	}
	o.ledger()
	o.history()
	o.events()
	return o
}

func (o *Organization) ledger() {
	this := civil.Of(Now).FirstOfMonth()
	for i := range int64(snapshot.MonthsBack) {
		in, out := 18_000_000+i*1_150_000, 37_500_000+(i*7%5)*1_900_000
		if i == 4 {
			in += 90_000_000 // money from a financing round
		}
		if i == snapshot.MonthsBack-1 {
			in, out = in/2, out*2/3
		}
		o.Months[this.AddMonths(int(i)-snapshot.MonthsBack+1)] = apiclient.Summary{
			Currency: "USD", Count: 400 + i*11, InflowMinor: in, OutflowMinor: out, NetMinor: in - out, UnconvertedCount: i % 3,
		}
	}
	rows := []struct {
		who, memo string
		amount    apiclient.Amount
		direction apiclient.Direction
	}{
		{"Stripe", "payout", apiclient.NewAmount(1_842_050, "USD"), apiclient.Inflow},
		{"Amazon Web Services", "usage", apiclient.NewAmount(2_311_987, "USD"), apiclient.Outflow},
		{"(unknown)", "", apiclient.UnknownAmount("EUR"), apiclient.Outflow},
		{"Gusto", "payroll, second half of the month", apiclient.NewAmount(11_850_000, "USD"), apiclient.Outflow},
		{"日本電機株式会社", "INV-000117", apiclient.NewAmount(1_500_000, "JPY"), apiclient.Inflow},
		{"WeWork", "", apiclient.NewAmount(1_420_000, "GBP"), apiclient.Outflow},
	}
	for i := range 40 {
		r := rows[i%len(rows)]
		o.Latest = append(o.Latest, apiclient.Transaction{
			ID: fmt.Sprintf("txn_%02d", i), Date: civil.Of(Now).AddDays(-i / 3), Direction: r.direction, Amount: r.amount,
			CounterpartyName: r.who, Memo: r.memo,
		})
	}
}

func (o *Organization) events() {
	for i := range 40 {
		e := apiclient.Event{
			ID:         fmt.Sprintf("evt_%02d", i),
			Version:    1,
			OccurredAt: Now.Add(-time.Duration(i) * 47 * time.Minute),
		}
		switch i % 3 {
		case 0:
			e.Type = apiclient.EventInvoicePaid
			e.Data = json.RawMessage(
				fmt.Sprintf(`{"invoice_id":"inv_%d","number":"INV-%06d","status":"paid","total_cents":450000,"currency":"USD"}`, i,
					130-i),
			)
		case 1:
			e.Type = apiclient.EventPaymentCompleted
			e.Data = json.RawMessage(fmt.Sprintf(`{"payment_intent_id":"pi_%02d","amount_cents":123456,"currency":"USD"}`, i))
		default:
			e.Type = apiclient.EventInvoiceOverdue
			e.Data = json.RawMessage(fmt.Sprintf(`{"invoice_id":"inv_%d","number":"INV-%06d","status":"overdue"}`, i, 130-i))
		}
		o.Feed = append(o.Feed, e)
	}
}

// Hostile replaces names, notes and figures with the worst values that apiclient accepts: wide
// characters, endless words, the largest and smallest numbers.
func (o *Organization) Hostile() *Organization {
	const huge = int64(1<<63 - 1)
	endless := strings.Repeat("日本e\u0301", 80)
	runway := apiclient.MonthsOf(1e9)
	o.Cash.CashCents, o.Cash.MonthlyBurnCents, o.Cash.RunwayCashCents = -huge-1, huge, ptr(huge)
	o.Cash.RunwayMonths, o.Cash.RunwayNote = &runway, endless
	o.Account.Balance = &apiclient.Balance{
		AvailableCents: -huge - 1,
		HoldingCents:   huge,
		LockedCents:    huge,
		PendingCents:   -1,
	}
	o.Aging.Buckets = apiclient.AgingBuckets{
		CurrentCents:    huge,
		Days1To30Cents:  huge,
		Days31To60Cents: -5,
		Days61To90Cents: 1,
	}
	o.Aging.Totals = apiclient.AgingTotals{OverdueCents: ptr(huge), InvoiceCount: ptr(-huge - 1)}
	for i := range o.Aging.TopOverdue {
		o.Aging.TopOverdue[i] = apiclient.OverdueCustomer{Name: endless, OverdueCents: ptr(-huge)}
	}
	for first, sum := range o.Months {
		sum.InflowMinor, sum.OutflowMinor, sum.NetMinor, sum.UnconvertedCount = huge, huge-1, -huge, huge/100
		o.Months[first] = sum
	}
	for i := range o.Latest {
		o.Latest[i].CounterpartyName, o.Latest[i].Memo = endless, endless
		o.Latest[i].Amount, o.Latest[i].Direction = apiclient.NewAmount(huge-int64(i), "KWD"), "sideways"
	}
	for i := range o.Feed {
		o.Feed[i].Type, o.Feed[i].Data = apiclient.EventType(endless), json.RawMessage(`{}`)
	}
	return o
}

// Snapshot returns a snapshot that has fetched every part.
func (o *Organization) Snapshot(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	s := o.Unfetched(t)
	o.Load(s)
	return s
}

// Unfetched returns a snapshot that has fetched nothing yet.
func (o *Organization) Unfetched(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	return snapshot.New(t.Context(), source{o},
		snapshot.Options{Now: func() time.Time { return Now }, Timeout: time.Minute})
}

// Load fetches all parts again and returns the results for a screen.
func (o *Organization) Load(s *snapshot.Snapshot) []snapshot.Result {
	var answers []snapshot.Result
	for _, part := range snapshot.Parts {
		answer := s.Load(part)()
		s.Update(answer)
		answers = append(answers, answer)
	}
	return answers
}

// Break makes every part fail with err.
func (o *Organization) Break(err error) {
	for _, part := range snapshot.Parts {
		o.Fail[part] = err
	}
}

// source implements the part of the API client that a snapshot uses.
type source struct{ *Organization }

func (s source) Ping(context.Context) (*apiclient.Ping, error) {
	return &apiclient.Ping{OrgID: "org_1"}, s.Fail[snapshot.Ping]
}

// BooksRevision returns no revision, because the organization has no own books.
func (source) BooksRevision(context.Context) (string, error) { return "", nil }

func (s source) Account(context.Context) (*apiclient.Account, error) {
	a := s.Organization.Account
	return &a, s.Fail[snapshot.Account]
}

func (s source) CashPosition(context.Context) (*apiclient.CashPosition, error) {
	c := s.Cash
	return &c, s.Fail[snapshot.Cash]
}

func (s source) ReceivablesAging(context.Context) (*apiclient.ReceivablesAging, error) {
	a := s.Aging
	return &a, s.Fail[snapshot.Aging]
}

// A query without dates is for the newest transactions. A query for one row of one month is for the
// sums of that month. All transactions of the sums without a USD rate are money in. All other
// queries are for the history.
func (s source) TransactionPage(_ context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	if q.From.IsZero() {
		return &apiclient.TransactionPage{Data: s.Latest}, s.Fail[snapshot.Latest]
	}
	if q.Limit != 1 || q.To != q.From.LastOfMonth() {
		return s.historyPage(q), s.Fail[snapshot.History]
	}
	sum := s.Months[q.From]
	if q.Direction == apiclient.Outflow {
		sum.UnconvertedCount = 0
	}
	return &apiclient.TransactionPage{Summary: sum}, s.Fail[snapshot.Months]
}

func (s source) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	if q.StartingAfter != "" {
		return &apiclient.EventPage{}, s.Fail[snapshot.Events]
	}
	return &apiclient.EventPage{Data: s.Feed}, s.Fail[snapshot.Events]
}

// CheckSize fails t if a screen does not fill its size exactly: it has another number of lines, or
// a line is too wide.
func CheckSize(t testing.TB, picture string, width, height int) {
	t.Helper()
	lines := strings.Split(picture, "\n")
	if height > 0 && len(lines) != height {
		t.Errorf("at %dx%d: %d lines", width, height, len(lines))
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("at %dx%d: line %d is %d cells wide: %q", width, height, i, w, ansi.Strip(line))
		}
	}
}

// Sizes yields all small page sizes, and a dense sample of larger ones. Unless long tests are
// built, it yields one third of them, and in short mode one seventh.
func Sizes(yield func(width, height int) bool) {
	every := 3
	switch {
	case long.Tests:
		every = 1
	case testing.Short():
		every = 7
	}
	for width := 0; width <= 250; width++ {
		for height := 0; height <= 60; height++ {
			if (width*61+height)%every != 0 {
				continue
			}
			small := width <= 32 && height <= 14
			sampled := width%9 == 0 && (height%5 == 0 || height <= 14 && height%2 == 1)
			edge := width == 80 || height == 21 && width%4 == 0
			if (small || sampled || edge) && !yield(width, height) {
				return
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }
