package bookkeeping_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
)

// wise returns a statement as Wise writes it, whose name of the account is not in the file.
func wise(name, currency string, lines ...string) bookkeeping.Source {
	head := "TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From," +
		"Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Total fees\n"
	for _, line := range lines {
		head += strings.ReplaceAll(line, "CUR", currency) + "\n"
	}
	return source(name, head)
}

const n26Head = `"Booking Date","Value Date","Partner Name","Partner Iban","Type","Payment Reference",` +
	`"Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"` + "\n"

func wiseSeptember(currency string) bookkeeping.Source {
	return wise("w-"+currency+".csv", currency,
		"TRANSFER-2,25-09-2026,-40.00,CUR,Sent money to Priya,,160.00,,,,,Priya Shah,,,0.00",
		"TRANSFER-1,15-09-2026,200.00,CUR,Received money from Acme,,200.00,,,,Acme,,,,0.00")
}

// preview returns the report of a preview in which the user can be asked.
func preview(t *testing.T, b *bookkeeping.Books, files ...bookkeeping.Source) *ownbooks.Report {
	t.Helper()
	report, err := b.Import(t.Context(), files, bookkeeping.Options{Preview: true, NameAccounts: true})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestTheOnlyAccountOfABankIsNamedByItAndTheCurrency(t *testing.T) {
	report := preview(t, newBooks(t), wiseSeptember("GBP"), wiseSeptember("EUR"))

	accounts := report.Accounts()
	if report.Failed() || len(accounts) != 2 || accounts[0].Label() != "Wise GBP" || accounts[1].Label() != "Wise EUR" {
		t.Errorf("the accounts are %+v", accounts)
	}
}

func TestAFileOfAnUnknownBankIsAskedAboutWithItsNewestRows(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	unnamed := source("export (3).csv", "Date,Description,Amount,Currency\n2026-09-01,Rent,-10.00,USD\n"+
		"2026-09-02,Kiosk,-2.00,USD\n2026-09-03,Acme,30.00,USD\n2026-09-04,Cloud,-4.00,USD\n")

	q := preview(t, b, unnamed).Files[0].Question

	want := []string{
		"2026-09-04 · -4.00 USD · Cloud", "2026-09-03 · 30.00 USD · Acme", "2026-09-02 · -2.00 USD · Kiosk",
	}
	if q == nil || !q.IsAccount() || q.Proposed != "export (3) USD" || !slices.Equal(q.Samples, want) {
		t.Fatalf("asks %+v", q)
	}
	options := q.Options()
	if len(options) != 3 || options[0].Means != "a new account" || options[2].Answer != ownbooks.Skip {
		t.Errorf("the choices are %+v", options)
	}
}

func TestASecondAccountOfABankIsAskedAbout(t *testing.T) {
	b := newBooks(t)
	if _, err := b.Import(t.Context(), []bookkeeping.Source{wiseSeptember("GBP")},
		bookkeeping.Options{NameAccounts: true}); err != nil {
		t.Fatal(err)
	}
	other := wise("other.csv", "GBP", "TRANSFER-9,20-10-2026,-7.00,CUR,Sent money to Bo,,993.00,,,,,Bo,,,0.00")

	q := preview(t, b, other).Files[0].Question

	if q == nil || q.Proposed != "Wise GBP 2" || !slices.Equal(q.Choices, []string{"Wise GBP"}) {
		t.Errorf("asks %+v", q)
	}
}

func TestAStatementThatContinuesAnotherIsOfItsAccount(t *testing.T) {
	b := newBooks(t)
	if _, err := b.Import(t.Context(), []bookkeeping.Source{wiseSeptember("GBP")},
		bookkeeping.Options{NameAccounts: true}); err != nil {
		t.Fatal(err)
	}
	next := wise("next.csv", "GBP", "TRANSFER-3,26-09-2026,-60.00,CUR,Sent money to Bo,,100.00,,,,,Bo,,,0.00")

	if report := preview(t, b, next); report.Failed() || len(report.Accounts()) != 1 ||
		report.Accounts()[0].Label() != "Wise GBP" {
		t.Errorf("the report is %+v", report)
	}
}

func TestASecondCardOfABankIsAskedAbout(t *testing.T) {
	const head = "Masked Card Number, Posted Transactions Date, Description, Debit Amount, Credit Amount, " +
		"Posted Currency\n"
	one := source("a.csv", head+"XXXX-4417,15/09/2026,SLACK,30.00,,EUR\n")
	other := source("b.csv", head+"XXXX-9902,16/09/2026,RYANAIR,80.00,,EUR\n")

	report := preview(t, newBooks(t), one, other)

	if accounts := report.Accounts(); len(accounts) != 1 || accounts[0].Label() != "AIB card EUR" {
		t.Errorf("the accounts are %+v", accounts)
	}
	if q := report.Files[1].Question; q == nil || q.Proposed != "AIB card EUR 2" {
		t.Errorf("asks %+v", q)
	}
}

func TestScriptsNameTheAccountThemselves(t *testing.T) {
	report, err := newBooks(t).Import(t.Context(), []bookkeeping.Source{wiseSeptember("GBP")}, bookkeeping.Options{})

	if err != nil || !report.Failed() || report.Files[0].Question == nil {
		t.Errorf("without anybody to see the name, the import says %+v, %v", report, err)
	}
}

func TestAFileIsLeftOutWhenTheUserSkipsIt(t *testing.T) {
	b := newBooks(t)
	skipped := source("b.csv", "Date,Description,Amount,Currency\n2026-09-01,Rent,-10.00,USD\n")
	skipped.Skip = true

	report := take(t, b, source("a.qfx", september.ofx()), skipped)

	if len(report.Files) != 2 || len(report.Files[1].Statements) != 0 ||
		!strings.Contains(report.Files[1].Problems[0], "left out") {
		t.Errorf("the report is %+v", report.Files)
	}
}

func TestABalanceIsAskedOfTheDayOfTheNewestLine(t *testing.T) {
	n26 := source("n26.csv", n26Head+
		`"2026-09-02","2026-09-02","WeWork","","Debit Transfer","","Main Account","-410.00","","",""`+"\n"+
		`"2026-09-15","2026-09-15","Jonas Weber","","Debit Transfer","Gehalt","Main Account","-3950.00","","",""`+"\n")

	report := preview(t, newBooks(t), n26)

	if len(report.Balances) != 1 {
		t.Fatalf("asks %+v", report.Balances)
	}
	q := report.Balances[0]
	if q.Name != "N26 Main Account" || q.Day.String() != "2026-09-15" || q.Balance("1,200.50") != "1,200.50@2026-09-15" ||
		q.Balance("1,200.50 on 2026-09-10") != "1,200.50 on 2026-09-10" || len(q.Samples) != 2 {
		t.Errorf("asks %+v", q)
	}
}

func TestTheCompanysNameIsProposedFromTransfersBetweenAccounts(t *testing.T) {
	from := wise("w.csv", "GBP",
		"TRANSFER-1,15-09-2026,200.00,CUR,Received money,,200.00,,,,Kilmore Labs Limited,,,,0.00",
		"TRANSFER-2,16-09-2026,50.00,CUR,Received money,,250.00,,,,Acme Trading Ltd,,,,0.00")
	to := source("n26.csv", n26Head+
		`"2026-09-02","2026-09-02","Kilmore Labs Limited","","Debit Transfer","","Main Account","-410.00","","",""`+"\n"+
		`"2026-09-15","2026-09-15","Other Works Ltd","","Debit Transfer","","Main Account","-39.00","","",""`+"\n")

	if got := preview(t, newBooks(t), from, to).Company; got != "Kilmore Labs Limited" {
		t.Errorf("proposes %q", got)
	}
	if got := preview(t, newBooks(t), from).Company; got != "" {
		t.Errorf("from one account, proposes %q", got)
	}
}

func TestTheCurrencyOfAListIsProposedFromTheOtherFiles(t *testing.T) {
	list := source("open.csv", "number,customer,issued,due,amount due\n7,Acme,2026-09-01,2026-10-01,5.00\n")
	list.Options.AsOf = civil.New(2026, 9, 30)

	euros, dollars := inCurrency("EUR", "DE1", "-1.00", "-2.00"), inCurrency("USD", "US1", "-3.00")
	report := preview(t, newBooks(t), list, euros, dollars)

	q := report.Files[0].Question
	if q == nil || q.Flag != "--currency" || q.Proposed != "EUR" || !slices.Equal(q.Choices, []string{"EUR", "USD"}) {
		t.Errorf("asks %+v", q)
	}
}
