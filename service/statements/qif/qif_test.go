package qif_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/qif"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, qif.Format(), bank.Options{Currency: "USD"}, *update)
}

func TestFilesOfRealProgramsAreReadAsOthersReadThem(t *testing.T) {
	banks.Suites(t, qif.Format(), "qif", map[string]string{
		"Money95invst_fr.qif": "its first record is the opening balance, which is no line: the first line is later",
	}, nil)
}

// bankFile returns a file with a transaction for each date and amount.
func bankFile(fields ...string) string {
	text := "!Type:Bank\n"
	for i := 0; i < len(fields); i += 2 {
		text += "D" + fields[i] + "\nT" + fields[i+1] + "\nPAcme\n^\n"
	}
	return text
}

func read(content string, options bank.Options) (*banks.Contents, error) {
	return banks.Read(qif.Format(), strings.NewReader(content), options)
}

func TestDatesAsProgramsWriteThem(t *testing.T) {
	for text, day := range map[string]string{
		"12/31/2026": "2026-12-31", "31/12/2026": "2026-12-31", "12/31/26": "2026-12-31", "31.12.26": "2026-12-31",
		"12/31'26": "2026-12-31", "12/31' 5": "2005-12-31", "6/17/97": "1997-06-17", " 8/30/97": "1997-08-30",
		"8/ 8/97": "1997-08-08", "2026-12-31": "2026-12-31", "20261231": "2026-12-31", "2026/12/31 10:30": "2026-12-31",
		"26 Jan 2026": "2026-01-26", "5-September-26": "2026-09-05", "Dec 31, 2026": "2026-12-31", "28.02'2009": "2009-02-28",
		"97/12/31": "1997-12-31", "31-12-2026": "2026-12-31", "2/2/2026": "2026-02-02", "31.12.2026T00:00": "2026-12-31",
	} {
		found, err := read(bankFile(text, "1.00"), bank.Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if booked := found.Statements[0].Lines[0].Booked; booked.String() != day {
			t.Errorf("%q is %v", text, booked)
		}
	}
}

func TestOneDateDecidesTheOrderOfAll(t *testing.T) {
	for content, day := range map[string]string{
		bankFile("03/04/2026", "1.00", "25/04/2026", "1.00"): "2026-04-03",
		bankFile("03/04/2026", "1.00", "04/25/2026", "1.00"): "2026-03-04",
		"!Option:MDY\n" + bankFile("03/04/2026", "1.00"):     "2026-03-04",
		"!Option:DMY\n" + bankFile("03/04/2026", "1.00"):     "2026-04-03",
	} {
		found, err := read(content, bank.Options{})

		if err != nil || found.Statements[0].Lines[0].Booked.String() != day {
			t.Errorf("%q: %v, want %s", content, err, day)
		}
	}
}

func TestTwoOrdersInOneFileAreRefused(t *testing.T) {
	_, err := read(bankFile("25/04/2026", "1.00", "04/25/2026", "1.00"), bank.Options{})

	if err == nil || err.Error() != `line 6: the date "04/25/2026" has another order than that in line 2` {
		t.Errorf("error is %v", err)
	}
}

func TestAnOrderThatNoDateDecidesIsAsked(t *testing.T) {
	content := bankFile("05/05/2026", "1.00", "03/04/2026", "1.00")
	_, err := read(content, bank.Options{})
	var question *bank.Question
	if !errors.As(err, &question) || question.Flag != "--date-format" || question.Place != 6 {
		t.Fatalf("error is %v", err)
	}

	for order, day := range map[bank.DateOrder]string{bank.DayFirst: "2026-04-03", bank.MonthFirst: "2026-03-04"} {
		found, err := read(content, bank.Options{DateOrder: order})

		if err != nil || found.Statements[0].Lines[1].Booked.String() != day {
			t.Errorf("%s: %v", order, err)
		}
	}
}

func TestAmountsAsProgramsWriteThem(t *testing.T) {
	for text, minor := range map[string]int64{
		"12.34": 1234, "-12,34": -1234, "1,234.50": 123450, "1.234,50": 123450, "-1,234,567": -123456700, "7": 700,
		"-.5": -50, "+3.1": 310, "1'234.00": 123400, "(5.00)": -500, "0.00": 0,
	} {
		found, err := read(bankFile("2026-12-31", text), bank.Options{})

		if err != nil || found.Statements[0].Lines[0].Minor != minor {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestOneAmountDecidesTheDecimalMarkOfAll(t *testing.T) {
	for text, minor := range map[string]int64{"12.34": 150000, "12,34": 150} {
		found, err := read(bankFile("2026-12-31", "1,500", "2026-12-31", text), bank.Options{})

		if err != nil || found.Statements[0].Lines[0].Minor != minor {
			t.Errorf("with %s: %v", text, err)
		}
	}
}

func TestTwoDecimalMarksInOneFileAreRefused(t *testing.T) {
	_, err := read(bankFile("2026-12-31", "1,50", "2026-12-31", "1.50"), bank.Options{})

	if err == nil || err.Error() != `line 7: the amount "1.50" has another decimal mark than that in line 3` {
		t.Errorf("error is %v", err)
	}
}

func TestADecimalMarkThatNoAmountDecidesIsAsked(t *testing.T) {
	content := bankFile("2026-12-31", "1,500", "2026-12-31", "7")
	_, err := read(content, bank.Options{})
	var question *bank.Question
	if !errors.As(err, &question) || question.Flag != "--decimal" || question.Place != 3 {
		t.Fatalf("error is %v", err)
	}

	found, err := read(content, bank.Options{Decimal: '.'})

	if err != nil || found.Statements[0].Lines[0].Minor != 150000 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestTextsAreClean(t *testing.T) {
	found, err := read("!Type:Bank\nD2026-01-01\nT1\nPa\x1b[31mb\x00\u202e\nM=1+1\nZ\xff\n^\n", bank.Options{})
	if err != nil {
		t.Fatal(err)
	}

	if line := found.Statements[0].Lines[0]; line.Counterparty != "ab" || line.Description != "=1+1" {
		t.Errorf("%+v", line)
	}
}

func TestTheAccountComesFromOptionsWhereTheFileHasNone(t *testing.T) {
	found, err := read(bankFile("2026-01-01", "1500"), bank.Options{Account: "Main", Currency: "JPY"})
	if err != nil {
		t.Fatal(err)
	}

	s := found.Statements[0]
	if s.Account.Number != "Main" || s.Currency != "JPY" || s.Lines[0].Minor != 1500 {
		t.Errorf("%+v", s)
	}
}

func TestASectionThatIsNotReadIsNamed(t *testing.T) {
	found, err := read(bankFile("2026-01-01", "1")+"!Type:Invoice\nD2026-01-01\nT5\n^\n", bank.Options{})

	if err != nil || len(found.Problems) != 1 || !strings.Contains(found.Problems[0], "type:invoice") {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestOtherFormatsAreNotRecognized(t *testing.T) {
	for _, head := range []string{
		"", "Date,Amount\n2026-09-30,5\n^\n", "D\n", "Date\nT5\n^\n", "<OFX>", "D2026 is a year\nT5\n", "!\n",
	} {
		if qif.Format().Recognize(bank.NewBudget(t.Context()), []byte(head)) {
			t.Errorf("%q is recognized", head)
		}
	}
	for _, head := range []string{
		"\xef\xbb\xbf!Type:Bank\n", "\r\n\r\n!TYPE:CCARD\r\n", "!Account\n", "\xff\xfe!\x00T\x00y\x00p\x00e\x00:\x00",
		"D01/02/2026\rT5\r^\r",
	} {
		if !qif.Format().Recognize(bank.NewBudget(t.Context()), []byte(head)) {
			t.Errorf("%q is not recognized", head)
		}
	}
}
