package simplefin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

func TestAReadingIsOneRequestForAllAccounts(t *testing.T) {
	s := newServer(t)
	c := s.Connect("Harbor Bank", "Ada")
	a, b := s.Open(c, "Checking", "USD", 1_00), s.Open(c, "Savings", "USD", 2_00)
	p := s.connect(t)

	reading := read(t, p, s.ID(b), s.ID(a))

	if len(reading.Statements) != 2 || reading.Statements[0].Account != s.ID(b) ||
		reading.Statements[0].Closing.Minor != 2_00 || reading.Statements[1].Closing.Minor != 1_00 {
		t.Errorf("%+v", reading)
	}
	q := s.lastQuery(t)
	if q.Get("version") != "2" || q.Get("pending") != "1" || q.Has("end-date") ||
		q.Get("start-date") != unix("2026-10-07") {
		t.Errorf("asked with %v", q)
	}
	if n := len(s.Requests()); n != 2 || len(reading.Notices) != 0 {
		t.Errorf("%d requests with the notices %q", n, reading.Notices)
	}
}

// An answer to a request with an end has the balance of that end.
func TestOlderHistoryIsReadWithoutBalanceAndPendingLines(t *testing.T) {
	s := newServer(t)
	a := s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "USD", 0)
	for _, day := range []string{"2026-08-18", "2026-08-19", "2026-10-01", "2026-10-02"} {
		s.Book(a, noon(day), 1_00, day)
	}
	s.Hold(a, noon("2026-09-15"), -5_00, "Hold")

	reading, err := s.connect(t).Read(t.Context(), providers.Request{
		Accounts: []string{s.ID(a)}, Since: civil.MustParse("2025-01-01"), Until: civil.MustParse("2026-10-01"), Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}

	got := reading.Statements[0]
	if q := s.lastQuery(t); q.Get("start-date") != unix("2026-08-19") || q.Get("end-date") != unix("2026-10-02") ||
		q.Has("pending") {
		t.Errorf("asked with %v", q)
	}
	if got.Closing != nil || got.Present != nil || len(got.Lines) != 2 || got.Lines[0].Description != "2026-08-19" ||
		got.First != civil.MustParse("2026-08-19") || got.Last != civil.MustParse("2026-10-01") {
		t.Errorf("%+v", got)
	}
}

func TestALineHasItsDayInUTCAndTheTextsOfTheBank(t *testing.T) {
	s := newServer(t)
	a := s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "USD", 100_00)
	s.Book(a, time.Date(2026, 11, 18, 23, 59, 59, 0, time.UTC), -12_34, "COFFEE \x1b[2J SHOP")

	got := read(t, s.connect(t), s.ID(a)).Statements[0]

	if len(got.Lines) != 1 || got.Lines[0].ID == "" {
		t.Fatalf("%+v", got)
	}
	got.Lines[0].ID = ""
	want := bank.Line{Booked: civil.New(2026, 11, 18), Minor: -12_34, Description: "COFFEE SHOP"}
	if text := strings.Join(strings.Fields(got.Lines[0].Description), " "); text != want.Description {
		t.Errorf("description is %q", text)
	}
	got.Lines[0].Description = want.Description
	if got.Lines[0] != want || *got.Closing != (bank.Balance{Minor: 87_66, Date: civil.Of(now)}) {
		t.Errorf("%+v, closing %+v", got.Lines[0], got.Closing)
	}
}

func TestAPendingLineIsBookedUnderAnotherID(t *testing.T) {
	s := newServer(t)
	a := s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "USD", 0)
	hold := s.Hold(a, noon("2026-11-17"), -40_00, "Fuel")
	p := s.connect(t)

	before := read(t, p, s.ID(a)).Statements[0]
	s.Settle(a, hold, noon("2026-11-19"), -52_10)
	after := read(t, p, s.ID(a)).Statements[0]

	pending, booked := before.Lines[0], after.Lines[0]
	if !pending.Pending || pending.Booked != civil.New(2026, 11, 17) || pending.Minor != -40_00 {
		t.Errorf("pending line is %+v", pending)
	}
	if booked.Pending || booked.Booked != civil.New(2026, 11, 19) || booked.Value != civil.New(2026, 11, 17) ||
		booked.Minor != -52_10 || booked.ID == pending.ID || len(after.Lines) != 1 {
		t.Errorf("booked line is %+v", booked)
	}
}

func TestEqualAnswersGiveEqualStatements(t *testing.T) {
	s := newServer(t)
	a := s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "USD", 0)
	first := s.Book(a, noon("2026-11-18"), -1_00, "First")
	s.Book(a, noon("2026-11-18"), -2_00, "Second")
	p := s.connect(t)

	before := read(t, p, s.ID(a)).Statements[0].Lines
	s.Withdraw(a, first)
	s.Restore(a, first)
	after := read(t, p, s.ID(a)).Statements[0].Lines

	if !slices.Equal(before, after) || len(after) != 2 {
		t.Errorf("%+v\n%+v", before, after)
	}
}

