package bookrules_test

import (
	"fmt"
	"slices"
	"testing"

	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

var (
	named = func(accounts ...int64) bookrules.Evidence {
		return bookrules.Evidence{Strength: bookrules.StrongEvidence, Others: accounts}
	}
	hinted = func(accounts ...int64) bookrules.Evidence {
		return bookrules.Evidence{Strength: bookrules.WeakEvidence, Others: accounts}
	}
	coded   = bookrules.Evidence{Strength: bookrules.StrongEvidence}
	denied  = bookrules.Evidence{Strength: bookrules.NoTransfer}
	nothing = bookrules.Evidence{}
)

// known returns an account with the days that its statements cover and its balance includes.
func known(a bookrules.Account, covered ...bookrules.Span) bookrules.OwnAccount {
	return bookrules.OwnAccount{Account: a, Covered: covered, BalanceDay: covered[len(covered)-1].Last}
}

// moved returns a line of the books with its evidence.
func moved(a bookrules.Account, day bookrules.Day, minor int64, e bookrules.Evidence) bookrules.Movement {
	return bookrules.Movement{
		Account: a.Key, Merged: &bookrules.Merged{Day: day, Minor: minor, Ordinal: 1}, Hints: &bookrules.Hints{Evidence: e},
	}
}

func TestFindTransfers(t *testing.T) {
	year := span(1, 365)
	all := []bookrules.OwnAccount{known(operating, year), known(savings, year), known(card, year), known(founder, year)}
	upTo := func(day bookrules.Day) []bookrules.OwnAccount {
		return []bookrules.OwnAccount{known(operating, year), known(savings, span(1, day)), known(card, span(1, day))}
	}
	euro := bookrules.Account{Key: 5, Number: "DE5", Currency: "EUR", Role: bookrules.Operating}
	later := []bookrules.OwnAccount{known(operating, year), known(savings, span(100, 365)), known(card, span(100, 365))}
	for name, test := range map[string]struct {
		accounts  []bookrules.OwnAccount
		movements []bookrules.Movement
		pairs     []string // as "index>index"
		suspected []string
		transit   []string // as "index", with * if held
		oneSided  []int
	}{
		"both say so": {
			all, []bookrules.Movement{moved(operating, 9, -500, named(2)), moved(savings, 11, 500, named(1))},
			[]string{"0>1"}, nil, nil, nil,
		},
		"one says so": {
			all, []bookrules.Movement{moved(operating, 9, -500, nothing), moved(savings, 9, 500, coded)},
			[]string{"0>1"}, nil, nil, nil,
		},
		"money in is booked first": {
			all, []bookrules.Movement{moved(operating, 12, -500, named(2)), moved(savings, 9, 500, nothing)},
			[]string{"0>1"}, nil, nil, nil,
		},
		"six days apart": {
			all, []bookrules.Movement{moved(operating, 9, -500, named(2)), moved(savings, 15, 500, named(1))},
			nil, nil, nil, []int{0, 1},
		},
		"another account than the one named": {
			all, []bookrules.Movement{moved(operating, 9, -500, named(3)), moved(savings, 9, 500, nothing)},
			nil, nil, nil, []int{0},
		},
		"beside a customer and a contractor of the same amount": {
			all, []bookrules.Movement{
				moved(operating, 9, -3000, nothing), moved(operating, 9, -3000, named(2)),
				moved(savings, 9, 3000, nothing), moved(savings, 10, 3000, named(1)),
			},
			[]string{"1>3"}, nil, nil, nil,
		},
		"equal counts pair": {
			all, []bookrules.Movement{
				moved(operating, 11, -500, named(2)), moved(operating, 14, -500, named(2)),
				moved(savings, 13, 500, named(1)), moved(savings, 18, 500, named(1)),
			},
			[]string{"0>2", "1>3"}, nil, nil, nil,
		},
		"the nearest pairs": {
			all, []bookrules.Movement{
				moved(operating, 11, -500, named(2)), moved(savings, 9, 500, nothing), moved(savings, 12, 500, nothing),
			},
			[]string{"0>2"}, nil, nil, nil,
		},
		"a rule denies it": {
			all, []bookrules.Movement{moved(operating, 9, -500, denied), moved(savings, 9, 500, named(1))},
			nil, nil, nil, []int{1},
		},
		"money for an excluded account has left": {
			all, []bookrules.Movement{moved(operating, 9, -500, denied), moved(founder, 9, 500, denied)}, nil, nil, nil, nil,
		},
		"the payment of a card, not what it bought": {
			all, []bookrules.Movement{
				moved(operating, 9, -500, hinted(3)), moved(card, 10, 500, named(1, 2)),
				moved(card, 3, -300, nothing), moved(card, 4, -200, nothing),
			},
			[]string{"0>1"}, nil, nil, nil,
		},
		"the payment of a card that is not in the books": {
			all, []bookrules.Movement{moved(operating, 9, -500, hinted(3))}, nil, nil, nil, nil,
		},
		"the payment of a card whose statement is to come": {
			upTo(7), []bookrules.Movement{moved(operating, 9, -500, hinted(3))}, nil, nil, []string{"0*"}, nil,
		},
		"no partner though all is covered": {
			all, []bookrules.Movement{moved(operating, 9, -500, named(2))}, nil, nil, nil, []int{0},
		},
		"the other account's statement is to come": {
			upTo(7), []bookrules.Movement{moved(operating, 9, -500, named(2))}, nil, nil, []string{"0*"}, nil,
		},
		"it may arrive after the last statement": {
			upTo(10), []bookrules.Movement{moved(operating, 9, -500, coded)}, nil, nil, []string{"0*"}, nil,
		},
		"an account in another currency that is not named": {
			[]bookrules.OwnAccount{known(operating, year), known(euro, span(1, 7))},
			[]bookrules.Movement{moved(operating, 9, 60000000, coded), moved(operating, 9, -500, named(euro.Key))},
			nil, nil, []string{"1*"}, []int{0},
		},
		"money in whose other half is to come": {
			upTo(7), []bookrules.Movement{moved(operating, 9, 500, named(2))}, nil, nil, []string{"0*"}, nil,
		},
		"money in whose other half would be covered": {
			upTo(10), []bookrules.Movement{moved(operating, 9, 500, named(2))}, nil, nil, nil, []int{0},
		},
		"before the books of the other account begin": {
			later, []bookrules.Movement{moved(operating, 9, -500, named(2))}, nil, nil, []string{"0"}, nil,
		},
		"the same without a named account": {
			later, []bookrules.Movement{moved(operating, 9, -500, coded)}, nil, nil, nil, []int{0},
		},
		"nothing moved": {
			all, []bookrules.Movement{moved(operating, 9, 0, coded), moved(savings, 9, 0, coded)}, nil, nil, nil, nil,
		},
		"within one account": {
			all, []bookrules.Movement{moved(operating, 9, -500, coded), moved(operating, 9, 500, nothing)},
			nil, nil, nil, []int{0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := bookrules.FindTransfers(nil, test.accounts, test.movements, bookrules.TransferFacts{}, inDollars())

			if pairs := pairsOf(got.Pairs); !slices.Equal(pairs, test.pairs) {
				t.Errorf("pairs are %v, want %v", pairs, test.pairs)
			}
			if suspected := pairsOf(got.Suspected); !slices.Equal(suspected, test.suspected) {
				t.Errorf("suspected are %v, want %v", suspected, test.suspected)
			}
			var transit []string
			for _, u := range got.InTransit {
				transit = append(transit, fmt.Sprint(u.Movement)+map[bool]string{true: "*"}[u.Held])
			}
			if !slices.Equal(transit, test.transit) {
				t.Errorf("in transit are %v, want %v", transit, test.transit)
			}
			for i, treatment := range got.Treatments {
				if (treatment == bookrules.IsOneSided) != slices.Contains(test.oneSided, i) {
					t.Errorf("line %d is treated as %d", i, treatment)
				}
			}
		})
	}
}

func pairsOf(pairs []bookrules.Pair) []string {
	var texts []string
	for _, p := range pairs {
		texts = append(texts, fmt.Sprintf("%d>%d", p.Out, p.In))
	}
	return texts
}

func TestLinesOfAnExcludedAccountAreNoRows(t *testing.T) {
	accounts := []bookrules.OwnAccount{known(operating, span(1, 30)), known(founder, span(1, 30))}

	got := bookrules.FindTransfers(nil, accounts, []bookrules.Movement{
		moved(operating, 9, -500, denied), moved(founder, 9, 500, nothing), moved(founder, 9, -70, nothing),
	}, bookrules.TransferFacts{}, inDollars())

	if want := []bookrules.Treatment{bookrules.IsRow, bookrules.IsOutside, bookrules.IsOutside}; !slices.Equal(
		got.Treatments,
		want,
	) {
		t.Errorf("treatments are %v, want %v", got.Treatments, want)
	}
}

func TestABalanceThatIncludesTheMoneyHoldsNothing(t *testing.T) {
	early := known(savings, span(1, 7))
	early.BalanceDay = 20 // the balance is later than the last line

	got := bookrules.FindTransfers(nil, []bookrules.OwnAccount{known(operating, span(1, 30)), early},
		[]bookrules.Movement{moved(operating, 9, -500, named(2))}, bookrules.TransferFacts{}, inDollars())

	if len(got.InTransit) != 1 || got.InTransit[0].Held || got.Treatments[0] != bookrules.IsInTransit {
		t.Errorf("in transit are %+v, treatments %v", got.InTransit, got.Treatments)
	}
}

func TestTransfersAcrossCurrencies(t *testing.T) {
	euros := bookrules.Account{Key: 5, Number: "DE5", Currency: "EUR", Role: bookrules.Operating}
	euroAccount := known(euros, span(1, 60000))
	rates := inDollars(rate("EUR", "2026-09-01", 11, 10))
	accounts := []bookrules.OwnAccount{euroAccount, known(savings, span(1, 60000))}
	first := day("2026-09-02")
	converted := func(m bookrules.Movement, currency string, minor int64) bookrules.Movement {
		m.Original = &bank.Original{Currency: currency, Minor: minor}
		return m
	}
	for name, test := range map[string]struct {
		out, in bookrules.Movement
		pairs   bool
		lost    int64
	}{
		"by the bank's rate": {moved(euros, first, -100000, named(2)), moved(savings, first+1, 109000, nothing), true, 1000},
		"a gain":             {moved(euros, first, -100000, named(2)), moved(savings, first, 110500, nothing), true, -500},
		"the arriving file has the original amount": {
			moved(euros, first, -100000, named(2)),
			converted(moved(savings, first, 90000, nothing), "EUR", 100000), true, 0,
		},
		"less than sent was exchanged": {
			moved(euros, first, -100000, named(2)),
			converted(moved(savings, first, 107800, nothing), "EUR", 98000), true, 2200,
		},
		"the sending file has the amount": {
			converted(moved(euros, first, -100000, nothing), "USD", -108500),
			moved(savings, first, 108000, named(5)), true, 500,
		},
		"another amount": {moved(euros, first, -100000, named(2)), moved(savings, first, 90000, nothing), false, 0},
		"no evidence":    {moved(euros, first, -100000, nothing), moved(savings, first, 110000, nothing), false, 0},
		"no rate": {
			moved(euros, first+30, -100000, named(2)), moved(savings, first+30, 110000, nothing), false, 0,
		},
	} {
		got := bookrules.FindTransfers(nil, accounts, []bookrules.Movement{test.out, test.in},
			bookrules.TransferFacts{}, rates)

		if test.pairs != (len(got.Pairs) == 1) || test.pairs && got.Pairs[0].LostMinor != test.lost {
			t.Errorf("%s: pairs are %+v, want %d lost", name, got.Pairs, test.lost)
		}
	}
}

func TestTheUserKeepsLinesAcrossCurrenciesApart(t *testing.T) {
	euros := bookrules.Account{Key: 5, Number: "DE5", Currency: "EUR", Role: bookrules.Operating}
	accounts := []bookrules.OwnAccount{known(euros, span(1, 60000)), known(savings, span(1, 60000))}
	movements := []bookrules.Movement{
		moved(euros, day("2026-09-02"), -100000, named(2)), moved(savings, day("2026-09-03"), 109000, nothing),
	}
	apart := []bookrules.TransferDecision{{Out: 0, In: 1}}

	got := bookrules.FindTransfers(nil, accounts, movements, bookrules.TransferFacts{Decisions: apart},
		inDollars(rate("EUR", "2026-09-01", 11, 10)))

	if len(got.Pairs) > 0 {
		t.Errorf("pairs are %+v", got.Pairs)
	}
}

func TestWhatAnExchangeLosesIsARow(t *testing.T) {
	arrived := bookrules.Merged{Day: day("2026-09-02"), Minor: 109000, Ordinal: 1}

	row := bookrules.LossRow(savings, arrived, 1000, inDollars())
	gain := bookrules.LossRow(savings, arrived, -500, inDollars())

	if row.Direction != ledger.Outflow || row.USDCents != 1000 || row.Currency != "USD" || row.Category != "" ||
		row.ID != bookrules.TransactionID(savings, arrived) || row.Validate() != nil {
		t.Errorf("the row is %+v", row)
	}
	if gain.Direction != ledger.Inflow || gain.AmountMinor != 500 {
		t.Errorf("a gain is %+v", gain)
	}
}

func TestCoverage(t *testing.T) {
	content := file("a", span(10, 30))
	opened := balances(file("a", span(10, 30)), 0, 500)
	running := balances(file("a", span(10, 30)), 700, 500)
	for name, test := range map[string]struct {
		role     bookrules.Role
		contents []bookrules.Content
		before   bool // days before the first statement are covered
		after    bool
	}{
		"no balance":           {bookrules.Operating, []bookrules.Content{content}, false, false},
		"an account that runs": {bookrules.Operating, []bookrules.Content{running}, false, false},
		"opened with zero":     {bookrules.Operating, []bookrules.Content{opened, running}, true, false},
		"closed":               {bookrules.Closed, []bookrules.Content{running}, false, true},
	} {
		got := bookrules.Coverage(test.role, test.contents)

		first, last := got[0].Contains(2), got[len(got)-1].Contains(60000)
		if first != test.before || last != test.after || !got[0].Contains(20) {
			t.Errorf("%s: covered are %v", name, got)
		}
	}
	if got := bookrules.Coverage(bookrules.Closed, nil); got != nil {
		t.Errorf("without a statement: %v", got)
	}
}
