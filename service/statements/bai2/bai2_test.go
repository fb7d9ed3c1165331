package bai2_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bai2"
	"tarmac/service/statements/bank"
)

// report returns a file with one account and what its records of transactions are.
func report(transactions string) string {
	records := strings.Count(transactions, "\n") + 2
	return "01,HARBORLINE,ACME,261001,0400,1,,,2/\n02,ACME,099912345,1,260930,2400,USD,2/\n" +
		"03,000445566789,USD,010,100000,,,015,99500,,/\n" + transactions +
		fmt.Sprintf("49,200000,%d/\n98,200000,1,%d/\n99,200000,1,%d/\n", records, records+2, records+4)
}

func read(content string) (*banks.Contents, error) {
	return banks.Read(bai2.Format(), strings.NewReader(content), bank.Options{})
}

// readLine reads a report with one transaction.
func readLine(t *testing.T, transaction string) bank.Line {
	t.Helper()
	found, err := read(report(transaction + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Statements) != 1 || len(found.Statements[0].Lines) != 1 {
		t.Fatalf("%d statements are read", len(found.Statements))
	}
	return found.Statements[0].Lines[0]
}

func TestDirectionsComeFromTheType(t *testing.T) {
	for code, minor := range map[string]int64{
		"100": 500, "195": 500, "399": 500, "400": -500, "475": -500, "699": -500, "930": 500, "970": -500,
	} {
		if got := readLine(t, "16,"+code+",500,,,,/"); got.Minor != minor {
			t.Errorf("%s is %d", code, got.Minor)
		}
	}
	for _, code := range []string{"010", "720", "890", "900"} {
		found, err := read(report("16," + code + ",500,,,,/\n"))

		if problems := strings.Join(found.Problems, ""); err != nil || len(found.Statements[0].Lines) != 0 ||
			!strings.Contains(problems, "left out") {
			t.Errorf("%s: %+v, %v", code, found, err)
		}
	}
}

func TestAmountsAreMinorUnits(t *testing.T) {
	for text, minor := range map[string]int64{"500": 500, "+000000000500": 500, "-500": -500, "": 0, "0": 0} {
		if got := readLine(t, "16,195,"+text+",,,,/"); got.Minor != minor {
			t.Errorf("%q is %d", text, got.Minor)
		}
	}
	for _, text := range []string{"5.00", "x", "9223372036854775808", "--5", "5 "} {
		wantRefused(t, report("16,195,"+text+",,,,/\n"), 4, "")
	}
}

// wantRefused checks that a file is refused with a place and a reason in one line.
func wantRefused(t *testing.T, content string, place int, reason string) {
	t.Helper()
	_, err := read(content)
	var refused *bank.Error
	if !errors.As(err, &refused) || refused.Place != place || !strings.Contains(refused.Reason, reason) ||
		strings.Contains(refused.Reason, "\n") {
		t.Errorf("error is %v, want line %d: %s", err, place, reason)
	}
}

func TestFieldsOfATransaction(t *testing.T) {
	for text, want := range map[string]bank.Line{
		"16,475,500,,BR1,CR1,A/B, C/":              {ID: "BR1", Reference: "CR1", Description: "A/B, C"},
		"16,475,500,V,260929,0915,BR1,CR1,TEXT":    {ID: "BR1", Reference: "CR1", Description: "TEXT"},
		"16,475,500,S,1,2,3,BR1,0,TEXT/":           {ID: "BR1", Description: "TEXT"},
		"16,475,500,D,2,0,200,1,300,BR1,,TEXT/":    {ID: "BR1", Description: "TEXT"},
		"16,475,500,Z,,,\n88,MORE/AND\n88,MORE/":   {Description: "MORE/AND,MORE"},
		"16,475,500,,,,ONE\r\nTWO":                 {Description: "ONE TWO"},
		"16,475,500,,,,\x1b[31mred\u202e":          {Description: "red"},
		"  16,475,500,,,,Z\xfcrich /  ":            {Description: "Zürich"},
		"16,475,500,,BR/1,CR/1,":                   {ID: "BR/1", Reference: "CR/1"},
		"16,475,500,,BR1,\n88,TEXT WITH REFERENCE": {ID: "BR1", Description: "TEXT WITH REFERENCE"},
	} {
		got := readLine(t, text)

		if got.ID != want.ID || got.Reference != want.Reference || got.Description != want.Description ||
			got.Method != "Check paid" || got.Booked.String() != "2026-09-30" {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestValueDates(t *testing.T) {
	if got := readLine(t, "16,475,500,V,260929,,,,/"); got.Value.String() != "2026-09-29" {
		t.Errorf("%+v", got)
	}
	wantRefused(t, report("16,475,500,V,260231,,,,/\n"), 4, "does not exist")
	wantRefused(t, strings.Replace(report(""), "260930", "260931", 1), 2, "does not exist")
	wantRefused(t, strings.Replace(report(""), "260930", "09/30/26", 1), 2, "is not a date")
}

func TestTransfersAreThoseOfZeroBalanceAccounts(t *testing.T) {
	for code, want := range map[string]bool{"275": true, "577": true, "206": false, "495": false} {
		if got := readLine(t, "16,"+code+",500,,,,/"); got.Transfer != want {
			t.Errorf("%s: %v", code, got.Transfer)
		}
	}
}

func TestRawIsTheRecordInTheFile(t *testing.T) {
	if got := readLine(t, "16,475,500,,,,A/B\n88,C\x00D/"); got.Raw != "16,475,500,,,,A/B\n88,CD/" {
		t.Errorf("%q", got.Raw)
	}
}
