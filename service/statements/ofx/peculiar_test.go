package ofx_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/ofx"
)

func TestTagsAreReadAsBanksWriteThem(t *testing.T) {
	whole := document("\n"+transaction("1", "<NAME>Acme"), "<LEDGERBAL><BALAMT>5<DTASOF>20260930</LEDGERBAL>")
	for name, content := range map[string]string{
		"no line breaks":            strings.ReplaceAll(whole, "\n", ""),
		"old Mac line ends":         strings.ReplaceAll(whole, "\n", "\r"),
		"lower case":                strings.ReplaceAll(strings.ToLower(whole), "acme", "Acme"),
		"no header":                 whole[strings.Index(whole, "<OFX>"):],
		"blank lines first":         strings.Repeat("\r\n", 1000) + whole,
		"a prefix":                  strings.NewReplacer("</", "</ofx:", "<", "<ofx:").Replace(whole),
		"attributes":                strings.Replace(whole, "<OFX>", `<OFX xmlns="urn:x">`, 1),
		"NUL bytes at the end":      whole + strings.Repeat("\x00", 5000),
		"no end of the transaction": strings.Replace(whole, "</STMTTRN>", "", 1),
		"no end of the list":        strings.Replace(whole, "</BANKTRANLIST>", "", 1),
		"no end of the balance":     strings.Replace(whole, "</LEDGERBAL>", "", 1),
		"no ends of both":           strings.NewReplacer("</STMTTRN>", "", "</BANKTRANLIST>", "").Replace(whole),
		"an end too many":           strings.Replace(whole, "</STMTTRN>", "</STMTTRN></STMTTRN></PAYEE>", 1),
		"the end of another":        strings.Replace(whole, "<STMTRS>", "<CCSTMTRS>", 1),
		"tags of the bank's own":    strings.Replace(whole, "<NAME>", "<X.CATEGORY>NAME<X.EMPTY><NAME>", 1),
		"ends of values":            strings.Replace(whole, "<NAME>Acme", "<MEMO/><NAME>Acme</NAME>", 1),
	} {
		line, found := readLine(t, content)

		if s := found.Statements[0]; line.Minor != 100 || line.Counterparty != "Acme" || s.Account.Number != "123456789" ||
			s.Closing == nil || s.Closing.Minor != 500 {
			t.Errorf("%s: %+v of %+v", name, line, s.Statement)
		}
	}
}

func TestRawIsTheTransactionInTheFile(t *testing.T) {
	first, second := transaction("1", "\n<NAME>A"), transaction("2", "\n<NAME>B")
	for name, list := range map[string]string{
		"with ends": first + "\n" + second, "without": strings.TrimSuffix(first, "</STMTTRN>") + second,
	} {
		found, err := read(document(list, ""), bank.Options{})
		if err != nil {
			t.Fatal(err)
		}

		lines := found.Statements[0].Lines
		if !strings.HasPrefix(first, lines[0].Raw) || !strings.HasSuffix(lines[0].Raw, "A") && lines[0].Raw != first ||
			lines[1].Raw != second {
			t.Errorf("%s: %q and %q", name, lines[0].Raw, lines[1].Raw)
		}
	}
}

