package banks

import (
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// sample returns what is found in a file, and the answer that agrees with it.
func sample() (*Contents, *answer) {
	found := &Contents{Statements: []*Statement{{
		Statement: &bank.Statement{
			Account: bank.Account{Number: "000123456789"}, Currency: "USD", Closing: &bank.Balance{Minor: 999},
		},
		Lines: []bank.Line{
			{Place: 1, Booked: civil.MustParse("2026-09-01"), Minor: 100},
			{Place: 2, Booked: civil.MustParse("2026-09-30"), Minor: -250},
		},
	}}}
	currency, closing := "USD", int64(999)
	return found, &answer{
		AgreedBy: []string{"x", "y"},
		Statements: []expected{{
			Account: "6789", Currency: &currency, Transactions: 2, Inflow: 100, Outflow: 250, Closing: &closing,
			First: "2026-09-01", Last: "2026-09-30",
		}},
	}
}

func TestDifferencesFromAnAnswerFail(t *testing.T) {
	for name, change := range map[string]func(s *Statement){
		"nothing":           nil,
		"a line less":       func(s *Statement) { s.Lines = s.Lines[:1] },
		"the other sign":    func(s *Statement) { s.Lines[0].Minor = -100 },
		"a cent more":       func(s *Statement) { s.Lines[0].Minor++ },
		"pending":           func(s *Statement) { s.Lines[0].Pending = true },
		"another day":       func(s *Statement) { s.Lines[1].Booked = civil.MustParse("2026-10-01") },
		"another balance":   func(s *Statement) { s.Closing.Minor++ },
		"no balance":        func(s *Statement) { s.Closing = nil },
		"another currency":  func(s *Statement) { s.Currency = "EUR" },
		"another account":   func(s *Statement) { s.Account.Number = "1111" },
		"no account at all": func(s *Statement) { s.Account.Number = "" },
	} {
		found, want := sample()
		verdict := fail
		if change == nil {
			verdict = pass
		} else {
			change(found.Statements[0])
		}

		if got, differences := judge(want, found); got != verdict {
			t.Errorf("%s: %s %s", name, got, differences)
		}
	}
}

func TestAStatementTooManyFails(t *testing.T) {
	found, want := sample()
	found.Statements = append(found.Statements, found.Statements[0])

	if got, differences := judge(want, found); got != fail {
		t.Errorf("%s %s", got, differences)
	}
}

func TestADifferenceFromASingleReadingIsANote(t *testing.T) {
	found, want := sample()
	found.Statements[0].Lines[0].Minor++
	want.AgreedBy = want.AgreedBy[:1]

	if got, differences := judge(want, found); got != note {
		t.Errorf("%s %s", got, differences)
	}
}

func TestLinesOfNoStatementBreakARule(t *testing.T) {
	found := &Contents{}

	err := found.Line(&bank.Statement{}, bank.Line{Place: 1, Booked: civil.MustParse("2026-09-01")})

	if _, ok := err.(*BrokenRule); !ok {
		t.Errorf("error is %v", err)
	}
}
