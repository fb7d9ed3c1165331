package ofx_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/ofx"
)

// document returns an OFX document with one checking account in US dollars, whose list of
// transactions and what follows it are given.
func document(transactions, after string) string {
	return "OFXHEADER:100\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD" +
		"<BANKACCTFROM><ACCTID>123456789<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>" + transactions +
		"</BANKTRANLIST>" + after + "</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
}

// transaction returns a transaction of an amount, with additional tags at its end.
func transaction(amount, tags string) string {
	return "<STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260930<TRNAMT>" + amount + "<FITID>1" + tags + "</STMTTRN>"
}

func read(content string, options bank.Options) (*banks.Contents, error) {
	return banks.Read(ofx.Format(), strings.NewReader(content), options)
}

// readLine reads a file with one line and returns it.
func readLine(t *testing.T, content string) (bank.Line, *banks.Contents) {
	t.Helper()
	found, err := read(content, bank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Statements) != 1 || len(found.Statements[0].Lines) != 1 {
		t.Fatalf("%d statements are read", len(found.Statements))
	}
	return found.Statements[0].Lines[0], found
}

func TestAmountsAsBanksWriteThem(t *testing.T) {
	for text, minor := range map[string]int64{
		"12": 1200, "-12.5": -1250, "+0012.30": 1230, "-12,34": -1234, "1,234.50": 123450, "1.234,50": 123450,
		"-0": 0, "12.3400000000000": 1234, "-12.340000000000001": -1234, "19.989999999999998": 1999,
		"-19.989999999999998": -1999, "0.125000000000": 12, "0.135000000000": 14, "1,234,567": 123456700,
		"1.500": 150, " 7.10 ": 710, "12.": 1200, ".5": 50, "-.5": -50, "1 234,50": 123450,
	} {
		line, _ := readLine(t, document(transaction(text, ""), ""))

		if line.Minor != minor {
			t.Errorf("%q is %d, want %d", text, line.Minor, minor)
		}
	}
}

