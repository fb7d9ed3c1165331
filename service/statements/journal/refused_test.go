package journal_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/journal"
)

const (
	simple = "2026-01-01 x\n  assets:a  1 USD\n  income\n"
	simply = "2026-01-01 open Assets:A\n2026-01-01 open Income:B\n2026-01-02 * \"x\"\n  Assets:A  1 USD\n  Income:B\n"
)

func TestWhatAJournalMayNotDoIsRefusedWithItsLine(t *testing.T) {
	hledger := journal.Hledger(civil.Date{})
	for _, test := range []struct {
		format        bank.Format
		content, want string
	}{
		{hledger, simple + "\ninclude /dev/zero\n", `line 5: "include" takes in other files`},
		{hledger, simple + "\n!include a.journal\n", `line 5: "include" takes in other files`},
		{hledger, simple + "\n@include a.journal\n", `line 5: "include" takes in other files`},
		{hledger, simple + "\npython\n  import os\n", `line 5: "python" runs a program`},
		{hledger, simple + "\nimport os\n", `line 5: "import" runs a program`},
		{hledger, simple + "\neval system(1)\n", `line 5: "eval" computes`},
		{hledger, simple + "\ndefine f(x) = x\n", `line 5: "define" computes`},
		{hledger, simple + "\nassert 1\n", `line 5: "assert" computes`},
		{hledger, simple + "\nalias a=b\n", `line 5: "alias" renames accounts`},
		{hledger, simple + "\naccount a\n  alias b\n", `line 6: "alias" renames accounts`},
		{hledger, simple + "\naccount a\n  eval 1\n", `line 6: "eval" computes`},
		{hledger, simple + "\naccount a\n  default\n", `line 6: "default" is a part of a directive`},
		{hledger, simple + "\napply account x\n", `line 5: "apply" changes what follows it`},
		{hledger, simple + "\nend apply account\n", `line 5: "end" ends what`},
		{hledger, simple + "\nbucket assets:a\n", `line 5: "bucket" completes transactions`},
		{hledger, simple + "\nC 1 Kb = 1024 b\n", `line 5: "C" converts amounts`},
		{hledger, simple + "\ni 2026/01/01 10:00 a\n", `line 5: "i" is a time log`},
		{hledger, simple + "\n--input-date-format %d\n", `line 5: "--input-date-format %d" is neither`},
		{hledger, simple + "\n= expenses\n  assets:b  *1\n", `line 6: automated transactions`},
		{hledger, "2026-01-01 x\n  assets:a  (1 USD + 2 USD)\n  b\n", `line 2: "(1 USD + 2 USD)" is an expression`},
		{hledger, "2026-01-01 x\n  assets:a  10 USD {3 EUR} @ 4 EUR\n  b\n", "line 3: the lots of this transaction"},
		{hledger, "2026-01-01 x\n  <assets:a>  1\n  b\n", `line 2: "<assets:a>" is a deferred posting`},
		{hledger, "1/2 x\n  assets:a  1\n  b\n", `line 1: the date "1/2" has no year`},
		{hledger, "2026-02-30 x\n  assets:a  1\n  b\n", `line 1: the date "2026-02-30" is not possible`},
		{hledger, "2026-01-01 x\n  assets:a  1 USD\n  b  1 USD\n", "line 1: a transaction does not balance: 2 USD"},
		{hledger, "2026-01-01 x\n  assets:a\n  b\n", "line 3: a transaction has two postings without an amount"},
		{hledger, "2026-01-01 x\n  assets:a  1 USD = 2 USD\n  b\n",
			`line 2: the balance of "assets:a" on 2026-01-01 is 1 USD, and the journal says 2 USD`},
		{hledger, "2026-01-01 x\n  assets:a  1 USD\n  b\n\n2026-01-02 x\n  assets:a  1 EUR == 1 EUR\n  b\n",
			`line 6: "assets:a" has other commodities than "EUR"`},
		{hledger, "2026-01-01 x\n  assets:a  1.2.3,4,5\n  b\n", "line 2: the amount"},
		{hledger, "2026-01-01 x\n  assets:a  1e9999999\n  b\n", `line 2: "9999999" cannot be read`},
		{hledger, "  assets:a  1\n" + simple, "line 1: a posting without a transaction"},
		{hledger, "2026-01-01 x\n  " + strings.Repeat("a:", 40) + "a  1\n  b\n", "line 2: the account"},
		{journal.Beancount(), "plugin \"os\"\n" + simply, `line 1: "plugin" runs a program`},
		{journal.Beancount(), simply + "include \"/dev/zero\"\n", `line 6: "include" takes in other files`},
		{journal.Beancount(), "option \"insert_pythonpath\" \"TRUE\"\n" + simply,
			`line 1: "option \"insert_pythonpath\"" changes how`},
		{journal.Beancount(), "option \"plugin\" \"x\"\n" + simply, `line 1: "option \"plugin\"" changes how`},
		{journal.Beancount(), simply + "2026-01-02 * \"x\"\n  Assets:A  1 / 3 USD\n  Income:B\n",
			`line 7: "1 / 3 USD" is an expr`},
		{journal.Beancount(), simply + "2026-01-02 * \"x\"\n  Assets:A  (1) USD\n  Income:B\n",
			`line 7: "(1) USD" is an expr`},
		{journal.Beancount(), simply + "2026-01-03 balance Assets:A  2.00 USD\n", "line 6: the balance of"},
		{journal.Beancount(), simply + "2026-01-02 * \"x\"\n  Assets:C  1 USD\n  Income:B\n",
			`line 7: the account "Assets:C" is not open`},
		{journal.Beancount(), simply + "2026-01-03 close Assets:A\n2026-01-04 * \"x\"\n  Assets:A  1 USD\n  Income:B\n",
			`line 8: the account "Assets:A" is closed`},
		{journal.Beancount(), simply + "2026-01-02 * \"x\"\n  Income:B  60 USD\n  Income:B  -2 X {}\n  Assets:A\n",
			"line 9: the missing amount follows from the lots"},
		{journal.Beancount(), simply + "2026-01-02 * \"x\"\n  Assets:A  1.0061 USD\n  Income:B  -1.00 USD\n",
			"line 6: a transaction does not balance: 0.0061 USD"},
		{journal.Beancount(), simply + "2026-01-02 * \"x\n", "line 6: a text without a closing quote"},
		{journal.Beancount(), simply + "text\n", `line 6: "text" is no directive`},
	} {
		_, err := read(t, test.format, test.content, bank.Options{})

		if refused, ok := err.(*bank.Error); !ok || !strings.HasPrefix(refused.Error(), test.want) {
			t.Errorf("%q:\n%v, want\n%s", test.content, err, test.want)
		}
	}
}

