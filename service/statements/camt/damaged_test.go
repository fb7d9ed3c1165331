package camt_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/camt"
)

func TestDamagedFilesAreRefused(t *testing.T) {
	whole := head + account + entry("1", "CRDT", "") + tail
	for name, test := range map[string]struct {
		content string
		place   int
		reason  string
	}{
		"cut in a tag":    {whole[:strings.Index(whole, "CdtDbtInd")+3], 3, "ends within a tag"},
		"cut in a value":  {whole[:strings.Index(whole, "CRDT")+2], 3, "ends within <CdtDbtInd>"},
		"cut at an entry": {whole[:strings.Index(whole, "</Stmt>")], 4, "ends within <Stmt>"},
		"cut at the end":  {strings.TrimSuffix(whole, "</Document>"), 4, "ends within <Document>"},
		"empty":           {"", 0, "no CAMT message"},
		"no statement":    {"<Document><BkToCstmrStmt></BkToCstmrStmt></Document>", 0, "no statement"},
		"another message": {"<Document><CstmrCdtTrfInitn><Stmt/></CstmrCdtTrfInitn></Document>", 0, "no CAMT message"},
		"a document type": {`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>` + whole, 1, "a document type or entity"},
		"a declaration":   {head + `<!ENTITY x SYSTEM "file:///etc/passwd">` + tail, 2, "a document type or entity"},
		"wrong nesting":   {strings.Replace(whole, "</CdtDbtInd>", "</Amt>", 1), 3, "</Amt> ends <CdtDbtInd>"},
		"an end too many": {whole + "</Document>", 4, "</Document> ends what was not begun"},
		"no tag":          {strings.Replace(whole, "<CdtDbtInd>", "<1>", 1), 3, "is not a tag"},
		"endless depth":   {head + strings.Repeat("<A>", 100), 2, "deeper than 64"},
		"endless value":   {head + account + "<Id>" + strings.Repeat("x", 2<<20), 3, "longer than 1 MB"},
		"endless comment": {head + "<!--" + strings.Repeat("x>", 2<<20), 2, "longer than 1 MB"},
		"endless tag":     {head + "<A " + strings.Repeat("x", 2<<20), 2, "a tag is longer"},
		"endless quote":   {head + `<A x="` + strings.Repeat(">", 2<<20), 2, "a tag is longer"},
		"an open comment": {head + "<!-- x", 2, "ends within a comment"},
		"terminal colors": {head + "</\x1b[31m>" + tail, 2, `"\x1b[31m" is not a tag`},
	} {
		t.Run(name, func(t *testing.T) { wantRefused(t, test.content, test.place, test.reason) })
	}
}

func TestXMLIsReadAsItMayBeWritten(t *testing.T) {
	whole := head + account + entry("5", "CRDT", details("<RmtInf><Ustrd>A</Ustrd></RmtInf>")) + tail
	for name, test := range map[string]struct{ content, want string }{
		"prefixes": {strings.NewReplacer("</", "</c:", "<?", "<?", "<", "<c:").Replace(
			strings.TrimPrefix(whole, `<?xml version="1.0" encoding="UTF-8"?>`)), "A"},
		"attributes":           {strings.Replace(whole, `<Amt Ccy="EUR">`, `<Amt  x='>' `+"\n"+`Ccy = 'EUR' >`, 1), "A"},
		"entities":             {strings.Replace(whole, "A<", "A &amp; B &#x3C;C&#62;<", 1), "A & B <C>"},
		"unknown entities":     {strings.Replace(whole, "A<", "&file;<", 1), "&file;"},
		"CDATA":                {strings.Replace(whole, "A<", "<![CDATA[A<b>&amp;]]> C<", 1), "A<b>&amp; C"},
		"comments":             {strings.Replace(whole, "A<", "A<!-- <x> --> B<", 1), "A B"},
		"several lines":        {strings.Replace(whole, "A<", "A\r\n   B<", 1), "A    B"},
		"empty elements":       {strings.Replace(whole, "<RmtInf>", "<Refs/><RmtInf><Ustrd/>", 1), "A"},
		"terminal sequences":   {strings.Replace(whole, "A<", "a\x1b[31mb\u202ec<", 1), "abc"},
		"NUL bytes at the end": {whole + strings.Repeat("\x00", 100), "A"},
		"a byte order mark":    {"\ufeff" + whole, "A"},
		"latin 9": {strings.NewReplacer("UTF-8", "iso-8859-15", "A<", "Z\xfcrich \xa4<").Replace(whole),
			"Zürich €"},
		"wrongly declared": {strings.Replace(whole, "A<", "Z\xfcrich<", 1), "Zürich"},
		"two documents":    {whole + "\n" + `<?xml version="1.0"?>` + "<Document></Document>", "A"},
	} {
		found, err := read(test.content)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		if line := found.Statements[0].Lines[0]; line.Description != test.want || line.Minor != 500 {
			t.Errorf("%s: %q, want %q", name, line.Description, test.want)
		}
	}
}

