package bookrules_test

import (
	csvfile "encoding/csv"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

func day(text string) bookrules.Day { return bookrules.DayOf(civil.MustParse(text)) }

func rate(currency, date string, numerator, denominator int64) bank.Rate {
	return bank.Rate{
		Date: civil.MustParse(date), Currency: currency, Numerator: numerator, Denominator: denominator,
	}
}

func TestUSDCents(t *testing.T) {
	euro := []bank.Rate{
		rate("EUR", "2024-03-14", 10925, 10000), rate("EUR", "2024-03-15", 1, 1), rate("EUR", "2024-03-15", 10892, 10000),
		rate("EUR", "2024-03-28", 10811, 10000),
	}
	yen := []bank.Rate{rate("JPY", "2024-03-15", 1, 150)}
	dinar := []bank.Rate{rate("KWD", "2024-03-15", 13, 4)}
	for name, test := range map[string]struct {
		minor    int64
		currency string
		day      string
		rates    []bank.Rate
		cents    int64
		unknown  bool
	}{
		"dollars":                        {minor: -5, currency: "USD", day: "2024-03-15", cents: -5},
		"the day itself":                 {123456, "EUR", "2024-03-14", euro, 134876, false},
		"the last of several of a day":   {123456, "EUR", "2024-03-15", euro, 134468, false},
		"a Sunday":                       {123456, "EUR", "2024-03-17", euro, 134468, false},
		"seven days later":               {100, "EUR", "2024-03-22", euro, 109, false},
		"eight days later":               {100, "EUR", "2024-03-23", euro, 0, true},
		"before the first rate":          {100, "EUR", "2024-03-13", euro, 0, true},
		"a currency without rates":       {100, "RUB", "2024-03-15", nil, 0, true},
		"yen have no decimals":           {1000, "JPY", "2024-03-15", yen, 667, false},
		"dinars have three":              {1500, "KWD", "2024-03-15", dinar, 488, false},
		"half a cent rounds up":          {1, "EUR", "2024-03-15", []bank.Rate{rate("EUR", "2024-03-15", 3, 2)}, 2, false},
		"half a cent rounds away from 0": {-1, "EUR", "2024-03-15", []bank.Rate{rate("EUR", "2024-03-15", 3, 2)}, -2, false},
		"too large": {
			math.MaxInt64, "EUR", "2024-03-15", []bank.Rate{rate("EUR", "2024-03-15", 3, 2)}, 0, true,
		},
		"the most negative amount": {
			math.MinInt64, "EUR", "2024-03-15", []bank.Rate{rate("EUR", "2024-03-15", 1, 1)}, math.MinInt64, false,
		},
	} {
		cents, known := bookrules.USDCents(test.minor, test.currency, day(test.day), test.rates)

		if known == test.unknown || known && cents != test.cents {
			t.Errorf("%s: %d, %v; want %d, %v", name, cents, known, test.cents, !test.unknown)
		}
	}
}

// Conversions agree with exact fractions, and an amount and its negative are symmetric.
func TestConversionsAreExactForAllRates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		minor := rapid.Int64Range(-1e12, 1e12).Draw(t, "minor")
		r := rate("EUR", "2024-03-15", rapid.Int64Range(1, 1e6).Draw(t, "numerator"),
			rapid.Int64Range(1, 1e6).Draw(t, "denominator"))

		cents, known := bookrules.ConvertToUSD(minor, r)
		negative, _ := bookrules.ConvertToUSD(-minor, r)

		exact := new(big.Rat).Mul(big.NewRat(minor, 1), big.NewRat(r.Numerator, r.Denominator))
		if off := exact.Sub(exact, big.NewRat(cents, 1)); known && off.Abs(off).Cmp(big.NewRat(1, 2)) > 0 {
			t.Fatalf("%d is %d, which is %s off", minor, cents, off)
		}
		if !known || negative != -cents {
			t.Fatalf("%d is %d, and its negative %d", minor, cents, negative)
		}
	})
}

// The answers were computed with exact fractions from the rates of the European Central Bank.
func TestConversionsToDollarsAgreeWithTheAnswersOfOthers(t *testing.T) {
	under := filepath.Join("..", "..", "..", "shared", "banks", "fx")
	content, err := os.ReadFile(filepath.Join(under, "answers.json"))
	if err != nil {
		t.Skipf("SKIPPED: the answers about exchange rates are not there: %v", err)
	}
	var answers struct {
		Conversions []struct {
			Minor    int64 `json:"amount_minor"`
			From, To string
			Date     string
			Result   int64 `json:"result_minor"`
			Why      string
		}
		NoAnswer []struct {
			Minor    int64 `json:"amount_minor"`
			From, To string
			Date     string
		} `json:"no_answer"`
	}
	if err := json.Unmarshal(content, &answers); err != nil {
		t.Fatal(err)
	}
	rates := bankRates(t, filepath.Join(under, "eurofxref-hist.csv"))
	compared := 0
	for _, c := range answers.Conversions {
		switch {
		case c.To == "USD":
			compared++
			cents, known := bookrules.USDCents(c.Minor, c.From, day(c.Date), rates[c.From])
			if !known || cents != c.Result {
				t.Errorf("%d %s on %s is %d, %v; want %d (%s)", c.Minor, c.From, c.Date, cents, known, c.Result, c.Why)
			}
		case c.From == "USD":
			// The other direction is the inverse rate, which must lead back to the dollars.
			compared++
			cents, known := bookrules.USDCents(c.Result, c.To, day(c.Date), rates[c.To])
			unit, _ := bookrules.USDCents(1, c.To, day(c.Date), rates[c.To])
			if off := cents - c.Minor; !known || max(off, -off) > unit {
				t.Errorf("%d %s on %s leads back to %d, not %d", c.Result, c.To, c.Date, cents, c.Minor)
			}
		}
	}
	if compared < 5 {
		t.Errorf("only %d conversions are from or into dollars", compared)
	}
	for _, c := range answers.NoAnswer {
		other := c.From
		if other == "USD" {
			other = c.To
		}
		if cents, known := bookrules.USDCents(c.Minor, other, day(c.Date), rates[other]); known {
			t.Errorf("%s on %s has a rate: %d", other, c.Date, cents)
		}
	}
}

// bankRates reads rates of the European Central Bank: units of each currency for one euro.
func bankRates(t *testing.T, path string) map[string][]bank.Rate {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("SKIPPED: the exchange rates are not there: %v", err)
	}
	defer file.Close()
	rows, err := csvfile.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head, rows := rows[0], rows[1:]
	slices.Reverse(rows)
	rates := map[string][]bank.Rate{}
	for _, row := range rows {
		dollars := decimal(t, row[slices.Index(head, "USD")])
		add := func(currency string, worth *big.Rat) {
			rates[currency] = append(rates[currency], rate(currency, row[0], worth.Num().Int64(), worth.Denom().Int64()))
		}
		add("EUR", dollars)
		for i, currency := range head {
			if i > 0 && len(currency) == 3 && currency != "USD" && row[i] != "N/A" {
				add(currency, new(big.Rat).Quo(dollars, decimal(t, row[i])))
			}
		}
	}
	return rates
}

func decimal(t *testing.T, text string) *big.Rat {
	t.Helper()
	number, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is not a rate", text)
	}
	return number
}
