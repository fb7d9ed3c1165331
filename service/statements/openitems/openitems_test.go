package openitems_test

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/openitems"
)

var update = flag.Bool("update", false, "write golden files anew")

// answers are the import options for files that contain neither a currency nor a day.
var answers = bank.Options{Currency: "USD", AsOf: civil.MustParse("2026-09-30")}

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, openitems.Format(), answers, *update)
}

func read(content string, options bank.Options) (*banks.Contents, error) {
	return banks.Read(openitems.Format(), strings.NewReader(content), options)
}

// table returns a file with columns by name and these lines.
func table(lines ...string) string {
	return "number,customer,issued,due,currency,amount due\n" + strings.Join(lines, "\n") + "\n"
}

// report returns a report of QuickBooks with these lines.
func report(lines ...string) string {
	return "Acme\nOpen Invoices\n\"As of September 30, 2026\"\n,Date,Num,Due Date,Open Balance\n" +
		strings.Join(lines, "\n") + "\n"
}

func TestTotalsAgreeWithWhatTheyTotal(t *testing.T) {
	const first, second = ",9/13/2026,1,,100.00", ",9/14/2026,2,,-30.00"
	for content, want := range map[string]string{
		report("A,,,,", first, second, "Total for A,,,,70.00", "TOTAL,,,,70.00"): "",
		report("A,,,,", first, second, "Total for A,,,,", "TOTAL,,,,$70.00"):     "",
		report("A,,,,", first, second, "Total for A,,,,130.00", "TOTAL,,,,70.00"): `line 8: the total 130.00 of "A" ` +
			"differs from the sum of its rows, 70.00, by 60.00",
		report("A,,,,", first, "Total for A,,,,100.00", "TOTAL,,,,70.00"): "line 8: the total 70.00 of the list " +
			"differs from the sum of its rows, 100.00, by -30.00",
		report("A,,,,", first, "Total for B,,,,100.00"): `line 7: the total "Total for B" belongs to no group`,
		report("A,,,,", first, "Total for A,,,,100.00", "B,,,,", second): `line 8: the list ends without the total ` +
			`of "B": it is cut short`,
		report("A,,,,", first, "Total for A,,,,100.00", "B,,,,", second, "TOTAL,,,,70.00"): `line 10: the total of ` +
			`"B" (line 8) is missing`,
		report("A,,,,", first, "Total for A,,,,100.00", "TOTAL,,,,100.00", second): "line 9: an invoice stands below " +
			"the total of the list",
		table("1,A,,,USD,5.00", "Total,,,,,6.00"): "line 3: the total 6.00 of the list differs from the sum of its " +
			"rows, 5.00, by 1.00",
	} {
		_, err := read(content, answers)

		if text := fmt.Sprint(err); err == nil && want != "" || err != nil && text != want {
			t.Errorf("%q:\n%v", content, err)
		}
	}
}

