package bookexport_test

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/hostile"
	"tarmac/internal/testsupport/journaltools"
	"tarmac/service/bookexport"
	"tarmac/service/bookrules"
)

// syntax holds texts that mean something in a journal.
var syntax = []string{
	";", "; id: x", "|", "a | b", "*", "!", "* !", "(code)", "(", ")", "[2026-01-01]", "[=2026-01-01]",
	"{1 USD}", "@ 1 USD", "  1000.00 USD", "\t5 USD", "=", "= /x/", "~ monthly", "a  b", "\"", "\\",
	"\\\"", `"; DROP`, "\n2026-01-01 * x", "\ninclude /etc/passwd", "\n    assets:x  1 USD", "#tag",
	"^link", ":a:b:", "key: value", "id: y, date: 2020-01-01", "%", "!include x", "account assets:x",
	"end comment", "comment", "P 2026-01-01 USD 1 EUR", "2026-01-01", "", " ", "assets:bank", "a:b:c", ":",
	"-", "--", "&", "._", "(a)", "[a]", "<a>", "×", "日本", "зарплата", "é", "e\u0301", "ß",
	"ǆ", "ა", "1", "1 2", "x", "'", "´", "\u00a0", "\u3000;", "；", "｜", "=cmd|' /C calc'!A0", "+1",
	"@SUM(1)", "UNKNOWN", "D:", "null",
}

// hostileText returns texts made of syntax, attacks on terminals and any other characters.
func hostileText() *rapid.Generator[string] {
	parts := append([]string{}, syntax...)
	for _, attack := range hostile.Texts() {
		if len(attack.Value) < 200 {
			parts = append(parts, attack.Value)
		}
	}
	part := rapid.OneOf(rapid.SampledFrom(parts), rapid.SampledFrom(syntax), rapid.StringN(0, 6, -1))
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "parts"), rapid.SampledFrom([]string{"", " "}).Draw(t, "gap"))
	})
}

// hostileBooks writes books of two accounts, in which every text is hostile, and returns the
// balances that they have.
func hostileBooks(t *rapid.T, formats map[bookexport.Format]io.Writer) (own [2]int64, accounts []bookrules.Account) {
	text := hostileText()
	accounts = []bookrules.Account{
		{Number: text.Draw(t, "number"), Currency: "USD", Bank: text.Draw(t, "bank"), Name: text.Draw(t, "name")},
		{Number: text.Draw(t, "number"), Currency: "JPY", Bank: text.Draw(t, "bank"), Role: bookrules.Card},
	}
	names := bookexport.OwnNames(accounts)
	day := civil.MustParse("2026-01-01")
	var named [2]*bookexport.Account
	for n, a := range accounts {
		named[n] = &bookexport.Account{
			Name: names[n], Number: a.Number, Bank: a.Bank, Currency: a.Currency, Opened: day,
			BalanceKnown: rapid.Bool().Draw(t, "known"),
		}
	}
	var writers []bookexport.Writer
	for format, out := range formats {
		w, err := bookexport.New(format, out)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Begin(bookexport.Header{Organization: text.Draw(t, "company"), Accounts: named[:]}); err != nil {
			t.Fatal(err)
		}
		writers = append(writers, w)
	}
	for i := range rapid.IntRange(1, 30).Draw(t, "transactions") {
		n := rapid.IntRange(0, 1).Draw(t, "account")
		minor := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "amount")
		roots := []bookexport.Root{bookexport.Income, bookexport.Expenses, bookexport.Equity}
		root := rapid.SampledFrom(roots).Draw(t, "root")
		category := text.Draw(t, "category")
		other := bookexport.Category(root, category)
		own[n] += minor
		tx := &bookexport.Transaction{
			Date: day.AddDays(i + 1), Kind: bookexport.Payment, ID: fmt.Sprintf("txn_%d", i), Payee: text.Draw(t, "payee"),
			Description: text.Draw(t, "description"), Reference: text.Draw(t, "reference"), Category: category,
			Note: text.Draw(t, "note"),
			Postings: []bookexport.Posting{
				{Own: named[n], Minor: minor, Currency: named[n].Currency},
				{Other: &other, Minor: -minor, Currency: named[n].Currency},
			},
		}
		for _, w := range writers {
			if err := w.Transaction(tx); err != nil {
				t.Fatal(err)
			}
			if err := w.Balance(tx.Date, named[n], own[n]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, w := range writers {
		if err := w.End(); err != nil {
			t.Fatal(err)
		}
	}
	return own, accounts
}

// No text changes the amounts that the programs read.
func TestHostileTextsStayTexts(t *testing.T) {
	journaltools.Need(t, "hledger", "ledger", "bean-check", "bean-query")
	if testing.Short() {
		t.Skip("starts many programs")
	}
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		// Each case starts several programs.
		_ = checks.Value.Set("20")
		t.Cleanup(func() { _ = checks.Value.Set(checks.DefValue) })
	}
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		var texts [2]strings.Builder
		own, _ := hostileBooks(rt, map[bookexport.Format]io.Writer{
			bookexport.Hledger: &texts[0], bookexport.Beancount: &texts[1],
		})
		paths := [2]string{filepath.Join(dir, "a.journal"), filepath.Join(dir, "a.beancount")}
		for n, path := range paths {
			if err := os.WriteFile(path, []byte(texts[n].String()), 0o600); err != nil {
				rt.Fatal(err)
			}
		}

		for program, balances := range map[string]map[string]string{
			"hledger": journaltools.Hledger(t, paths[0]), "ledger": journaltools.Ledger(t, paths[0]),
			"beancount": journaltools.Beancount(t, paths[1]),
		} {
			checkOwn(rt, program, balances, "USD", "assets:bank:", own[0], 2)
			checkOwn(rt, program, balances, "JPY", "liabilities:card:", own[1], 0)
		}
	})
}

// checkOwn checks that the accounts below root have one balance.
func checkOwn(t *rapid.T, program string, balances map[string]string, currency, root string, minor int64,
	exponent int,
) {
	found := ""
	for key, balance := range balances {
		if strings.HasPrefix(strings.ToLower(key), root) && strings.HasSuffix(key, "\t"+currency) {
			found += balance
		}
	}
	want := ""
	if minor != 0 {
		want = journaltools.Text(minor, exponent)
	}
	if found != want {
		t.Fatalf("%s reads %q, want %q in %v", program, found, want, balances)
	}
}

func TestNoTextBecomesAFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		hostileBooks(t, map[bookexport.Format]io.Writer{bookexport.CSV: &text})

		records, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range records[1:] {
			for n, cell := range record {
				number := n == 3 || n == 4 || n == 5
				seen := strings.TrimLeftFunc(cell, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
				if !number && seen != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(seen)[0]) {
					t.Fatalf("%q is a formula", cell)
				}
			}
		}
	})
}
