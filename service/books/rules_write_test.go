package books_test

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/books"
	"tarmac/service/statements/bank"
)

// A rule written for a line parses to the same rule. It decides that line, but no line of another
// amount, direction or account.
func TestAWrittenRuleDecidesItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SampledFrom([]string{"", "ONLINE XFER (1) $5.00 *", "a \"b\" \\ 'c'", "é株\x1b", "^x|y$"})
		l := bank.Line{
			Description: texts.Draw(t, "description"), Counterparty: texts.Draw(t, "counterparty"),
			Minor: rapid.Int64Range(-1e9, 1e9).Draw(t, "amount"),
		}
		a := savings
		a.Currency = rapid.SampledFrom([]string{"USD", "JPY", "KWD"}).Draw(t, "currency")
		transfer := rapid.SampledFrom([]books.TransferRule{
			{Set: true}, {Set: true, Own: true}, {Set: true, Own: true, Account: operating.Number},
		}).Draw(t, "transfer")

		outcome := books.Outcome{
			Category: rapid.SampledFrom([]string{"", "payroll"}).Draw(t, "category"), Transfer: transfer,
		}

		text, err := books.TransferRuleFor(a, l, outcome)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := books.ParseRules([]byte(text + exampleRules))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}

		if got := rules.Apply(a, l); got.Rule != 1 || got.Transfer != transfer ||
			got.Category != outcome.Category {
			t.Fatalf("%s decides %+v", text, got)
		}
		other, reversed := l, l
		other.Minor++
		reversed.Minor = -l.Minor
		if got := rules.Apply(a, other); got.Rule == 1 {
			t.Fatalf("%s decides another amount", text)
		}
		if got := rules.Apply(a, reversed); l.Minor != 0 && got.Rule == 1 {
			t.Fatalf("%s decides the other direction", text)
		}
		if got := rules.Apply(card, l); got.Rule == 1 {
			t.Fatalf("%s decides a line of another account", text)
		}
	})
}
