package bookexport_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookexport"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

var update = flag.Bool("update", false, "write the golden files")

// sample writes books of two accounts with one transaction of each kind.
func sample(t *testing.T, w bookexport.Writer) {
	t.Helper()
	names := bookexport.OwnNames([]bookrules.Account{
		{Number: "440012344821", Currency: "USD", Bank: "Harbor & Pine Bank"},
		{Number: "DE40999000000041200731", Currency: "EUR", Bank: "HRPIDEF0"},
	})
	day := civil.MustParse("2026-08-31")
	checking := &bookexport.Account{
		Name: names[0], Number: "440012344821", Bank: "Harbor & Pine Bank", Currency: "USD", Opened: day, BalanceKnown: true,
	}
	euros := &bookexport.Account{Name: names[1], Number: "DE40999000000041200731", Currency: "EUR", Opened: day}
	rent := bookexport.Category(bookexport.Expenses, "rent")
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.Begin(bookexport.Header{Organization: "Harbour Works", Accounts: []*bookexport.Account{checking, euros}}))
	must(w.Rate(bank.Rate{Date: day, Currency: "EUR", Numerator: 11, Denominator: 9}))
	must(w.Transaction(&bookexport.Transaction{
		Date: day, Kind: bookexport.Opening, Payee: "Opening balance",
		Postings: []bookexport.Posting{
			{Own: checking, Minor: 500000, Currency: "USD"},
			{Other: &bookexport.OpeningBalances, Minor: -500000, Currency: "USD"},
		},
	}))
	must(w.Transaction(&bookexport.Transaction{
		Date: day.AddDays(1), Kind: bookexport.Payment, ID: "txn_1", Payee: "Landlord; Sons",
		Description: `The "yard" | =1+1`,
		Reference:   "R(7)", Category: "rent",
		Note: "late, id: 2 [2020-01-01]; \"ask\" =Ada",
		Postings: []bookexport.Posting{
			{Own: checking, Minor: -150005, Currency: "USD"}, {Other: &rent, Minor: 150005, Currency: "USD"},
		},
	}))
	must(w.Transaction(&bookexport.Transaction{
		Date: day.AddDays(2), Kind: bookexport.Transfer, ID: "txn_2", OtherID: "lin_3", Payee: "=Transfer",
		Postings: []bookexport.Posting{
			{Own: euros, Minor: 10000, Currency: "EUR", Cost: &bookexport.TotalCost{Minor: 11940, Currency: "USD"}},
			{Other: &bookexport.Exchange, Minor: 50, Currency: "EUR", Cost: &bookexport.TotalCost{Minor: 60, Currency: "USD"}},
			{Own: checking, Minor: -12000, Currency: "USD"},
		},
	}))
	must(w.Balance(day.AddDays(2), checking, 337995))
	must(w.End())
}

func TestBooksAreWrittenInEachFormat(t *testing.T) {
	for _, format := range bookexport.Formats {
		t.Run(string(format), func(t *testing.T) {
			var out bytes.Buffer
			w, err := bookexport.New(format, &out)
			if err != nil {
				t.Fatal(err)
			}

			sample(t, w)

			golden := filepath.Join("testdata", "sample."+string(format))
			if *update {
				if err := os.WriteFile(golden, out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || out.String() != string(want) {
				t.Errorf("the books are written as\n%s\nwant\n%s (%v)", out.String(), want, err)
			}
		})
	}
}

// collected keeps the transactions that are written.
type collected struct {
	bookexport.Writer
	all []bookexport.Transaction
}

func (c *collected) Transaction(t *bookexport.Transaction) error {
	c.all = append(c.all, *t)
	return nil
}

func TestACategoryOfAPersonReplacesOnlyThatOfIncomeAndExpenses(t *testing.T) {
	out := &collected{}
	w := bookexport.Annotated(out, func(id string) (category, note string) {
		if id == "none" {
			return "", ""
		}
		return "travel", "of " + id
	})
	for _, c := range []struct {
		id, category, want string
		kind               bookexport.Kind
		other, wantOther   bookexport.Name
	}{
		{"out", "rent", "travel", bookexport.Payment,
			bookexport.Category(bookexport.Expenses, "rent"), bookexport.Category(bookexport.Expenses, "travel")},
		{"in", "", "travel", bookexport.Payment,
			bookexport.Category(bookexport.Income, ""), bookexport.Category(bookexport.Income, "travel")},
		{"none", "rent", "rent", bookexport.Payment,
			bookexport.Category(bookexport.Expenses, "rent"), bookexport.Category(bookexport.Expenses, "rent")},
		{"financing", "financing", "travel", bookexport.Payment, bookexport.Investors, bookexport.Investors},
		{"transfer", "", "", bookexport.Transfer, bookexport.InTransit, bookexport.InTransit},
	} {
		given := bookexport.Transaction{
			ID: c.id, Kind: c.kind, Category: c.category,
			Postings: []bookexport.Posting{{Own: &bookexport.Account{}}, {Other: &c.other}},
		}
		before := c.other

		if err := w.Transaction(&given); err != nil {
			t.Fatal(err)
		}

		got := out.all[len(out.all)-1]
		if got.Category != c.want || *got.Postings[1].Other != c.wantOther || (got.Note == "of "+c.id) != (c.id != "none") {
			t.Errorf("%s: %+v on %v", c.id, got, *got.Postings[1].Other)
		}
		if given.Note != "" || *given.Postings[1].Other != before {
			t.Errorf("%s: the caller's transaction is changed: %+v", c.id, given)
		}
	}
}

func TestAnUnknownFormatIsRefused(t *testing.T) {
	if _, err := bookexport.New("gnucash", nil); err == nil || !strings.Contains(err.Error(), "gnucash") {
		t.Errorf("the error is %v", err)
	}
}

func TestNamesOfAccountsDiffer(t *testing.T) {
	names := bookexport.OwnNames([]bookrules.Account{
		{Number: "11114821", Currency: "USD", Bank: "A & B"}, {Number: "22224821", Currency: "USD", Bank: "A.B"},
		{Number: "22224821", Currency: "EUR", Bank: "A-B"}, {Number: "33334821", Currency: "USD", Bank: "a b"},
		{Number: "33334821", Currency: "USD", Bank: "A & B", Role: bookrules.Card},
	})

	seen := map[bookexport.Name]bool{}
	for _, name := range names {
		seen[name] = true
	}
	if len(seen) != len(names) {
		t.Errorf("the names are %v", names)
	}
}
