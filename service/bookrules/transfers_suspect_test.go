package bookrules_test

import (
	"slices"
	"testing"

	"tarmac/service/bookrules"
)

var (
	byBank = func(accounts ...int64) bookrules.Evidence {
		return bookrules.Evidence{Strength: bookrules.NamedBank, Others: accounts}
	}
	maybeBank = func(accounts ...int64) bookrules.Evidence {
		return bookrules.Evidence{Strength: bookrules.PossibleBank, Others: accounts}
	}
	reserveOwn = bookrules.Account{Key: 6, Number: "555000333", Currency: "USD", Role: bookrules.Savings}
)

// paying returns a line without evidence, of a payee.
func paying(a bookrules.Account, day bookrules.Day, minor int64, payee string) bookrules.Movement {
	m := moved(a, day, minor, nothing)
	m.Payee = payee
	return m
}

// evident is paying with evidence.
func evident(
	a bookrules.Account,
	day bookrules.Day,
	minor int64,
	payee string,
	e bookrules.Evidence,
) bookrules.Movement {
	m := paying(a, day, minor, payee)
	m.Evidence = e
	return m
}

// monthly repeats a line in several months.
func monthly(months int, m bookrules.Movement) (all []bookrules.Movement) {
	for n := range months {
		line := *m.Merged
		line.Day += bookrules.Day(30 * n)
		all = append(all, bookrules.Movement{Account: m.Account, Merged: &line, Hints: m.Hints})
	}
	return all
}