func TestALongTransactionIsKeptInPart(t *testing.T) {
	line, _ := readLine(t, document(transaction("1", "<MEMO>"+strings.Repeat("é", 100_000)), ""))

	if len(line.Raw) != bank.MaxRaw && len(line.Raw) != bank.MaxRaw-1 {
		t.Errorf("%d bytes are kept", len(line.Raw))
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	whole := document("\n"+transaction("1", "<NAME>Acme"), "\n")
	for name, test := range map[string]struct{ content, reason string }{
		"cut in a tag":           {whole[:strings.Index(whole, "TRNAMT")+3], "ends within a tag"},
		"cut in a value":         {whole[:strings.Index(whole, "Acme")+2], "ends within <STMTTRN>"},
		"cut before the end":     {strings.TrimSuffix(whole, "</OFX>"), "ends within <OFX>"},
		"empty":                  {"", "no OFX document"},
		"no document":            {"OFXHEADER:100\n", "no OFX document"},
		"an empty document":      {"<OFX></OFX>", "no statement"},
		"a second document, cut": {whole + "<OFX><BANKMSGSRSV1>", "ends within"},
		"a list of accounts": {"<OFX><ACCTINFO><BANKACCTFROM><ACCTID>1</BANKACCTFROM></ACCTINFO></OFX>",
			"no statement"},
		"outside of a statement": {"<OFX>" + transaction("1", "") + "</OFX>", "outside of a statement"},
		"a document type": {`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>` + whole,
			"a document type or entity is declared"},
		"an endless value":   {document(transaction("1", "<MEMO>"+strings.Repeat("x", 2<<20)), ""), "longer than 1 MB"},
		"an endless comment": {"<OFX><!--" + strings.Repeat("x", 2<<20), "longer than 1 MB"},
		"an endless tag":     {"<OFX><A " + strings.Repeat("x", 2<<20), "a tag is longer"},
		"an open comment":    {"<OFX><!-- x", "ends within a comment"},
		"no currency":        {strings.Replace(whole, "USD", "ABC", 1), `"ABC" is not a currency`},
		"an error": {"<OFX><STMTTRNRS><STATUS><CODE>2000<SEVERITY>ERROR<MESSAGE>Down</STATUS></STMTTRNRS></OFX>",
			`the bank answered with error 2000 ("Down") instead of a statement`},
		"an error without severity": {"<OFX><STATUS><CODE>15500</STATUS></OFX>", "answered with error 15500 instead"},
	} {
		_, err := read(test.content, bank.Options{})

		var refused *bank.Error
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, test.reason) ||
			strings.Contains(refused.Reason, "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatTheFileDoesNotSayComesFromOptions(t *testing.T) {
	content := strings.NewReplacer("<CURDEF>USD", "<CURDEF></CURDEF>", "<ACCTID>123456789", "<ACCTID>").
		Replace(document(transaction("1500", ""), ""))
	found, err := read(content, bank.Options{Account: "Main", Currency: "JPY"})

	if s := found.Statements[0]; err != nil || s.Account.Number != "Main" || s.Currency != "JPY" ||
		s.Lines[0].Minor != 1500 {
		t.Errorf("%+v %+v %v", s.Statement, s.Lines, err)
	}
}

func TestTheFileComesBeforeOptions(t *testing.T) {
	found, err := read(document(transaction("1500", ""), ""), bank.Options{Account: "Main", Currency: "JPY"})

	if s := found.Statements[0]; err != nil || s.Account.Number != "123456789" || s.Currency != "USD" {
		t.Errorf("%+v %v", s.Statement, err)
	}
}

func TestARateOfOneNamesTheCurrencyOfTheAccount(t *testing.T) {
	content := strings.Replace(document(transaction("1", "<CURRENCY><CURRATE>1.0000<CURSYM>AUD</CURRENCY>"), ""),
		"<CURDEF>USD", "<CURDEF>", 1)

	if line, found := readLine(t, content); found.Statements[0].Currency != "AUD" || line.Original != nil {
		t.Errorf("%+v", found.Statements[0].Statement)
	}
}

func TestAnotherCurrencyNeedsARate(t *testing.T) {
	for _, rate := range []string{"", "<CURRATE>0", "<CURRATE>1e9999999", "<CURRATE>-1"} {
		_, err := read(document(transaction("1", "<CURRENCY>"+rate+"<CURSYM>EUR</CURRENCY>"), ""), bank.Options{})

		var refused *bank.Error
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, "no rate") {
			t.Errorf("%q: %v", rate, err)
		}
	}
}

func TestDebitsWithoutMinusAreNamed(t *testing.T) {
	content := strings.Replace(document(transaction("5", ""), ""), "OTHER", "DEBIT", 1)
	line, found := readLine(t, content)
	if line.Minor != 500 || len(found.Problems) != 1 || !strings.Contains(found.Problems[0], "--sign out-positive") {
		t.Errorf("%d, %q", line.Minor, found.Problems)
	}

	found, err := read(content, bank.Options{Sign: bank.OutPositive})

	if err != nil || found.Statements[0].Lines[0].Minor != -500 || len(found.Problems) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestAWithdrawnTransactionIsNoLine(t *testing.T) {
	found, err := read(document(transaction("5", "<CORRECTFITID>0<CORRECTACTION>DELETE"), ""), bank.Options{})

	if err != nil || len(found.Statements[0].Lines) != 0 || len(found.Problems) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestPendingListsArePending(t *testing.T) {
	content := strings.Replace(document(transaction("5", ""), ""), "</BANKTRANLIST>",
		"</BANKTRANLIST><PENDINGLIST>"+transaction("-7", "")+"</PENDINGLIST>", 1)
	found, err := read(content, bank.Options{})

	if lines := found.Statements[0].Lines; err != nil || len(lines) != 2 || lines[0].Pending || !lines[1].Pending {
		t.Errorf("%+v, %v", lines, err)
	}
}

func TestOtherFormatsAreNotRecognized(t *testing.T) {
	for _, head := range []string{
		"", "Date,Amount\n2026-09-30,5\n", "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso\">", "!Type:Bank\n", "\x00\xff",
	} {
		if ofx.Format().Recognize(bank.NewBudget(t.Context()), []byte(head)) {
			t.Errorf("%q is recognized", head)
		}
	}
}

// stopped is a sink that fails at its first line.
type stopped struct{ bank.Sink }

var errStopped = errors.New("stopped")

func (stopped) Statement(*bank.Statement) error       { return nil }
func (stopped) Line(*bank.Statement, bank.Line) error { return errStopped }

func TestErrorsOfOthersAreReturnedAsTheyAre(t *testing.T) {
	content := document(transaction("1", ""), "")
	err := ofx.Format().Read(bank.NewBudget(t.Context()), strings.NewReader(content), bank.Options{}, stopped{})
	if err != errStopped {
		t.Errorf("of the sink: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	err = ofx.Format().Read(bank.NewBudget(cancelled), strings.NewReader(content), bank.Options{}, stopped{})
	if err != context.Canceled {
		t.Errorf("of the context: %v", err)
	}
	err = ofx.Format().Read(bank.NewBudget(t.Context()), failing{strings.NewReader(content)}, bank.Options{}, stopped{})
	if err != errStopped {
		t.Errorf("of the file: %v", err)
	}
}

// failing is a file that cannot be read to its end.
type failing struct{ *strings.Reader }

func (f failing) Read(p []byte) (int, error) {
	if n, err := f.Reader.Read(p[:min(len(p), 10)]); err != io.EOF {
		return n, err
	}
	return 0, errStopped
}
