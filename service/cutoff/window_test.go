package cutoff_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/cashnote"
	"tarmac/service/cutoff"
)

var (
	operating = bookrules.Account{
		Key: 1, Number: "000123456789", Bank: "Harbor Bank", Currency: "USD", Role: bookrules.Operating,
	}
	savings = bookrules.Account{
		Key: 2, Number: "000123457733", Bank: "Harbor Bank", Currency: "USD", Role: bookrules.Savings,
	}
	card = bookrules.Account{
		Key: 3, Number: "371234567893333", Bank: "American Express", Currency: "USD", Role: bookrules.Card,
	}
)

func day(text string) bookrules.Day { return bookrules.DayOf(civil.MustParse(text)) }

func span(first, last bookrules.Day) bookrules.Span { return bookrules.Span{First: first, Last: last} }

// opening returns a file that begins with a balance.
func opening(period bookrules.Span, minor int64) bookrules.Content {
	return bookrules.Content{
		Covered: []bookrules.Span{period}, Balances: []bookrules.Balance{{Day: period.First, Minor: minor, Opening: true}},
	}
}

// covering returns an account whose statements cover the days from each first to each last day.
func covering(a bookrules.Account, days ...string) cutoff.Account {
	s := cutoff.Account{Account: a}
	for i := 0; i < len(days); i += 2 {
		s.Covered = append(s.Covered, span(day(days[i]), day(days[i+1])))
	}
	return s
}

// A first account that begins with a balance of zero says nothing about the months before it.
func TestMonthsBeforeTheFirstStatementAreNotCovered(t *testing.T) {
	opened, excluded := span(day("2026-08-20"), day("2026-11-20")), bookrules.Account{Role: bookrules.Excluded}
	later, older := span(day("2026-10-05"), day("2026-11-20")), span(day("2020-01-01"), day("2026-11-20"))
	states := []cutoff.Account{covering(operating), covering(savings), covering(excluded), covering(card)}
	contents := [][]bookrules.Content{
		{opening(opened, 0)}, {opening(later, 0)}, {{Covered: []bookrules.Span{older}}}, nil,
	}
	firsts := make([]bookrules.Day, len(states))
	for n := range states {
		states[n].Covered = bookrules.Coverage(states[n].Role, contents[n])
		firsts[n] = bookrules.FirstDay(contents[n])
	}

	cutoff.SinceFirst(states, firsts)

	for n, want := range [...]bool{true, true, true, false} {
		if got := slices.Equal(states[n].Covered, []bookrules.Span{opened}); got != want {
			t.Errorf("account %d covers %v", n, states[n].Covered)
		}
	}
	if w := new(cutoff.Of(states[:3], civil.MustParse("2026-11-22"))).Window(); w.Period() != "2026-09 to 2026-10" {
		t.Errorf("the window is %s", w.Period())
	}
}

func TestBurnWindow(t *testing.T) {
	today := civil.MustParse("2026-11-22")
	year := covering(operating, "2026-01-01", "2026-11-20")
	for name, test := range map[string]struct {
		states     []cutoff.Account
		first      string
		months     int
		sufficient bool
		download   int
	}{
		"all months": {[]cutoff.Account{year}, "2026-08-01", 3, true, 0},
		"a card is late": {[]cutoff.Account{year, covering(card, "2025-01-01", "2026-10-15")}, "2026-07-01",
			3, true, 37},
		"a card is two months late": {
			[]cutoff.Account{year, covering(card, "2025-01-01", "2026-09-29")}, "2026-06-01", 3, false, 53,
		},
		"two months": {[]cutoff.Account{covering(operating, "2026-08-05", "2026-11-20")}, "2026-09-01", 2, true, 113},
		"one month":  {[]cutoff.Account{covering(operating, "2026-09-05", "2026-11-20")}, "", 0, false, 113},
		"a gap of a week": {
			[]cutoff.Account{covering(operating, "2025-01-01", "2026-09-07", "2026-09-15", "2026-11-20")},
			"2026-06-01", 3, false, 75,
		},
		"an account that was closed before": {
			[]cutoff.Account{year, covering(bookrules.Account{Role: bookrules.Closed}, "2020-01-01", "2030-01-01")},
			"2026-08-01", 3, true, 0,
		},
		"an account that was closed, without its statement of August": {
			[]cutoff.Account{year, covering(bookrules.Account{Role: bookrules.Closed}, "2026-09-01", "2030-01-01")},
			"2026-09-01", 2, true, 113,
		},
		"excluded accounts aside": {
			[]cutoff.Account{year, covering(bookrules.Account{Role: bookrules.Excluded}, "2020-01-01", "2020-02-01")},
			"2026-08-01", 3, true, 0,
		},
		"a gap of a year ago": {
			[]cutoff.Account{covering(operating, "2025-01-01", "2025-09-07", "2025-09-15", "2026-11-20")},
			"2026-08-01", 3, true, 440,
		},
		"no account": {nil, "", 0, false, 0},
	} {
		got := new(cutoff.Of(test.states, today)).Window()

		if got.First.String() != test.first || got.Months != test.months || got.Sufficient != test.sufficient ||
			got.DownloadDays != test.download {
			t.Errorf("%s: %+v", name, got)
		}
		if test.months > 0 && got.Last != got.First.AddMonths(test.months-1).LastOfMonth() {
			t.Errorf("%s: the window ends on %s", name, got.Last)
		}
	}
}

