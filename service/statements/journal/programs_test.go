package journal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/internal/testsupport/journaltools"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/journal"
)

// program returns the ordinary postings of the journal at a path.
type program func(tb testing.TB, path string) []journaltools.Posting

// compare compares what the reader and a program find in a journal: the amounts in currencies of
// assets and liabilities, without zeros.
func compare(t *testing.T, format bank.Format, content string, reads program) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.journal")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	want := texts(reads(t, path))

	found, err := read(t, format, content, bank.Options{})

	if err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	if got := texts(exact(found)); !slices.Equal(got, want) {
		t.Errorf("read:\n%s\nthe program reads:\n%s\nof:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), content)
	}
}

// exact returns the lines with the amounts that they have before rounding, which end Line.Raw.
func exact(found *banks.Contents) []journaltools.Posting {
	var all []journaltools.Posting
	for _, s := range found.Statements {
		for _, line := range s.Lines {
			fields := strings.Split(line.Raw, "  ")
			text := line.Counterparty
			if line.Description != "" {
				text += "|" + line.Description
			}
			all = append(all, journaltools.Posting{
				Date: line.Booked.String(), Account: s.Account.Name, Number: fields[len(fields)-2],
				Commodity: fields[len(fields)-1], Text: text, Code: line.Reference,
			})
		}
	}
	return all
}

// texts returns postings in order. Zeros and what is not in a currency are left out.
func texts(postings []journaltools.Posting) []string {
	var all []string
	for _, p := range postings {
		first, _, _ := strings.Cut(strings.ToLower(p.Account), ":")
		if number := journaltools.Number(p.Number); number != "0" && (first == "assets" || first == "liabilities") &&
			(p.Commodity == "" || p.Commodity == "$" || bank.IsCurrency(p.Commodity)) {
			text := strings.NewReplacer(" | ", "|", "\n", " ").Replace(strings.Trim(p.Text, "| "))
			text, _, _ = strings.Cut(text, " for difference")
			all = append(all, fmt.Sprint(p.Date, " ", p.Account, " ", number, " ", p.Commodity, " ", text, " ", p.Code))
		}
	}
	slices.Sort(all)
	return all
}

// plain holds journals that hledger and ledger read alike.
var plain = []string{
	"2026-01-01 x\n  assets:a  1\n  assets:b\n",
	"2026/1/31 * (12) payee | note  ; comment\n    assets:a    $1,234.56\n    income:b   ; elided\n",
	"2026.01.05=2026.01.07 ! (c-1) x\n\tassets:a \t-$10\n\tassets:b\t\t$-5.50\n\texpenses\n",
	"2026-01-01 x\n  assets:a  10.00 USD @ 0.9 EUR\n  assets:b\n\n" +
		"2026-01-02 y\n  assets:a  -10.00 USD @@ 9.10 EUR\n  assets:b\n",
	"2026-01-01 exchange\n  assets:a  10.00 USD\n  assets:b  -9.10 EUR\n",
	"2026-01-01 x\n  assets:a  3 ACME {33.33 USD} [2026-01-01] @ 33.33 USD\n  assets:b\n",
	"2026-01-01 x\n  assets:a  3 \"A 1\" @ 33.333 USD\n  assets:b\n",
	"2026-01-01 x\n  assets:a  10 USD\n  (assets:virtual)  7 USD\n  [assets:v]  5 USD\n  [assets:w]  -5 USD\n  equity\n",
	"2026-01-01 x\n  assets:a  10 USD ; [2026-01-09]\n  equity\n",
	"2026-01-01 x\n  assets:a  10 USD = 10 USD\n  equity\n\n2026-01-02 y\n  assets:a  0 USD = 10 USD\n",
	"comment\n2026-01-01 no\n  assets:a  1\n  b\nend comment\n; c\n# c\n* c\n2026-01-02 x\n  assets:a  1\n  b\n",
	"P 2026-01-01 EUR $1.10\naccount assets:a\n  ; note\ncommodity $1,000.00\npayee x\ntag y\nD $1,000.00\n" +
		"2026-01-01 x\n  assets:a  $2,000\n  b\n",
	"Y2025\n\n01/02 x\n  assets:a  1 USD\n  b\n\nY2026\n\n1-3 x\n  assets:a  2 USD\n  b\n",
	"2026-01-01 x\n  assets:a  1 USD\n  assets:b  1 EUR\n  assets:c\n",
	"2026-01-01 x\n  Assets:Ünï Cödé:b  1,50 EUR\n  Liabilities:c d e\n",
	"2026-01-01 x\n  * assets:a  1.250 EUR\n  ! assets:b  -1.250 EUR\n",
	"~ monthly\n  expenses  5\n  assets:a\n\n2026-01-01 x\n  assets:a  1 USD\n  b\n",
}

