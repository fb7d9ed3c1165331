package mt940_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/mt940"
)

func TestAccounts(t *testing.T) {
	for text, want := range map[string]bank.Account{
		"DE02120300000000202051":    {Number: "DE02120300000000202051"},
		"12030000/0000202051":       {Bank: "12030000", Number: "0000202051"},
		"DABADKKK/1111-11-11111":    {Bank: "DABADKKK", Number: "1111-11-11111"},
		"UBRTHUHB/12345/EUR":        {Bank: "UBRTHUHB", Number: "12345"},
		"NL91ABNA0417164300EUR":     {Number: "NL91ABNA0417164300"},
		"1291.99.348EUR":            {Number: "1291.99.348"},
		"NL91ABNA0417164300 EUR":    {Number: "NL91ABNA0417164300"},
		"0417164300/EUR":            {Number: "0417164300"},
		"PL12109010140000USD":       {Number: "PL12109010140000USD"}, // not the account's currency
		"ACCOUNT":                   {Number: "ACCOUNT"},
		"":                          {},
		"\x1b[31m12030000/12345EUR": {Bank: "12030000", Number: "12345"},
	} {
		found, err := read(strings.Replace(head+tail, "12030000/0000202051", text, 1))

		if err != nil || found.Statements[0].Account != want {
			t.Errorf("%q is %+v, %v", text, found.Statements, err)
		}
	}
}

func TestTheCurrencyIsThatOfTheBalances(t *testing.T) {
	for name, test := range map[string]struct{ content, want string }{
		"opening":       {strings.Replace(head+tail, "260930EUR", "260930", 1), "EUR"},
		"closing":       {":20:1\n:25:1\n:62F:C260930SEK1,\n", "SEK"},
		"floor limit":   {":20:1\n:25:1\n:34F:PLN0\n" + line("C5,"), "PLN"},
		"account":       {":20:1\n:25:1/NOK\n" + line("C5,"), ""},
		"glued account": {":20:1\n:25:123NOK\n" + line("C5,"), "NOK"},
	} {
		found, err := read(test.content)

		if err != nil || found.Statements[0].Currency != test.want {
			t.Errorf("%s: %+v, %v", name, found.Statements, err)
		}
	}
	wantRefused(t, strings.Replace(head+tail, "260930EUR", "260930SEK", 1), 5,
		"a balance is in SEK, and its account in EUR")
	wantRefused(t, strings.Replace(head+tail, "EUR", "ABC", 1), 4, `"ABC" is not a currency`)
}

func TestWhatTheFileDoesNotSayComesFromOptions(t *testing.T) {
	found, err := readWith(":20:1\n:25:\n"+line("C5,"), bank.Options{Account: "Main", Currency: "JPY"})

	if s := found.Statements[0]; err != nil || s.Account.Number != "Main" || s.Currency != "JPY" || s.Lines[0].Minor != 5 {
		t.Errorf("%+v, %v", s.Statement, err)
	}
}

