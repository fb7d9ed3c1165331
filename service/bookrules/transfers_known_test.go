package bookrules_test

import (
	"slices"
	"testing"

	"tarmac/service/bookrules"
)

// ownNamed is a line whose party is the company itself.
func ownNamed(a bookrules.Account, day bookrules.Day, minor int64) bookrules.Movement {
	return evident(a, day, minor, "Kestrel Works Ltd", bookrules.Evidence{
		Strength: bookrules.NamedOwner, Origin: bookrules.FromOwner,
	})
}

func perhapsOwn(a bookrules.Account, day bookrules.Day, minor int64) bookrules.Movement {
	return evident(a, day, minor, "Summit", bookrules.Evidence{
		Strength: bookrules.PossibleOwner, Origin: bookrules.FromOwner,
	})
}

func TestTransfersByTheCompanysName(t *testing.T) {
	all := []bookrules.OwnAccount{known(operating, span(1, 365)), known(savings, span(1, 365))}
	weekly := func(line func(bookrules.Account, bookrules.Day, int64) bookrules.Movement) (m []bookrules.Movement) {
		for day := bookrules.Day(10); day < 60; day += 7 {
			m = append(m, line(operating, day, -1000000), line(savings, day+3, 1000000))
		}
		return m
	}
	eight := []string{"0>1", "2>3", "4>5", "6>7", "8>9", "10>11", "12>13", "14>15"}
	for name, test := range map[string]struct {
		movements                   []bookrules.Movement
		pairs, suspected, elsewhere int
	}{
		"a run of equal amounts":                         {weekly(ownNamed), len(eight), 0, 0},
		"a name that may be a customer's is asked about": {weekly(perhapsOwn), 0, 8, 0},
		"the other line names nobody": {[]bookrules.Movement{
			ownNamed(operating, 10, -500000), paying(savings, 11, 500000, "Deposit"),
		}, 1, 0, 0},
		"a customer's equal amount": {[]bookrules.Movement{
			ownNamed(operating, 10, -500000), paying(savings, 11, 500000, "Lindqvist"), paying(savings, 40, 300000, "Lindqvist"),
		}, 0, 0, 1},
		"a customer who paid once is asked about": {[]bookrules.Movement{
			ownNamed(operating, 10, -500000), paying(savings, 11, 500000, "Lindqvist"),
		}, 0, 1, 0},
		"a month apart":   {[]bookrules.Movement{ownNamed(operating, 10, -500000), ownNamed(savings, 40, 500000)}, 0, 0, 2},
		"another account": {[]bookrules.Movement{ownNamed(operating, 10, -500000)}, 0, 0, 1},
	} {
		got := bookrules.FindTransfers(nil, all, test.movements, bookrules.TransferFacts{}, inDollars())

		if len(got.Pairs) != test.pairs || len(got.Suspected) != test.suspected || len(got.Elsewhere) != test.elsewhere {
			t.Errorf("%s: %d pairs, %d suspected, %d elsewhere", name, len(got.Pairs), len(got.Suspected), len(got.Elsewhere))
		}
	}
}

func TestLinesWithOneIDAreATransfer(t *testing.T) {
	euros := bookrules.Account{Key: 5, Number: "DE5", Currency: "EUR", Role: bookrules.Operating}
	all := []bookrules.OwnAccount{known(operating, span(1, 60000)), known(savings, span(1, 60000)),
		known(euros, span(1, 60000))}
	first := day("2026-09-02")
	rates := inDollars(rate("EUR", "2026-09-01", 11, 10))
	for name, test := range map[string]struct {
		movements []bookrules.Movement
		want      int
	}{
		"equal amounts": {[]bookrules.Movement{paying(operating, first, -5000, "a"), paying(savings, first+5,
			5000, "b")}, 1},
		"six days apart": {[]bookrules.Movement{paying(operating, first, -5000, "a"), paying(savings, first+6,
			5000, "b")}, 0},
		"another amount": {[]bookrules.Movement{paying(operating, first, -5000, "a"), paying(savings, first,
			4990, "b")}, 0},
		"one direction": {[]bookrules.Movement{paying(operating, first, -5000, "a"), paying(savings, first,
			-5000, "b")}, 0},
		"one account": {[]bookrules.Movement{paying(operating, first, -5000, "a"), paying(operating, first,
			5000, "b")}, 0},
		"an exchange": {[]bookrules.Movement{paying(euros, first, -100000, "a"), paying(operating, first,
			107000, "b")}, 1},
		"too much was lost": {[]bookrules.Movement{paying(euros, first, -100000, "a"), paying(operating, first,
			90000, "b")}, 0},
	} {
		got := bookrules.FindTransfers(nil, all, test.movements, bookrules.TransferFacts{SameID: [][2]int{{1, 0}}}, rates)

		if len(got.Pairs) != test.want || test.want == 1 && got.Pairs[0].By != bookrules.FromID {
			t.Errorf("%s: %+v", name, got.Pairs)
		}
	}
}

