package table_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/table"
)

// published has tables with headings that were published, with rows of our own, and what they say:
// account, opening and closing balance, and the lines as day, minor units and counterparty.
var published = []struct{ source, content, want string }{
	{
		"LHV, as in tests of importers: \"Kliendi konto\",\"Dokumendi number\",\"Kuupäev\",\"Saaja/maksja konto\", …",
		`"Kliendi konto","Dokumendi number","Kuupäev","Saaja/maksja konto","Saaja/maksja nimi","Saaja panga kood","Tühi",` +
			`"Deebet/Kreedit (D/C)","Summa","Viitenumber","Arhiveerimistunnus","Selgitus","Teenustasu","Valuuta"
"EE247700771001234567","1","2026-08-03","EE382200221020145685","Kontor OÜ","","","D","-900.00","","A1","","0.00","EUR"
"EE247700771001234567","2","2026-08-07","EE471000001020145685","Klient AS","","","C","2500.00","","A2","","0.00","EUR"
`,
		"EE247700771001234567 - - 2026-08-03 -90000 Kontor OÜ, 2026-08-07 250000 Klient AS",
	},
	{
		"Swedbank Estonia, as in importers: \"Kliendi konto\";\"Reatüüp\";\"Kuupäev\";\"Saaja/Maksja\";\"Selgitus\"; …",
		`"Kliendi konto";"Reatüüp";"Kuupäev";"Saaja/Maksja";"Selgitus";"Summa";"Valuuta";"Deebet/Kreedit";` +
			`"Arhiveerimistunnus";"Tehingu tüüp";"Viitenumber";"Dokumendi number";
"EE382200221020145685";"10";"01.08.2026";"";"Algsaldo";"1000,00";"EUR";"K";"";"AS";"";"";
"EE382200221020145685";"20";"03.08.2026";"Kontor OÜ";"Rent";"900,00";"EUR";"D";"2026080300001";"MK";"";"";
"EE382200221020145685";"20";"07.08.2026";"Klient AS";"Arve 7";"2500,00";"EUR";"K";"2026080700002";"MK";"";"";
"EE382200221020145685";"82";"31.08.2026";"";"Käive";"900,00";"EUR";"D";"";"K2";"";"";
"EE382200221020145685";"82";"31.08.2026";"";"Käive";"2500,00";"EUR";"K";"";"K2";"";"";
"EE382200221020145685";"86";"31.08.2026";"";"lõppsaldo";"2600,00";"EUR";"K";"";"LS";"";"";
`,
		"EE382200221020145685 100000 260000 2026-08-03 -90000 Kontor OÜ, 2026-08-07 250000 Klient AS",
	},
	{
		"Swedbank Lithuania: \"Sąskaitos Nr.\",\"\",\"Data\",\"Gavėjas\", …",
		`"Sąskaitos Nr.","","Data","Gavėjas","Paaiškinimai","Suma","Valiuta","D/K","Įrašo Nr.","Kodas","","",
"LT617300010123456789","10","2026-08-01","","Likutis pradžiai","1000.00","EUR","K","","AS","","",
"LT617300010123456789","20","2026-08-03","UAB Nuoma","Nuoma","900.00","EUR","D","2026080300001","MK","","",
"LT617300010123456789","20","2026-08-07","UAB Klientas","Saskaita 7","2500.00","EUR","K","2026080700002","MK","","",
"LT617300010123456789","82","2026-08-31","","Apyvarta","900.00","EUR","D","","K2","","",
"LT617300010123456789","86","2026-08-31","","Likutis pabaigai","2600.00","EUR","K","","LS","","",
`,
		"LT617300010123456789 100000 260000 2026-08-03 -90000 UAB Nuoma, 2026-08-07 250000 UAB Klientas",
	},
	{
		"Swedbank in English: Account No, Row type, Date, Beneficiary/Payer, Details, Amount, Currency, Debit/Credit, …",
		`"Account No";"Row type";"Date";"Beneficiary/Payer";"Details";"Amount";"Currency";"Debit/Credit";"";
"EE382200221020145685";"10";"01.08.2026";"";"Opening balance";"1000,00";"EUR";"K";"";
"EE382200221020145685";"20";"03.08.2026";"Kontor OÜ";"Rent";"900,00";"EUR";"D";"2026080300001";
"EE382200221020145685";"20";"07.08.2026";"Klient AS";"Arve 7";"2500,00";"EUR";"K";"2026080700002";
"EE382200221020145685";"82";"31.08.2026";"";"Turnover";"2500,00";"EUR";"K";"";
"EE382200221020145685";"86";"31.08.2026";"";"closing balance";"2600,00";"EUR";"K";"";
`,
		"EE382200221020145685 100000 260000 2026-08-03 -90000 Kontor OÜ, 2026-08-07 250000 Klient AS",
	},
	{
		"Revolut before 2022, github.com/tarioch/beancounttools/pull/51",
		`Completed Date , Description , Paid Out (CHF) , Paid In (CHF) , Exchange Out,Exchange In,Balance (CHF),Category,Notes
"Aug 21, 2026" , Coop  , 9.10 ,  ,  ,  , 1.47, Transport,
"Jul 29, 2026" , Ada  , 10.00 ,  ,  ,  , 10.57, Transfers,
"Jul 28, 2026" , Top up ,  , 20.00 ,  EUR 18.55 ,  , 20.57, General,
`,
		" 57 147 2026-08-21 -910 Coop, 2026-07-29 -1000 Ada, 2026-07-28 2000 Top up",
	},
	{
		"President's Choice, github.com/firefly-iii/firefly-iii/issues/307",
		`Date, Transaction Details, Funds Out, Funds In
08/03/2026,HARBOUR RENT,1250.00,
08/15/2026,KESTREL LTD,,3000.00
08/28/2026,PAPER SHOP,12.20,
`,
		" - - 2026-08-03 -125000 , 2026-08-15 300000 , 2026-08-28 -1220 ",
	},
	{
		"DKB before 2023, as in importers: the account and its balance stand above the header",
		`"Kontonummer:";"DE02120300000000202051 / Girokonto";

"Von:";"01.08.2026";
"Bis:";"31.08.2026";
"Kontostand vom 31.08.2026:";"2.100,00 EUR";

"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";"Verwendungszweck";"";"BLZ";"Betrag (EUR)";
"20.08.2026";"20.08.2026";"Lastschrift";"Telekom";"Rg 12";"DE89370400440532013000";"COBADEFFXXX";"-49,00";
"03.08.2026";"03.08.2026";"Gutschrift";"Kestrel GmbH";"RG 2026-7";"DE75512108001245126199";"SOGEDEFFXXX";"1.900,00";
`,
		"DE02120300000000202051 - 210000 2026-08-20 -4900 Telekom, 2026-08-03 190000 Kestrel GmbH",
	},
	{
		"DKB since 2023, github.com/siddhantgoel/beancount-dkb/issues/146",
		`""
"Kontostand vom 03.09.2026:";"1.990,01 EUR"
""
"Buchungsdatum";"Wertstellung";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"";"Betrag (€)"
"02.09.26";"02.09.26";"ISSUER";"REWE";"Debitk.";"";"-9,99"
"01.09.26";"01.09.26";"Kestrel GmbH";"Nordlicht GmbH";"Rechnung 4";"";"2000"
`,
		" - 199001 2026-09-02 -999 REWE, 2026-09-01 200000 Kestrel GmbH",
	},
}