func TestBalancesEncloseThePeriod(t *testing.T) {
	for name, test := range map[string]struct{ opening, lines, closing, want string }{
		"the day before":    {"260831", line("C5,"), "260930", "2026-08-31 2026-09-01 2026-09-30"},
		"one day":           {"260930", line("C5,"), "260930", "2026-09-29 2026-09-30 2026-09-30"},
		"one day, no lines": {"260930", "", "260930", "2026-09-29 2026-09-30 2026-09-30"},
		"its first day":     {"260930", line("C5,"), "261001", "2026-09-29 2026-09-30 2026-10-01"},
		"a later line":      {"260831", line("C5,"), "260929", "2026-08-31  "},
		"30 February":       {"260230", line("C5,"), "260930", "2026-02-28 2026-03-01 2026-09-30"},
	} {
		found, err := read(":20:1\n:25:1\n:60F:C" + test.opening + "EUR1,\n" + test.lines +
			":62F:D" + test.closing + "EUR2,50\n")
		if err != nil {
			t.Fatal(err)
		}

		s := found.Statements[0]
		if got := s.Opening.Date.String() + " " + s.First.String() + " " + s.Last.String(); got != test.want ||
			s.Opening.Minor != 100 || s.Closing.Minor != -250 {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestPagesAreOneStatement(t *testing.T) {
	first := strings.NewReplacer("62F", "62M", "995,00", "1005,").Replace(head + line("C5,") + tail)
	second := strings.NewReplacer("60F", "60M", "1000,00", "1005,00").Replace(head + line("C5,") + tail)
	found, err := read(first + second)

	if s := found.Statements[0]; err != nil || len(found.Statements) != 1 || len(s.Lines) != 2 ||
		s.Opening.Minor != 100000 || s.Closing.Minor != 99500 || s.Last.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestPagesThatDoNotFitAreTwoStatements(t *testing.T) {
	first := strings.Replace(head+tail, "62F", "62M", 1)
	for name, second := range map[string]string{
		"another balance": strings.Replace(head+tail, "60F", "60M", 1),
		"another account": strings.NewReplacer("60F", "60M", "1000,00", "995,00", "202051", "202052").Replace(head + tail),
		"a new statement": strings.Replace(head+tail, "1000,00", "995,00", 1),
	} {
		found, err := read(first + second)

		if err != nil || len(found.Statements) != 2 {
			t.Errorf("%s: %+v, %v", name, found.Statements, err)
		}
	}
}

func TestSeveralMessagesAreSeveralStatements(t *testing.T) {
	whole := head + line("C5,") + tail
	for name, content := range map[string]string{
		"with dashes":          whole + whole,
		"without":              strings.ReplaceAll(whole+whole, "-\r\n", "\r\n"),
		"in blocks":            "{1:F01X}{2:O940}{4:\r\n" + whole + "-}{5:}{1:F01X}{2:O940}{4:" + whole + "-}",
		"with headers":         "ABNANL2A\n940\nABNANL2A\n" + whole + "ABNANL2A\n940\nABNANL2A\n" + whole,
		"with control signs":   "\x01\r\n" + whole + "\x03\x01" + whole + "\x03",
		"LF":                   strings.ReplaceAll(whole+whole, "\r", ""),
		"CR":                   strings.ReplaceAll(whole+whole, "\n", ""),
		"one reference only":   whole + strings.TrimPrefix(whole, ":20:STARTUMS\r\n"),
		"one account only":     whole + whole[strings.Index(whole, ":60F"):],
		"a text before":        "This is an example\r\n- - - -\r\n" + whole + whole,
		"blank lines between":  strings.ReplaceAll(whole+whole, "\r\n", "\r\n\r\n"),
		"no line end at last":  strings.TrimSuffix(whole+whole, "\r\n-\r\n"),
		"a byte order mark":    "\ufeff" + whole + whole,
		"a statement of texts": whole + ":20:EMPTY\r\n:25:99\r\n" + whole,
	} {
		found, err := read(content)

		if err != nil || len(found.Statements) != 2 || len(found.Problems) != 0 ||
			len(found.Statements[0].Lines) != 1 || len(found.Statements[1].Lines) != 1 ||
			found.Statements[1].Account.Number != "0000202051" || found.Statements[1].Closing == nil {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
		if !mt940.Format().Recognize(bank.NewBudget(t.Context()), []byte(content)) {
			t.Errorf("%s is not recognized", name)
		}
	}
}

func TestTheBanksTotalsAreCompared(t *testing.T) {
	for text, problems := range map[string]int{
		":90C:1EUR5,00\r\n:90D:0EUR0,\r\n": 0, ":90C:2EUR5,00\r\n": 1, ":90C:1EUR5,01\r\n": 1, ":90D:1EUR5,00\r\n": 1,
		":90C:x\r\n": 0,
	} {
		found, err := read(":20:1\n:25:1\n:34F:EUR0,\n" + line("C5,") + text)

		if err != nil || len(found.Problems) != problems {
			t.Errorf("%q: %q, %v", text, found.Problems, err)
		}
	}
}

func TestAMissingClosingBalanceIsNamed(t *testing.T) {
	found, err := read(head + line("C5,"))

	if s := found.Statements[0]; err != nil || len(s.Lines) != 1 || s.Closing != nil || len(found.Problems) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		place   int
		reason  string
	}{
		"cut in a line":          {head + ":61:2609300930C5,5", 5, "cut short"},
		"cut in a date":          {head + ":61:26093", 5, "is not a line"},
		"cut in a balance":       {head + line("C5,") + ":62F:C2609", 6, "is not a balance"},
		"nothing":                {":20:1\n:25:123\n", 0, "contains no balance"},
		"empty":                  {"", 0, "contains no balance"},
		"two opening balances":   {head + head[strings.Index(head, ":60F"):], 5, "two opening balances"},
		"two accounts":           {head + line("C5,") + ":25:99\r\n" + tail, 6, "names another account"},
		"an endless line":        {head + ":86:" + strings.Repeat("x", 2<<20), 5, "longer than 1 MB"},
		"control in a line":      {head + ":61:\x1b[31m\n" + tail, 5, "is not a line"},
		"a balance without date": {head + ":62F:CEUR5,\n", 5, "is not a balance"},
		"31 February":            {head + ":62F:C260231EUR5,\n", 5, "does not exist"},
	} {
		t.Run(name, func(t *testing.T) { wantRefused(t, test.content, test.place, test.reason) })
	}
}

func TestOtherFilesAreNotRecognized(t *testing.T) {
	for _, content := range []string{
		"", ":20:", ":25:", "see:20:15 or :25:16\n", "Date,Amount\n2026-09-30,5\n", "\x00\xff", "<OFX>", ":20:REF\nprose\n",
	} {
		if mt940.Format().Recognize(bank.NewBudget(t.Context()), []byte(content)) {
			t.Errorf("%q is recognized", content)
		}
	}
}

func TestUTF16IsRead(t *testing.T) {
	var content bytes.Buffer
	for _, r := range "\ufeff" + head + line("C5,") + tail {
		content.Write([]byte{byte(r), byte(r >> 8)})
	}

	found, err := read(content.String())

	if err != nil || len(found.Statements[0].Lines) != 1 ||
		!mt940.Format().Recognize(bank.NewBudget(t.Context()), content.Bytes()) {
		t.Errorf("%+v, %v", found, err)
	}
}

// stopped is a sink that fails at its first line.
type stopped struct{ bank.Sink }

var errStopped = errors.New("stopped")

func (stopped) Statement(*bank.Statement) error       { return nil }
func (stopped) Line(*bank.Statement, bank.Line) error { return errStopped }

func TestErrorsOfOthersAreReturnedAsTheyAre(t *testing.T) {
	content := strings.NewReader(head + line("C5,") + tail)
	if err := mt940.Format().Read(bank.NewBudget(t.Context()), content, bank.Options{}, stopped{}); err != errStopped {
		t.Errorf("of the sink: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := mt940.Format().Read(bank.NewBudget(cancelled), content, bank.Options{}, stopped{}); err != context.Canceled {
		t.Errorf("of the context: %v", err)
	}
	if err := mt940.Format().Read(bank.NewBudget(t.Context()), failing{}, bank.Options{}, stopped{}); err != errStopped {
		t.Errorf("of the file: %v", err)
	}
}

// failing is a file that cannot be read.
type failing struct{ io.Seeker }

func (failing) Read([]byte) (int, error) { return 0, errStopped }
