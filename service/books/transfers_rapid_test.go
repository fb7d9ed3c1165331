package books_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/books"
)

// drawMovements draws few amounts and days, so that many lines could be halves of each other.
func drawMovements(t *rapid.T) []books.Movement {
	accounts := []books.Account{operating, savings, card, founder}
	evidence := []books.Evidence{nothing, nothing, coded, denied, named(1), named(2), named(3), hinted(1), hinted(3)}
	movements := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) books.Movement {
		return moved(rapid.SampledFrom(accounts).Draw(t, "account"), books.Day(rapid.IntRange(1, 40).Draw(t, "day")),
			rapid.SampledFrom([]int64{-500, 500, -70, 70, 0}).Draw(t, "amount"),
			rapid.SampledFrom(evidence).Draw(t, "evidence"))
	}), 0, 30).Draw(t, "movements")
	seen := map[string]int{}
	for i := range movements {
		key := fmt.Sprint(movements[i].Account, movements[i].Day, movements[i].Minor)
		seen[key]++
		movements[i].Ordinal = seen[key]
	}
	return movements
}

func drawAccounts(t *rapid.T) []books.OwnAccount {
	var accounts []books.OwnAccount
	for _, a := range []books.Account{operating, savings, card, founder} {
		accounts = append(accounts, known(a, span(1, books.Day(rapid.IntRange(1, 40).Draw(t, "covered")))))
	}
	return accounts
}

// describe returns the treatment and the partner of each movement, without indices.
func describe(movements []books.Movement, found books.Transfers) []string {
	partner := map[int]int{}
	for _, p := range slices.Concat(found.Pairs, found.Proposals) {
		partner[p.Out], partner[p.In] = p.In, p.Out
	}
	key := func(i int) string {
		m := movements[i]
		return fmt.Sprint(m.Account, " ", m.Day, " ", m.Minor, " ", m.Ordinal)
	}
	var texts []string
	for i := range movements {
		text := fmt.Sprint(key(i), ": ", found.Treatments[i])
		if other, paired := partner[i]; paired {
			text += " with " + key(other)
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}

func TestPairingDoesNotDependOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		accounts, movements := drawAccounts(t), drawMovements(t)
		want := describe(movements, books.FindTransfers(accounts, movements))

		shuffled := rapid.Permutation(movements).Draw(t, "order")
		got := describe(shuffled, books.FindTransfers(rapid.Permutation(accounts).Draw(t, "accounts"), shuffled))

		if !slices.Equal(got, want) {
			t.Fatalf("transfers are %q, want %q", got, want)
		}
	})
}

// Each pair has opposite amounts in two own accounts with evidence, near to each other.
func TestPairsAreTransfers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		accounts, movements := drawAccounts(t), drawMovements(t)

		found := books.FindTransfers(accounts, movements)

		used := map[int]bool{}
		for _, p := range found.Pairs {
			out, in := movements[p.Out], movements[p.In]
			distance := max(in.Day-out.Day, out.Day-in.Day)
			if out.Minor >= 0 || out.Minor != -in.Minor || out.Account == in.Account || distance > 5 || used[p.Out] ||
				used[p.In] || out.Account == founder.Key || in.Account == founder.Key ||
				out.Evidence.Strength < books.WeakEvidence && in.Evidence.Strength < books.WeakEvidence {
				t.Fatalf("%+v and %+v are no pair", out, in)
			}
			used[p.Out], used[p.In] = true, true
		}
		for _, p := range found.Proposals {
			if found.Treatments[p.Out] != books.IsRow || found.Treatments[p.In] != books.IsRow {
				t.Fatalf("a proposal is treated as %d and %d", found.Treatments[p.Out], found.Treatments[p.In])
			}
		}
	})
}

// A company moves money between its accounts and pays others. Whatever days the statements of its
// accounts cover, opening balances with the rows are the closing balances with what is in
// transit: no transfer is lost or counted twice. If no two transfers have the same amount, the
// rows are exactly what others paid and got.
func TestCashAndMoneyInTransitReconcileAtEveryStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		accounts := []books.Account{operating, savings, card}
		distinct := rapid.Bool().Draw(t, "distinct amounts")
		var history []books.Movement
		for i := range rapid.IntRange(0, 20).Draw(t, "transfers") {
			from, to := accounts[i%3], accounts[(i+rapid.IntRange(1, 2).Draw(t, "to"))%3]
			sent := books.Day(rapid.IntRange(1, 40).Draw(t, "sent"))
			arrives := sent + books.Day(rapid.IntRange(0, 5).Draw(t, "lag"))
			amount := rapid.SampledFrom([]int64{500, 70}).Draw(t, "amount")
			if distinct {
				amount = int64(10_000 + i)
			}
			history = append(history, moved(from, sent, -amount, named(to.Key)), moved(to, arrives, amount, named(from.Key)))
		}
		for range rapid.IntRange(0, 20).Draw(t, "others") {
			history = append(history, moved(rapid.SampledFrom(accounts).Draw(t, "account"),
				books.Day(rapid.IntRange(1, 45).Draw(t, "day")),
				rapid.SampledFrom([]int64{500, -500, 70, -70, 3}).Draw(t, "amount"), nothing))
		}
		covered := map[int64]books.Day{}
		var own []books.OwnAccount
		for _, a := range accounts {
			covered[a.Key] = books.Day(rapid.IntRange(1, 50).Draw(t, "covered"))
			own = append(own, known(a, books.Span{First: -1000, Last: covered[a.Key]}))
		}
		var movements []books.Movement
		var closing, outside int64
		for _, m := range history {
			if m.Day > covered[m.Account] {
				continue
			}
			movements = append(movements, m)
			closing += m.Minor
			if m.Evidence.Strength == books.NoEvidence {
				outside += m.Minor
			}
		}

		found := books.FindTransfers(own, movements)

		var rows, holding int64
		for i, m := range movements {
			if found.Treatments[i] == books.IsRow || found.Treatments[i] == books.IsOneSided {
				rows += m.Minor
			}
		}
		for _, u := range found.InTransit {
			if !u.Held {
				t.Fatalf("%+v does not count", movements[u.Movement])
			}
			holding -= movements[u.Movement].Minor
		}
		if rows != closing+holding {
			t.Fatalf("rows are %d, balances %d and in transit %d", rows, closing, holding)
		}
		if distinct && rows != outside {
			t.Fatalf("rows are %d, others paid %d", rows, outside)
		}
	})
}
