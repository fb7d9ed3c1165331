package journal_test

import (
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/journal"
)

func TestJournalsAreToldFromEachOther(t *testing.T) {
	for head, want := range map[string]string{
		"2026-01-01 x\n  a  1\n  b\n":                                      "hledger",
		"; comment\n\n2026/1/1 * (7) x\n\ta:b\t$1\n\tc\n":                  "hledger",
		"1/2 x\n    a:b  $1\n":                                             "hledger",
		"\xef\xbb\xbf2026-01-01 x\r\n  a  1\r\n  b\r\n":                    "hledger",
		"include 2026/*.journal\n":                                         "hledger",
		"account assets:a\ncommodity 1.00 USD\ninclude a.j\n":              "hledger",
		"2026-01-01 * \"quoted\" and more\n  a  1\n\n2026-01-02 y\n  a  1": "hledger",
		"comment\nany text\nend comment\n2026-01-01 x\n  a  1\n":           "hledger",
		"2026-01-01 open Assets:A USD\n":                                   "beancount",
		"option \"title\" \"Acme\"\n* Heading\n":                           "beancount",
		"2026-01-01 * \"x\" \"y\"\n  Assets:A  1 USD\n  Income:B\n":        "beancount",
		"2026-01-01 txn \"x\"\n  Assets:A  1 USD\n":                        "beancount",
		"2026-01-01 * x\n  a  1 USD\n\n2026-01-01 open Assets:A\n":         "hledger",
		"": "", "\n": "", "2026-01-01,x,1.00\n": "", "2026-01-01;x;1.00\n": "", "2026-01-01\tx\t1.00\n": "",
		"Dear customer,\n\n  please find enclosed  2 statements.\n": "", "2026-01-01 10:00 log line\nanother line\n": "",
		"* one\n* two\n": "", ":20:X\n:61:2601010101C1,\n": "", "# Heading\n\n2026-01-01\n\n  Text\n": "",
		"2026-01-01 x\n  a  1\x00": "",
	} {
		got := ""
		if journal.Hledger(civil.Date{}).Recognize(bank.NewBudget(t.Context()), []byte(head)) {
			got += "hledger"
		}
		if journal.Beancount().Recognize(bank.NewBudget(t.Context()), []byte(head)) {
			got += "beancount"
		}
		if got != want {
			t.Errorf("%q is recognized as %q, want %q", head, got, want)
		}
	}
}
