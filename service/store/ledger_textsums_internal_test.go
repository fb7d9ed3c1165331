package store

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

func TestAPatternHasTheSameKeywordsWithoutDigits(t *testing.T) {
	text := rapid.StringOf(rapid.SampledFrom([]rune("ab1200٣\x1f")))
	rapid.Check(t, func(t *rapid.T) {
		full, keyword := text.Draw(t, "text"), text.Draw(t, "keyword")
		pattern := string(appendPattern(nil, full))
		if usesTextSums(ledger.Filter{Keyword: keyword}) && strings.Contains(full, keyword) != strings.Contains(pattern,
			keyword) {
			t.Fatalf("%q in %q: %v; in its pattern %q not so", keyword, full, strings.Contains(full, keyword), pattern)
		}
	})
}

func TestSumsOfTextsAreReadAsTheyWereWritten(t *testing.T) {
	number := rapid.Int64Range(0, 1<<62)
	rapid.Check(t, func(t *rapid.T) {
		sums := textSums{}
		for pattern, of := range rapid.MapOf(rapid.String(), rapid.SliceOfN(number, 6, 6)).Draw(t, "sums") {
			sums[pattern] = &[2]dailySum{{of[0] + 1, of[1], of[2]}, {of[3] + 1, of[4], of[5]}}
		}
		encoded := sums.encode()
		decoded, err := decodeTextSums(encoded)
		if err != nil || len(decoded) != len(sums) {
			t.Fatalf("%d sums became %d, %v", len(sums), len(decoded), err)
		}
		for pattern, both := range sums {
			if got := decoded[pattern]; got == nil || *got != *both {
				t.Errorf("%q: %v became %v", pattern, both, got)
			}
		}
		cut := rapid.IntRange(0, len(encoded)).Draw(t, "cut")
		if part, err := decodeTextSums(encoded[:cut]); err == nil && len(part.encode()) != cut {
			t.Errorf("%d bytes of %d are read as %d", cut, len(encoded), len(part.encode()))
		}
	})
}

// needles returns transactions of one day. name returns a part of the nth transaction's text.
func needles(n int, name func(n int) string) []ledger.Transaction {
	rows := make([]ledger.Transaction, n)
	for i := range rows {
		rows[i] = rowOf(i, "needle "+name(i))
		rows[i].Date, rows[i].USDKnown, rows[i].USDCents = civil.New(2020, 1, 1), true, 1
	}
	return rows
}

// summedOf makes a ledger of one day, whose texts differ in numbers only, with sums.
func summedOf(t *testing.T, s *Store, rows int) OrgKey {
	t.Helper()
	org := organizationOf(t, s, needles(rows, strconv.Itoa))
	sumTexts(t, s, org, int64(rows))
	return org
}

// sumTexts updates the sums, and checks that they include the given number of transactions.
func sumTexts(t *testing.T, s *Store, org OrgKey, want int64) {
	t.Helper()
	if err := s.SumTexts(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	checkSummed(t, s, org, want)
}

func checkSummed(t *testing.T, s *Store, org OrgKey, want int64) {
	t.Helper()
	first, last := org.ledger(0).rows()
	var summed int64
	if err := s.db.Reader.QueryRow(s.db.Rebind(`SELECT CAST(coalesce(sum(n), 0) AS BIGINT) FROM ledger_text_sums
		WHERE id BETWEEN ? AND ? AND entries IS NOT NULL`), first, last).Scan(&summed); err != nil {
		t.Fatal(err)
	}
	if summed != want {
		t.Errorf("the sums include %d transactions, want %d", summed, want)
	}
}

func checkCount(t *testing.T, s *Store, org OrgKey, want int64) {
	t.Helper()
	s.forgetSummaries()
	for _, keyword := range []string{"needle", "ee"} {
		_, summary, err := s.Listing(t.Context(), org, ledger.Filter{Keyword: keyword}, nil, 1)
		if err != nil || summary.Count != want || summary.Outflow != want {
			t.Errorf("%q: %+v, %v; want %d", keyword, summary, err, want)
		}
	}
}

func TestABusyDayIsSummedByText(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the database alone")
	}
	s := opened(t, testdb.New(t))
	rows := int(defaultTextSums.batch) + 3

	org := summedOf(t, s, rows)

	checkCount(t, s, org, int64(rows))
}

