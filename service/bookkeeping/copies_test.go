package bookkeeping_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

// rowsOf returns rows of CSV with a running balance, one a day from 1 September.
func rowsOf(balance int, amounts ...int) string {
	all := "Date,Description,Amount,Balance\n"
	for n, amount := range amounts {
		balance += amount
		all += fmt.Sprintf("2026-09-%02d,LINE %d,%d.00,%d.00\n", n+1, n, amount, balance)
	}
	return all
}

// withoutBalances returns rows of CSV without the running balance.
func withoutBalances(rows string) string {
	all := ""
	for row := range strings.Lines(rows) {
		all += row[:strings.LastIndex(row, ",")] + "\n"
	}
	return all
}

func TestAFileWithTheLinesOfAnotherAccountIsAsked(t *testing.T) {
	twelve := []int{-10, 20, -30, 40, -50, 60, -70, 80, -90, 100, -110, 120}
	fees := []int{-5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5, -5}
	changed := append([]int{}, twelve...)
	changed[3], changed[7] = 41, 81
	for name, test := range map[string]struct {
		books, file string
		asked       bool
	}{
		"the same file":                   {rowsOf(1000, twelve...), rowsOf(1000, twelve...), true},
		"the same lines, another balance": {rowsOf(1000, twelve...), rowsOf(2000, twelve...), false},
		"the same lines, no balance":      {rowsOf(1000, twelve...), withoutBalances(rowsOf(1000, twelve...)), true},
		"a part of the lines":             {rowsOf(1000, twelve...), withoutBalances(rowsOf(1000, twelve[:10]...)), true},
		"three lines and their balance":   {rowsOf(1000, twelve[:3]...), rowsOf(1000, twelve[:3]...), true},
		"three lines, no balance":         {rowsOf(1000, twelve[:3]...), withoutBalances(rowsOf(1000, twelve[:3]...)), false},
		"equal fees, no balance":          {rowsOf(1000, fees...), withoutBalances(rowsOf(1000, fees...)), false},
		"equal and opposite lines": {rowsOf(1000, -100, 200, -300, 400, -500, 600, -700, 800, -900, 1000),
			rowsOf(1000, 100, -200, 300, -400, 500, -600, 700, -800, 900, -1000), false},
		"ten of twelve lines": {rowsOf(1000, twelve...), withoutBalances(rowsOf(1000, changed...)), false},
	} {
		b := newBooks(t)
		if first := read(t, b, test.books, bank.Options{Account: "00123456789", Currency: "USD"}); first.Error != "" {
			t.Fatal(first.Error)
		}

		second := read(t, b, test.file, bank.Options{Account: "00555500002222", Currency: "USD"})

		asked := second.Question != nil && second.Question.Flag == "--same-account"
		if asked != test.asked {
			t.Errorf("%s: asked is %v: %+v", name, asked, second)
		}
		if states, err := b.Accounts(t.Context()); err != nil || asked && len(states) != 1 {
			t.Errorf("%s: accounts are %+v, %v", name, states, err)
		}
	}
}

func TestTheAnswerSaysOfWhichAccountAFileIs(t *testing.T) {
	rows := rowsOf(1000, -10, 20, -30, 40, -50, 60, -70, 80, -90, 100)
	for answer, want := range map[string]int{bookkeeping.SameAccount: 1, bookkeeping.OtherAccount: 2} {
		b := newBooks(t)
		read(t, b, rows, bank.Options{Account: "00123456789", Currency: "USD"})
		s := source("b.csv", rows)
		s.Options, s.SameAccount = bank.Options{Account: "00555500002222", Currency: "USD"}, answer

		report, err := b.Import(t.Context(), []bookkeeping.Source{s}, bookkeeping.Options{})
		if err != nil || report.Import == "" {
			t.Fatalf("%s: %+v, %v", answer, report, err)
		}

		states, err := b.Accounts(t.Context())
		if err != nil || len(states) != want || states[0].Number != "…6789" {
			t.Errorf("%s: accounts are %+v, %v", answer, states, err)
		}
		if lines := report.Files[0].Statements[0].Known; want == 1 && lines != 10 {
			t.Errorf("%s: %d lines are known", answer, lines)
		}
		// A later file of both is asked about only if the accounts were the same.
		later := read(t, b, rows+"2026-09-20,MORE,-1.00,949.00\n", bank.Options{Account: "00555500002222", Currency: "USD"})
		if asked := later.Question != nil; asked != (want == 1) {
			t.Errorf("%s: a later file: %+v", answer, later)
		}
	}
}

func TestTwoAccountsWithEqualLinesInOneImportAreAsked(t *testing.T) {
	rows := rowsOf(1000, -10, 20, -30)
	first, second := source("a.csv", rows), source("b.csv", rows)
	first.Options = bank.Options{Account: "00123456789", Currency: "USD"}
	second.Options = bank.Options{Account: "00555500002222", Currency: "USD"}

	report, err := newBooks(t).Import(t.Context(), []bookkeeping.Source{first, second}, bookkeeping.Options{})

	if err != nil || report.Import != "" || report.Files[1].Question == nil ||
		!strings.Contains(report.Files[1].Error, "3 lines, of …2222, are lines of …6789 too") {
		t.Errorf("%+v, %v", report, err)
	}
}
