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
	"tarmac/internal/money"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

func day(text string) bookrules.Day { return bookrules.DayOf(civil.MustParse(text)) }

func rate(currency, date string, numerator, denominator int64) bank.Rate {
	return bank.Rate{
		Date: civil.MustParse(date), Currency: currency, Numerator: numerator, Denominator: denominator,
	}
}

// inDollars values amounts in US dollars by the given rates.
func inDollars(rates ...bank.Rate) bookrules.Valuation {
	v := bookrules.Valuation{Currency: bookrules.USD, Rates: bookrules.Rates{}}
	for _, r := range rates {
		v.Rates[r.Currency] = append(v.Rates[r.Currency], r)
	}
	return v
}

func TestConvert(t *testing.T) {
	rates := inDollars(
		rate("EUR", "2024-03-14", 10925, 10000), rate("EUR", "2024-03-15", 1, 1), rate("EUR", "2024-03-15", 10892, 10000),
		rate("EUR", "2024-03-28", 10811, 10000), rate("JPY", "2024-03-15", 1, 150), rate("KWD", "2024-03-15", 13, 4),
		rate("CLF", "2024-03-15", 38, 1), rate("GEL", "2024-03-15", 3, 2), rate("AMD", "2024-03-15", 1, 1),
		// Rates of Swiss francs and euros are of one date on 14 and 28 March alone.
		rate("CHF", "2024-03-14", 11, 10), rate("CHF", "2024-03-16", 12, 10), rate("CHF", "2024-03-28", 13, 10),
	).Rates
	for name, test := range map[string]struct {
		minor    int64
		from, to string
		day      string
		want     int64
		unknown  bool
	}{
		"dollars":                        {-5, "USD", "USD", "2024-03-15", -5, false},
		"the currency of reports":        {math.MinInt64, "RUB", "RUB", "2024-03-15", math.MinInt64, false},
		"the day itself":                 {123456, "EUR", "USD", "2024-03-14", 134876, false},
		"the last of several of a day":   {123456, "EUR", "USD", "2024-03-15", 134468, false},
		"a Sunday":                       {123456, "EUR", "USD", "2024-03-17", 134468, false},
		"seven days later":               {100, "EUR", "USD", "2024-03-22", 109, false},
		"eight days later":               {100, "EUR", "USD", "2024-03-23", 0, true},
		"before the first rate":          {100, "EUR", "USD", "2024-03-13", 0, true},
		"a currency without rates":       {100, "RUB", "USD", "2024-03-15", 0, true},
		"into one without rates":         {100, "USD", "RUB", "2024-03-15", 0, true},
		"one without rates into another": {100, "RUB", "EUR", "2024-03-15", 0, true},
		"yen have no decimals":           {1000, "JPY", "USD", "2024-03-15", 667, false},
		"dinars have three":              {1500, "KWD", "USD", "2024-03-15", 488, false},
		"half a cent rounds up":          {1, "GEL", "USD", "2024-03-15", 2, false},
		"half a cent rounds away from 0": {-1, "GEL", "USD", "2024-03-15", -2, false},
		"too large":                      {math.MaxInt64, "GEL", "USD", "2024-03-15", 0, true},
		"the most negative amount":       {math.MinInt64, "AMD", "USD", "2024-03-15", math.MinInt64, false},
		"out of dollars":                 {134468, "USD", "EUR", "2024-03-15", 123456, false},
		"out of dollars, too late":       {134468, "USD", "EUR", "2024-03-23", 0, true},
		"into yen":                       {100, "EUR", "JPY", "2024-03-15", 163, false},
		"into dinars":                    {100, "EUR", "KWD", "2024-03-15", 335, false},
		"into four decimals":             {100, "EUR", "CLF", "2024-03-15", 287, false},
		"rates of one date":              {10000, "CHF", "EUR", "2024-03-17", 10069, false},
		"rates of one date, seven days":  {10000, "EUR", "CHF", "2024-03-21", 9932, false},
		"rates of one date, too old":     {10000, "EUR", "CHF", "2024-03-22", 0, true},
		"not through rounded cents":      {1, "JPY", "EUR", "2024-03-15", 1, false},
	} {
		got, known := bookrules.Convert(test.minor, test.from, test.to, day(test.day), rates)

		if known == test.unknown || known && got != test.want {
			t.Errorf("%s: %d, %v; want %d, %v", name, got, known, test.want, !test.unknown)
		}
	}
}

// Balances are converted however old the rates are.
func TestAQuoteIsOfTheNewestDateThatHasBothRates(t *testing.T) {
	rates := inDollars(
		rate("EUR", "2020-01-02", 11, 10), rate("EUR", "2024-03-15", 12, 10),
		rate("CHF", "2020-01-02", 10, 10), rate("CHF", "2020-01-03", 13, 10),
	).Rates
	quote, known := bookrules.QuoteAt("CHF", "EUR", day("2026-11-20"), rates)
	if got, _ := quote.Convert(1100); !known || quote.Date != civil.New(2020, 1, 2) || got != 1000 {
		t.Errorf("the quote is %+v, %v, and 11 francs are %d", quote, known, got)
	}
	if quote, known = bookrules.QuoteAt("USD", "EUR", day("2026-11-20"), rates); quote.Date != civil.New(2024, 3, 15) {
		t.Errorf("from dollars the quote is %+v, %v", quote, known)
	}
	if _, known = bookrules.QuoteAt("CHF", "EUR", day("2020-01-01"), rates); known {
		t.Error("a rate of a later day is used")
	}
}