func TestAListWithoutItsLastTotalIsNamed(t *testing.T) {
	found, err := read(report("A,,,,", ",9/13/2026,1,,100.00", "Total for A,,,,100.00"), answers)

	if err != nil || len(found.Problems) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestTotalsOfSeveralCurrenciesAreNotChecked(t *testing.T) {
	found, err := read(table("1,A,,,USD,5.00", "2,B,,,EUR,7.00", "Total,,,,,99.00"), answers)

	if err != nil || len(found.OpenItems) != 2 || len(found.Problems) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestWhatAFileDoesNotSayIsAsked(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		options bank.Options
		flag    string
	}{
		"the day":           {table("1,A,,,USD,5.00"), bank.Options{}, "--as-of"},
		"the currency":      {report("A,,,,", ",9/13/2026,1,,$100.00"), bank.Options{}, "--currency"},
		"the order of days": {table("1,A,03/04/2026,,USD,5.00"), answers, "--date-format"},
		"the decimal mark":  {table("1,A,,,USD,\"1,500\""), answers, "--decimal"},
	} {
		_, err := read(test.content, test.options)

		var question *bank.Question
		if !errors.As(err, &question) || question.Flag != test.flag {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFileSaysItsDayAndCurrencyItself(t *testing.T) {
	for content, day := range map[string]string{
		"As of September 30, 2026\n":    "2026-09-30",
		"As of Sep 30 2026,,,\n":        "2026-09-30",
		"\"As at 30 September 2026\"\n": "2026-09-30",
		"As of 2026-09-30\n":            "2026-09-30",
		"as of 30/09/2026\n":            "2026-09-30",
	} {
		found, err := read(content+table("1,A,,,eur,5.00"), bank.Options{
			Currency: "USD", AsOf: civil.MustParse("2020-01-01"),
		})
		if err != nil {
			t.Errorf("%q: %v", content, err)
			continue
		}
		if got := found.Lists[0].AsOf.String(); got != day || found.OpenItems[0].Currency != "EUR" {
			t.Errorf("%q is as of %s", content, got)
		}
	}
}

func TestAmountsAsProgramsWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"$1,234.50": "123450 USD", "-$5.00": "-500 USD", "($5.00)": "-500 USD", "€1.234,50": "123450 EUR",
		"1.234,50 EUR": "123450 EUR", "GBP 5": "500 GBP", "US$ 5.00": "500 USD", "5.0000": "500 USD", "- 5.00": "-500 USD",
	} {
		found, err := read(table(`1,A,,,,"`+text+`"`), answers)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if item := found.OpenItems[0]; fmt.Sprint(item.Minor, " ", item.Currency) != want {
			t.Errorf("%q is %+v", text, item)
		}
	}
}

func TestAmountsOfCurrenciesWithThreeDecimalsAreRead(t *testing.T) {
	for content, want := range map[string]int64{
		table("1,A,,,KWD,1.250"):                    1250,
		table("1,A,,,,KWD 250.500"):                 250500,
		table(`1,A,,,BHD,"1,250.500"`):              1250500,
		table(`1,A,,,EUR,"1,5"`, "2,B,,,KWD,1.250"): 0, // the file has a decimal comma
	} {
		found, err := read(content, answers)

		if want == 0 && err == nil || want != 0 && (err != nil || found.OpenItems[0].Minor != want) {
			t.Errorf("%q: %+v, %v", content, found, err)
		}
	}

	var question *bank.Question
	if _, err := read(table(`1,A,,,KWD,"1,250"`), answers); !errors.As(err, &question) {
		t.Errorf("with a comma: %v", err)
	}
}

func TestDamagedListsAreRefusedWithTheirLine(t *testing.T) {
	for content, want := range map[string]string{
		table("1,A,2026-02-31,,USD,5.00"):           `line 2: the date "2026-02-31" does not exist`,
		table("1,A,2026-09-01,soon,USD,5.00"):       `line 2: the date "soon" does not exist`,
		table("1,A,2026-09-01,0000-01-01,USD,5.00"): `line 2: the date "0000-01-01" does not exist`,
		table("1,A,,,USD"):                          "line 2: has no amount due",
		table("1"):                                  "line 2: has no amount due",
		table("1,A,,,USD,five"):                     `line 2: the amount "five" is not an amount`,
		table("1,A,,,USD,5.0012"):                   `line 2: the amount "5.0012" has more decimals than its currency`,
		table("1,A,,,USD,99999999999999999999.00"):  `line 2: the amount "99999999999999999999.00" is too large`,
		table("1,A,,,XYZ,5.00"):                     `line 2: "XYZ" is no currency of ISO 4217`,
		table("1,A,,,USD,€5.00"):                    `line 2: the amount "€5.00" is not in USD`,
		table("1,A,,,USD,0.00"):                     "contains no open invoices",
		table():                                     "contains no open invoices",
		table("1,A,,,USD,\"5.00"):                   "line 2: a quotation mark is in the wrong place or has no end",
		report(",9/13/2026,1,,100.00"):              "line 5: does not say whose invoice it is",
	} {
		refused(t, content, want)
	}
}

func TestLinesThatDoNotGoTogetherAreRefused(t *testing.T) {
	refused(t, table("1,A,,,USD,92233720368547758.07", "2,A,,,USD,1.00"),
		"line 3: the amounts are too large to be added up")
	refused(t, table("1,A,25/04/2026,,USD,1.00", "1,A,04/25/2026,,USD,1.00"),
		`line 3: the date "04/25/2026" has another order than that in line 2`)
	refused(t, table(`1,A,,,USD,"1,50"`, "1,A,,,USD,1.50"),
		`line 3: the amount "1.50" has another decimal mark than that in line 2`)
}

func TestOtherReportsAreRefusedWithAdvice(t *testing.T) {
	refused(t, "Acme\nA/P Aging Summary\n\"As of September 30, 2026\"\n,Current,1 - 30,Total\nA,5,,5\n",
		"is a summary; import A/P Aging Detail, Unpaid Bills or Aged Payables Detail instead")
	refused(t, "Type,"+strings.TrimSuffix(table("Bill,1,A,,,USD,5.00"), "\n"), "line 2: is a bill to pay in a list of "+
		"open invoices; import A/P Aging Detail, Unpaid Bills or Aged Payables Detail instead")
	refused(t, "Acme\nA/R Aging Summary\n\"As of September 30, 2026\"\n,Current,1 - 30,Total\nA,5,,5\n",
		"is a summary; import A/R Aging Detail, Open Invoices or Aged Receivables Detail instead")
}

func refused(t *testing.T, content, want string) {
	t.Helper()
	if _, err := read(content, answers); err == nil || err.Error() != want {
		t.Errorf("%q:\n%v", content, err)
	}
}

func TestBillsAreOfTheirSide(t *testing.T) {
	for name, content := range map[string]string{
		"a vendor":   "Vendor,Bill,Due,Currency,Amount due\nHarbor,7,,USD,5.00\n",
		"a supplier": "Supplier Name,Customer,Bill No.,Due,Currency,Amount due\nHarbor,Us,7,,USD,5.00\n",
		"a title":    "A/P Aging Detail\n" + table("7,Harbor,,,USD,5.00"),
	} {
		found, err := read(content, answers)

		if err != nil || found.Lists[0].Side != bank.Payable || found.OpenItems[0].Party != "Harbor" ||
			found.OpenItems[0].Number != "7" {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
	}
	if found, err := read(table("7,Harbor,,,USD,5.00"), answers); err != nil || found.Lists[0].Side != bank.Receivable {
		t.Errorf("with a customer: %+v, %v", found, err)
	}
	refused(t, "Vendor,Bill,Due,Currency,Amount due\n", "contains no bills to pay")
}

func TestTextsAreClean(t *testing.T) {
	found, err := read(table("=1+1,Pa\x1b[31mb\x00\u202e,,,USD,5.00"), answers)

	if err != nil || found.OpenItems[0].Party != "Pab" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestOtherTablesAreNotRecognized(t *testing.T) {
	for _, head := range []string{
		"", "\n", "Date,Description,Amount,Balance\n", "Date,Due Date,Amount,Balance\n", "number,customer,amount due\n",
		"id,Amount,Customer,Created (UTC),Status\n", "Type,Date,Num,Name,Split,Amount,Balance\n",
		"Invoice,Due\n", "Date,Payee,Unpaid bills\nA/P aging,x\n",
	} {
		if openitems.Format().Recognize(bank.NewBudget(t.Context()), []byte(head)) {
			t.Errorf("%q is recognized", head)
		}
	}
}

func large(items int) *banks.Stream {
	return &banks.Stream{
		Start: table(), Count: items,
		Record: func(number int) string {
			return fmt.Sprintf("INV-%07d,Harbor & Pine LLC %d,2026-08-%02d,2026-09-%02d,USD,\"1,%03d.50\"\n",
				number, number%100, number%28+1, number%28+1, number%1000)
		},
	}
}

func TestALargeFileIsReadInLittleMemory(t *testing.T) {
	banks.Bounded(t, openitems.Format(), large(1_000_000), answers)
}

func BenchmarkRead(b *testing.B) {
	banks.Benchmark(b, openitems.Format(), large(20_000), answers)
}

func FuzzRead(f *testing.F) {
	banks.Fuzz(f, openitems.Format(), answers, report("A,,,,", ",9/13/2026,1,,1.00", "Total for A,,,,1.00"))
}