func TestAmountsThatCannotBeReadAreRefused(t *testing.T) {
	for text, reason := range map[string]string{
		"12.345": "has more decimals", "$120": "is not an amount", "": "has no amount", "1e5": "is not an amount",
		"NaN": "is not an amount", "92233720368547758.08": "is too large", "1.2.3,4": "is not an amount",
		"92233720368547758.0799999999": "is too large", "12.34000000x001": "is not an amount",
	} {
		_, err := read(document(transaction(text, ""), ""), bank.Options{})

		var refused *bank.Error
		if !errors.As(err, &refused) || refused.Place != 4 || !strings.Contains(refused.Reason, reason) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestThousandsOrDecimalsAreAsked(t *testing.T) {
	content := document(transaction("1,500", ""), "")
	_, err := read(content, bank.Options{})
	var question *bank.Question
	if !errors.As(err, &question) || question.Flag != "--decimal" {
		t.Fatalf("error is %v", err)
	}

	for mark, minor := range map[byte]int64{'.': 150000, ',': 150} {
		found, err := read(content, bank.Options{Decimal: mark})

		if err != nil || found.Statements[0].Lines[0].Minor != minor {
			t.Errorf("with %c: %+v, %v", mark, found.Statements[0].Lines, err)
		}
	}
}

func TestAPointAmongDecimalCommasIsAsked(t *testing.T) {
	_, err := read(document(transaction("12,50", "")+transaction("1.500", ""), ""), bank.Options{})

	var question *bank.Question
	if !errors.As(err, &question) {
		t.Errorf("error is %v", err)
	}
}

func TestDatesAreAsTheBankWroteThem(t *testing.T) {
	for text, day := range map[string]string{
		"20260930": "2026-09-30", "20260930235959": "2026-09-30", "20260930235959.123[-5:EST]": "2026-09-30",
		"20260930120000[0:GMT]": "2026-09-30", "20260930 000000[-:EST]": "2026-09-30", "2026-09-30": "2026-09-30",
		"20260930093914:014": "2026-09-30", "30/09/2026": "2026-09-30", "09/30/2026 10:00": "2026-09-30",
		"2026-09-30T10:00:00": "2026-09-30", "20240229": "2024-02-29",
	} {
		content := strings.Replace(document(transaction("1", ""), ""), "20260930", text, 1)

		if line, _ := readLine(t, content); line.Booked.String() != day {
			t.Errorf("%q is %v", text, line.Booked)
		}
	}
}

func TestDatesThatDoNotExistAreRefused(t *testing.T) {
	for _, text := range []string{"20260231", "20261301", "00010101", "99991231", "2026093", "", "00000000", "yesterday"} {
		content := strings.Replace(document(transaction("1", ""), ""), "20260930", text, 1)
		_, err := read(content, bank.Options{})

		var refused *bank.Error
		if !errors.As(err, &refused) || refused.Place != 4 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestADateOfUnknownOrderIsAsked(t *testing.T) {
	content := strings.Replace(document(transaction("1", ""), ""), "20260930", "03/04/2026", 1)
	_, err := read(content, bank.Options{})
	var question *bank.Question
	if !errors.As(err, &question) || question.Flag != "--date-format" {
		t.Fatalf("error is %v", err)
	}

	found, err := read(content, bank.Options{DateOrder: bank.MonthFirst})

	if err != nil || found.Statements[0].Lines[0].Booked.String() != "2026-03-04" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestEmptyBalancesAreUnknown(t *testing.T) {
	for name, after := range map[string]string{
		"none":      "",
		"empty":     "<LEDGERBAL><BALAMT></BALAMT><DTASOF></DTASOF></LEDGERBAL>",
		"blank":     "<LEDGERBAL><BALAMT> <DTASOF></LEDGERBAL>",
		"available": "<AVAILBAL><BALAMT>5.00<DTASOF>20260930</AVAILBAL>",
	} {
		_, found := readLine(t, document(transaction("1", ""), after))

		if closing := found.Statements[0].Closing; closing != nil {
			t.Errorf("%s: closing balance is %v", name, closing)
		}
	}
}

func TestABalanceHoldsAtItsOwnDate(t *testing.T) {
	_, found := readLine(t, document("<DTSTART>20260901<DTEND>20260930"+transaction("1", ""),
		"<LEDGERBAL><BALAMT>-77.5<DTASOF>20261003120000</LEDGERBAL>"))

	s := found.Statements[0]
	if s.Closing == nil || s.Closing.Minor != -7750 || s.Closing.Date.String() != "2026-10-03" ||
		s.First.String() != "2026-09-01" || s.Last.String() != "2026-09-30" {
		t.Errorf("%+v, closing %+v", s.Statement, s.Closing)
	}
}

func TestCharsetsAreReadAsTheyAre(t *testing.T) {
	for name, test := range map[string]struct{ charset, name, want string }{
		"1252 as declared":         {"1252", "Z\xfcrich \x80", "Zürich €"},
		"utf-8 declared as 1252":   {"1252", "Zürich", "Zürich"},
		"1252 declared as utf-8":   {"UTF-8", "Z\xfcrich", "Zürich"},
		"nothing declared":         {"NONE", "Z\xfcrich", "Zürich"},
		"cyrillic":                 {"1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"},
		"latin 2":                  {"8859-2", "\xa3\xf3d\xbc", "Łódź"},
		"latin 2 as the encoding":  {"NONE\nENCODING:ISO-8859-2", "\xa3\xf3d\xbc", "Łódź"},
		"encoding before charset":  {"1250\nENCODING:USASCII", "\xa3\xf3d\x9f", "Łódź"},
		"japanese":                 {"932", "\x8a\x94\x8e\xae", "株式"},
		"entities":                 {"1252", "A&amp;B &lt;C&gt; &#233;&nbsp;&bogus;", "A&B <C> é\u00a0&bogus;"},
		"terminal sequences":       {"1252", "a\x1b[31mb\u202ec\x07", "abc"},
		"less than":                {"1252", "5 < 6 <3", "5 < 6 <3"},
		"comment and cdata inside": {"1252", "a <!-- x --><![CDATA[<b>&amp;]]> c", "a <b>&amp; c"},
	} {
		content := strings.Replace(document(transaction("1", "<NAME>"+test.name), ""), "CHARSET:1252",
			"CHARSET:"+test.charset, 1)

		if line, _ := readLine(t, content); line.Counterparty != test.want {
			t.Errorf("%s: %q, want %q", name, line.Counterparty, test.want)
		}
	}
}

func TestUTF16IsRead(t *testing.T) {
	text := document(transaction("1", "<NAME>Zürich"), "")
	for _, mark := range []string{"", "\ufeff"} {
		var little, big bytes.Buffer
		for _, r := range mark + text {
			little.Write([]byte{byte(r), byte(r >> 8)})
			big.Write([]byte{byte(r >> 8), byte(r)})
		}
		for _, content := range []string{little.String(), big.String()} {
			if !ofx.Format().Recognize(bank.NewBudget(t.Context()), []byte(content)) {
				t.Error("UTF-16 is not recognized")
			}
			if line, _ := readLine(t, content); line.Counterparty != "Zürich" {
				t.Errorf("%q", line.Counterparty)
			}
		}
	}
}
