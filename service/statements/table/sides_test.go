package table_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

func TestRunningBalancesDecideDebitAndCredit(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    []int64
		closing int64
	}{
		"a bank": {"Date,Text,Debit,Credit,Balance\n2026-04-03,a,1.50,,98.50\n2026-04-05,b,,2.50,101.00\n",
			[]int64{-150, 250}, 10100},
		"books of a bank account": {"Date,Text,Debit,Credit,Balance\n2026-04-03,a,,1.50,98.50\n2026-04-05,b,2.50,,101.00\n",
			[]int64{-150, 250}, 10100},
		"books with a journal": {"Date,Journal,Label,Debit,Credit,Balance\n2026-04-03,BNK1,a,2.50,,102.50\n" +
			"2026-04-04,BNK1,b,1.00,,103.50\n2026-04-05,BNK1,c,,1.50,102.00\n", []int64{250, 100, -150}, 10200},
		"books in German": {"Datum;Text;Soll;Haben;Saldo\n03.04.2026;a;;1,50;98,50\n05.04.2026;b;2,50;;101,00\n",
			[]int64{-150, 250}, 10100},
		"books with a column of sides": {"Datum;Text;Betrag;Soll/Haben;Saldo\n03.04.2026;a;1,50;H;98,50\n" +
			"05.04.2026;b;2,50;S;101,00\n", []int64{-150, 250}, 10100},
		"what a card owes": {"Date,Text,Card Member,Debit,Credit,Balance\n2026-04-03,a,J DOE,1.50,,101.50\n" +
			"2026-04-05,b,J DOE,,2.50,99.00\n", []int64{-150, 250}, -9900},
		"what a card owes, by its texts": {"Date,Text,Debit,Credit,Balance\n2026-04-03,CAFE,1.50,,101.50\n" +
			"2026-04-05,PAYMENT - THANK YOU,,2.50,99.00\n", []int64{-150, 250}, -9900},
		"charges that raise what is owed": {"Date,Text,Withdrawals,Deposits,Balance\n2026-04-03,a,1.50,,101.50\n" +
			"2026-04-05,b,,2.50,99.00\n", []int64{-150, 250}, -9900},
	} {
		found, err := read(test.content, bank.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		s := found.Statements[0]
		if got := minors(t, test.content, bank.Options{}); !slices.Equal(got, test.want) {
			t.Errorf("%s: amounts are %v, want %v", name, got, test.want)
		}
		if s.Closing == nil || s.Closing.Minor != test.closing {
			t.Errorf("%s: the closing balance is %+v, want %d", name, s.Closing, test.closing)
		}
	}
}

func TestSidesThatNothingDecidesAreAsked(t *testing.T) {
	rows := "2026-04-03,BNK1,a,1.50,\n2026-04-05,BNK1,b,,2.50\n"
	for name, content := range map[string]string{
		"a journal":                   "Date,Journal,Label,Debit,Credit\n" + rows,
		"the other side of the entry": "Date,Split,Memo,Debit,Credit\n" + rows,
		"a number and a type": "Date,Type,Num,Memo,Debit,Credit\n2026-04-03,Deposit,1,a,1.50,\n" +
			"2026-04-05,Check,2,b,,2.50\n",
		"a ledger account": "Date,Account,Memo,Debit,Credit\n2026-04-03,1010 Checking,a,1.50,\n" +
			"2026-04-05,1010 Checking,b,,2.50\n",
		"the books of a card or of an account": "Date,Text,Debit,Credit,Balance\n2026-04-03,a,1.50,,101.50\n" +
			"2026-04-04,b,1.00,,102.50\n2026-04-05,c,,2.50,100.00\n",
	} {
		_, err := read(content, bank.Options{Sign: bank.OutPositive})

		var question *bank.Question
		if !errors.As(err, &question) || question.Flag != "--sign" || question.Place != 2 ||
			!slices.Equal(question.Choices, []string{"debit-in", "debit-out"}) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if in := minors(t, content, bank.Options{Sign: bank.DebitIn}); in[0] != 150 || in[len(in)-1] != -250 {
			t.Errorf("%s, debits are money in: %v", name, in)
		}
		if out := minors(t, content, bank.Options{Sign: bank.DebitOut}); out[0] != -150 || out[len(out)-1] != 250 {
			t.Errorf("%s, debits are money out: %v", name, out)
		}
	}
}

