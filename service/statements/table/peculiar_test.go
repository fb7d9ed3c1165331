package table_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/table"
)

func read(content string, options bank.Options) (*banks.Contents, error) {
	return banks.Read(table.Format(), strings.NewReader(content), options)
}

// minors reads a file with one statement and returns its amounts.
func minors(t *testing.T, content string, options bank.Options) []int64 {
	t.Helper()
	found, err := read(content, options)
	if err != nil {
		t.Fatalf("%v in\n%s", err, content)
	}
	var all []int64
	for _, statement := range found.Statements {
		for _, line := range statement.Lines {
			all = append(all, line.Minor)
		}
	}
	return all
}

func TestWhatAFileLeavesOpenIsAsked(t *testing.T) {
	for name, test := range map[string]struct {
		content, flag, first string
		options              bank.Options
	}{
		"03/04 everywhere": {"Date,Text,Amount\n03/04/2026,a,-1.00\n05/04/2026,b,2.00\n",
			"--date-format", "2026-04-03", bank.Options{DateOrder: bank.DayFirst}},
		"thousands or decimals": {"Date,Text,Amount\n2026-04-03,a,-1.500\n2026-04-04,b,2.500\n",
			"--decimal", "2026-04-03", bank.Options{Decimal: ','}},
		"positive amounts only": {"Date,Text,Amount\n2026-04-03,a,1.50\n2026-04-04,b,2.50\n",
			"--sign", "2026-04-03", bank.Options{Sign: bank.OutPositive}},
		"a card": {"Date,Text,Card Member,Amount\n2026-04-03,a,J DOE,1.50\n2026-04-04,b,J DOE,-2.50\n",
			"--sign", "2026-04-03", bank.Options{Sign: bank.OutPositive}},
		"a card with a number": {"Date,Text,Card Member,Account #,Amount\n2026-04-03,a,J DOE,-1005,1.50\n" +
			"2026-04-04,b,J DOE,-1005,-2.50\n", "--sign", "2026-04-03", bank.Options{Sign: bank.OutPositive}},
		"one refund among purchases": {"Date,Text,Amount\n" + strings.Repeat("2026-04-03,a,1.50\n", 11) +
			"2026-04-04,b,-2.50\n", "--sign", "2026-04-03", bank.Options{Sign: bank.OutPositive}},
		"payments received are negative": {"Date,Text,Amount\n2026-04-03,CAFE,1.50\n2026-04-04,Payment received,-2.50\n",
			"--sign", "2026-04-03", bank.Options{Sign: bank.OutPositive}},
		"deposits are negative": {"Date,Text,Amount\n2026-04-03,PURCHASE CAFE,1.50\n2026-04-04,x,-2.50\n",
			"--sign", "2026-04-03", bank.Options{Sign: bank.OutPositive}},
	} {
		_, err := read(test.content, bank.Options{})

		var question *bank.Question
		if !errors.As(err, &question) || question.Flag != test.flag || question.Place < 2 || len(question.Choices) != 2 {
			t.Errorf("%s: %v", name, err)
		}

		found, err := read(test.content, test.options)

		if err != nil || found.Statements[0].Lines[0].Booked.String() != test.first {
			t.Errorf("%s, answered: %v", name, err)
		}
	}
}

