package camt_test

import (
	"errors"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/camt"
)

// Parts of a document with one account in euros.
const (
	head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>`
	account = "<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>\n"
	tail    = "</Stmt></BkToCstmrStmt></Document>"
)

// entry returns a booked entry of 30 September 2026 with additional elements at its end.
func entry(amount, direction, elements string) string {
	return `<Ntry><Amt Ccy="EUR">` + amount + "</Amt><CdtDbtInd>" + direction + "</CdtDbtInd><Sts>BOOK</Sts>" +
		"<BookgDt><Dt>2026-09-30</Dt></BookgDt>" + elements + "</Ntry>\n"
}

// details returns the details of an entry.
func details(blocks ...string) string {
	return "<NtryDtls><TxDtls>" + strings.Join(blocks, "</TxDtls><TxDtls>") + "</TxDtls></NtryDtls>"
}

func balance(code, amount, direction, day string) string {
	return "<Bal><Tp><CdOrPrtry><Cd>" + code + `</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">` + amount + "</Amt><CdtDbtInd>" +
		direction + "</CdtDbtInd><Dt><Dt>" + day + "</Dt></Dt></Bal>\n"
}

func read(content string) (*banks.Contents, error) {
	return banks.Read(camt.Format(), strings.NewReader(content), bank.Options{})
}

// readStatement reads a document with one statement.
func readStatement(t *testing.T, parts ...string) (*banks.Statement, []string) {
	t.Helper()
	found, err := read(head + account + strings.Join(parts, "") + tail)
	if err != nil {
		t.Fatal(err)
	}
	return found.Statements[0], found.Problems
}

// readLine reads a document with one line.
func readLine(t *testing.T, parts ...string) bank.Line {
	t.Helper()
	s, _ := readStatement(t, parts...)
	if len(s.Lines) != 1 {
		t.Fatalf("%d lines are read", len(s.Lines))
	}
	return s.Lines[0]
}

func TestOnlyBookedEntriesCount(t *testing.T) {
	for status, want := range map[string]string{
		"<Sts>BOOK</Sts>": "booked", "<Sts><Cd>BOOK</Cd></Sts>": "booked", "": "booked",
		"<Sts>PDNG</Sts>": "pending", "<Sts><Cd>PDNG</Cd></Sts>": "pending", "<Sts><Cd>FUTR</Cd></Sts>": "pending",
		"<Sts>INFO</Sts>": "remark", "<Sts><Cd>INFO</Cd></Sts>": "remark", "<Sts><Prtry>MAYBE</Prtry></Sts>": "error",
	} {
		found, err := read(head + account + strings.Replace(entry("5", "DBIT", ""), "<Sts>BOOK</Sts>", status, 1) + tail)

		got := "error"
		switch {
		case err != nil:
		case len(found.Statements[0].Lines) == 0 && len(found.Problems) == 1:
			got = "remark"
		case found.Statements[0].Lines[0].Pending:
			got = "pending"
		default:
			got = "booked"
		}
		if got != want {
			t.Errorf("%q is %s, want %s (%v)", status, got, want, err)
		}
	}
}

func TestAReportWithoutStatusIsRefused(t *testing.T) {
	content := strings.Replace(head+account+entry("5", "DBIT", "")+tail, "<Sts>BOOK</Sts>", "", 1)
	content = strings.NewReplacer("<Stmt>", "<Rpt>", "</Stmt>", "</Rpt>").Replace(content)

	if found, err := read(content); err == nil {
		t.Errorf("%+v is read", found.Statements[0])
	}
}

func TestTheEntrysAmountCountsAndNotItsDetails(t *testing.T) {
	line := readLine(t, entry("100.00", "CRDT", "<Chrgs><TtlChrgsAndTaxAmt Ccy=\"EUR\">2.00</TtlChrgsAndTaxAmt></Chrgs>"+
		details(`<Amt Ccy="EUR">60.00</Amt>`, `<Amt Ccy="EUR">42.00</Amt>`)))

	if line.Minor != 10000 || line.Original != nil {
		t.Errorf("%+v", line)
	}
}