func TestPublishedHeadingsAreRead(t *testing.T) {
	for _, p := range published {
		found, err := banks.Read(table.Format(), strings.NewReader(p.content), bank.Options{})
		if err != nil || len(found.Statements) != 1 {
			t.Errorf("%s: %d statements, %v", p.source, len(found.Statements), err)
			continue
		}
		s := found.Statements[0]
		var lines []string
		for _, l := range s.Lines {
			lines = append(lines, fmt.Sprintf("%s %d %s", l.Booked, l.Minor, l.Counterparty))
		}
		got := s.Account.Number + " " + minorOf(s.Opening) + " " + minorOf(s.Closing) + " " + strings.Join(lines, ", ")
		if got != p.want {
			t.Errorf("%s:\n%s\nwant\n%s", p.source, got, p.want)
		}
	}
}

func minorOf(b *bank.Balance) string {
	if b == nil {
		return "-"
	}
	return fmt.Sprint(b.Minor)
}

func TestABalanceAboveTheHeaderOfALaterDayThanTheLinesIsNotTheirs(t *testing.T) {
	content := strings.Replace(published[6].content, "Kontostand vom 31.08.2026", "Kontostand vom 05.09.2026", 1)
	found, err := banks.Read(table.Format(), strings.NewReader(content), bank.Options{})
	if err != nil || len(found.Statements) != 1 || found.Statements[0].Closing != nil {
		t.Errorf("%+v, %v", found.Statements, err)
	}
}