func TestPlainJournalsAreReadAsByHledger(t *testing.T) {
	journaltools.Need(t, "hledger")
	hledgerOnly := []string{
		"2026-01-01 x\n  assets:a  10 USD ; date:2026-02-03\n  equity  ; x, date:1/7\n",
		"decimal-mark ,\n2026-01-01 x\n  assets:a  1.234 EUR\n  equity\n",
		"decimal-mark .\n2026-01-01 x\n  assets:a  1,234 EUR\n  equity\n",
		"commodity 1.000,00 EUR\n2026-01-01 x\n  assets:a  1.234 EUR\n  equity  -1 234,00 EUR\n",
		"commodity EUR\n  format 1.000,00 EUR\n2026-01-01 x\n  assets:a  1.234 EUR\n  equity\n",
		"D 1.000,00 EUR\n2026-01-01 x\n  assets:a  1.234\n  equity\n",
		"2026-02-01 x\n  assets:a  10 USD = 15 USD\n  b\n\n2026-01-01 x\n  assets:a  5 USD == 5 USD\n  b\n",
		"2026-01-01 x\n  assets:a:b  10 USD\n  b\n\n2026-01-02 x\n  assets:a  5 USD =* 15 USD\n  b\n",
		"2026-01-02 x\n  assets:a  10 USD  ; date:2026-03-01\n  b\n\n2026-02-01 x\n  assets:a  5 USD = 5 USD\n  b\n",
		"account Kasse  ; type:A\naccount Kasse:x  ; type:X\n2026-01-01 x\n  assets:a  1 USD\n  income\n",
		"= expenses\n  (budget)  *-1\n\n2026-01-01 x\n  assets:a  1 USD\n  expenses\n",
		"2026-01-01 x\n  assets:a  1.234.567,89 EUR\n  assets:b  .5 USD\n  assets:c  +5. GBP\n  equity\n",
		"commodity 1000.00 USD\n2026-01-01 x\n  assets:a  10.004 USD\n  income  -10.00 USD\n",
		"2026-01-03 z\n  assets:a  5 USD\n  equity\n\n2026-01-03 z\n  assets:a  = 25.50 USD\n  equity\n",
		"2026-01-01 x\n  assets:a  5 USD\n  assets:a  -1 EUR\n\n2026-01-02 y\n  assets:a  ==* 0 EUR\n  equity\n",
	}
	for _, content := range slices.Concat(plain, hledgerOnly) {
		compare(t, journal.Hledger(civil.Date{}), content, journaltools.HledgerPostings)
	}
}

func TestPlainJournalsAreReadAsByLedger(t *testing.T) {
	journaltools.Need(t, "ledger")
	ledgerOnly := []string{
		"2026-01-01 x\n\tassets:a\t$5\n\tequity\n",
		"2026-01-01 x\n  assets:a  -5 ACME {3 EUR} @ 4 EUR\n  assets:b  20 EUR\n  income  -5 EUR\n",
	}
	for _, content := range slices.Concat(plain, ledgerOnly) {
		compare(t, journal.Hledger(civil.Date{}), content, journaltools.LedgerPostings)
	}
}

func TestPlainJournalsAreReadAsByBeancount(t *testing.T) {
	journaltools.Need(t, "bean-check", "bean-query")
	const accounts = "2020-01-01 open Assets:A\n2020-01-01 open Assets:B\n2020-01-01 open Liabilities:C\n" +
		"2020-01-01 open Equity:E\n2020-01-01 open Income:I\n"
	var together strings.Builder
	for _, content := range []string{
		"2026-01-01 * \"x\"\n  Assets:A  10 ACME @ 0.333 USD\n  Assets:B\n",
		"2026-01-01 * \"x\"\n  Assets:A  10 ACME {0.333 USD}\n  Assets:B\n  Liabilities:C  -1.00 USD\n",
		"2026-01-01 txn \"p\" \"n\" #t ^l\n  key: \"v\"\n  ! Assets:A  1,000.00 USD ; c\n    meta: 1\n  Income:I\n",
		"2026-01-01 * \"two\nlines; and a \\\"quote\\\"\"\n  Assets:A  -1000.00 USD\n  Income:I\n",
		"2026-01-01 P \"x\"\n  Assets:A  1.005 USD\n  Assets:B  -1.00 USD\n",
		"2026-01-01 *\n  Assets:A  3 ACME {{99 USD}}\n  Assets:B  -3 EUR @ 1.10 USD\n  Liabilities:C\n",
		"* heading\n2026/1/3 * \"x\"\n  Assets:A  1000.00 USD\n  Income:I\n2026-01-04 pad Assets:A Equity:E\n" +
			"2026-01-05 balance Assets:A  1200 USD\n2026-01-05 balance Assets:A  7.00 EUR\n",
		"2026-01-05 balance Assets:A  1000.01 USD\n2026-01-06 balance Assets:A  1000.05 ~ 0.05 USD\n" +
			"2026-01-01 * \"x\"\n  Assets:A  1000.00 USD\n  Income:I\n",
		"2026-01-01 * \"x\"\n  Assets:A  10 LOTS {5 USD, 2026-01-01, \"l\"}\n  Assets:B\n" +
			"2026-02-01 * \"s\"\n  Assets:A  -4 LOTS {} @ 7 USD\n  Assets:B  28 USD\n  Income:I\n",
		"option \"inferred_tolerance_default\" \"USD:0.02\"\n2026-01-01 * \"x\"\n  Assets:A  1 USD\n  Assets:B  -1.02 USD\n",
		"2026-01-01 * \"x\"\n  Assets:A  1.00 USD\n  Assets:B  2.00 EUR\n  Liabilities:C\n",
		"2026-01-01 price ACME  5 USD\n2026-01-01 note Assets:A \"n\"\n2026-01-01 event \"a\" \"b\"\n" +
			"2026-01-02 query \"q\" \"SELECT\n  1\"\n2026-01-02 * \"x\"\n  Assets:A  5 USD\n  Assets:B\n",
	} {
		if strings.Contains(content, " balance ") || strings.Contains(content, "option") {
			compare(t, journal.Beancount(), accounts+content, journaltools.BeancountPostings)
			continue
		}
		together.WriteString(content + "\n") // each run takes a second
	}
	compare(t, journal.Beancount(), accounts+together.String(), journaltools.BeancountPostings)
}