func TestUTF16IsRead(t *testing.T) {
	var content bytes.Buffer
	for _, r := range "\ufeff" + head + account + entry("5", "CRDT", "") + tail {
		content.Write([]byte{byte(r), byte(r >> 8)})
	}

	found, err := read(content.String())

	if err != nil || len(found.Statements[0].Lines) != 1 ||
		!camt.Format().Recognize(bank.NewBudget(t.Context()), content.Bytes()) {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestRawIsTheEntryInTheFile(t *testing.T) {
	text := strings.TrimSpace(entry("5", "CRDT", "\n  <AddtlNtryInf>A &amp; B\x00</AddtlNtryInf>"))
	if line := readLine(t, text); line.Raw != strings.ReplaceAll(text, "\x00", "") {
		t.Errorf("%q", line.Raw)
	}

	line := readLine(t, entry("5", "CRDT", details("<RmtInf><Ustrd>"+strings.Repeat("é", 100_000)+"</Ustrd></RmtInf>")))
	if len(line.Raw) < bank.MaxRaw-1 || len(line.Raw) > bank.MaxRaw {
		t.Errorf("%d bytes are kept", len(line.Raw))
	}
}

func TestOtherFilesAreNotRecognized(t *testing.T) {
	for _, content := range []string{
		"", "<OFX><STMTRS>", "<Document><CstmrCdtTrfInitn>", "<Document xmlns='camt.055'><CstmrPmtCxlReq>", "\x00\xff",
		"Stmt", "<html>BkToCstmrStmt",
	} {
		if camt.Format().Recognize(bank.NewBudget(t.Context()), []byte(content)) {
			t.Errorf("%q is recognized", content)
		}
	}
}

// stopped is a sink that fails at its first line.
type stopped struct{ bank.Sink }

var errStopped = errors.New("stopped")

func (stopped) Statement(*bank.Statement) error       { return nil }
func (stopped) Line(*bank.Statement, bank.Line) error { return errStopped }

func TestErrorsOfOthersAreReturnedAsTheyAre(t *testing.T) {
	content := strings.NewReader(head + account + entry("5", "CRDT", "") + tail)
	if err := camt.Format().Read(bank.NewBudget(t.Context()), content, bank.Options{}, stopped{}); err != errStopped {
		t.Errorf("of the sink: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := camt.Format().Read(bank.NewBudget(cancelled), content, bank.Options{}, stopped{}); err != context.Canceled {
		t.Errorf("of the context: %v", err)
	}
	if err := camt.Format().Read(bank.NewBudget(t.Context()), failing{}, bank.Options{}, stopped{}); err != errStopped {
		t.Errorf("of the file: %v", err)
	}
}

// failing is a file that cannot be read.
type failing struct{ io.Seeker }

func (failing) Read([]byte) (int, error) { return 0, errStopped }
