package bai2_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"tarmac/service/statements/bai2"
	"tarmac/service/statements/bank"
)

func TestTotalsThatDoNotAgreeAreNamed(t *testing.T) {
	whole := report("")
	for name, test := range map[string]struct{ from, to, problem string }{
		"all agree":           {"", "", ""},
		"account":             {"49,200000,2", "49,200001,2", "line 4: the control total of the account …6789"},
		"records":             {"49,200000,2", "49,200000,3", "line 4: the number of records of the account …6789"},
		"group":               {"98,200000,1", "98,199999,1", "line 5: the control total of the group"},
		"accounts":            {"98,200000,1,", "98,200000,2,", "line 5: the number of parts of the group"},
		"file":                {"99,200000,1,6", "99,200000,1,8", "line 6: the number of records of the file"},
		"unreadable":          {"49,200000,", "49,2x,", "line 4: the control total of the account …6789"},
		"left out":            {"49,200000,2", "49,200000", ""},
		"sums beyond 64 bits": {"015,100000", "015,9223372036854775807", "line 4: the control total of the account …6789"},
	} {
		content := strings.Replace(whole, "015,99500", "015,100000", 1)
		found, err := read(strings.Replace(strings.Replace(content, "99500", "100000", 1), test.from, test.to, 1))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		got := strings.Join(found.Problems, "; ")
		if test.problem == "" && got != "" || !strings.Contains(got, test.problem) {
			t.Errorf("%s: %q, want %q", name, got, test.problem)
		}
	}
}