func TestSidesOfBanksAreNotAsked(t *testing.T) {
	for name, content := range map[string]string{
		"a bank":           "Date,Description,Debit,Credit\n2026-04-03,a,1.50,\n2026-04-05,b,,2.50\n",
		"a check number":   "Date,Num,Description,Debit,Credit\n2026-04-03,101,a,1.50,\n2026-04-05,,b,,2.50\n",
		"a type":           "Date,Type,Description,Debit,Credit\n2026-04-03,DEB,a,1.50,\n2026-04-05,TFR,b,,2.50\n",
		"money in and out": "Date,Type,Num,Memo,Money out,Money in\n2026-04-03,x,1,a,1.50,\n2026-04-05,y,2,b,,2.50\n",
		"an IBAN": "Date,Account,Memo,Debit,Credit\n2026-04-03,DE89370400440532013000,a,1.50,\n" +
			"2026-04-05,DE89370400440532013000,b,,2.50\n",
	} {
		if got := minors(t, content, bank.Options{}); !slices.Equal(got, []int64{-150, 250}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestMarksOnAmountsBeatTheFlag(t *testing.T) {
	for name, test := range map[string]struct {
		amounts []string
		want    []int64
	}{
		"CR alone":           {[]string{"12.00 CR", "3.00", "4.00"}, []int64{1200, -300, -400}},
		"CR before":          {[]string{"CR 12.00", "3.00", "4.00"}, []int64{1200, -300, -400}},
		"DR alone":           {[]string{"12.00", "3.00DR", "4.00DR"}, []int64{1200, -300, -400}},
		"both":               {[]string{"12.00CR", "3.00DR", "4.00DR"}, []int64{1200, -300, -400}},
		"a minus behind":     {[]string{"12.00", "3.00-", "4.00-"}, []int64{1200, -300, -400}},
		"one minus of three": {[]string{"12.00", "3.00", "4.00-"}, []int64{1200, 300, -400}},
	} {
		content := "Date,Text,Amount\n"
		for _, amount := range test.amounts {
			content += "2026-04-13,a," + amount + "\n"
		}
		for _, sign := range []bank.Sign{"", bank.OutNegative, bank.OutPositive, bank.DebitIn} {
			if got := minors(t, content, bank.Options{Sign: sign}); !slices.Equal(got, test.want) {
				t.Errorf("%s with %q: %v, want %v", name, sign, got, test.want)
			}
		}
	}
}

func TestAMinusBehindThePaymentsOfACardIsAsked(t *testing.T) {
	_, err := read("Date,Text,Amount\n2026-04-03,CAFE,1.50\n2026-04-04,PAYMENT - THANK YOU,2.50-\n", bank.Options{})

	if question := new(bank.Question); !errors.As(err, &question) || question.Choices[0] != "out-positive" {
		t.Errorf("%v", err)
	}
}

func TestBalancesAndTotalsAmongTheRowsAreNoLines(t *testing.T) {
	for _, text := range []string{
		"Opening balance", "OPENING BALANCE", "Balance brought forward", "Balance B/F", "BALANCE C/F", "Brought forward",
		"Closing balance", "Balance at 30.04.2026", "Balance as of April 30, 2026", "Ledger balance", "Balance", "Kontostand",
		"Alter Kontostand", "Kontostand am 30.04.2026", "Anfangssaldo", "Saldo", "Saldo EUR", "Saldovortrag", "Endsaldo",
		"Solde", "Ancien solde", "Nouveau solde au 30/04/2026", "Solde créditeur au 30 avril 2026", "Saldo anterior",
		"Saldo inicial", "Saldo final", "Saldo iniziale", "Beginsaldo", "Ingående saldo", "Saldo końcowe", "Zůstatek",
		"Total for the month", "Total for Checking", "Total debits", "Totals for April", "Grand total", "Summe Soll",
		"Gesamtsumme Monat", "Total des mouvements", "Suma movimientos", "Total in", "Available balance",
	} {
		content := "Date,Text,Amount\n2026-04-02,a,-1.50\n2026-04-03,b,2.50\n2026-04-30," + `"` + text + `"` + ",77.00\n"

		if got := minors(t, content, bank.Options{}); !slices.Equal(got, []int64{-150, 250}) {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestPaymentsWithWordsOfBalancesAreLines(t *testing.T) {
	for _, text := range []string{
		"Closing balance fee", "Total Energies", "TOTAL 4521 PARIS", "Total", "Total 24", "New Balance", "NEW BALANCE 0815",
		"New Balance 15", "Balance transfer", "Balance Yoga", "Balance adjustment", "Credit balance refund",
		"Opening balance transfer from Harbor", "Total Fitness", "Sum Up", "Solde de tout compte", "Saldo Consulting",
		"Übertrag", "Forward Air", "Opening", "Final payment", "Current", "Debit", "Kontostand Service GmbH", "Totalplan",
		"Account 4410770476", "Balance of account 4410770476",
	} {
		content := "Date,Text,Amount\n2026-04-02,a,-1.50\n2026-04-03,b,2.50\n2026-04-30," + `"` + text + `"` + ",-77.00\n"

		if got := minors(t, content, bank.Options{}); !slices.Equal(got, []int64{-150, 250, -7700}) {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestARowWithAPayeeIsALine(t *testing.T) {
	content := "Date,Payee,Text,Amount\n2026-04-02,Landlord,,-1.50\n2026-04-03,Acme,Opening balance,2.50\n" +
		"2026-04-04,Opening balance,,77.00\n"

	if got := minors(t, content, bank.Options{}); !slices.Equal(got, []int64{-150, 250}) {
		t.Errorf("%v", got)
	}
}

func TestATotalOfTheLinesAndANewBalanceThatFollowsAreNoLines(t *testing.T) {
	for name, content := range map[string]string{
		"the net":       "2026-04-02,a,-1.50\n2026-04-03,b,2.50\n2026-04-30,Total,1.00\n",
		"the money in":  "2026-04-02,a,-1.50\n2026-04-03,b,2.50\n2026-04-30,Total,2.50\n",
		"the money out": "2026-04-02,a,-1.50\n2026-04-03,b,2.50\n2026-04-30,Total,-1.50\n",
		"a new balance": "2026-04-01,Previous balance,9.00\n2026-04-02,a,-1.50\n2026-04-03,b,2.50\n" +
			"2026-04-30,New balance,10.00\n",
	} {
		if got := minors(t, "Date,Text,Amount\n"+content, bank.Options{}); !slices.Equal(got, []int64{-150, 250}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestBalancesAmongTheRowsAreBalances(t *testing.T) {
	for name, test := range map[string]struct {
		content          string
		opening, closing int64
		options          bank.Options
	}{
		"oldest first": {"Date,Text,Amount\n2026-04-01,Opening balance,50.00\n2026-04-02,a,-1.50\n2026-04-03,b,2.50\n" +
			"2026-04-30,Total for April,1.00\n2026-04-30,Closing balance,51.00\n", 5000, 5100, bank.Options{}},
		"newest first": {"Date,Text,Amount\n2026-04-30,Closing balance,51.00\n2026-04-03,b,2.50\n2026-04-02,a,-1.50\n" +
			"2026-04-01,Opening balance,50.00\n", 5000, 5100, bank.Options{}},
		"only at the end": {"Date,Text,Amount\n2026-04-02,a,-1.50\n2026-04-03,b,2.50\n2026-04-30,Kontostand,51.00\n",
			5000, 5100, bank.Options{}},
		"in sides": {"Date,Text,Debit,Credit\n2026-04-01,Opening balance,,50.00\n2026-04-02,a,1.50,\n" +
			"2026-04-03,b,,2.50\n2026-04-30,Closing balance,,51.00\n", 5000, 5100, bank.Options{}},
		"in sides of books": {"Date,Journal,Text,Debit,Credit\n2026-04-01,B,Opening balance,50.00,\n2026-04-02,B,a,,1.50\n" +
			"2026-04-03,B,b,2.50,\n2026-04-30,B,Closing balance,51.00,\n", 5000, 5100, bank.Options{Sign: bank.DebitIn}},
		"what a card owes": {"Date,Text,Amount\n2026-04-01,Previous balance,50.00\n2026-04-02,a,1.50\n2026-04-03,b,-2.50\n" +
			"2026-04-04,Payment received,-1.00\n2026-04-30,Closing balance,48.00\n", -5000, -4800,
			bank.Options{Sign: bank.OutPositive}},
		"what does not add up": {"Date,Text,Amount\n2026-04-01,Opening balance,50.00\n2026-04-02,a,-1.50\n" +
			"2026-04-03,b,2.50\n2026-04-30,Closing balance,60.00\n", 5000, 6000, bank.Options{}},
	} {
		found, err := read(test.content, test.options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		s := found.Statements[0]
		if s.Opening == nil || s.Closing == nil || s.Opening.Minor != test.opening || s.Closing.Minor != test.closing ||
			s.Closing.Date.String() != "2026-04-30" {
			t.Errorf("%s: %+v %+v %v", name, s.Opening, s.Closing, found.Problems)
		}
	}
}

func TestAccountsOfTheOtherPartiesAreNotOwn(t *testing.T) {
	const head = "Date,Text,Bank Account,Amount,Balance\n"
	rows := func(balances ...string) string {
		all := head
		for i, balance := range balances {
			account := []string{"DE02120300000000202051", "DE02500105170137075030"}[i%2]
			amount := []string{"-1.50", "2.50"}[i%2]
			all += "2026-04-1" + string(rune('0'+i)) + ",a," + account + "," + amount + "," + balance + "\n"
		}
		return all
	}
	const sides = "Date,Text,Bank Account,Debit,Credit\n2026-04-03,a,111222333,1.50,\n2026-04-04,b,444555666,,2.50\n" +
		"2026-04-05,a,111222333,1.50,\n2026-04-06,b,444555666,,2.50\n2026-04-07,a,111222333,1.50,\n" +
		"2026-04-08,b,444555666,,2.50\n"
	for name, test := range map[string]struct {
		content    string
		options    bank.Options
		statements int
		other      string
	}{
		"balances of all lines": {rows("98.50", "101.00", "99.50", "102.00", "100.50", "103.00"), bank.Options{}, 1,
			"DE02120300000000202051"},
		"balances of each account": {rows("98.50", "52.50", "97.00", "55.00", "95.50", "57.50"), bank.Options{}, 2, ""},
		"balances of each account, with a flag": {rows("98.50", "52.50", "97.00", "55.00", "95.50", "57.50"),
			bank.Options{Account: "4410"}, 2, ""},
		"several beside the flag":  {sides, bank.Options{Account: "4410"}, 1, "111222333"},
		"several without the flag": {sides, bank.Options{}, 2, ""},
		"one beside the flag": {strings.ReplaceAll(sides, "444555666", "111222333"), bank.Options{Account: "4410"}, 1,
			""},
	} {
		found, err := read(test.content, test.options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		if len(found.Statements) != test.statements || found.Statements[0].Lines[0].OtherAccount != test.other {
			t.Errorf("%s: %d statements, the other account is %q", name, len(found.Statements),
				found.Statements[0].Lines[0].OtherAccount)
		}
	}
}

// Some banks write the name of the account in each row. The user's number is that of the account.
func TestTheUserNumbersAnAccountOfWhichTheFileHasTheName(t *testing.T) {
	for in, want := range map[string]string{"EUR Main": "4410", "Main account ••9016": "Main account ••9016"} {
		content := fmt.Sprintf("Date,Description,Amount,Account\n2026-04-13,Acme,-1.00,%s\n2026-04-14,Acme,2.00,%[1]s\n", in)

		found, err := read(content, bank.Options{Account: "4410"})

		if err != nil {
			t.Fatal(err)
		}
		if account := found.Statements[0].Account; account.Number != want {
			t.Errorf("the account is %+v", account)
		}
	}
}

func TestOnlyAColumnOfBothMarksOrWithTheirNameDecidesSigns(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    []int64
	}{
		"a description": {"Date,Description,Amount\n2026-04-03,C,-1.50\n2026-04-05,C,-2.50\n", []int64{-150, -250}},
		"a note on some lines": {"Date,Text,Amount,Details\n2026-04-03,a,-1.50,C\n2026-04-05,b,-2.50,\n",
			[]int64{-150, -250}},
		"a column without a name": {"Date,Text,Amount,\n2026-04-03,a,-1.50,H\n2026-04-05,b,-2.50,H\n",
			[]int64{-150, -250}},
		"a note with both": {"Date,Text,Amount,Details\n2026-04-03,a,1.50,D\n2026-04-05,b,2.50,C\n", []int64{-150, 250}},
		"a name":           {"Date,Text,Amount,D/C\n2026-04-03,a,1.50,D\n2026-04-05,b,2.50,D\n", []int64{-150, -250}},
		"a type": {"Date,Text,Amount,Type\n2026-04-03,a,1.50,DEBIT\n2026-04-05,b,2.50,DEBIT\n",
			[]int64{-150, -250}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := minors(t, test.content, bank.Options{}); !slices.Equal(got, test.want) {
				t.Errorf("amounts are %v, want %v", got, test.want)
			}
		})
	}
}
