package journaltools

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

// Posting is an ordinary posting as a program reads it.
type Posting struct {
	Date, Account, Number, Commodity string // the number is an exact fraction
	Text, Code                       string
}

// HledgerPostings returns the ordinary postings to asset and liability accounts of the journal at
// path.
func HledgerPostings(tb testing.TB, path string) []Posting {
	tb.Helper()
	Need(tb, "hledger")
	owned := map[string]bool{}
	for name := range strings.Lines(string(run(tb, "hledger", "-f", "journal:"+path, "accounts", "type:ALC"))) {
		owned[strings.TrimRight(name, "\n")] = true
	}
	var transactions []struct {
		Date     string `json:"tdate"`
		Text     string `json:"tdescription"`
		Code     string `json:"tcode"`
		Postings []struct {
			Account string  `json:"paccount"`
			Date    *string `json:"pdate"`
			Type    string  `json:"ptype"`
			Amounts []struct {
				Commodity string `json:"acommodity"`
				Quantity  struct {
					Mantissa json.Number `json:"decimalMantissa"`
					Places   int         `json:"decimalPlaces"`
				} `json:"aquantity"`
			} `json:"pamount"`
		} `json:"tpostings"`
	}
	printed := run(tb, "hledger", "-f", "journal:"+path, "print", "--explicit", "-O", "json")
	if err := json.Unmarshal(printed, &transactions); err != nil {
		tb.Fatal(err)
	}
	var all []Posting
	for _, t := range transactions {
		for _, p := range t.Postings {
			if p.Type != "RegularPosting" || !owned[p.Account] {
				continue
			}
			date := t.Date
			if p.Date != nil {
				date = *p.Date
			}
			for _, a := range p.Amounts {
				number := string(a.Quantity.Mantissa) + "/1" + strings.Repeat("0", a.Quantity.Places)
				all = append(all, Posting{date, p.Account, fraction(tb, number), a.Commodity, t.Text, t.Code})
			}
		}
	}
	return all
}

// LedgerPostings returns the ordinary postings of the journal at path as ledger reads it.
func LedgerPostings(tb testing.TB, path string) []Posting {
	tb.Helper()
	Need(tb, "ledger")
	output := run(tb, "ledger", "-f", path, "register", "--empty", "--real", "--format",
		`%(format_date(date,"%Y-%m-%d"))\t%(account)\t%(quantity(amount))\t%(commodity(amount))\t%(payee)\t%(code)\n`)
	var all []Posting
	for line := range strings.Lines(string(output)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 6 {
			tb.Fatalf("ledger wrote %q", line)
		}
		all = append(all, Posting{f[0], f[1], fraction(tb, f[2]), strings.Trim(f[3], `"`), f[4], f[5]})
	}
	return all
}

// BeancountPostings returns the postings to asset and liability accounts of the journal at path.
func BeancountPostings(tb testing.TB, path string) []Posting {
	tb.Helper()
	Need(tb, "bean-check", "bean-query")
	run(tb, "bean-check", path)
	records := table(tb, run(tb, "bean-query", "-q", "-f", "csv", path,
		"SELECT date, account, str(number) AS number, currency, payee, narration WHERE account_sortkey(account) ~ '^[01]-'"))
	var all []Posting
	for _, record := range records[min(1, len(records)):] {
		for i := range record {
			record[i] = strings.TrimSpace(record[i])
		}
		number := strings.TrimSuffix(strings.TrimPrefix(record[2], "Decimal('"), "')")
		all = append(all, Posting{record[0], record[1], fraction(tb, number), record[3], record[4] + "|" + record[5], ""})
	}
	return all
}

// Number returns a decimal number or fraction in its shortest form, "" if it is none.
func Number(text string) string {
	value, ok := new(big.Rat).SetString(strings.ReplaceAll(text, ",", ""))
	if !ok {
		return ""
	}
	return value.RatString()
}

func fraction(tb testing.TB, number string) string {
	tb.Helper()
	text := Number(number)
	if text == "" {
		tb.Fatalf("%q is no number", number)
	}
	return text
}
