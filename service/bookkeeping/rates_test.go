package bookkeeping_test

import (
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

// table is a CSV file of an account in the given currency.
func table(account, currency, rows string) bookkeeping.Source {
	s := source(account+".csv", "Date,Description,Amount,Balance\n"+rows)
	s.Options = bank.Options{Account: account, Currency: currency}
	return s
}

// takeIn is take for the first import of books that report in a currency.
func takeIn(t testing.TB, b *bookkeeping.Books, currency string, files ...bookkeeping.Source) {
	t.Helper()
	report, err := b.Import(t.Context(), files, bookkeeping.Options{ReportIn: currency})
	if err != nil || report.Import == "" {
		t.Fatalf("the import failed: %+v, %v", report, err)
	}
}

func TestRatesSayWhatThereIsAndWhatIsMissing(t *testing.T) {
	b := newBooks(t)
	takeIn(t, b, "USD",
		table("Euros", "EUR", "2026-09-01,Rent,-10.00,90.00\n2026-09-20,Fee,-1.00,89.00\n2026-10-30,Fee,-1.00,88.00\n"),
		table("Lari", "GEL", "2026-09-01,Rent,-10.00,90.00\n2026-09-13,Rent,-10.00,80.00\n"),
		source("rates.csv", "date,currency,usd\n2026-08-31,EUR,1.10\n2026-09-18,EUR,1.25\n2026-09-18,PLN,0.27\n"))
	items := source("open.csv", "number,customer,issued,due,currency,amount due\n7,Acme,2026-09-01,2026-10-01,CHF,5.00\n")
	items.Options = bank.Options{AsOf: civil.MustParse("2026-09-30")}
	take(t, b, items)

	got, err := b.Rates(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	if len(got.Rates) != 2 {
		t.Fatalf("the rates are %+v", got.Rates)
	}
	euro := got.Rates[0]
	if euro.Currency != "EUR" || euro.First != "2026-08-31" || euro.Last != "2026-09-18" || euro.Days != 2 ||
		euro.USD != "1.25" || euro.AgeDays != 65 || len(euro.Accounts) != 1 || euro.Accounts[0] != "Euros" {
		t.Errorf("euros are %+v", euro)
	}
	if zloty := got.Rates[1]; zloty.Currency != "PLN" || len(zloty.Accounts) != 0 {
		t.Errorf("zlotys are %+v", zloty)
	}
	if len(got.Missing) != 3 {
		t.Fatalf("missing are %+v", got.Missing)
	}
	late, lari, francs := got.Missing[0], got.Missing[1], got.Missing[2]
	if *late.Account != "Euros" || late.Lines != 1 || *late.First != "2026-10-30" || late.Balance ||
		*late.Download != bookkeeping.ECBRates {
		t.Errorf("the late line: %+v", late)
	}
	if *lari.Account != "Lari" || lari.Lines != 2 || *lari.First != "2026-09-01" || *lari.Last != "2026-09-13" ||
		!lari.Balance || lari.Download != nil {
		t.Errorf("lari: %+v", lari)
	}
	if francs.Account != nil || francs.Currency != "CHF" || francs.Lines != 1 || *francs.First != "2026-09-30" {
		t.Errorf("the open invoice: %+v", francs)
	}

	_, changed := b.SetCurrency(t.Context(), "EUR")
	if got, err = b.Rates(t.Context()); changed != nil || err != nil || len(got.Missing) != 2 {
		t.Errorf("in euros, missing are %+v, %v, %v", got.Missing, changed, err)
	}
}

func TestRatesOfDaysToComeAreNamed(t *testing.T) {
	b := newBooks(t)

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("rates.csv", "date,currency,usd\n"+
		"2026-11-23,EUR,1.10\n2027-11-20,EUR,1.25\n2027-11-18,EUR,1.25\n")}, bookkeeping.Options{Preview: true})

	if err != nil {
		t.Fatal(err)
	}
	const want = "2 rates of days that are still to come, such as EUR on 2027-11-18: is the year right?"
	if got := strings.Join(report.Files[0].Problems, "; "); got != want {
		t.Errorf("problems are %q, want %q", got, want)
	}
}

func TestRatesFarFromThoseOfAnEarlierFileAreNamed(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("rates.csv", "date,currency,usd\n2026-08-31,EUR,1.10\n2026-09-18,EUR,1.25\n2026-09-18,PLN,0.27\n"))
	for text, want := range map[string]string{
		"2026-08-31,EUR,1.12\n2026-09-01,EUR,3.00\n": "",
		"2026-08-31,EUR,1.16\n2026-09-18,PLN,0.20\n2026-09-18,EUR,1.25\n": "2 rates of days that have one already, more " +
			"than 5 % apart, such as EUR on 2026-08-31; those imported last count",
	} {
		report, err := b.Import(t.Context(), []bookkeeping.Source{source("more.csv", "date,currency,usd\n"+text)},
			bookkeeping.Options{Preview: true})

		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(report.Files[0].Problems, "; "); got != want {
			t.Errorf("%q: problems are %q, want %q", text, got, want)
		}
	}
}