func TestTheNoteOfTheWindowSaysWhatIsMissing(t *testing.T) {
	lagging := cutoff.Account{
		Account: card, Covered: []bookrules.Span{span(day("2025-01-01"), day("2026-10-15"))},
	}

	got := new(cutoff.Of([]cutoff.Account{lagging}, civil.MustParse("2026-11-22"))).Window()

	want := "No statement of American Express …3333 covers 2026-10-16 to 2026-10-31. " +
		"A download of the last 37 days would do."
	if got.MissingNote() != want || got.Period() != "2026-07 to 2026-09" {
		t.Errorf("the note is %q, the window %q", got.MissingNote(), got.Period())
	}
}

func TestWhatAllAccountsCover(t *testing.T) {
	today := civil.MustParse("2026-11-22")
	before := cashnote.Days{First: civil.MustParse("2024-10-01"), Last: civil.MustParse("2025-12-31")}
	for name, test := range map[string]struct {
		states    []cutoff.Account
		gaps      [][2]string // after those before 2026
		to        string
		forgotten int
	}{
		"one account":    {[]cutoff.Account{covering(operating, "2026-01-01", "2026-11-20")}, nil, "2026-11-20", 0},
		"up to tomorrow": {[]cutoff.Account{covering(operating, "2026-01-01", "2026-11-23")}, nil, "2026-11-21", 0},
		"a gap": {
			[]cutoff.Account{covering(operating, "2026-01-01", "2026-03-31", "2026-05-01", "2026-11-20")},
			[][2]string{{"2026-04-01", "2026-04-30"}}, "2026-11-20", 0,
		},
		"gaps of two accounts": {
			[]cutoff.Account{
				covering(operating, "2026-01-01", "2026-03-31", "2026-05-01", "2026-11-20"),
				covering(card, "2026-01-01", "2026-04-14", "2026-05-11", "2026-11-12"),
			},
			[][2]string{{"2026-04-01", "2026-05-10"}}, "2026-11-12", 0,
		},
		"a gap after the last statement of another account": {
			[]cutoff.Account{
				covering(operating, "2026-01-01", "2026-11-01"),
				covering(card, "2026-01-01", "2026-11-05", "2026-11-09", "2026-11-12"),
			},
			[][2]string{{"2026-11-06", "2026-11-08"}}, "2026-11-01", 0,
		},
		"45 days late": {
			[]cutoff.Account{
				covering(operating, "2026-01-01", "2026-11-20"), covering(card, "2026-01-01", "2026-10-06"),
			},
			nil, "2026-10-06", 0,
		},
		"46 days late": {
			[]cutoff.Account{
				covering(operating, "2026-01-01", "2026-11-20"), covering(card, "2026-01-01", "2026-10-05"),
			},
			[][2]string{{"2026-10-06", "2026-11-21"}}, "2026-11-20", 1,
		},
		"excluded accounts aside": {
			[]cutoff.Account{
				covering(operating, "2026-01-01", "2026-11-20"),
				covering(bookrules.Account{Role: bookrules.Excluded}, "2020-01-01", "2020-02-01"),
			},
			nil, "2026-11-20", 0,
		},
	} {
		covered := cutoff.Of(test.states, today)
		note := covered.Note(nil)

		want := []cashnote.Days{before}
		for _, gap := range test.gaps {
			want = append(want, cashnote.Days{First: civil.MustParse(gap[0]), Last: civil.MustParse(gap[1])})
		}
		if !slices.Equal(note.Uncovered, want) || note.CoveredTo.String() != test.to || note.Forgotten != test.forgotten {
			t.Errorf("%s: %+v", name, note)
		}
	}
}

