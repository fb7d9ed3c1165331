package table_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
)

// rowsOf returns a header and rows as a file.
func rowsOf(header string, rows ...string) string {
	return header + "\n" + strings.Join(rows, "\n") + "\n"
}

func TestTheAmountIsWhatExplainsTheBalance(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    []int64
	}{
		"not the heading that says so": {rowsOf("Date;Text;Amount;Movement;Standing",
			"2026-04-01;a;5,00;-1,50;98,50", "2026-04-02;b;5,00;2,50;101,00", "2026-04-03;c;7,00;-1,00;100,00",
			"2026-04-04;d;8,00;-3,00;97,00", "2026-04-05;e;9,00;4,00;101,00", "2026-04-06;f;9,00;-2,25;98,75"),
			[]int64{-150, 250, -100, -300, 400, -225}},
		"newest first": {rowsOf("Datum;Text;Betrag;Bewegung;Stand",
			"06.04.2026;f;1,00;-2,25;98,75", "05.04.2026;e;1,00;4,00;101,00", "04.04.2026;d;1,00;-3,00;97,00",
			"03.04.2026;c;1,00;-1,00;100,00", "02.04.2026;b;1,00;2,50;101,00", "01.04.2026;a;1,00;-1,50;98,50"),
			[]int64{-225, 400, -300, -100, 250, -150}},
		"a fee beside the amount": {rowsOf("Date,Text,Amount,Fee amount,Balance",
			"2026-04-01,a,-10.00,0.30,89.70", "2026-04-02,b,20.00,0.20,109.50", "2026-04-03,c,-5.00,0.00,104.50"),
			[]int64{-1030, 1980, -500}},
		"a tax that resembles an amount": {rowsOf("Date,Text,VAT amount,Total amount (incl. VAT)",
			"2026-04-01,a,1.60,-10.00", "2026-04-02,b,3.20,20.00"), []int64{-1000, 2000}},
		"cashback that resembles an amount": {rowsOf("Date,Text,Cashback amount,Amount",
			"2026-04-01,a,0.10,-10.00", "2026-04-02,b,0.00,20.00"), []int64{-1000, 2000}},
		"negative zero": {rowsOf("Date,Text,Amount,Balance", "2026-04-01,a,-1.00,99.00", "2026-04-02,b,-0.00,99.00",
			"2026-04-03,c,2.00,101.00"), []int64{-100, 0, 200}},
		"decimal marks that differ by column": {rowsOf("Datum;Text;Betrag;Saldo", "01.04.2026;a;-1.50;1.098,50",
			"02.04.2026;b;2.50;1.101,00"), []int64{-150, 250}},
	} {
		if got := minors(t, test.content, bank.Options{Account: "1", Currency: "EUR"}); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestTwoColumnsThatExplainTheBalanceAreAsked(t *testing.T) {
	content := rowsOf("Date,Text,Amount,Booked amount,Balance",
		"2026-04-01,a,-9.00,-8.50,91.50", "2026-04-02,b,20.00,20.00,111.50", "2026-04-03,c,-5.00,-5.00,106.50")
	var question *bank.Question

	_, err := read(content, bank.Options{})

	if !errors.As(err, &question) || question.Flag != "--amount" || !slices.Equal(question.Choices,
		[]string{"Amount", "Booked amount"}) {
		t.Fatalf("%v", err)
	}
	for _, sample := range []string{"-9.00", "-8.50", "20.00"} {
		if !strings.Contains(question.Reason, sample) {
			t.Errorf("%q shows no %s", question.Reason, sample)
		}
	}
	for choice, want := range map[string]int64{"Amount": -900, "Booked amount": -850} {
		if got := minors(t, content, bank.Options{Amount: choice}); got[0] != want {
			t.Errorf("with %q the first amount is %d, want %d", choice, got[0], want)
		}
	}
}

// An answer doesn't stand against a file whose balances show otherwise.
func TestAnAnswerAboutColumnsIsProvedAgain(t *testing.T) {
	content := rowsOf("Date,Text,Amount,Booked amount,Balance",
		"2026-04-01,a,-8.50,-8.50,91.50", "2026-04-02,b,20.00,20.50,112.00", "2026-04-03,c,-5.00,-5.50,106.50",
		"2026-04-04,d,-5.00,-5.50,101.00", "2026-04-05,e,-1.00,-1.50,99.50", "2026-04-06,f,-1.00,-1.50,98.00")

	got := minors(t, content, bank.Options{Amount: "Amount"})

	if want := []int64{-850, 2050, -550, -550, -150, -150}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestRowsThatTheBalancesLeaveOutAreNotBooked(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		pending []bool
	}{
		"the newest row has no balance": {rowsOf("Date,Text,Amount,Balance", "2026-04-04,hold,-9.00,",
			"2026-04-03,c,-5.00,95.00", "2026-04-02,b,2.00,100.00"), []bool{true, false, false}},
		"oldest first": {rowsOf("Date,Text,Amount,Balance", "2026-04-02,b,2.00,100.00", "2026-04-03,c,-5.00,95.00",
			"2026-04-04,hold,-9.00,"), []bool{false, false, true}},
		"within the chain": {rowsOf("Date,Text,Amount,Balance", "2026-04-02,b,2.00,100.00", "2026-04-02,hold,-9.00,",
			"2026-04-03,c,-5.00,95.00", "2026-04-04,d,-1.00,94.00"), []bool{false, true, false, false}},
		"one balance a day": {rowsOf("Date,Text,Amount,Balance", "2026-04-02,a,2.00,", "2026-04-02,b,2.00,100.00",
			"2026-04-03,c,-5.00,", "2026-04-03,d,-1.00,94.00", "2026-04-04,e,-1.00,"), []bool{false, false, false,
			false, false}},
		"no booking date": {rowsOf("Transaction date,Posted date,Text,Amount", "2026-04-02,2026-04-03,a,-1.00",
			"2026-04-03,2026-04-04,b,2.00", "2026-04-04,,c,-3.00"), []bool{false, false, true}},
		"a status in another language": {rowsOf("Statut;Date;Libellé;Montant", "En cours;02/04/2026;a;-1,00",
			"Exécuté;13/04/2026;b;2,00"), []bool{true, false}},
		"pending rows only": {rowsOf("Status,Date,Text,Amount", "Pending,2026-04-02,a,-1.00", "Pending,2026-04-03,b,2.00"),
			[]bool{true, true}},
	} {
		found, err := read(test.content, bank.Options{Currency: "EUR", Sign: bank.OutNegative})
		if err != nil || len(found.Statements) != 1 {
			t.Errorf("%s: %+v, %v", name, found, err)
			continue
		}

		var got []bool
		for _, line := range found.Statements[0].Lines {
			got = append(got, line.Pending)
		}
		if !slices.Equal(got, test.pending) {
			t.Errorf("%s: pending %v, want %v", name, got, test.pending)
		}
	}
}

// A hold may be settled at another amount, on another day: it isn't in the balance then.
func TestAHoldProvesNoBalance(t *testing.T) {
	found, err := read(rowsOf("Date,Text,Amount,Balance", "2026-04-04,hold,-9.00,", "2026-04-03,c,-5.00,95.00",
		"2026-04-02,b,2.00,100.00"), bank.Options{})

	if err != nil || found.Statements[0].Closing == nil || found.Statements[0].Closing.Minor != 9500 ||
		found.Statements[0].Closing.Date.String() != "2026-04-03" {
		t.Errorf("%+v, %v", found.Statements[0].Closing, err)
	}
}

func TestBalanceRowsAreBalancesWhicheverColumnSaysSo(t *testing.T) {
	for name, content := range map[string]string{
		"a reference, with S and H": rowsOf("Buchungstag;Empfänger;Verwendungszweck;Kundenreferenz;Währung;Umsatz; ",
			"05.10.2026;Miete GmbH;Oktober;;EUR;119,00;S", "02.10.2026;Kunde;RE 5;;EUR;500,00;H",
			"01.10.2026;;;Anfangssaldo;EUR;1.000,00;H", "06.10.2026;;;Endsaldo;EUR;1.381,00;H"),
		"a category in French": rowsOf("Date;Libellé;Catégorie;Montant", "01/10/2026;;Solde initial;1000,00",
			"02/10/2026;CLIENT;Ventes;500,00", "05/10/2026;LOYER;Bureau;-119,00", "13/10/2026;;Solde final;1381,00"),
		"a type": rowsOf("Date,Type,Payee,Amount", "2026-10-01,Opening balance,,1000.00", "2026-10-02,Credit,Acme,500.00",
			"2026-10-05,Debit,Rent Co,-119.00", "2026-10-06,Closing balance,,1381.00"),
	} {
		found, err := read(content, bank.Options{Currency: "EUR", Sign: bank.OutNegative})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := found.Statements[0]
		var got []int64
		for _, line := range s.Lines {
			got = append(got, line.Minor)
		}
		slices.Sort(got)
		if !slices.Equal(got, []int64{-11900, 50000}) || s.Closing == nil || s.Closing.Minor != 138100 {
			t.Errorf("%s: %v, closing %+v", name, got, s.Closing)
		}
	}
}

func TestNumbersThatASpreadsheetRoundedAreNoAccounts(t *testing.T) {
	for _, number := range []string{"8,93704E+18", "8.9E18", "1,2e+9"} {
		found, err := read("Konto;Buchungstag;Name;Betrag\n"+number+";05.10.2026;a;1200,5\n"+number+";06.10.2026;b;-12,5\n",
			bank.Options{Currency: "EUR"})

		if err != nil || found.Statements[0].Account.Number != "" {
			t.Errorf("%s: %+v, %v", number, found, err)
		}
	}
}

func TestTheOtherPartyIsTheColumnWhoseNamesDiffer(t *testing.T) {
	found, err := read(rowsOf("Buchungstag;Auftraggeber/Zahlungsempfänger;Empfänger/Zahlungspflichtiger;Betrag",
		"13.10.2026;Quill Labs;Vermieter;-119,00", "14.10.2026;Quill Labs;Kunde;500,00"), bank.Options{})

	if err != nil || found.Statements[0].Lines[0].Counterparty != "Vermieter" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestHeadingsMayBeInAnyRowAndTwice(t *testing.T) {
	rows := []string{"2026-04-13,a,-1.00", "2026-04-14,b,2.00"}
	for name, content := range map[string]string{
		"in the second row": rowsOf("My bank", slices.Concat([]string{"Date,Text,Amount"}, rows)...),
		"in the tenth row": rowsOf("My bank", slices.Concat(strings.Split(strings.Repeat("x\n", 8), "\n")[:8],
			[]string{"Date,Text,Amount"}, rows)...),
		"twice": rowsOf("Date,Text,Amount", rows[0], "Date,Text,Amount", rows[1]),
		"never": rowsOf(rows[0], rows[1]),
	} {
		if got := minors(t, content, bank.Options{Currency: "EUR"}); !slices.Equal(got, []int64{-100, 200}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The same lines in two languages are the same lines.
func TestAnExportInTwoLanguagesHasTheSameLines(t *testing.T) {
	english := rowsOf("Status,Settlement date (UTC),Settlement date (local),Operation date (local),Total "+
		"amount (incl. VAT),"+
		"Currency,Total VAT amount,Counterparty name", "settled,2026-10-14 22:30:00,2026-10-15 00:30:00,2026-10-13 09:00:00,"+
		"1000.00,EUR,166.67,CLIENT", "processing,,,2026-10-29 10:00:00,-12.00,EUR,0.00,TAXI")
	french := rowsOf("Statut;Date de la valeur (UTC);Date de la valeur (local);Date de l'opération (local);"+
		"Montant total (TTC);"+
		"Devise;Montant total de la TVA;Nom de la contrepartie", "Exécuté;14-10-2026 22:30:00;15-10-2026 00:30:00;"+
		"13-10-2026 09:00:00;1000,00;EUR;166,67;CLIENT", "En cours;;;29-10-2026 10:00:00;-12,00;EUR;0,00;TAXI")
	var all []*banks.Contents
	for _, content := range []string{english, french} {
		found, err := read(content, bank.Options{Account: "1", Sign: bank.OutNegative})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found)
	}
	for n, line := range all[0].Statements[0].Lines {
		other := all[1].Statements[0].Lines[n]
		if line.Booked != other.Booked || line.Minor != other.Minor || line.Counterparty != other.Counterparty ||
			line.Pending != other.Pending {
			t.Errorf("%+v and %+v", line, other)
		}
	}
}

func TestAFileCutInARowIsRefused(t *testing.T) {
	_, err := read("Date,Text,Amount,Balance\n2026-04-01,a,-1.00,99.00\n2026-04-02,b", bank.Options{})

	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Error(err)
	}
}

func TestAStatementInTwoCurrenciesIsTwoStatements(t *testing.T) {
	found, err := read(rowsOf("Date,Text,Amount,Currency,Balance", "2026-04-01,a,-1.00,EUR,99.00",
		"2026-04-02,b,5.00,USD,55.00", "2026-04-03,c,-2.00,EUR,97.00", "2026-04-04,d,1.00,USD,56.00"), bank.Options{})

	if err != nil || len(found.Statements) != 2 || found.Statements[0].Closing.Minor != 9700 ||
		found.Statements[1].Closing.Minor != 5600 {
		t.Errorf("%+v, %v", found, err)
	}
}
