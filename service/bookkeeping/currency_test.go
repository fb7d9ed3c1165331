package bookkeeping_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// weeklyRates returns a file of rates of a currency for each week of 2025 and 2026.
func weeklyRates(currency string) bookkeeping.Source {
	text := "date,currency,usd\n"
	for week := range 104 {
		text += fmt.Sprintf("%s,%s,1.%02d\n", civil.New(2025, 1, 1).AddDays(7*week), currency, week%10)
	}
	return source("rates.csv", text)
}

// inCurrency returns an OFX file of lines in a currency.
func inCurrency(currency, account string, amounts ...string) bookkeeping.Source {
	s := statement{account: account, first: "2026-09-01", last: "2026-09-30"}
	for n, amount := range amounts {
		s.lines = append(s.lines, line{fmt.Sprintf("2026-09-%02d", n+1), amount, fmt.Sprint(n), "STORE"})
	}
	return source(currency+account+".ofx", strings.Replace(s.ofx(), "<CURDEF>USD", "<CURDEF>"+currency, 1))
}

// reporting returns the currency in which the books report, and the choice that is stored.
func reporting(t testing.TB, b *bookkeeping.Books) (c store.ReportingCurrency) {
	t.Helper()
	err := b.Store.Read(context.Background(), func(snap *store.Snapshot) (err error) {
		c, err = snap.ReportingCurrency(b.Org)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reportedPicture describes the totals of the books in the currency in which they report.
func reportedPicture(t *testing.T, b *bookkeeping.Books) string {
	t.Helper()
	c, f := reporting(t, b), ledger.Filter{}
	if c.Code != bookrules.USD {
		f.Currency = c.Code
	}
	page, summary, err := b.Store.Listing(t.Context(), b.Org, f, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	rows := ""
	for _, row := range page.Rows {
		rows += fmt.Sprintf(" %d/%t", row.ReportingMinor, row.ReportingKnown)
	}
	return fmt.Sprintf("%+v %+v%s", c, summary, rows)
}

func TestTheFirstImportDecidesInWhichCurrencyTheBooksReport(t *testing.T) {
	euros, dollars := inCurrency("EUR", "DE1", "-1.00", "-2.00"), inCurrency("USD", "US1", "-3.00")
	francs, pounds := inCurrency("CHF", "CH1", "-4.00", "-5.00"), inCurrency("GBP", "GB1", "-1.00")
	for name, test := range map[string]struct {
		files    []bookkeeping.Source
		reportIn string
		want     string
		named    bool
		asks     bool
	}{
		"one currency":         {[]bookkeeping.Source{euros}, "", "EUR", false, false},
		"more than half":       {[]bookkeeping.Source{dollars, euros}, "", "EUR", true, false},
		"as many lines":        {[]bookkeeping.Source{euros, francs}, "", "CHF", true, true},
		"half of the lines":    {[]bookkeeping.Source{euros, dollars, pounds}, "", "EUR", true, true},
		"the user says so":     {[]bookkeeping.Source{euros, dollars}, "USD", "USD", false, false},
		"a currency of none":   {[]bookkeeping.Source{euros}, "GBP", "GBP", false, false},
		"exchange rates alone": {[]bookkeeping.Source{weeklyRates("EUR")}, "", "USD", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBooks(t)

			report, err := b.Import(t.Context(), test.files, bookkeeping.Options{ReportIn: test.reportIn})

			if err != nil || report.Import == "" || reporting(t, b).Code != test.want {
				t.Fatalf("the books report in %s, not %s: %+v, %v", reporting(t, b).Code, test.want, report, err)
			}
			named := strings.Contains(strings.Join(report.Files[0].Problems, " "), "the books report in "+test.want)
			if named != test.named || (len(report.General) > 0) != test.asks {
				t.Errorf("the report asks %v and names %v", report.General, report.Files[0].Problems)
			}
		})
	}
}

// Undoing the first import brings back what was; later imports decide nothing.
func TestUndoingTheFirstImportBringsBackItsCurrency(t *testing.T) {
	b := newBooks(t)
	empty := reportedPicture(t, b)
	first, err := b.Import(t.Context(), []bookkeeping.Source{inCurrency("EUR", "DE1", "-1.00")},
		bookkeeping.Options{ReportIn: "GBP"})
	if err != nil || reporting(t, b).Code != "GBP" {
		t.Fatalf("the books report in %+v, %v", reporting(t, b), err)
	}
	second := take(t, b, inCurrency("CHF", "CH1", "-1.00", "-2.00", "-3.00"))
	if got := reporting(t, b).Code; got != "GBP" {
		t.Errorf("after a later import, the books report in %s", got)
	}

	_, err = b.Undo(t.Context(), string(first.Import))
	if got := reporting(t, b).Code; err != nil || got != "CHF" {
		t.Errorf("without the first import, the books report in %s, %v", got, err)
	}
	if _, err = b.Undo(t.Context(), string(second.Import)); err != nil || reportedPicture(t, b) != empty {
		t.Errorf("without any import: %s, %v; want %s", reportedPicture(t, b), err, empty)
	}
}

func TestALaterImportDoesNotAskForTheCurrency(t *testing.T) {
	b := newBooks(t)
	take(t, b, inCurrency("EUR", "DE1", "-1.00"))

	_, err := b.Import(t.Context(), []bookkeeping.Source{inCurrency("USD", "US1", "-1.00")},
		bookkeeping.Options{ReportIn: "USD"})

	if late := new(bookkeeping.ReportingError); !errors.As(err, &late) || late.Currency != "EUR" {
		t.Errorf("the error is %v", err)
	}
}

func TestAChangeOfTheCurrencySaysWhichAmountsHaveARate(t *testing.T) {
	b := newBooks(t)
	old := statement{account: "US1", first: "2020-01-01", last: "2020-01-31"}
	old.lines = []line{{"2020-01-02", "-1.00", "1", "A"}}
	take(t, b, inCurrency("EUR", "DE1", "-1", "-2", "-3", "-4"), inCurrency("USD", "US1", "-3.00", "-4.00"),
		source("old.ofx", old.ofx()), weeklyRates("EUR"))

	preview, err := b.PreviewCurrency(t.Context(), "usd")
	if err != nil || preview.Before != "EUR" || preview.Currency != "USD" || !preview.Changes() ||
		reporting(t, b).Code != "EUR" {
		t.Fatalf("the preview is %+v, %v", preview, err)
	}
	state, err := b.Currency(t.Context())
	want := []bookkeeping.CurrencyRows{{Currency: "EUR", Rows: 4}, {Currency: "USD", Rows: 3, Unrated: 1}}
	if err != nil || !slices.Equal(state.Transactions, want) || len(state.Missing) != 1 ||
		*state.Missing[0].Account != "US1" {
		t.Errorf("the state is %+v, %v", state, err)
	}
	if _, err := b.SetCurrency(t.Context(), "EURO"); !errors.Is(err, bookkeeping.ErrCurrency) {
		t.Errorf("a word that is no currency: %v", err)
	}

	before := reportedPicture(t, b)
	for _, currency := range []string{"USD", "CHF", "auto"} {
		change, err := b.SetCurrency(t.Context(), currency)
		if err != nil || change.Undo() == "" || (reportedPicture(t, b) == before) != (currency == "auto") {
			t.Errorf("%s: %+v, %v: %s", currency, change, err, reportedPicture(t, b))
		}
	}
}

// Books of an earlier version report in US dollars alone, until they are derived again.
func TestBooksOfAnEarlierVersionGetTheirCurrency(t *testing.T) {
	b := newBooks(t)
	take(t, b, inCurrency("EUR", "DE1", "-1.00"), inCurrency("CHF", "CH1", "-1.00", "-2.00"), weeklyRates("EUR"))
	want := reportedPicture(t, b)
	if _, err := b.SetCurrency(t.Context(), "USD"); err != nil {
		t.Fatal(err)
	}
	if err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SetReportingCurrency(b.Org, store.ReportingCurrency{Code: "USD"})
	}); err != nil {
		t.Fatal(err)
	}

	updated, err := b.UpdateCurrency(t.Context())
	if err != nil || updated != "CHF" || reportedPicture(t, b) != want {
		t.Errorf("updated to %q, %v: %s, want %s", updated, err, reportedPicture(t, b), want)
	}
	if again, err := b.UpdateCurrency(t.Context()); err != nil || again != "" {
		t.Errorf("updated again to %q, %v", again, err)
	}
}