// Conversions are exact fractions, rounded once, whatever the decimals of both currencies, and an
// amount and its negative are symmetric.
func TestConversionsAreExactForAllRates(t *testing.T) {
	currencies := []string{"USD", "EUR", "CHF", "JPY", "KWD", "CLF"}
	rapid.Check(t, func(t *rapid.T) {
		minor := rapid.Int64Range(-1e12, 1e12).Draw(t, "minor")
		v := inDollars()
		worth := map[string]*big.Rat{"USD": big.NewRat(1, 1)}
		for _, currency := range currencies[1:] {
			numerator := rapid.Int64Range(1, 1e6).Draw(t, "numerator")
			denominator := rapid.Int64Range(1, 1e6).Draw(t, "denominator")
			v.Rates[currency] = []bank.Rate{rate(currency, "2024-03-15", numerator, denominator)}
			worth[currency] = big.NewRat(numerator, denominator)
		}
		from, to := rapid.SampledFrom(currencies).Draw(t, "from"), rapid.SampledFrom(currencies).Draw(t, "to")

		got, known := bookrules.Convert(minor, from, to, day("2024-03-16"), v.Rates)
		negative, _ := bookrules.Convert(-minor, from, to, day("2024-03-16"), v.Rates)

		exact := new(big.Rat).Quo(worth[from], worth[to])
		exact.Mul(exact, big.NewRat(minor, 1)).Mul(exact, power(money.Exponent(to)-money.Exponent(from)))
		limit := new(big.Rat).SetInt64(math.MaxInt64)
		switch off := new(big.Rat).Sub(exact, new(big.Rat).SetInt64(got)); {
		case !known && new(big.Rat).Abs(exact).Cmp(limit) < 0:
			t.Fatalf("%d %s is not known in %s", minor, from, to)
		case known && off.Abs(off).Cmp(big.NewRat(1, 2)) > 0:
			t.Fatalf("%d %s is %d %s, which is %s off", minor, from, got, to, off)
		case known && off.Cmp(big.NewRat(1, 2)) == 0 && magnitude(got) < magnitude64(exact):
			t.Fatalf("%d %s is %d %s, a half that is rounded towards 0", minor, from, got, to)
		case known && negative != -got:
			t.Fatalf("%d %s is %d %s, and its negative %d", minor, from, got, to, negative)
		}
	})
}

// power returns a power of ten.
func power(exponent int) *big.Rat {
	ten := big.NewRat(10, 1)
	if exponent < 0 {
		ten.Inv(ten)
	}
	result := big.NewRat(1, 1)
	for range max(exponent, -exponent) {
		result.Mul(result, ten)
	}
	return result
}

func magnitude(n int64) float64 { return math.Abs(float64(n)) }

func magnitude64(r *big.Rat) float64 {
	f, _ := r.Float64()
	return math.Abs(f)
}

// The answers were computed with exact fractions from the rates of the European Central Bank.
func TestConversionsAgreeWithTheAnswersOfOthers(t *testing.T) {
	under := filepath.Join("..", "..", "..", "shared", "banks", "fx")
	content, err := os.ReadFile(filepath.Join(under, "answers.json"))
	if err != nil {
		t.Skipf("SKIPPED: the answers about exchange rates are not there: %v", err)
	}
	type conversion struct {
		Minor    int64 `json:"amount_minor"`
		From, To string
		Date     string
		Result   int64 `json:"result_minor"`
		Why      string
	}
	var answers struct {
		Conversions []conversion
		NoAnswer    []conversion `json:"no_answer"`
	}
	if err := json.Unmarshal(content, &answers); err != nil {
		t.Fatal(err)
	}
	rates := bankRates(t, filepath.Join(under, "eurofxref-hist.csv"))
	for _, c := range answers.Conversions {
		got, known := bookrules.Convert(c.Minor, c.From, c.To, day(c.Date), rates)
		if !known || got != c.Result {
			t.Errorf("%d %s on %s is %d %s, %v; want %d (%s)", c.Minor, c.From, c.Date, got, c.To, known, c.Result, c.Why)
		}
	}
	if len(answers.Conversions) < 10 {
		t.Errorf("there are only %d conversions", len(answers.Conversions))
	}
	for _, c := range answers.NoAnswer {
		if got, known := bookrules.Convert(c.Minor, c.From, c.To, day(c.Date), rates); known {
			t.Errorf("%s on %s is %d %s", c.From, c.Date, got, c.To)
		}
	}
}

// bankRates reads rates of the European Central Bank: units of each currency for one euro.
func bankRates(t *testing.T, path string) bookrules.Rates {
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
	rates := bookrules.Rates{}
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