func TestRefusedDirectivesSayWhatToDo(t *testing.T) {
	_, hledger := read(t, journal.Hledger(civil.Date{}), simple+"include a\n", bank.Options{})
	_, beancount := read(t, journal.Beancount(), simply+"include \"a\"\n", bank.Options{})

	for want, err := range map[string]error{"hledger print": hledger, "ledger print": hledger, "bean-query": beancount} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

func TestANumberThatProgramsReadInTwoWaysIsAsked(t *testing.T) {
	for _, test := range []struct{ before, number, asked, point, comma string }{
		{"", "1,234", "line 2", "123400", "123"},
		{"", "-12,345", "line 2", "-1234500", "-1234"},
		{"  assets:b  0,50 USD\n", "1.234", "line 3", "123", "123400"},
	} {
		content := "2026-01-01 x\n" + test.before + "  assets:a  " + test.number + " USD\n  income\n"

		_, err := read(t, journal.Hledger(civil.Date{}), content, bank.Options{})

		var question *bank.Question
		if !errors.As(err, &question) || question.Flag != "--decimal" || !strings.HasPrefix(err.Error(), test.asked) {
			t.Errorf("%q: %v", content, err)
		}
		for mark, want := range map[byte]string{'.': test.point, ',': test.comma} {
			found, err := read(t, journal.Hledger(civil.Date{}), content, bank.Options{Decimal: mark})
			if err != nil || !strings.Contains(fmt.Sprint(lines(found)), "assets:a USD 2026-01-01 "+want+" ") {
				t.Errorf("%q with %c: %v, %v, want %s", content, mark, lines(found), err, want)
			}
		}
	}
}

func TestANumberWithOneMeaningIsNotAsked(t *testing.T) {
	for number, want := range map[string]string{
		"1.234": "123", "0,500": "50", "0.125": "13", "1234,567": "123457", "1,234,567": "123456700", "1,234.50": "123450",
		"1.234,50": "123450", "1 234": "123400", "1'234.50": "123450", "12,34,567.00": "123456700", ",5": "50",
	} {
		found, err := read(t, journal.Hledger(civil.Date{}), "2026-01-01 x\n  assets:a  "+number+" USD\n  income\n",
			bank.Options{})

		if err != nil || !strings.HasPrefix(lines(found)[0], "assets:a USD 2026-01-01 "+want+" ") {
			t.Errorf("%s: %v, %v, want %s", number, lines(found), err, want)
		}
	}
}

func TestDatesWithoutAYearAreInThatOfTodayAndSaidSo(t *testing.T) {
	content := "1/2 x\n  assets:a  1 USD\n  income\n\nY2024\n1/3 x\n  assets:a  1 USD\n  income\n"
	for _, options := range []bank.Options{{}, {AsOf: civil.MustParse("2025-12-31")}} {
		want := 2026
		if !options.AsOf.IsZero() {
			want = 2025
		}

		found, err := read(t, journal.Hledger(civil.MustParse("2026-07-01")), content, options)

		if err != nil || lines(found)[0] != fmt.Sprintf("assets:a USD %d-01-02 100 2024-01-03 100 = 200", want) ||
			len(found.Problems) != 1 ||
			found.Problems[0] != fmt.Sprintf("line 1: 1 transaction without a year taken for %d", want) {
			t.Errorf("%v, %q, %v", lines(found), found.Problems, err)
		}
	}
}

func TestAssertionsAreNoTransactions(t *testing.T) {
	found, err := read(t, journal.Hledger(civil.Date{}),
		simple+"\n2026-01-31 * Balance\n  assets:a  0.00 USD = 1.00 USD\n", bank.Options{})

	if err != nil || fmt.Sprint(lines(found)) != "[assets:a USD 2026-01-01 100 = 100]" {
		t.Errorf("%v, %v", lines(found), err)
	}
}

func TestWhatChangesNothingIsLeftOutAndSaid(t *testing.T) {
	found, err := read(t, journal.Hledger(civil.Date{}),
		"~ monthly\n  assets:a  1 USD\n  b\n\n= expenses\n  (budget)  *-1\n\n"+simple, bank.Options{})

	if err != nil || len(lines(found)) != 1 || len(found.Problems) != 2 {
		t.Errorf("%v, %q, %v", lines(found), found.Problems, err)
	}
}

type fullSink struct{ banks.Counter }

var errFull = errors.New("full")

func (fullSink) Line(*bank.Statement, bank.Line) error { return errFull }

func TestTheErrorOfASinkIsReturned(t *testing.T) {
	budget := bank.NewBudget(t.Context())
	err := journal.Hledger(civil.Date{}).Read(budget, strings.NewReader(simple), bank.Options{}, &fullSink{})

	if !errors.Is(err, errFull) {
		t.Errorf("error is %v", err)
	}
}