// drawn is a journal of hledger and ledger with amounts in many forms. Amounts that follow from
// balances are read by hledger alone where another amount is missing too.
func drawn(t *rapid.T, hledger bool) string {
	kinds := 4
	if hledger {
		kinds = 5
	}
	var b strings.Builder
	day := civil.MustParse("2026-01-01")
	balance := 0 // of assets:c, in cents
	for range 60 {
		day = day.AddDays(rapid.IntRange(0, 3).Draw(t, "days"))
		date := strings.ReplaceAll(day.String(), "-", rapid.SampledFrom([]string{"-", "/", "."}).Draw(t, "separator"))
		mark := rapid.SampledFrom([]string{"", "* ", "! ", "* (17) "}).Draw(t, "mark")
		text := rapid.SampledFrom([]string{"x", "a | b", "Ada & Co  ; note", "ü"}).Draw(t, "text")
		fmt.Fprintf(&b, "%s %s%s\n", date, mark, text)
		cents := rapid.IntRange(-2_000_000, 2_000_000).Draw(t, "cents")
		amount := drawAmount(t, cents)
		switch rapid.IntRange(1, kinds).Draw(t, "kind") {
		case 1:
			other := rapid.SampledFrom([]string{"assets:b", "income:x y", "liabilities:c"}).Draw(t, "other")
			fmt.Fprintf(&b, "    assets:a  %s\n    %s\n", amount, other)
		case 2:
			fmt.Fprintf(&b, "\tassets:a\t\t%s @ %d.%02d GBP\n\tassets:b\n", amount, cents&7, cents&63)
		case 3:
			fmt.Fprintf(&b, "  (assets:v)  %s\n  assets:b  %s @@ 12.34 GBP  ; total\n  equity\n", amount, amount)
		case 4:
			balance += cents
			fmt.Fprintf(&b, "  assets:c  %s = %s\n  equity\n", dollars(cents), dollars(balance))
		default:
			balance = cents
			fmt.Fprintf(&b, "  assets:c  = %s\n  ; comment\n  liabilities:d\n", dollars(balance))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func dollars(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s$%d.%02d", sign, cents/100, cents%100)
}

// drawAmount writes an amount in one of the forms that both programs read alike.
func drawAmount(t *rapid.T, cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	whole := fmt.Sprint(cents / 100)
	point, comma := whole, whole
	if len(whole) > 3 && rapid.Bool().Draw(t, "grouped") {
		at := len(whole) - 3
		point, comma = whole[:at]+","+whole[at:], whole[:at]+"."+whole[at:]
	}
	decimals := fmt.Sprintf("%02d", cents%100)
	return rapid.SampledFrom([]string{
		sign + point + "." + decimals + " USD", sign + point + "." + decimals + "USD", "USD " + sign + point + "." + decimals,
		"$" + sign + point + "." + decimals, sign + "$" + point + "." + decimals, sign + comma + "," + decimals + " EUR",
	}).Draw(t, "form")
}

func TestDrawnJournalsAreReadAsByHledgerAndLedger(t *testing.T) {
	journaltools.Need(t, "hledger", "ledger")
	for seed := range 8 {
		of := func(hledger bool) string {
			return rapid.Custom(func(t *rapid.T) string { return drawn(t, hledger) }).Example(seed)
		}
		compare(t, journal.Hledger(civil.Date{}), of(true), journaltools.HledgerPostings)
		compare(t, journal.Hledger(civil.Date{}), of(false), journaltools.LedgerPostings)
	}
}