// A bank that stops listing old lines does not withdraw them.
func TestAPeriodBeginsWhereTheHistoryOfTheBankBegins(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string // times of booked lines
		first string   // first day of the statement
		taken int      // number of lines in the statement
	}{
		"no lines":                {nil, "2026-10-22", 0},
		"recent lines":            {[]string{"2026-11-10T12:00:00Z"}, "2026-10-22", 1},
		"an old line":             {[]string{"2026-10-15T12:00:00Z", "2026-11-10T12:00:00Z"}, "2026-10-15", 2},
		"an old line with a time": {[]string{"2026-10-15T09:31:00Z", "2026-11-10T12:00:00Z"}, "2026-10-16", 1},
		"a line on the first day": {[]string{"2026-10-07T09:31:00Z"}, "2026-10-07", 1},
		"a line before it":        {[]string{"2026-10-06T23:59:59Z"}, "2026-10-22", 0},
	} {
		s := newServer(t)
		a := s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "USD", 0)
		for _, text := range test.lines {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			s.Book(a, at, 1_00, text)
		}

		got := read(t, s.connect(t), s.ID(a)).Statements[0]

		if got.First.String() != test.first || got.Last != civil.Of(now) || len(got.Lines) != test.taken {
			t.Errorf("%s: %d lines from %v to %v, want %d from %s", name, len(got.Lines), got.First, got.Last, test.taken,
				test.first)
		}
	}
}

func TestABalanceIsProofOfItsOwnDayOnly(t *testing.T) {
	for name, test := range map[string]struct {
		at  time.Time
		day string // "" if the balance proves nothing
	}{
		"now":               {now, "2026-11-20"},
		"last week":         {now.AddDate(0, 0, -7), "2026-11-13"},
		"hours ahead":       {now.Add(20 * time.Hour), "2026-11-20"},
		"a year ahead":      {now.AddDate(1, 0, 0), ""},
		"in milliseconds":   {time.Unix(now.UnixMilli(), 0), ""},
		"before the period": {now.AddDate(0, -6, 0), "2026-05-20"},
		"without a day":     {time.Unix(0, 0), ""},
	} {
		s := newServer(t)
		a := s.Open(s.Connect("Harbor Bank", "Ada"), "Checking", "USD", 0)
		s.SetBalance(a, "12.30", test.at)

		got := read(t, s.connect(t), s.ID(a)).Statements[0]

		day := ""
		if got.Closing != nil {
			day = got.Closing.Date.String()
		}
		if day != test.day || got.Present == nil || got.Present.CurrentMinor != 12_30 || got.Incomplete != "" {
			t.Errorf("%s: %+v on %q, want %q", name, got, day, test.day)
		}
	}
}

func TestALineThatCannotBeReadHoldsUpItsAccountAlone(t *testing.T) {
	for name, test := range map[string]struct {
		amount string
		at     time.Time
		want   string
	}{
		"three decimals":  {"12.345", now, `"12.345" has more decimals than USD`},
		"no number":       {"twelve", now, `"twelve" is not an amount`},
		"an exponent":     {"1e3", now, `"1e3" is not an amount`},
		"grouped":         {"1,234.00", now, `"1,234.00" is not an amount`},
		"too large":       {"99999999999999999999", now, "is too large"},
		"a year ahead":    {"1.00", now.AddDate(1, 0, 0), "2027-11-20, which is in the future"},
		"in milliseconds": {"1.00", time.Unix(now.UnixMilli(), 0), "has no date"},
	} {
		s := newServer(t)
		c := s.Connect("Harbor Bank", "Ada")
		bad, good := s.Open(c, "Checking", "USD", 0), s.Open(c, "Savings", "USD", 0)
		s.Write(s.Book(bad, test.at, 1_00, "Line"), test.amount)
		s.Book(good, now, 1_00, "Line")

		got := read(t, s.connect(t), s.ID(bad), s.ID(good)).Statements

		if !strings.Contains(got[0].Incomplete, test.want) || len(got[0].Lines) != 0 {
			t.Errorf("%s: %+v", name, got[0])
		}
		if got[1].Incomplete != "" || len(got[1].Lines) != 1 {
			t.Errorf("%s: the other account is %+v", name, got[1])
		}
	}
}

func noon(day string) time.Time { return civil.MustParse(day).Time().Add(12 * time.Hour) }

func unix(day string) string { return fmt.Sprint(civil.MustParse(day).Time().Unix()) }
