package bankfiles

import (
	"fmt"
	"io"
	"math/big"

	"tarmac/service/statements/bank"
)

// rateDecimals is the number of decimals of exchange rates, as the European Central Bank publishes
// them.
const rateDecimals = 4

// Rates writes exchange rates as CSV, in US dollars for one unit of a currency. The rates must have
// at most four decimals.
func Rates(w io.Writer, rates []bank.Rate) error {
	records := [][]string{{"date", "currency", "usd"}}
	for _, r := range rates {
		exact := big.NewRat(r.Numerator, r.Denominator)
		text := exact.FloatString(rateDecimals)
		if read, ok := new(big.Rat).SetString(text); !ok || read.Cmp(exact) != 0 {
			return fmt.Errorf("the rate %d/%d of %v has more than %d decimals", r.Numerator, r.Denominator, r.Date, rateDecimals)
		}
		records = append(records, []string{r.Date.String(), r.Currency, text})
	}
	return writeCSV(w, records)
}
