package rates_test

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/rates"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, rates.Format(), bank.Options{}, *update)
}

func read(content string, options bank.Options) (*banks.Contents, error) {
	return banks.Read(rates.Format(), strings.NewReader(content), options)
}

func TestRatesAreExactFractionsInLowestTerms(t *testing.T) {
	for row, want := range map[string][2]int64{
		"1.1684,186.75":            {11684, 1867500},
		"1.1702,0.5851":            {2, 1},
		"1.17020000000000,1":       {5851, 5000},
		"1,1836200.0":              {1, 1836200},
		"0.000001,999999999999999": {0, 0},
		"1.5,0.000000000000003":    {500000000000000, 1},
	} {
		found, err := read("Date,USD,JPY,\n2026-09-30,"+row+",\n", bank.Options{})
		if want == [2]int64{} {
			if err == nil || err.Error() != "line 2: the rate of JPY has too many digits" {
				t.Errorf("%s: %v", row, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row, err)
			continue
		}
		if yen := found.Rates[1]; yen.Numerator*want[1] != yen.Denominator*want[0] {
			t.Errorf("%s is %d/%d", row, yen.Numerator, yen.Denominator)
		}
	}
}

func TestARateInAnOwnFileIsDollarsForOneUnit(t *testing.T) {
	found, err := read("currency,usd,date\ngel,0.3690,2026-09-30\n", bank.Options{})
	if err != nil || len(found.Rates) != 1 {
		t.Fatal(found, err)
	}

	if r := found.Rates[0]; r.Currency != "GEL" || r.Numerator != 369 || r.Denominator != 1000 {
		t.Errorf("%+v", r)
	}
}

func TestDamagedRatesAreRefusedWithTheirLine(t *testing.T) {
	for content, want := range map[string]string{
		"Date,USD,JPY,\n2026-09-30,1.17,174.55\n":     "line 2: has 3 columns, the header has 4",
		"Date,USD,JPY,\n2026-09-30,1.17,\n":           "line 2: has 3 columns, the header has 4",
		"Date,USD,\n2026-02-31,1.17,\n":               `line 2: "2026-02-31" is not a date like 2026-09-30`,
		"Date,USD,\n0000-01-01,1.17,\n":               `line 2: "0000-01-01" is not a date like 2026-09-30`,
		"Date,USD,\n9999-01-01,1.17,\n":               `line 2: "9999-01-01" is not a date like 2026-09-30`,
		"Date,USD,\n2026-09-30,-1.17,\n":              `line 2: "-1.17" is not an exchange rate`,
		"Date,USD,\n2026-09-30,1e3,\n":                `line 2: "1e3" is not an exchange rate`,
		"Date,USD,\n2026-09-30,1.1.7,\n":              `line 2: "1.1.7" is not an exchange rate`,
		"Date,USD,\n2026-09-30,.,\n":                  `line 2: "." is not an exchange rate`,
		"Date,USD,\n2026-09-30,0.00,\n":               "line 2: an exchange rate is 0",
		"Date,USD,\n2026-09-30,1.2345678901234567890": "line 2: has 2 columns, the header has 3",
		"Date,USD,\n":                              "contains no exchange rates",
		"Date,USD,\n2026-09-30,N/A,\n":             "contains no exchange rates",
		"date,currency,usd\n2026-09-30,XYZ,1.17\n": `line 2: "XYZ" is no currency of ISO 4217`,
		"date,currency,usd\n2026-09-30,USD,1.17\n": `line 2: a US dollar is worth 1, not "1.17"`,
		"date,currency,usd\n2026-09-30,EUR,1.17\n2026-09-29,EUR,1.17\n2026-09-30,EUR,1.1700\n" +
			"2026-09-30,EUR,1.18\n": "line 5: line 2 has another rate of EUR on 2026-09-30",
		"date,currency,usd\n2026-09-30,EUR,\n":     `line 2: "" is not an exchange rate`,
		"date,currency,usd\n2026-09-30,EUR,\"1.17": "line 2: a quotation mark is in the wrong place or has no end",
		"date,currency,usd\n2026-09-30,EUR,1.2345678901234567890\n": "line 2: the exchange rate " +
			`"1.2345678901234567890" has too many digits`,
	} {
		_, err := read(content, bank.Options{})

		if err == nil || err.Error() != want {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestACommaInARateIsAsked(t *testing.T) {
	const content = "date;currency;usd\n2026-09-29;CHF;1.25\n2026-09-30;EUR;1,170\n"
	_, err := read(content, bank.Options{})
	var question *bank.Question
	if !errors.As(err, &question) || question.Flag != "--decimal" || question.Place != 3 {
		t.Fatalf("error is %v", err)
	}

	found, err := read(content, bank.Options{Decimal: ','})

	if err != nil || found.Rates[1].Numerator != 117 || found.Rates[1].Denominator != 100 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestADayWithoutADollarRateIsLeftOutAndNamed(t *testing.T) {
	found, err := read("Date,USD,JPY,\n2026-09-30,N/A,174.55,\n2026-09-29,1.17,N/A,\n", bank.Options{})

	if err != nil || len(found.Rates) != 1 || len(found.Problems) != 1 ||
		found.Problems[0] != "line 2: 1 day left out: without a rate of the US dollar" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestOtherTablesAreNotRecognized(t *testing.T) {
	for _, head := range []string{
		"", "\n", "Date,", "Date,Amount,USD\n", "Date,EUR\n", "Date,USD,USD\n", "date,currency,usd,eur\n",
		"Date,Description,USD\n", "PK\x03\x04", "currency,usd\n",
	} {
		if rates.Format().Recognize(bank.NewBudget(t.Context()), []byte(head)) {
			t.Errorf("%q is recognized", head)
		}
	}
}

func large(days int) *banks.Stream {
	return &banks.Stream{
		Start: "Date,USD,\n", Count: days,
		Record: func(number int) string {
			return fmt.Sprintf("%04d-%02d-%02d,1.%04d,\n", 1900+number%300, number%12+1, number%28+1, number%10_000)
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, rates.Format(), large(4_000_000), bank.Options{})
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, rates.Format(), large(20_000), bank.Options{})
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, rates.Format(), bank.Options{}, "date,currency,usd\n2026-09-30,EUR,1.1\n", "Date,USD\n2 May 2026,1",
		"Date,USD,JPY,\n2 May 2026,1,,1")
}
