package bookrules_test

import (
	"math"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

var checking = bookrules.Account{Key: 1, Number: "000123456789", Currency: "USD", Role: bookrules.Operating}

func TestRowOfALine(t *testing.T) {
	euro := bookrules.Account{Key: 2, Number: "DE89370400440532013000", Currency: "EUR", Role: bookrules.Operating}
	rates := inDollars(rate("EUR", "2026-09-01", 11, 10))
	booked := bookrules.Merged{Day: day("2026-09-02"), Minor: -4999, Ordinal: 1}
	text := bank.Line{
		Counterparty: "SQ *BLUE BOTTLE 1234", Description: "coffee beans", Method: "POS", Reference: "R1",
		Booked: civil.MustParse("2026-09-04"),
	}
	want := ledger.Transaction{
		ID: bookrules.TransactionID(euro, booked), Date: civil.MustParse("2026-09-02"), Direction: ledger.Outflow,
		Source: ledger.LinkedBank, AmountMinor: 4999, AmountKnown: true, USDCents: 5499, USDKnown: true, Currency: "EUR",
		Counterparty: "BLUE BOTTLE", Memo: "SQ *BLUE BOTTLE 1234 · coffee beans", Method: "POS", Reference: "R1",
	}

	got := bookrules.Row(euro, booked, text, bookrules.Name(text), bookrules.Outcome{}, rates)

	if got != want {
		t.Errorf("the row is\n%+v, want\n%+v", got, want)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
}

func TestARuleDecidesNameCategoryAndMemoOfARow(t *testing.T) {
	text := bank.Line{Description: "WIRE 123456"}
	outcome := bookrules.Outcome{Rule: 1, Counterparty: "Ada Ventures", Category: "financing", Memo: "SAFE"}

	got := bookrules.Row(
		checking,
		bookrules.Merged{Day: 40000, Minor: 5, Ordinal: 1},
		text,
		bookrules.Name(text),
		outcome,
		inDollars(),
	)

	if got.Counterparty != "Ada Ventures" || got.Category != ledger.CategoryFinancing || got.Memo != "SAFE" {
		t.Errorf("the row is %+v", got)
	}
}

func TestARowWithoutNameRateOrCleanText(t *testing.T) {
	yen := bookrules.Account{Number: "1", Currency: "JPY"}
	text := bank.Line{Counterparty: "\x1b[31mEvil\u202e", Reference: "a\nb"}

	named := bookrules.Row(
		yen,
		bookrules.Merged{Day: 40000, Minor: 5, Ordinal: 1},
		text,
		bookrules.Name(text),
		bookrules.Outcome{},
		inDollars(),
	)
	number := bank.Line{Description: "123"}
	unnamed := bookrules.Row(
		yen,
		bookrules.Merged{Day: 40000, Ordinal: 1},
		number,
		bookrules.Name(number),
		bookrules.Outcome{},
		inDollars(),
	)

	if named.USDKnown || named.USDCents != 0 || named.Counterparty != "Evil" || named.Reference != "a b" {
		t.Errorf("the row is %+v", named)
	}
	if unnamed.Counterparty != ledger.UnknownCounterparty || unnamed.Memo != "123" || unnamed.Direction != ledger.Inflow {
		t.Errorf("the row without a name is %+v", unnamed)
	}
	for _, row := range []ledger.Transaction{named, unnamed} {
		if err := row.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestARowThatIsTooLargeForTheLedgerIsNotValid(t *testing.T) {
	for _, minor := range []int64{math.MaxInt64, math.MinInt64, ledger.MaxAmount + 1} {
		row := bookrules.Row(
			checking,
			bookrules.Merged{Day: 40000, Minor: minor, Ordinal: 1},
			bank.Line{},
			"A",
			bookrules.Outcome{},
			inDollars(),
		)

		if row.USDKnown || row.Validate() == nil {
			t.Errorf("%d is %+v", minor, row)
		}
	}
}

// Ids do not depend on keys of the database or account numbers, differ for different lines, and
// sort by day.
func TestTransactionIDsBelongToLines(t *testing.T) {
	shape := regexp.MustCompile(`^txn_[0-9A-HJKMNP-TV-Z]{26}$`)
	drawLine := func(t *rapid.T) (bookrules.Account, bookrules.Merged) {
		return bookrules.Account{
				Key:      rapid.Int64().Draw(t, "key"),
				Number:   rapid.SampledFrom([]string{"1", "12", "123"}).Draw(t, "number"),
				Identity: rapid.SampledFrom([]string{"1", "12", "123"}).Draw(t, "identity"),
				Currency: rapid.SampledFrom([]string{"USD", "EUR"}).Draw(t, "currency"),
			}, bookrules.Merged{
				Day:     bookrules.Day(rapid.IntRange(25600, 60000).Draw(t, "day")), // from 1970 on
				Minor:   rapid.Int64Range(-3, 3).Draw(t, "amount"),
				Ordinal: rapid.IntRange(1, 3).Draw(t, "ordinal"),
				Line:    rapid.Int64().Draw(t, "line"),
			}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, m := drawLine(t)
		b, n := drawLine(t)

		first, second := bookrules.TransactionID(a, m), bookrules.TransactionID(b, n)

		if !shape.MatchString(first) {
			t.Fatalf("the id of %+v is %q", m, first)
		}
		same := a.Identity == b.Identity && a.Currency == b.Currency && m.Day == n.Day && m.Minor == n.Minor &&
			m.Ordinal == n.Ordinal
		if same != (first == second) || m.Day < n.Day && first >= second {
			t.Fatalf("%+v is %s, %+v is %s", m, first, n, second)
		}
		row := bookrules.Row(a, m, bank.Line{}, "A", bookrules.Outcome{}, inDollars())
		if got, known := bookrules.AccountOf([]bookrules.Account{b, a}, &row); !known || got.Identity != a.Identity ||
			got.Currency != a.Currency {
			t.Fatalf("%+v of %+v is of %+v", m, a, got)
		}
	})
}
