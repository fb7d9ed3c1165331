package rates_test

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/rates"
)

// conversion is a conversion with its result, computed elsewhere.
type conversion struct {
	Amount   int64 `json:"amount_minor"`
	From, To string
	Date     string
	Result   int64 `json:"result_minor"`
}

func TestConversionsAreExact(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "banks", "fx")
	content, err := os.ReadFile(filepath.Join(root, "answers.json"))
	if err != nil {
		t.Skipf("SKIPPED: the answers about exchange rates are not there: %v", err)
	}
	var answers struct {
		Conversions []conversion
		NoAnswer    []conversion `json:"no_answer"`
	}
	if err := json.Unmarshal(content, &answers); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"eurofxref-hist.csv", "eurofxref-hist.zip"} {
		days := readDays(t, filepath.Join(root, name))
		for _, c := range answers.Conversions {
			if got, ok := days.convert(t, c); !ok || got != c.Result {
				t.Errorf("%s: %+v gives %d", name, c, got)
			}
		}
		for _, c := range answers.NoAnswer {
			if got, ok := days.convert(t, c); ok && name == "eurofxref-hist.csv" {
				t.Errorf("%s: %+v gives %d", name, c, got)
			}
		}
	}
}

// days are rates by currency and day.
type days map[string]map[civil.Date]bank.Rate

func readDays(t *testing.T, path string) days {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	found, err := banks.Read(rates.Format(), file, bank.Options{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	t.Logf("%s: %d rates", filepath.Base(path), len(found.Rates))
	all := days{}
	for _, r := range found.Rates {
		if all[r.Currency] == nil {
			all[r.Currency] = map[civil.Date]bank.Rate{}
		}
		all[r.Currency][r.Date] = r
	}
	return all
}

// convert converts at the rates of the day or the last ones before it, and rounds once, halves
// to the even number.
func (d days) convert(t *testing.T, c conversion) (minor int64, ok bool) {
	date, err := civil.Parse(c.Date)
	if err != nil {
		t.Fatal(err)
	}
	value := big.NewRat(c.Amount, 1)
	for _, side := range []struct {
		currency string
		invert   bool
	}{{c.From, false}, {c.To, true}} {
		rate := big.NewRat(1, 1)
		if side.currency != "USD" {
			found, ok := d.last(side.currency, date)
			if !ok {
				return 0, false
			}
			rate.SetFrac64(found.Numerator, found.Denominator)
		} else if _, ok := d.last("EUR", date); !ok {
			return 0, false
		}
		if side.invert {
			rate.Inv(rate)
		}
		value.Mul(value, rate)
	}
	for range max(money.Exponent(c.To)-money.Exponent(c.From), 0) {
		value.Mul(value, big.NewRat(10, 1))
	}
	for range max(money.Exponent(c.From)-money.Exponent(c.To), 0) {
		value.Quo(value, big.NewRat(10, 1))
	}
	return roundHalfEven(value), true
}

func (d days) last(currency string, date civil.Date) (bank.Rate, bool) {
	for back := range 8 {
		if rate, ok := d[currency][date.AddDays(-back)]; ok {
			return rate, true
		}
	}
	return bank.Rate{}, false
}

func roundHalfEven(value *big.Rat) int64 {
	whole, rest := new(big.Int).DivMod(value.Num(), value.Denom(), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(value.Denom()) {
	case 1:
		whole.Add(whole, big.NewInt(1))
	case 0:
		whole.Add(whole, new(big.Int).And(whole, big.NewInt(1)))
	}
	return whole.Int64()
}