func TestAnAccountWithoutStatementsCoversNothing(t *testing.T) {
	states := []cutoff.Account{covering(operating, "2026-01-01", "2026-11-20"), covering(card)}

	note := new(cutoff.Of(states, civil.MustParse("2026-11-22"))).Note(nil)

	want := cashnote.Days{First: civil.MustParse("2024-10-01"), Last: civil.MustParse("2026-11-21")}
	if !note.CoveredTo.IsZero() || !slices.Equal(note.Uncovered, []cashnote.Days{want}) {
		t.Errorf("%+v", note)
	}
}

func TestAForgottenAccountIsNamedWithItsLastBalance(t *testing.T) {
	states := []cutoff.Account{
		covering(operating, "2024-01-01", "2026-11-20"), covering(card, "2024-01-01", "2026-08-31"),
	}
	states[1].Identity, states[1].Currency = "card", "USD"
	covered := cutoff.Of(states, civil.MustParse("2026-11-22"))

	note := covered.Note([]bookrules.CashShare{
		{Identity: "card", Currency: "USD", AvailableCents: 500}, {Identity: "other", Currency: "USD", AvailableCents: 70},
	})

	if want := "American Express …3333 seems forgotten: its statements end on 2026-08-31. " +
		"Import newer ones, or say with `tarmac books role` that an account is closed."; note.Prose != want ||
		note.ForgottenMinor != 500 {
		t.Errorf("%+v", note)
	}
}

func TestStatementsThatEndMoreThanAWeekAgoAreSaid(t *testing.T) {
	for last, want := range map[string]string{
		"2026-11-15": "", "2026-11-21": "", "2026-10-30": "", // days of a full month are named as missing
		"2026-11-14": "The cash is known up to 2026-11-14: newer statements are missing.",
		"2026-10-31": "The cash is known up to 2026-10-31: newer statements are missing.",
	} {
		covered := cutoff.Of([]cutoff.Account{covering(operating, "2024-01-01", last)},
			civil.MustParse("2026-11-22"))

		if note := covered.Note(nil); note.Prose != want {
			t.Errorf("to %s: %q", last, note.Prose)
		}
	}
}

// A day is uncovered exactly if an account does not cover it: the days up to CoveredTo by the list,
// and all later ones.
func TestADayIsCoveredIfAllAccountsCoverIt(t *testing.T) {
	today := civil.MustParse("2026-11-22")
	first := bookrules.DayOf(civil.MustParse("2026-06-01"))
	rapid.Check(t, func(t *rapid.T) {
		states := make([]cutoff.Account, rapid.IntRange(1, 3).Draw(t, "accounts"))
		for i := range states {
			at := first
			for range rapid.IntRange(1, 4).Draw(t, "spans") {
				s := span(at+bookrules.Day(rapid.IntRange(1, 40).Draw(t, "gap")), 0)
				s.Last = s.First + bookrules.Day(rapid.IntRange(0, 60).Draw(t, "days"))
				states[i].Covered, at = append(states[i].Covered, s), s.Last+1
			}
		}

		covered := cutoff.Of(states, today)

		for day := first; day < bookrules.DayOf(today); day++ {
			all := true
			for i := range states {
				all = all && slices.ContainsFunc(states[i].Covered, func(s bookrules.Span) bool { return s.Contains(day) })
			}
			listed := slices.ContainsFunc(covered.Uncovered, func(s bookrules.Span) bool { return s.Contains(day) })
			if all && listed || !all && !listed && day <= covered.To {
				t.Fatalf("%v: covered by all %v, listed %v, to %v", day.Date(), all, listed, covered.To.Date())
			}
		}
	})
}

func TestDaysBeforeAnAccountWasOpenedLackNoStatement(t *testing.T) {
	// The account begins with a balance of zero on 4 August, so that it covers all days before.
	for name, test := range map[string]struct {
		from    string
		missing bool
	}{"opened": {"1990-01-01", false}, "begins with money": {"2026-08-04", true}} {
		states := []cutoff.Account{covering(operating, test.from, "2026-11-21")}
		cutoff.SinceFirst(states, []bookrules.Day{bookrules.DayOf(civil.MustParse("2026-08-04"))})

		window := new(cutoff.Of(states, civil.MustParse("2026-11-22"))).Window()
		covered := cutoff.Of(states, civil.MustParse("2026-11-22"))

		if window.First.String() != "2026-09-01" || (len(window.Missing) > 0) != test.missing ||
			covered.Begins.Date().IsZero() != test.missing {
			t.Errorf("%s: from %s, missing %v, begins %s", name, window.First, window.Missing, covered.Begins.Date())
		}
	}
}