func TestAmounts(t *testing.T) {
	for text, minor := range map[string]int64{"5": 500, "5.5": 550, "0": 0, "8.85000": 885, " 7.10 ": 710} {
		if line := readLine(t, entry(text, "DBIT", "")); line.Minor != -minor {
			t.Errorf("%q is %d", text, line.Minor)
		}
	}
	for text, reason := range map[string]string{
		"": "has the amount", "-5": "is not an amount", "1,50": "is not an amount", "8.855": "has more decimals",
		"1e3": "is not an amount", "92233720368547758.08": "is too large",
	} {
		wantRefused(t, head+account+"\n"+entry(text, "DBIT", "")+tail, 4, reason)
	}
	wantRefused(t, head+account+"\n"+entry("5", "", "")+tail, 4, "neither credited nor debited")
	wantRefused(t, head+account+"\n"+strings.Replace(entry("5", "DBIT", ""), `Ccy="EUR"`, "", 1)+tail, 4, "currency")
}

// wantRefused checks that a document is refused with a place and a reason in one line.
func wantRefused(t *testing.T, content string, place int, reason string) {
	t.Helper()
	_, err := read(content)
	var refused *bank.Error
	if !errors.As(err, &refused) || refused.Place != place || !strings.Contains(refused.Reason, reason) ||
		strings.Contains(refused.Reason, "\n") {
		t.Errorf("error is %v, want line %d: %s", err, place, reason)
	}
}

func TestAReversalHasTheDirectionThatItSays(t *testing.T) {
	parties := details("<RltdPties><Dbtr><Nm>Fyrbåk AB</Nm></Dbtr><Cdtr><Nm>Hamnkök</Nm></Cdtr></RltdPties>")
	for _, test := range []struct {
		direction, reversal, counterparty string
		minor                             int64
	}{
		{"CRDT", "false", "Fyrbåk AB", 500}, {"CRDT", "true", "Hamnkök", 500},
		{"DBIT", "false", "Hamnkök", -500}, {"DBIT", "true", "Fyrbåk AB", -500},
	} {
		line := readLine(t, entry("5", test.direction, "<RvslInd>"+test.reversal+"</RvslInd>"+parties))

		if line.Minor != test.minor || line.Counterparty != test.counterparty {
			t.Errorf("%s, reversal %s: %d %s", test.direction, test.reversal, line.Minor, line.Counterparty)
		}
	}
}

func TestTheCounterpartyIsNotTheAccountItself(t *testing.T) {
	own := "<Id><IBAN>DE02 1203 0000 0000 2020 51</IBAN></Id>"
	for name, test := range map[string]struct{ parties, want string }{
		"sides confused": {"<Dbtr><Nm>We</Nm></Dbtr><DbtrAcct>" + own + "</DbtrAcct><Cdtr><Nm>Acme</Nm></Cdtr>", "Acme"},
		"only we":        {"<Cdtr><Nm>We</Nm></Cdtr><CdtrAcct>" + own + "</CdtrAcct>", ""},
		"only our name":  {"<Cdtr><Nm>We</Nm></Cdtr>", ""},
		"another account": {"<Cdtr><Nm>Acme</Nm></Cdtr><CdtrAcct><Id><Othr><Id>77</Id></Othr></Id></CdtrAcct>",
			"Acme"},
		"an agent":      {"<Dbtr><Agt><FinInstnId><Nm>Bank</Nm></FinInstnId></Agt></Dbtr>", "Bank"},
		"only ultimate": {"<UltmtDbtr><Nm>Acme</Nm></UltmtDbtr>", "Acme"},
	} {
		line := readLine(t, entry("5", "CRDT", details("<RltdPties>"+test.parties+"</RltdPties>")))

		if line.Counterparty != test.want {
			t.Errorf("%s: %q, want %q", name, line.Counterparty, test.want)
		}
	}
}

func TestTransfersAreThoseOfCashManagement(t *testing.T) {
	for family, want := range map[string]bool{"CAMT ACCB": true, "CAMT CAPL": true, "PMNT ICDT": false} {
		domain, family, _ := strings.Cut(family, " ")
		line := readLine(t, entry("5", "CRDT", "<BkTxCd><Domn><Cd>"+domain+"</Cd><Fmly><Cd>"+family+
			"</Cd><SubFmlyCd>ZABA</SubFmlyCd></Fmly></Domn></BkTxCd>"))

		if line.Transfer != want || line.Method != domain+"-"+family+"-ZABA" {
			t.Errorf("%s %s: %+v", domain, family, line)
		}
	}
}