func TestAccountsOfOneDayAreOneStatement(t *testing.T) {
	account := "03,77,USD,,,,/\n16,475,500,,,,/\n49,500,3/\n"
	start, end := "01,A,B,260930,,1,,,2/\n02,A,B,1,260930,,,2/\n", "98,1000,2,8/\n99,1000,1,10/\n"
	found, err := read(start + account + account + end)
	if err != nil || len(found.Statements) != 1 || len(found.Statements[0].Lines) != 2 || len(found.Problems) != 0 {
		t.Errorf("%+v, %v", found, err)
	}

	other := strings.Replace(account, "77", "78", 1)
	found, err = read(start + account + other + end)
	if err != nil || len(found.Statements) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestADayThatIsNotOverHasNoClosingBalance(t *testing.T) {
	for modifier, known := range map[string]bool{"1": false, "2": true, "3": false, "4": true, "": true} {
		found, err := read(strings.Replace(report(""), "USD,2/", "USD,"+modifier+"/", 1))
		if err != nil {
			t.Fatal(err)
		}

		if s := found.Statements[0]; (s.Closing != nil) != known || s.Last.IsZero() == known || s.Opening == nil {
			t.Errorf("%q: closing %+v, period %v to %v", modifier, s.Closing, s.First, s.Last)
		}
	}
}

func TestTestsAndDeletionsAreNotRead(t *testing.T) {
	for status, lines := range map[string]int{"1": 1, "2": 0, "3": 1, "4": 0} {
		content := report("16,475,500,,,,/\n")
		start, rest, _ := strings.Cut(content, "02,")
		group := rest[:strings.Index(rest, "99,")]
		changed := strings.Replace(group, "099912345,1", "099912345,"+status, 1)
		found, err := read(start + "02," + group + "02," + changed + "99,0,2,1/\n")
		if err != nil {
			t.Fatal(err)
		}

		got := 0
		for _, s := range found.Statements[1:] {
			got += len(s.Lines)
		}
		if got != lines {
			t.Errorf("status %s: %d lines", status, got)
		}
	}
}

func TestTheCurrencyIsThatOfTheAccount(t *testing.T) {
	for account, want := range map[string]string{"CAD": "CAD", "": "USD", "cad": "CAD"} {
		content := strings.Replace(report(""), "03,000445566789,USD", "03,000445566789,"+account, 1)
		if found, err := read(content); err != nil || found.Statements[0].Currency != want {
			t.Errorf("%q: %v", account, err)
		}
	}
	content := strings.ReplaceAll(report(""), "USD", "")
	if found, err := read(content); err != nil || found.Statements[0].Currency != "USD" {
		t.Errorf("without any: %v", err)
	}
	wantRefused(t, strings.Replace(report(""), "789,USD", "789,ABC", 1), 3, `"ABC" is not a currency`)
	wantRefused(t, strings.Replace(report(""), "2400,USD", "2400,ABC", 1), 2, `"ABC" is not a currency`)
}

func TestDamagedFilesAreRefused(t *testing.T) {
	whole := report("16,475,500,,,,TEXT/\n")
	for name, test := range map[string]struct {
		content string
		place   int
		reason  string
	}{
		"cut after a transaction": {whole[:strings.Index(whole, "49,")], 4, "without a record 49"},
		"cut after an account":    {whole[:strings.Index(whole, "98,")], 5, "without a record 98"},
		"cut before the end":      {whole[:strings.Index(whole, "99,2")], 6, "without a record 99"},
		"no header":               {whole[strings.Index(whole, "02,"):], 1, "a record 02 stands where none may be"},
		"no account":              {strings.Replace(whole, "03,", "88,", 1), 4, "a record 16 stands where none may be"},
		"a second account":        {strings.Replace(whole, "49,", "03,1,,,,,/\n49,", 1), 5, "a record 03 stands"},
		"empty":                   {"", 0, "contains no account"},
		"a continuation first":    {"88,\n" + whole, 1, "is not a record"},
		"version 1":               {strings.Replace(whole, ",,2/", ",,1/", 1), 1, "version \"1\" of BAI is not read"},
		"an endless record": {whole + strings.Repeat("88,"+strings.Repeat("x", 500_000)+"\n", 4), 10,
			"longer than 1 MB"},
		"an endless line":       {whole + strings.Repeat("x", 2<<20), 8, "longer than 1 MB"},
		"cut summaries":         {strings.Replace(whole, "015,99500,,/", "015/", 1), 3, "is not the start of an account"},
		"no account's number":   {strings.Replace(whole, "000445566789", "", 1), 3, "is not the start of an account"},
		"no amount":             {report("16,475/\n"), 4, "is not a transaction"},
		"no fields":             {report("16,/\n"), 4, "is not a transaction"},
		"a wrong type":          {report("16,x,500,,,,/\n"), 4, "is not a transaction"},
		"a wrong kind of funds": {report("16,475,500,Q,,,/\n"), 4, "is not a transaction"},
	} {
		t.Run(name, func(t *testing.T) { wantRefused(t, test.content, test.place, test.reason) })
	}
}

func TestFilesAreReadAsBanksWriteThem(t *testing.T) {
	whole := report("16,475,500,,,,TEXT/\n")
	for name, content := range map[string]string{
		"CRLF":                   strings.ReplaceAll(whole, "\n", "\r\n"),
		"CR":                     strings.ReplaceAll(whole, "\n", "\r"),
		"padded":                 strings.ReplaceAll(whole, "\n", "      \n"),
		"blank lines":            strings.ReplaceAll(whole, "\n", "\n\n"),
		"a byte order mark":      "\ufeff" + whole,
		"an end of file sign":    whole + "\x1a",
		"records on one line":    strings.ReplaceAll(strings.ReplaceAll(whole, "/\n", "/"), "TEXT/", "TEXT/\n"),
		"a header in two":        strings.Replace(whole, "0400,1,,,2/", "0400,\n88,1,,,2/", 1),
		"a group in two":         strings.Replace(whole, "2400,USD", "2400/\n88,USD", 1),
		"an account in two":      strings.Replace(whole, ",015,", "/\n88,015,", 1),
		"no slash at the end":    strings.Replace(whole, "TEXT/", "TEXT", 1),
		"no end of the last one": strings.TrimSuffix(whole, "/\n"),
	} {
		found, err := read(content)

		if err != nil || len(found.Statements) != 1 || len(found.Statements[0].Lines) != 1 ||
			found.Statements[0].Closing == nil || found.Statements[0].Lines[0].Description != "TEXT" {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
		if !bai2.Format().Recognize(bank.NewBudget(t.Context()), []byte(content)) {
			t.Errorf("%s is not recognized", name)
		}
	}
	found, err := read(whole + whole)
	if err != nil || len(found.Statements) != 2 {
		t.Errorf("two files in one: %+v, %v", found, err)
	}
}

func TestFieldsTooManyAndTooFewAreRead(t *testing.T) {
	file := func(account, transaction string) string {
		return "01,A,B,261001,0400,1,,,2/\n02,B,A,1,260930,2400,USD,2/\n" + account + "\n" + transaction +
			"\n49,199999,3/\n98,199999,1,5/\n99,199999,1,7/\n"
	}
	const account, transaction = "03,0012,USD,010,100000,,,015,99500,,/", "16,475,499,,0001,0002,CHECK/"
	for name, content := range map[string]string{
		"as the standard has it":           file(account, transaction),
		"an empty field after the account": file("03,0012,USD,010,100000,,,015,99500,,,/", transaction),
		"an empty field between balances":  file("03,0012,USD,010,100000,,,,015,99500,1,,/", transaction),
		"funds of several days": file("03,0012,USD,010,100000,,S,1,2,3,015,99500,,D,1,0,99500,/",
			transaction),
		"a balance over two records": strings.Replace(file("03,0012,USD,010,100000,,,015/\n88,99500,,/", transaction),
			"49,199999,3/\n98,199999,1,5/\n99,199999,1,7/", "49,199999,4/\n98,199999,1,6/\n99,199999,1,8/", 1),
		"no text":                     file(account, "16,475,499,,0001,0002/"),
		"all records on one line":     strings.ReplaceAll(file(account, transaction), "\n", ""),
		"a slash in a text, one line": strings.ReplaceAll(file(account, "16,475,499,,0001,0002,CHECK 1/2 /x/"), "\n", ""),
	} {
		found, err := read(content)

		if err != nil || len(found.Problems) > 0 || len(found.Statements) != 1 {
			t.Errorf("%s: %+v, %v", name, found, err)
			continue
		}
		s := found.Statements[0]
		if s.Opening.Minor != 100000 || s.Closing.Minor != 99500 || len(s.Lines) != 1 || s.Lines[0].Minor != -499 ||
			s.Lines[0].ID != "0001" {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestOtherFilesAreNotRecognized(t *testing.T) {
	for _, content := range []string{
		"", "01,02,03\n02,03,04\n", "00,0004,1,060321,0829,001,80,1,2/", "01,A,B,260930,,1,,,2/\n03,1/", "\x00\xff", "<OFX>",
	} {
		if bai2.Format().Recognize(bank.NewBudget(t.Context()), []byte(content)) {
			t.Errorf("%q is recognized", content)
		}
	}
}

func TestUTF16IsRead(t *testing.T) {
	var content bytes.Buffer
	for _, r := range "\ufeff" + report("16,475,500,,,,TEXT/\n") {
		content.Write([]byte{byte(r), byte(r >> 8)})
	}

	found, err := read(content.String())

	if err != nil || len(found.Statements[0].Lines) != 1 ||
		!bai2.Format().Recognize(bank.NewBudget(t.Context()), content.Bytes()) {
		t.Errorf("%+v, %v", found, err)
	}
}

// stopped is a sink that fails at its first line.
type stopped struct{ bank.Sink }

var errStopped = errors.New("stopped")

func (stopped) Statement(*bank.Statement) error       { return nil }
func (stopped) Line(*bank.Statement, bank.Line) error { return errStopped }

func TestErrorsOfOthersAreReturnedAsTheyAre(t *testing.T) {
	content := strings.NewReader(report("16,475,500,,,,TEXT/\n"))
	if err := bai2.Format().Read(bank.NewBudget(t.Context()), content, bank.Options{}, stopped{}); err != errStopped {
		t.Errorf("of the sink: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := bai2.Format().Read(bank.NewBudget(cancelled), content, bank.Options{}, stopped{}); err != context.Canceled {
		t.Errorf("of the context: %v", err)
	}
	if err := bai2.Format().Read(bank.NewBudget(t.Context()), failing{}, bank.Options{}, stopped{}); err != errStopped {
		t.Errorf("of the file: %v", err)
	}
}

// failing is a file that cannot be read.
type failing struct{ io.Seeker }

func (failing) Read([]byte) (int, error) { return 0, errStopped }