func TestAnAnswerHoldsForLinesLikeThoseItWasAbout(t *testing.T) {
	all := []bookrules.OwnAccount{known(operating, span(1, 365)), known(savings, span(1, 365))}
	answer := func(yes bool) bookrules.TransferFacts {
		return bookrules.TransferFacts{Answers: []bookrules.TransferAnswer{{
			TransferPattern: bookrules.TransferPattern{Out: 1, In: 2, OutWords: "TAX POT", InWords: "DEPOSIT"},
			LargestMinor:    400000, Yes: yes,
		}}}
	}
	for name, test := range map[string]struct {
		movements                []bookrules.Movement
		yes                      bool
		pairs, suspected, denied int
	}{
		"yes": {[]bookrules.Movement{paying(operating, 9, -400000, "tax pot"), paying(savings, 10, 400000,
			"deposit")}, true, 1, 0, 0},
		"no": {[]bookrules.Movement{paying(operating, 9, -400000, "tax pot"), paying(savings, 10, 400000,
			"deposit")}, false, 0, 0, 1},
		"more than three times as much": {
			[]bookrules.Movement{paying(operating, 9, -1300000, "tax pot"), paying(savings, 10, 1300000, "deposit")},
			true, 0, 1, 0,
		},
		"other words": {
			[]bookrules.Movement{paying(operating, 9, -400000, "tax pot"), paying(savings, 10, 400000, "Lindqvist")},
			true, 0, 1, 0,
		},
		"the other direction": {
			[]bookrules.Movement{paying(savings, 9, -400000, "deposit"), paying(operating, 10, 400000, "tax pot")},
			true, 0, 1, 0,
		},
		"a customer's line of the same amount is left alone": {[]bookrules.Movement{
			paying(operating, 9, -400000, "tax pot"), paying(savings, 9, 400000, "Lindqvist"), paying(savings, 12,
				400000, "deposit"),
		}, true, 1, 0, 0},
	} {
		got := bookrules.FindTransfers(nil, all, test.movements, answer(test.yes), inDollars())

		if len(got.Pairs) != test.pairs || len(got.Suspected) != test.suspected || len(got.Denied) != test.denied {
			t.Errorf("%s: %+v", name, got)
		}
		if len(got.Pairs) == 1 && got.Treatments[got.Pairs[0].In] != bookrules.IsPaired {
			t.Errorf("%s: treatments are %v", name, got.Treatments)
		}
	}
}

func TestAnAnswerAboutMoneyForAnotherAccountHolds(t *testing.T) {
	all := []bookrules.OwnAccount{known(operating, span(1, 365))}
	movements := []bookrules.Movement{ownNamed(operating, 10, -500000), ownNamed(operating, 40, -1600000)}
	pattern := bookrules.TransferPattern{Out: 1, OutWords: "KESTREL WORKS LTD"}
	for yes, want := range map[bool]bookrules.Treatment{true: bookrules.IsOneSided, false: bookrules.IsRow} {
		facts := bookrules.TransferFacts{Answers: []bookrules.TransferAnswer{{TransferPattern: pattern,
			LargestMinor: 500000, Yes: yes}}}

		got := bookrules.FindTransfers(nil, all, movements, facts, inDollars())

		if got.Treatments[0] != want || !slices.Equal(got.Elsewhere, []int{1}) {
			t.Errorf("%t: treatments are %v, elsewhere %v", yes, got.Treatments, got.Elsewhere)
		}
	}
}

// The other account's statements end earlier: the money is on its way, as other transfers were.
func TestOwnMoneyIsInTransitToAnAccountWithOtherTransfers(t *testing.T) {
	all := []bookrules.OwnAccount{known(operating, span(1, 60)), known(savings, span(1, 30))}
	movements := []bookrules.Movement{
		ownNamed(operating, 10, -500000), ownNamed(savings, 11, 500000), ownNamed(operating, 40, -700000),
	}

	got := bookrules.FindTransfers(nil, all, movements, bookrules.TransferFacts{}, inDollars())

	if len(got.Pairs) != 1 || len(got.InTransit) != 1 || got.InTransit[0].Movement != 2 || len(got.Elsewhere) > 0 {
		t.Errorf("it is %+v", got)
	}
}