func TestSuspectedTransfers(t *testing.T) {
	year := span(1, 365)
	accounts := []bookrules.OwnAccount{known(operating, year), known(savings, year), known(reserveOwn, year)}
	half := known(savings, span(1, 100))
	explained := paying(operating, 9, -300000, "Wire out")
	explained.Explained = true
	for name, test := range map[string]struct {
		accounts         []bookrules.OwnAccount
		movements        []bookrules.Movement
		pairs, suspected []string
	}{
		"an equal pair across the end of a month": {
			movements: []bookrules.Movement{
				paying(operating, 30, -5000000, "Wire out 8450617341"), paying(savings, 32, 5000000, "Incoming credit 8450617341"),
			},
			suspected: []string{"0>1"},
		},
		"under a thousand dollars": {
			movements: []bookrules.Movement{paying(operating, 9, -99999, "Wire out"), paying(savings, 9, 99999,
				"Incoming credit")},
		},
		"six days apart": {
			movements: []bookrules.Movement{paying(operating, 9, -300000, "Wire out"), paying(savings, 15, 300000, "Credit")},
		},
		"a rule says what it is": {
			movements: []bookrules.Movement{explained, paying(savings, 9, 300000, "Credit")},
		},
		"a rule says that it is none": {
			movements: []bookrules.Movement{
				evident(operating, 9, -300000, "Wire out", denied), paying(savings, 9, 300000, "Credit"),
			},
		},
		"a contractor paid monthly, and a customer who pays as much once": {
			movements: append(monthly(6, paying(operating, 9, -300000, "R Oyelaran Design")),
				paying(savings, 40, 300000, "Del Mar Hotels")),
		},
		"a customer who pays monthly what a contractor costs once": {
			movements: append(monthly(6, paying(savings, 9, 300000, "Del Mar Hotels")),
				paying(operating, 40, -300000, "R Oyelaran Design")),
		},
		"a customer who pays each month what a contractor costs": {
			movements: append(monthly(6, paying(savings, 10, 300000, "Del Mar Hotels")),
				monthly(6, paying(operating, 9, -300000, "R Oyelaran Design"))...),
		},
		"a contractor with a number of the invoice in each text": {
			movements: []bookrules.Movement{
				paying(operating, 9, -300000, "Oyelaran INV 17"), paying(operating, 40, -310000, "Oyelaran INV 18"),
				paying(savings, 9, 300000, "Incoming credit"),
			},
		},
		"savings that move each month": {
			movements: append(monthly(3, paying(operating, 9, -300000, "Wire out 17")),
				monthly(3, paying(savings, 10, 300000, "Incoming credit"))...),
			suspected: []string{"0>3", "1>4", "2>5"},
		},
		"one is on its way": {
			movements: []bookrules.Movement{
				paying(operating, 9, -300000, "Wire out"), paying(savings, 10, 300000, "Credit"),
				paying(operating, 363, -400000, "Wire out"),
			},
			suspected: []string{"0>1"},
		},
		"days that the other statements do not cover do not say that it is one": {
			accounts: []bookrules.OwnAccount{known(operating, year), half},
			movements: append(monthly(9, paying(operating, 9, -300000, "R Oyelaran Design")),
				paying(savings, 9, 300000, "Del Mar Hotels")),
		},
		"three equal amounts within five days": {
			movements: []bookrules.Movement{
				paying(operating, 9, -300000, "Wire out"), paying(savings, 10, 300000, "Credit"),
				paying(reserveOwn, 12, 300000, "Deposit"),
			},
		},
		"three equal amounts, of which two left": {
			movements: []bookrules.Movement{
				paying(operating, 9, -300000, "Wire out"), paying(savings, 10, 300000, "Credit"),
				paying(reserveOwn, 12, -300000, "Withdrawal"),
			},
		},
		"most lines are on days that the other statements do not cover": {
			accounts: []bookrules.OwnAccount{known(operating, year), known(savings, span(1, 30))},
			movements: append(monthly(9, paying(operating, 9, -300000, "R Oyelaran Design")),
				paying(savings, 9, 300000, "Del Mar Hotels")),
		},
		"three equal amounts, of which two are a transfer by evidence of both": {
			movements: []bookrules.Movement{
				evident(operating, 9, -300000, "Savings", named(2)), evident(savings, 10, 300000, "Checking", named(1)),
				paying(operating, 11, -300000, "Wire out"), paying(reserveOwn, 12, 300000, "Deposit"),
			},
			pairs: []string{"0>1"}, suspected: []string{"2>3"},
		},
		"three equal amounts, of which one has evidence": {
			movements: []bookrules.Movement{
				evident(operating, 9, -300000, "Savings", coded), paying(savings, 10, 300000, "Customer"),
				paying(operating, 11, -300000, "Wire out"), paying(reserveOwn, 12, 300000, "Deposit"),
			},
			pairs: []string{"0>1"},
		},
		"the name of a bank on one side": {
			movements: []bookrules.Movement{
				evident(operating, 9, -70000, "Alder Bank", byBank(2)), paying(savings, 10, 70000, "Deposit"),
				paying(savings, 100, 900, "Deposit"),
			},
			pairs: []string{"0>1"},
		},
		"the name of a bank, and two that it could be": {
			movements: []bookrules.Movement{
				evident(operating, 9, -70000, "Alder Bank", byBank(2)), paying(savings, 10, 70000, "Deposit"),
				paying(savings, 12, 70000, "Customer"),
			},
		},
		"the name of a bank on both sides, and two that it could be": {
			movements: []bookrules.Movement{
				evident(operating, 9, -70000, "Alder Bank", byBank(2)), evident(savings, 10, 70000, "First Harbor Bank", byBank(1)),
				paying(savings, 9, 70000, "Customer"),
			},
			pairs: []string{"0>1"},
		},
		"the name of a bank without its other half": {
			accounts:  []bookrules.OwnAccount{known(operating, year), half},
			movements: []bookrules.Movement{evident(operating, 99, -70000, "Alder Bank", byBank(2))},
		},
		"the name of another bank": {
			movements: []bookrules.Movement{
				evident(operating, 9, -300000, "Alder Bank", byBank(2)), paying(reserveOwn, 10, 300000, "Deposit"),
			},
		},
		"a customer with the name of a bank": {
			movements: append(monthly(4, evident(operating, 9, 300000, "Union", maybeBank(2))),
				paying(savings, 10, -300000, "R Oyelaran Design")),
		},
		"a bank with the name of a customer": {
			movements: append(monthly(4, evident(operating, 9, 300000, "Union", maybeBank(2))),
				monthly(4, paying(savings, 10, -300000, "Wire out"))...),
			pairs: []string{"4>0", "5>1", "6>2", "7>3"},
		},
		"an account that is excluded": {
			accounts:  []bookrules.OwnAccount{known(operating, year), known(founder, year)},
			movements: []bookrules.Movement{paying(operating, 9, -300000, "Wire out"), paying(founder, 9, 300000, "Credit")},
		},
	} {
		if test.accounts == nil {
			test.accounts = accounts
		}
		got := bookrules.FindTransfers(nil, test.accounts, test.movements, bookrules.TransferFacts{}, inDollars())

		if pairs := pairsOf(got.Pairs); !slices.Equal(pairs, test.pairs) {
			t.Errorf("%s: pairs are %v, want %v", name, pairs, test.pairs)
		}
		if suspected := pairsOf(got.Suspected); !slices.Equal(suspected, test.suspected) {
			t.Errorf("%s: suspected are %v, want %v", name, suspected, test.suspected)
		}
		for i, treatment := range got.Treatments {
			in := slices.ContainsFunc(got.Suspected, func(p bookrules.Pair) bool { return p.Out == i || p.In == i })
			if in != (treatment == bookrules.IsSuspected) || treatment == bookrules.IsOneSided ||
				treatment == bookrules.IsInTransit {
				t.Errorf("%s: line %d is treated as %d", name, i, treatment)
			}
		}
	}
}

