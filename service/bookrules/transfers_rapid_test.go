package bookrules_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
)

// drawMovements draws few amounts and days, so that many lines could be halves of each other.
func drawMovements(t *rapid.T) []bookrules.Movement {
	accounts := []bookrules.Account{operating, savings, card, founder}
	evidence := []bookrules.Evidence{
		nothing, nothing, coded, denied, named(1), named(2), named(3), hinted(1), hinted(3), byBank(1), byBank(2),
		maybeBank(1), maybeBank(2),
	}
	movements := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bookrules.Movement {
		return evident(rapid.SampledFrom(accounts).Draw(t, "account"), bookrules.Day(rapid.IntRange(1, 40).Draw(t, "day")),
			rapid.SampledFrom([]int64{-150000, 150000, -500, 500, -70, 70, 0}).Draw(t, "amount"),
			rapid.SampledFrom([]string{"Wire 17", "Jo", "Jo 18", ""}).Draw(t, "payee"),
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

func drawAccounts(t *rapid.T) []bookrules.OwnAccount {
	var accounts []bookrules.OwnAccount
	for _, a := range []bookrules.Account{operating, savings, card, founder} {
		accounts = append(accounts, known(a, span(1, bookrules.Day(rapid.IntRange(1, 40).Draw(t, "covered")))))
	}
	return accounts
}

// drawDecisions draws what the user says of some pairs.
func drawDecisions(t *rapid.T, movements []bookrules.Movement) (decisions []bookrules.TransferDecision) {
	for out := range movements {
		for in := range movements {
			opposite := movements[out].Minor < 0 && movements[out].Minor == -movements[in].Minor
			if opposite && rapid.IntRange(0, 4).Draw(t, "decided") == 0 {
				own := rapid.Bool().Draw(t, "is transfer")
				return append(decisions, bookrules.TransferDecision{Out: out, In: in, IsTransfer: own})
			}
		}
	}
	return nil
}

// describe returns the treatment and the partner of each movement, without indices.
func describe(movements []bookrules.Movement, found bookrules.Transfers) []string {
	partner := map[int]int{}
	for _, p := range slices.Concat(found.Pairs, found.Suspected) {
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
		decisions := drawDecisions(t, movements)
		want := describe(movements, bookrules.FindTransfers(nil, accounts, movements,
			bookrules.TransferFacts{Decisions: decisions}, inDollars()))

		places := make([]int, len(movements))
		for i := range places {
			places[i] = i
		}
		order := rapid.Permutation(places).Draw(t, "order")
		shuffled := make([]bookrules.Movement, len(movements))
		for place, i := range order {
			shuffled[place] = movements[i]
		}
		for n := range decisions {
			d := &decisions[n]
			d.Out, d.In = slices.Index(order, d.Out), slices.Index(order, d.In)
		}
		got := describe(
			shuffled,
			bookrules.FindTransfers(nil, rapid.Permutation(accounts).Draw(t, "accounts"), shuffled,
				bookrules.TransferFacts{Decisions: decisions}, inDollars()),
		)

		if !slices.Equal(got, want) {
			t.Fatalf("transfers are %q, want %q", got, want)
		}
	})
}

// Each pair has opposite amounts in two own accounts, near to each other, and no line is in two.
// The user, or evidence, makes a pair a transfer.
func TestPairsAreTransfers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		accounts, movements := drawAccounts(t), drawMovements(t)
		decisions := drawDecisions(t, movements)

		found := bookrules.FindTransfers(nil, accounts, movements, bookrules.TransferFacts{Decisions: decisions}, inDollars())

		used := map[int]bool{}
		for n, p := range slices.Concat(found.Pairs, found.Suspected) {
			out, in := movements[p.Out], movements[p.In]
			distance, treatment := max(in.Day-out.Day, out.Day-in.Day), bookrules.IsPaired
			evidence := out.Evidence.Strength >= bookrules.PossibleBank || in.Evidence.Strength >= bookrules.PossibleBank
			decided := slices.ContainsFunc(decisions, func(d bookrules.TransferDecision) bool {
				return d.Out == p.Out && d.In == p.In
			})
			if n >= len(found.Pairs) {
				treatment, evidence = bookrules.IsSuspected, !evidence && !decided && out.Minor <= -1000_00
			}
			if out.Minor >= 0 || out.Minor != -in.Minor || out.Account == in.Account || used[p.Out] || used[p.In] ||
				out.Account == founder.Key || in.Account == founder.Key || !decided && (distance > 5 || !evidence) ||
				decided && !decisions[0].IsTransfer || found.Treatments[p.Out] != treatment || found.Treatments[p.In] != treatment {
				t.Fatalf("%+v and %+v are no pair", out, in)
			}
			used[p.Out], used[p.In] = true, true
		}
		for _, d := range decisions {
			if out, in := &movements[d.Out], &movements[d.In]; d.IsTransfer && out.Account != in.Account &&
				out.Evidence.Strength == bookrules.NoEvidence && in.Evidence.Strength == bookrules.NoEvidence &&
				out.Account != founder.Key && in.Account != founder.Key && !used[d.Out] {
				t.Fatalf("%+v and %+v are a pair", out, in)
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
		accounts := []bookrules.Account{operating, savings, card}
		distinct := rapid.Bool().Draw(t, "distinct amounts")
		var history []bookrules.Movement
		for i := range rapid.IntRange(0, 20).Draw(t, "transfers") {
			from, to := accounts[i%3], accounts[(i+rapid.IntRange(1, 2).Draw(t, "to"))%3]
			sent := bookrules.Day(rapid.IntRange(1, 40).Draw(t, "sent"))
			arrives := sent + bookrules.Day(rapid.IntRange(0, 5).Draw(t, "lag"))
			amount := rapid.SampledFrom([]int64{500, 70}).Draw(t, "amount")
			if distinct {
				amount = int64(10_000 + i)
			}
			history = append(history, moved(from, sent, -amount, named(to.Key)), moved(to, arrives, amount, named(from.Key)))
		}
		for range rapid.IntRange(0, 20).Draw(t, "others") {
			history = append(history, moved(rapid.SampledFrom(accounts).Draw(t, "account"),
				bookrules.Day(rapid.IntRange(1, 45).Draw(t, "day")),
				rapid.SampledFrom([]int64{500, -500, 70, -70, 3}).Draw(t, "amount"), nothing))
		}
		covered := map[int64]bookrules.Day{}
		var own []bookrules.OwnAccount
		for _, a := range accounts {
			covered[a.Key] = bookrules.Day(rapid.IntRange(1, 50).Draw(t, "covered"))
			own = append(own, known(a, bookrules.Span{First: -1000, Last: covered[a.Key]}))
		}
		var movements []bookrules.Movement
		var closing, outside int64
		for _, m := range history {
			if m.Day > covered[m.Account] {
				continue
			}
			movements = append(movements, m)
			closing += m.Minor
			if m.Evidence.Strength == bookrules.NoEvidence {
				outside += m.Minor
			}
		}

		found := bookrules.FindTransfers(nil, own, movements, bookrules.TransferFacts{}, inDollars())

		var rows, holding int64
		for i, m := range movements {
			if found.Treatments[i] == bookrules.IsRow || found.Treatments[i] == bookrules.IsOneSided {
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