func TestADayWithFewTransactionsIsNotSummed(t *testing.T) {
	s := opened(t, testdb.New(t))
	org := organizationOf(t, s, needles(int(defaultTextSums.minRows)-1, strconv.Itoa))

	sumTexts(t, s, org, 0)
}

// A day of which nearly all texts differ gets no sums, and is not read again at once.
func TestADayOfDifferentTextsIsNotSummed(t *testing.T) {
	s := opened(t, testdb.New(t))
	letters := strings.NewReplacer("0", "x", "1", "y")
	org := organizationOf(t, s, needles(int(defaultTextSums.minRows), func(n int) string {
		return letters.Replace(strconv.FormatInt(int64(n), 2))
	}))

	sumTexts(t, s, org, 0)

	checkCount(t, s, org, defaultTextSums.minRows)
	checkNoneDue(t, s, org)
}

// A process of an earlier version may still replace days. It does not delete sums.
func TestSumsAreNotUsedAfterAnEarlierVersionReplacedADay(t *testing.T) {
	s := opened(t, testdb.New(t))
	rows := defaultTextSums.minRows
	org := summedOf(t, s, int(rows))
	if err := s.Write(t.Context(), func(tx *Tx) error {
		// Of the earlier version's changes, these are enough: the texts stay in the index.
		for _, statement := range []string{
			"UPDATE transactions SET usd_cents = 3 WHERE usd_cents = 1",
			"UPDATE ledger_daily SET usd_cents = 3 * usd_cents",
			"UPDATE organizations SET ledger_revision = ledger_revision + 1, ledger_rewritten = ledger_revision + 1",
		} {
			if _, err := tx.db.Exec(statement); err != nil {
				return err
			}
		}
		if tx.db.Dialect == database.SQLite {
			_, err := tx.db.Exec("UPDATE transaction_facts SET facts = (3 << 2) | (facts & 3)")
			return err
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		s.forgetSummaries()
		_, summary, err := s.Listing(t.Context(), org, ledger.Filter{Keyword: "ee"}, nil, 1)
		if err != nil || summary.Outflow != 3*rows {
			t.Errorf("%s: %+v, %v; want %d", when, summary, err, 3*rows)
		}
	}

	check("before the sums are computed again")
	sumTexts(t, s, org, rows)
	check("after it")
}

func TestReplacingADayKeepsTheSumsOfOthers(t *testing.T) {
	s := opened(t, testdb.New(t))
	rows := defaultTextSums.minRows
	org := summedOf(t, s, int(rows))
	next := rowOf(int(rows), "needle")
	next.Date, next.USDKnown, next.USDCents = civil.New(2020, 1, 2), true, 1
	for range 2 { // the second time, the day has a transaction to remove
		if err := s.Write(t.Context(), func(tx *Tx) error {
			return tx.ReplaceDays(org, []civil.Date{next.Date}, []ledger.Transaction{next})
		}); err != nil {
			t.Fatal(err)
		}
	}

	checkNoneDue(t, s, org)
	sumTexts(t, s, org, rows)

	checkCount(t, s, org, rows+1)
}

// checkNoneDue checks that no day is to be read again for its sums.
func checkNoneDue(t *testing.T, s *Store, org OrgKey) {
	t.Helper()
	if err := s.Read(t.Context(), func(snap *Snapshot) error {
		due, err := snap.dueTextSums(org, defaultTextSums)
		if len(due) != 0 {
			t.Errorf("days %v are to be read again", due)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