func TestWhatTheUserSaysOfALineDecides(t *testing.T) {
	accounts := []bookrules.OwnAccount{known(operating, span(1, 365)), known(savings, span(1, 365))}
	movements := []bookrules.Movement{
		paying(operating, 9, -300000, "Wire out"), paying(savings, 10, 300000, "Credit"),
		paying(operating, 39, -300000, "Wire out"), paying(savings, 40, 300000, "Credit"),
	}
	for name, test := range map[string]struct {
		movements        []bookrules.Movement
		decision         bookrules.TransferDecision
		pairs, suspected []string
	}{
		"a transfer": {
			movements, bookrules.TransferDecision{Out: 0, In: 1, IsTransfer: true}, []string{"0>1"}, []string{"2>3"},
		},
		"no transfer":        {movements, bookrules.TransferDecision{Out: 0, In: 1}, nil, []string{"2>3"}},
		"across other lines": {movements, bookrules.TransferDecision{Out: 2, In: 1, IsTransfer: true}, []string{"2>1"}, nil},
		"no transfer, though it says so later": {
			[]bookrules.Movement{evident(operating, 9, -300000, "Alder", byBank(2)), paying(savings, 10, 300000, "Credit")},
			bookrules.TransferDecision{Out: 0, In: 1}, nil, nil,
		},
		"a transfer that a rule denies": {
			[]bookrules.Movement{evident(operating, 9, -300000, "Alder", denied), paying(savings, 10, 300000, "Credit")},
			bookrules.TransferDecision{Out: 0, In: 1, IsTransfer: true}, nil, nil,
		},
	} {
		decided := []bookrules.TransferDecision{test.decision}
		got := bookrules.FindTransfers(nil, accounts, test.movements, bookrules.TransferFacts{Decisions: decided},
			inDollars())

		if pairs, suspected := pairsOf(got.Pairs), pairsOf(got.Suspected); !slices.Equal(pairs, test.pairs) ||
			!slices.Equal(suspected, test.suspected) {
			t.Errorf("%s: pairs are %v, suspected %v; want %v and %v", name, pairs, suspected, test.pairs, test.suspected)
		}
	}
}

func TestSuspectedTransfersAcrossCurrencies(t *testing.T) {
	euros := bookrules.Account{Key: 5, Number: "DE5", Currency: "EUR", Role: bookrules.Operating}
	euroAccount := known(euros, span(1, 60000))
	rates := inDollars(rate("EUR", "2026-09-01", 11, 10), rate("EUR", "2026-09-04", 132, 100))
	accounts := []bookrules.OwnAccount{euroAccount, known(savings, span(1, 60000))}
	first := day("2026-09-02")
	for name, test := range map[string]struct {
		movements        []bookrules.Movement
		pairs, suspected []string
	}{
		"without evidence": {
			[]bookrules.Movement{paying(euros, first, -100000, "Wire out"), paying(savings, first+1, 109500, "Credit")}, nil,
			[]string{"0>1"},
		},
		"a fee of two percent": {
			[]bookrules.Movement{paying(euros, first, -100000, "Wire out"), paying(savings, first+1, 107800, "Credit")},
			nil, nil,
		},
		"a rate that moves by a fifth": {
			[]bookrules.Movement{paying(euros, first, -100000, "Wire out"), paying(savings, first+3, 132000, "Credit")},
			nil, nil,
		},
		"a rate that moves by a fifth, with a bank's name": {
			[]bookrules.Movement{
				evident(euros, first, -100000, "Chase Bank", byBank(2)), paying(savings, first+3, 132000, "Credit"),
			}, nil, nil,
		},
		"a bank's name": {
			[]bookrules.Movement{evident(euros, first, -10000, "Chase Bank", byBank(2)), paying(savings, first+1, 10950,
				"Credit")},
			[]string{"0>1"}, nil,
		},
		"a bank's name, and two that it could be": {
			[]bookrules.Movement{
				evident(euros, first, -100000, "Chase Bank", byBank(2)), paying(savings, first+1, 109500, "Credit"),
				paying(savings, first+1, 110700, "Customer"),
			}, nil, nil,
		},
		"a contractor who is paid monthly": {
			[]bookrules.Movement{
				paying(euros, first, -100000, "Jo"), paying(euros, first-40, -100000, "Jo"),
				paying(savings, first+1, 109500, "Credit"),
			}, nil, nil,
		},
	} {
		got := bookrules.FindTransfers(nil, accounts, test.movements, bookrules.TransferFacts{}, rates)

		if pairs, suspected := pairsOf(got.Pairs), pairsOf(got.Suspected); !slices.Equal(pairs, test.pairs) ||
			!slices.Equal(suspected, test.suspected) {
			t.Errorf("%s: pairs are %v, suspected %v; want %v and %v", name, pairs, suspected, test.pairs, test.suspected)
		}
	}
}
