package cutoff_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/cutoff"
)

// drawAccounts returns accounts with statements and weaker evidence of the last months.
func drawAccounts(t *rapid.T) []cutoff.Account {
	first := day("2026-06-01")
	spans := func(name string, most int) (all []bookrules.Span) {
		at := first
		for range rapid.IntRange(0, most).Draw(t, name) {
			s := span(at+bookrules.Day(rapid.IntRange(0, 40).Draw(t, "gap")), 0)
			s.Last = s.First + bookrules.Day(rapid.IntRange(0, 60).Draw(t, "days"))
			all, at = append(all, s), s.Last+2
		}
		return all
	}
	accounts := make([]cutoff.Account, rapid.IntRange(1, 4).Draw(t, "accounts"))
	for i := range accounts {
		a := &accounts[i]
		a.Account = operating
		a.Key = int64(i)
		a.Covered = bookrules.Join(spans("statements", 3))
		for _, s := range spans("weaker", 2) {
			a.Weaker = append(a.Weaker, cutoff.Evidence{Span: s, Source: rapid.SampledFrom([]cutoff.Source{
				cutoff.FileName, cutoff.Balance, cutoff.Quiet, cutoff.Answer,
			}).Draw(t, "source")})
		}
	}
	return accounts
}

// A day that counts as known without a gap is proven for each account, or the account names its
// weaker evidence. Forgotten accounts are gaps.
func TestADayIsKnownOnlyByEvidenceThatIsNamed(t *testing.T) {
	today := civil.MustParse("2026-11-22")
	rapid.Check(t, func(t *rapid.T) {
		books := cutoff.Of(drawAccounts(t), today)

		for at := day("2026-06-01"); at <= books.To; at++ {
			if bookrules.Covers(books.Uncovered, at) {
				continue
			}
			for _, c := range books.Accounts {
				byEvidence := slices.ContainsFunc(c.Weaker, func(e cutoff.Evidence) bool { return e.Contains(at) })
				late := at > c.ProvenTo.Day
				if proven := bookrules.Covers(c.Covered, at); !proven && (!byEvidence || late && c.AssumedTo.Day < at) {
					t.Fatalf("%v is known of %+v", at.Date(), c)
				}
			}
		}
	})
}

// What is known doesn't depend on the order of accounts and evidence.
func TestTheOrderOfEvidenceChangesNothing(t *testing.T) {
	today := civil.MustParse("2026-11-22")
	rapid.Check(t, func(t *rapid.T) {
		accounts := drawAccounts(t)
		backwards := slices.Clone(accounts)
		slices.Reverse(backwards)

		books, other := cutoff.Of(accounts, today), cutoff.Of(backwards, today)

		if books.To != other.To || !slices.Equal(books.Uncovered, other.Uncovered) ||
			books.Window().Period() != other.Window().Period() {
			t.Fatalf("%+v, the other way round %+v", books, other)
		}
	})
}

// An assumption about a quiet account never dates the company beyond its statements.
func TestQuietAccountsAreNotKnownLongerThanOthers(t *testing.T) {
	accounts := []cutoff.Account{
		covering(operating, "2026-01-01", "2026-10-31"), covering(savings, "2026-01-01", "2026-09-30"),
	}
	accounts[1].Weaker = []cutoff.Evidence{{Span: span(day("2026-10-01"), day("2026-11-21")), Source: cutoff.Quiet}}

	books := cutoff.Of(accounts, civil.MustParse("2026-11-22"))

	if want := (cutoff.Known{Day: day("2026-10-31"), Source: cutoff.Quiet}); books.Accounts[1].AssumedTo != want ||
		books.To != want.Day {
		t.Errorf("known to %v, %+v", books.To.Date(), books.Accounts[1].AssumedTo)
	}
}
