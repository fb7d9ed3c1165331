package camt_test

import (
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

const unnamed = "<Acct><Id><Othr><Id>77</Id></Othr></Id></Acct>\n"

func TestTheCurrencyIsThatOfTheAccount(t *testing.T) {
	for name, test := range map[string]struct{ content, want string }{
		"declared":              {account, "EUR"},
		"of a booked balance":   {unnamed + balance("CLBD", "1", "CRDT", "2026-09-30"), "EUR"},
		"of the entries":        {unnamed + entry("1", "CRDT", ""), "EUR"},
		"of an available money": {unnamed + balance("CLAV", "1", "CRDT", "2026-09-30"), "EUR"},
		"nowhere":               {unnamed, ""},
		"entries before available": {unnamed + strings.Replace(balance("CLAV", "1", "CRDT", "2026-09-30"), "EUR", "JPY", 1) +
			entry("1", "CRDT", ""), "EUR"},
	} {
		found, err := read(head + test.content + tail)
		if err != nil {
			t.Fatal(err)
		}

		if got := found.Statements[0].Currency; got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	wantRefused(t, head+strings.Replace(account, "EUR", "ABC", 1)+tail, 2, `"ABC" is not a currency`)
	wantRefused(t, head+account+strings.Replace(balance("CLBD", "1", "CRDT", "2026-09-30"), "EUR", "SEK", 1)+tail, 3,
		"a balance is in SEK, and its account in EUR")
}

// inCrowns returns an entry in Swedish crowns.
func inCrowns(amount, more string) string {
	return strings.Replace(entry(amount, "DBIT", more), `"EUR"`, `"SEK"`, 1)
}

func TestAnEntryInAnotherCurrencyNeedsItsValue(t *testing.T) {
	const value = `<AmtDtls><CntrValAmt><Amt Ccy="EUR">10.50</Amt><CcyXchg><XchgRate>0.0875</XchgRate></CcyXchg>` +
		"</CntrValAmt></AmtDtls>"
	for name, more := range map[string]string{
		"of the entry": value, "of its only detail": details(`<Amt Ccy="SEK">120</Amt>` + value),
	} {
		s, problems := readStatement(t, inCrowns("120", more))

		line := s.Lines[0]
		if line.Minor != -1050 || line.Original == nil || len(problems) != 1 ||
			*line.Original != (bank.Original{Currency: "SEK", Minor: -12000, Rate: "0.0875"}) {
			t.Errorf("%s: %+v %+v %q", name, line, line.Original, problems)
		}
	}
	for name, more := range map[string]string{
		"no value": "", "a detail of another amount": details(`<Amt Ccy="SEK">12</Amt>` + value),
		"one of several details": details(`<Amt Ccy="SEK">120</Amt>`+value, ""),
		"two values": value + details(`<Amt Ccy="SEK">120</Amt>`+
			`<AmtDtls><TxAmt><Amt Ccy="EUR">11</Amt></TxAmt></AmtDtls>`),
	} {
		if _, err := read(head + account + inCrowns("120", more) + tail); err == nil {
			t.Errorf("%s: is read", name)
		}
	}
}

func TestAPendingEntryOfUnknownValueIsLeftOut(t *testing.T) {
	s, problems := readStatement(t, strings.Replace(inCrowns("120", ""), "BOOK", "PDNG", 1))

	if len(s.Lines) != 0 || len(problems) != 1 || !strings.Contains(problems[0], "left out") {
		t.Errorf("%+v, %q", s.Lines, problems)
	}
}

func TestTheOriginalAmountIsKept(t *testing.T) {
	line := readLine(t, entry("10.50", "DBIT", details(`<AmtDtls><InstdAmt><Amt Ccy="JPY">1700</Amt></InstdAmt>`+
		`<TxAmt><Amt Ccy="EUR">10.50</Amt></TxAmt></AmtDtls>`)))

	if line.Original == nil || *line.Original != (bank.Original{Currency: "JPY", Minor: -1700}) {
		t.Errorf("%+v", line.Original)
	}
}
