package rates

import (
	"io"
	"slices"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
)

// table reads the lines below the header.
type table struct {
	header  header
	options bank.Options
	sink    bank.Sink

	rates int
	own   map[ownDay]ownLine // rates of a company's own table
	// withoutUSD counts days without a rate of the US dollar, whose rates cannot be converted.
	withoutUSD bank.Remark
}

// ownDay is a day of a currency, and ownLine a line with its rate.
type (
	ownDay struct {
		currency string
		date     civil.Date
	}
	ownLine struct {
		rate decimal
		line int
	}
)

func (t *table) read(records *bank.Records) error {
	takeLine := t.ownRate
	if t.header.ecb {
		takeLine = t.ecbDay
	}
	for count := 0; ; count++ {
		fields, line, err := records.Next()
		if err == io.EOF {
			return t.finish()
		}
		if err != nil {
			return err
		}
		if len(fields) != len(t.header.names) {
			return bank.Errorf(line, "has %s, the header has %d", plural.Count(len(fields), "column"), len(t.header.names))
		}
		if count == 0 {
			continue
		}
		if err := takeLine(line, fields); err != nil {
			return err
		}
	}
}

func (t *table) finish() error {
	if n := t.withoutUSD.Count; n > 0 {
		t.sink.Problem(t.withoutUSD.Place, plural.Count(n, "day")+" left out: without a rate of the US dollar")
	}
	if t.rates == 0 {
		return bank.Errorf(0, "contains no exchange rates")
	}
	return nil
}

// ecbDay reads a line of the ECB: the rates of one day, each in units of a currency for one euro.
func (t *table) ecbDay(line int, fields []string) error {
	date, err := readDate(line, fields[0])
	if err != nil {
		return err
	}
	usd, known, err := t.ecbRate(line, fields[slices.Index(t.header.names, "USD")])
	if err != nil {
		return err
	}
	if !known {
		t.withoutUSD.Add(line)
		return nil
	}
	if err := t.passRate(line, date, "EUR", usd, one); err != nil {
		return err
	}
	for i, currency := range t.header.names[1:] {
		rate, known, err := t.ecbRate(line, fields[i+1])
		switch {
		case err != nil:
			return err
		case known && currency == "":
			return bank.Errorf(line, "has a rate in a column without a currency")
		case !known || currency == "USD" || currency == "EUR":
			continue
		}
		if err := t.passRate(line, date, currency, usd, rate); err != nil {
			return err
		}
	}
	return nil
}

// ecbRate parses a rate of the ECB. It returns false if there is no rate for that day.
func (t *table) ecbRate(line int, text string) (rate decimal, known bool, err error) {
	if text = strings.TrimSpace(text); text == "" || strings.EqualFold(text, "N/A") || text == "-" {
		return decimal{}, false, nil
	}
	rate, err = readDecimal(line, text, t.options.Decimal)
	return rate, true, err
}

// ownRate reads a line of a company's own table: a rate in US dollars for one unit of a currency.
func (t *table) ownRate(line int, fields []string) error {
	field := func(name string) string {
		return strings.TrimSpace(fields[slices.Index(t.header.names, name)])
	}
	date, err := readDate(line, field("DATE"))
	if err != nil {
		return err
	}
	currency := strings.ToUpper(field("CURRENCY"))
	if !bank.IsCurrency(currency) {
		return bank.Errorf(line, "%q is no currency of ISO 4217", bank.Short(currency))
	}
	rate, err := readDecimal(line, field("USD"), t.options.Decimal)
	if err != nil {
		return err
	}
	if currency == "USD" {
		if rate != one {
			return bank.Errorf(line, "a US dollar is worth 1, not %q", bank.Short(field("USD")))
		}
		return nil
	}
	switch before, known := t.own[ownDay{currency, date}]; {
	case !known:
		t.own[ownDay{currency, date}] = ownLine{rate, line}
	case before.rate != rate:
		return bank.Errorf(line, "line %d has another rate of %s on %s", before.line, currency, date)
	}
	return t.passRate(line, date, currency, rate, one)
}

// passRate passes a rate of a/b US dollars to the sink.
func (t *table) passRate(line int, date civil.Date, currency string, a, b decimal) error {
	numerator, denominator, ok := fraction(a, b)
	if !ok {
		return bank.Errorf(line, "the rate of %s has too many digits", currency)
	}
	t.rates++
	return t.sink.Rate(bank.Rate{
		Place: line, Date: date, Currency: currency, Numerator: numerator, Denominator: denominator,
	})
}

// readDate parses a date such as 2026-09-30, or 30 September 2026 as in the ECB's file for one day.
func readDate(line int, text string) (civil.Date, error) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.DateOnly, "2 January 2006"} {
		if found, err := time.Parse(layout, text); err == nil {
			if day, ok := bank.Day(found.Year(), int(found.Month()), found.Day()); ok {
				return day, nil
			}
		}
	}
	return civil.Date{}, bank.Errorf(line, "%q is not a date like 2026-09-30", bank.Short(text))
}
