package bookkeeping_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// mercury is the connection of most tests.
var mercury = bookkeeping.Feed{Connection: "con_1", Provider: "mercury", Title: "Mercury", OwnFeed: true}

// feedLine is a line of a reading.
type feedLine struct {
	Account     string `json:"account"`
	Date        string `json:"date"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
	ID          string `json:"id"`
	Pending     bool   `json:"pending,omitempty"`
}

// reading is what a provider says about an account.
type reading struct {
	account           string // "00123456789" if it is ""
	from, to          string
	closing, closedOn string // "" for no balance
	lines             []feedLine
}

func (r reading) text() string {
	var b strings.Builder
	encode := json.NewEncoder(&b)
	if r.account == "" {
		r.account = september.account
	}
	head := map[string]any{
		"account": r.account, "currency": "USD", "bank": "Mercury", "name": "Checking", "kind": "checking",
		"from": r.from, "to": r.to,
	}
	if r.closing != "" {
		head["closing"], head["closing_date"] = r.closing, r.closedOn
	}
	_ = encode.Encode(head)
	for _, l := range r.lines {
		l.Account, l.Currency = r.account, "USD"
		_ = encode.Encode(l)
	}
	return b.String()
}

// feedSource returns readings as the source of an import.
func feedSource(readings ...reading) []bookkeeping.Source {
	var b bytes.Buffer
	for _, r := range readings {
		b.WriteString(r.text())
	}
	return []bookkeeping.Source{{Name: "mercury", Content: bytes.NewReader(b.Bytes())}}
}

// sync imports readings of a connection. The import must succeed.
func sync(t testing.TB, b *bookkeeping.Books, feed bookkeeping.Feed, readings ...reading) *ownbooks.Report {
	t.Helper()
	report, err := b.Import(context.Background(), feedSource(readings...), bookkeeping.Options{Feed: &feed})
	if err != nil || report.Failed() {
		t.Fatalf("the reading was not imported: %+v, %v", report, err)
	}
	return report
}

func checkFeed(t testing.TB, report *ownbooks.Report, added, changed, removed, pending int) {
	t.Helper()
	f := report.Feed
	if f.Unchanged || f.Added != added || f.Changed != changed || f.Removed != removed || f.Pending != pending {
		t.Errorf("the reading changed %+v, want %d added, %d changed, %d removed, %d pending", *f, added, changed, removed,
			pending)
	}
}

// november is a reading with two lines.
var november = reading{
	from: "2026-10-09", to: "2026-11-22", closing: "700.00", closedOn: "2026-11-22",
	lines: []feedLine{
		{Date: "2026-11-02", Amount: "-500.00", ID: "a", Description: "Landlord"},
		{Date: "2026-11-15", Amount: "1200.00", ID: "b", Description: "Customer"},
	},
}

// with returns the reading with other lines.
func (r reading) with(lines ...feedLine) reading {
	r.lines = lines
	return r
}

var novemberRows = []string{"2026-11-02 -50000 Landlord", "2026-11-15 +120000 Customer"}

func TestAReadingBringsLinesOfTheServicesOwnFeed(t *testing.T) {
	b := newBooks(t)

	report := sync(t, b, mercury, november)

	checkFeed(t, report, 2, 0, 0, 0)
	checkLedger(t, b, novemberRows...)
	if report.Import == "" || !slices.Equal(report.Feed.Accounts, []string{"…6789"}) {
		t.Errorf("the report is %+v, %+v", report, report.Feed)
	}
	page, _, err := b.Store.Listing(t.Context(), b.Org, ledger.Filter{}, nil, 10)
	if err != nil || page.Rows[0].Source != ledger.ServiceAccount || page.Rows[1].Source != ledger.ServiceAccount {
		t.Errorf("the rows are %+v, %v", page.Rows, err)
	}
	checkCash(t, b, 70000, 0)
}

// checkCash checks the available and the pending cash in USD cents.
func checkCash(t testing.TB, b *bookkeeping.Books, available, pending int64) {
	t.Helper()
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		a, err := snap.ManagedAccount(b.Org)
		if a.Balance.AvailableCents != available || a.Balance.PendingCents != pending || a.Fault {
			t.Errorf("the balance is %+v, want %d available and %d pending", a, available, pending)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnUnchangedReadingWritesNothing(t *testing.T) {
	b := newBooks(t)
	sync(t, b, mercury, november)
	imports, err := b.Imports(t.Context())
	feed := mercury
	feed.Finish = func(*store.Tx, *ownbooks.Report) error { return errors.New("finish was called") }

	report := sync(t, b, feed, november)

	if !report.Feed.Unchanged || report.Import != "" {
		t.Errorf("the report is %+v, %+v", report, report.Feed)
	}
	again, errAgain := b.Imports(t.Context())
	if err != nil || errAgain != nil || !imports[0].At.Equal(again[0].At) {
		t.Errorf("imports were %+v, %v, and are %+v, %v", imports, err, again, errAgain)
	}
}

func TestAReadingReplacesTheOneBefore(t *testing.T) {
	b := newBooks(t)
	sync(t, b, mercury, november)
	next := november.with(
		feedLine{Date: "2026-11-02", Amount: "-500.00", ID: "a", Description: "Office rent"}, // another text
		feedLine{Date: "2026-11-20", Amount: "30.00", ID: "c", Description: "Refund"},
		feedLine{Date: "2026-11-22", Amount: "-10.00", ID: "d", Description: "Hold", Pending: true},
	)
	next.closing = "-470.00"

	report := sync(t, b, mercury, next)

	checkFeed(t, report, 1, 1, 1, 1)
	checkLedger(t, b, "2026-11-02 -50000 Office rent", "2026-11-20 +3000 Refund")
	checkCash(t, b, -47000, -1000)
	imports, err := b.Imports(t.Context())
	if err != nil || len(imports) != 1 || imports[0].Files[0].Name != "Mercury, live" ||
		imports[0].ID != string(report.Import) {
		t.Errorf("imports are %+v, %v", imports, err)
	}
}

func TestPendingLinesOfAReadingStayWhenAFileIsImported(t *testing.T) {
	b := newBooks(t)
	held := feedLine{Date: "2026-11-22", Amount: "-10.00", ID: "d", Description: "Hold", Pending: true}
	sync(t, b, mercury, november.with(append(slices.Clone(november.lines), held)...))

	take(t, b, source("a.qfx", september.ofx()))

	checkCash(t, b, 70000, -1000)
}

// storeConnection stores the connection of a feed.
func storeConnection(t *testing.T, b *bookkeeping.Books, feed bookkeeping.Feed) (key store.ConnectionKey) {
	t.Helper()
	err := b.Store.WriteOf(t.Context(), b.Org, func(tx *store.Tx) (err error) {
		key, err = tx.InsertConnection(store.Connection{
			Org: b.Org, ID: feed.Connection, Provider: feed.Provider, Label: feed.Title, State: store.ConnectionReady,
			CreatedAt: b.Now(),
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestTheImportOfReadingsCanBeUndoneOnceTheConnectionHasEnded(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	key := storeConnection(t, b, mercury)
	report := sync(t, b, mercury, november)
	both := ledgerOf(t, b)

	_, err := b.Undo(t.Context(), string(report.Import))

	want := "\"Mercury, live\" is read from a connection and would come again; `disconnect Mercury --forget` ends the " +
		"connection and removes its lines"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v", err)
	}
	checkLedger(t, b, both...)

	err = b.Store.WriteOf(t.Context(), b.Org, func(tx *store.Tx) error { return tx.RemoveConnection(key) })
	if err != nil {
		t.Fatal(err)
	}
	preview, err := b.PreviewUndo(t.Context(), string(report.Import))
	if err != nil || preview.Lines != 2 {
		t.Errorf("undoing would remove %+v, %v", preview, err)
	}
	checkLedger(t, b, both...)
	undone, err := b.Undo(t.Context(), string(report.Import))
	if err != nil || undone.Lines != 2 {
		t.Errorf("undone is %+v, %v", undone, err)
	}
	checkLedger(t, b, septemberRows...)
	checkFeed(t, sync(t, b, mercury, november), 2, 0, 0, 0)
}

func TestForgettingAConnectionLeavesFiles(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	sync(t, b, mercury, november)
	finished := false

	undone, err := b.ForgetFeed(t.Context(), mercury.Connection, func(*store.Tx) error {
		finished = true
		return nil
	})

	if err != nil || undone.Lines != 2 || !slices.Equal(undone.Files, []string{"Mercury, live"}) || !finished {
		t.Errorf("undone is %+v, %v", undone, err)
	}
	checkLedger(t, b, septemberRows...)
	page, _, err := b.Store.Listing(t.Context(), b.Org, ledger.Filter{}, nil, 10)
	if err != nil || page.Rows[0].Source != ledger.LinkedBank {
		t.Errorf("the rows are %+v, %v", page.Rows, err)
	}
}

func TestAFailedFinishRollsTheReadingBack(t *testing.T) {
	b := newBooks(t)
	feed := mercury
	feed.Finish = func(*store.Tx, *ownbooks.Report) error { return errors.New("another process reads") }

	_, err := b.Import(t.Context(), feedSource(november), bookkeeping.Options{Feed: &feed})

	if err == nil || err.Error() != "another process reads" {
		t.Errorf("the error is %v", err)
	}
	checkLedger(t, b)
	checkFeed(t, sync(t, b, mercury, november), 2, 0, 0, 0)
}

func TestLinesThatFilesHaveAreNotAddedByAReading(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))

	report := sync(t, b, mercury, reading{
		from: "2026-09-01", to: "2026-09-30",
		lines: []feedLine{
			{Date: "2026-09-02", Amount: "-500.00", ID: "x", Description: "Landlord"},
			{Date: "2026-09-15", Amount: "1200.00", ID: "y", Description: "Customer"},
			{Date: "2026-09-28", Amount: "1.00", ID: "z", Description: "Interest"},
		},
	})

	if report.Feed.Added != 1 || report.Feed.Removed != 0 {
		t.Errorf("the reading changed %+v", report.Feed)
	}
	checkLedger(t, b, append(slices.Clone(septemberRows), "2026-09-28 +100 Interest")...)
}