func TestOtherColumnsAndLinesDecideWhatOneLeavesOpen(t *testing.T) {
	for name, content := range map[string]string{
		"a day beyond 12": "Date,Text,Amount\n03/04/2026,a,-1.50\n13/04/2026,b,2.50\n",
		"a day in another column": "Date,Value Date,Text,Amount\n03/04/2026,03/04/2026,a,-1.50\n" +
			"05/04/2026,13/04/2026,b,2.50\n",
		"points":                "Date,Text,Amount\n03.04.2026,a,-1.50\n05.04.2026,b,2.50\n",
		"a month's name":        "Date,Text,Amount\n3-Apr-26,a,-1.50\n5-Apr-26,b,2.50\n",
		"a time":                "Date,Text,Amount\n2026-04-03T10:00:00Z,a,-1.50\n2026-04-05 11:00,b,2.50\n",
		"a year of two digits":  "Date,Text,Amount\n03.04.26,a,-1.50\n31.03.26,b,2.50\n",
		"a decimal comma":       "Date;Text;Amount\n2026-04-03;a;-1,50\n2026-04-05;b;2,50\n",
		"signs that follow":     "Date,Text,Amount\n2026-04-03,a,1.50-\n2026-04-05,b,2.50+\n",
		"currencies":            "Date,Text,Amount\n2026-04-03,a,- $1.50\n2026-04-05,b,+ $2.50\n",
		"CR and DR":             "Date,Text,Amount\n2026-04-03,a,1.50 DR\n2026-04-05,b,2.50 CR\n",
		"debits and credits":    "Date,Text,Debit,Credit\n2026-04-03,a,1.50,\n2026-04-05,b,,2.50\n",
		"zeros in the other":    "Date,Text,Debit,Credit\n2026-04-03,a,1.50,0.00\n2026-04-05,b,0.00,2.50\n",
		"signed debits":         "Date,Text,Debit,Credit\n2026-04-03,a,-1.50,\n2026-04-05,b,,2.50\n",
		"signed credits":        "Date,Text,Debit,Credit\n2026-04-03,a,1.50,\n2026-04-05,b,,-2.50\n",
		"directions":            "Datum;Text;Betrag;Soll/Haben\n03.04.2026;a;1,50;S\n05.04.2026;b;2,50;H\n",
		"directions, no header": "Datum;Text;Betrag;\n03.04.2026;a;1,50;S\n05.04.2026;b;2,50;H\n",
		"directions and signs":  "Date,Details,Amount,Type\n2026-04-03,a,-1.50,DEBIT\n2026-04-05,b,2.50,CREDIT\n",
		"directions of a card":  "Date,Details,Amount,Type\n2026-04-03,a,1.50,DEBIT\n2026-04-05,b,-2.50,CREDIT\n",
		"a balance":             "Date,Text,Amount,Balance\n2026-04-03,a,1.50,98.50\n2026-04-05,b,-2.50,101.00\n",
		"another delimiter":     "Date;Text;Amount\n\"2026-04-03\",\"a\",\"-1.50\"\n\"2026-04-05\",\"b\",\"2.50\"\n",
		"bars":                  "Date|Text|Amount\n2026-04-03|a|-1.50\n2026-04-05|b|2.50\n",
		"a declared delimiter":  "sep=;\nDate;Text;Amount\n2026-04-03;a;-1.50\n2026-04-05;b;2.50\n",
		"net of fees": "Date,Text,Gross,Fee,Net\n2026-04-03,a,-1.40,-0.10,-1.50\n" +
			"2026-04-05,b,2.60,-0.10,2.50\n",
		"a total": "Date,Text,Amount\n2026-04-03,a,-1.50\n2026-04-05,b,2.50\nTotal,,1.00\n\n" +
			"This is no offer, it says.\n",
		"an empty date column": "Date,Booking date,Text,Amount\n,2026-04-03,a,-1.50\n,2026-04-05,b,2.50\n",
		"a repeated header":    "Date,Text,Amount\n2026-04-03,a,-1.50\nDate,Text,Amount\n2026-04-05,b,2.50\n",
		"a text of lines":      "Date,Text,Amount\n2026-04-03,\"a\n\nb\",-1.50\n2026-04-05,b,2.50\n",
		"a sum in a text":      "Date,Text,Amount\n2026-04-03,\"5 \"\"x\"\"\",-1.50\n2026-04-05,b,2.50\n",
		"declined lines": "Date,Text,Amount,Status\n2026-04-03,a,-1.50,ok\n2026-04-04,a,9,DECLINED\n" +
			"2026-04-05,b,2.50,ok\n",
	} {
		found := minors(t, content, bank.Options{})

		if len(found) != 2 || found[0] != -150 || found[1] != 250 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestRunningBalancesProveBothEnds(t *testing.T) {
	for name, content := range map[string]string{
		"oldest first": "Date,Text,Amount,Balance\n2026-04-03,a,-1.50,98.50\n2026-04-05,b,2.50,101.00\n",
		"newest first": "Date,Text,Amount,Balance\n2026-04-05,b,2.50,101.00\n2026-04-03,a,-1.50,98.50\n",
		"gaps": "Date,Text,Amount,Balance\n2026-04-03,a,-1.00,\n2026-04-03,a,-0.50,98.50\n" +
			"2026-04-05,b,2.00,\n2026-04-05,b,0.50,101.00\n",
		"an opening balance": "Date,Text,Amount,Balance\n2026-04-03,Opening,,100.00\n2026-04-03,a,-1.50,98.50\n" +
			"2026-04-05,b,2.50,101.00\n",
		"a card's debt": "Date,Text,Card Member,Debit,Credit,Balance\n2026-04-03,a,J DOE,1.50,,-98.50\n" +
			"2026-04-05,b,J DOE,,2.50,-101.00\n",
	} {
		found, err := read(content, bank.Options{})
		if err != nil {
			t.Fatal(err)
		}

		s := found.Statements[0]
		if s.Opening == nil || s.Closing == nil || s.Opening.Minor != 10000 || s.Closing.Minor != 10100 ||
			s.Closing.Date.String() != "2026-04-05" || s.Opening.Date.String() != "2026-04-02" {
			t.Errorf("%s: %+v %+v %v", name, s.Opening, s.Closing, found.Problems)
		}
	}
}

func TestABrokenChainIsNamed(t *testing.T) {
	found, err := read("Date,Text,Amount,Balance\n2026-04-03,a,-1.50,98.50\n2026-04-05,b,2.50,101.00\n"+
		"2026-04-06,c,1.00,102.00\n2026-04-07,d,1.00,104.00\n2026-04-07,e,1.00,105.00\n", bank.Options{})

	if s := found.Statements[0]; err != nil || len(found.Problems) != 0 ||
		s.Broken != "line 5: the balance does not follow from the line before it (1 of 4 balances)" {
		t.Errorf("%v %q %v", err, s.Broken, found.Problems)
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ content, reason string }{
		"nothing": {"", "no columns"},
		"an open quote": {"Date,Text,Amount\n2026-04-03,\"a,-1.50\n2026-04-05,b,2.50\n",
			"line 2: a quote is not closed"},
		"31 February":    {"Date,Text,Amount\n31.02.2026,a,-1.50\n", `line 2: the date "31.02.2026" does not exist`},
		"the year 0":     {"Date,Text,Amount\n0000-01-02,a,-1.50\n", "does not exist"},
		"two orders":     {"Date,Text,Amount\n13/04/2026,a,-1.50\n04/13/2026,a,2.00\n", "line 3: the date"},
		"no amount":      {"Date,Text,Amount\n2026-04-03,a,12a\n2026-04-03,a,1.00\n", `line 2: "12a" is not an amount`},
		"three decimals": {"Date,Text,Amount\n2026-04-03,a,-1.505\n2026-04-03,b,0.10\n", "more decimals"},
		"beyond 64 bits": {"Date,Text,Amount\n2026-04-03,a,-92233720368547758.09\n", "too large"},
		"no currency":    {"Date,Text,Amount,Currency\n2026-04-03,a,-1,EUR\n2026-04-03,a,-1,XXX\n", `"XXX" is not`},
		"no date":        {"Date,Text,Amount\n2026-04-03,a,-1.50\n,b,2.50\n", "line 3: has an amount, but no date"},
		"no direction": {"Date,Text,Amount,D/C\n2026-04-03,a,1.50,D\n" +
			"2026-04-03,a,1.50,D\n" + strings.Repeat("2026-04-03,a,1.50,C\n", 20) + "2026-04-03,a,1.50,Q\n",
			"neither debit nor credit"},
		"both":             {"Date,Text,Debit,Credit\n2026-04-03,a,1.50,2.50\n", "both as debit and as credit"},
		"a line cut short": {"Date,Text,Amount\n2026-04-03,a,-1.50\n2026-04-0", `"2026-04-0" does not exist`},
		"Stripe's payments": {"id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Fee\n" +
			"ch_1,2026-04-03,1.00,0.00,usd,true,0.1\n", "use Stripe's Balance history"},
		"an endless quote": {"Date,Text,Amount\n2026-04-03,a,-1.50\n2026-04-03,\"" + strings.Repeat("x\n", 1<<20),
			"within 1 MB"},
	} {
		_, err := read(test.content, bank.Options{})

		var refused *bank.Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOtherTablesAreNotRecognized(t *testing.T) {
	for name, content := range map[string]string{
		"rates":         "Date,USD,JPY,\n2026-04-03,1.08,160.2,\n2026-04-02,1.09,161.0,\n",
		"own rates":     "date,currency,usd\n2026-04-03,EUR,1.08\n",
		"open invoices": "Invoice Number,Customer,Invoice Date,Due Date,Amount Due\nA1,Acme,2026-04-03,2026-05-03,10.00\n",
		"prose":         "On 2026-04-03, we wrote, in all friendliness,\nthat the amount, date and text, are missing.\n",
		"orders":        "Order ID,Date,Customer,Quantity,Total\n1,2026-04-03,Acme,2,10.00\n",
		"a journal":     "2026-04-03 * Acme\n    assets:cash  10.00 EUR\n    income:sales\n",
		"code":          "package main\n\nimport (\"fmt\")\n",
	} {
		if table.Format().Recognize(bank.NewBudget(t.Context()), []byte(content)) {
			t.Errorf("%s is taken for a statement", name)
		}
	}
}

func TestCharsetsAreKnownByTheWordsOfTheHeader(t *testing.T) {
	for name, test := range map[string]struct {
		encoding encoding.Encoding
		header   string
		text     string
	}{
		"Russian": {charmap.Windows1251, "Дата операции;Описание;Сумма операции\n",
			"Киоск"},
		"Czech":    {charmap.Windows1250, "Datum;Částka;Měna;Zpráva pro příjemce\n", "Žižkov"},
		"Turkish":  {charmap.Windows1254, "Tarih;Açıklama;Tutar\n", "Büfe ışık"},
		"Japanese": {japanese.ShiftJIS, "日付;お取引内容;金額\n", "キオスク"},
		"French":   {charmap.Windows1252, "Date;Libellé;Montant\n", "Café"},
	} {
		rows := "03.04.2026;" + test.text + ";-1,50\n05.04.2026;b;2,50\n"
		if name == "Czech" {
			rows = "03.04.2026;-1,50;CZK;" + test.text + "\n05.04.2026;2,50;CZK;b\n"
		}
		content, err := test.encoding.NewEncoder().String(test.header + rows)
		if err != nil {
			t.Fatal(err)
		}

		found, err := read(content, bank.Options{})

		if err != nil || found.Statements[0].Lines[0].Description != test.text {
			t.Errorf("%s: %v %+v", name, err, found.Statements)
		}
	}
}

func TestANumberedAccountCountsBeforeItsName(t *testing.T) {
	for name, preamble := range map[string]string{
		"the name first":  "Account,BANK12 Reserve\nAccount number,00123456\n",
		"the name after":  "Account number,00123456\nAccount,BANK12 Reserve\n",
		"only one number": "Account,00 123 456\n",
	} {
		found, err := read(preamble+"Date,Text,Amount\n2026-04-13,a,-1.00\n2026-04-14,b,2.00\n", bank.Options{})
		if err != nil || len(found.Statements) != 1 {
			t.Fatalf("%s: %+v, %v", name, found, err)
		}
		if number := found.Statements[0].Account.Number; strings.ReplaceAll(number, " ", "") != "00123456" {
			t.Errorf("%s: the account is %q", name, number)
		}
	}
}
