package ownbooks_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/ownbooks"
)

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func TestOutcomesOfReadingsAreOneSentenceEach(t *testing.T) {
	bank := ownbooks.Connection{Label: "Mercury"}
	for want, outcomes := range map[string][]ownbooks.Outcome{
		"There is no connection to read.": nil,
		"Mercury: nothing new.":           {{Connection: bank}},
		"Mercury: 1 line new, 2 lines changed, 3 lines removed, 4 pending, 5 open invoices, paid now: INV-1.": {{
			Connection: bank, Added: 1, Changed: 2, Removed: 3, Pending: 4, Invoices: 5, PaidInvoices: []string{"INV-1"},
		}},
		"Mercury does not answer. Mercury: 1 line new, the rest is missing.": {
			{Connection: bank, Problem: "Mercury does not answer."},
			{Connection: bank, Added: 1, Problem: "the rest is missing"},
		},
	} {
		text, failed := ownbooks.SyncText(outcomes)

		if text != want || failed != (len(outcomes) == 2) {
			t.Errorf("%q (failed: %v), want %q", text, failed, want)
		}
	}
}

func TestAConnectionSaysItsStateAgeAndNextReading(t *testing.T) {
	ago := func(d time.Duration) ownbooks.Moment { return ownbooks.At(now.Add(-d)) }
	soon := ownbooks.At(now)
	for want, c := range map[string]ownbooks.Connection{
		"ok, 20 minutes ago, in 10 minutes": {
			State: ownbooks.Ready, LastSuccess: ago(20 * time.Minute), NextTry: ownbooks.At(now.Add(10 * time.Minute)),
		},
		"late, 31 minutes ago, now":       {State: ownbooks.Ready, LastSuccess: ago(31 * time.Minute), NextTry: soon},
		"does not add up, never, —":       {State: ownbooks.Ready, Residual: "…6789 lacks -1.00 USD"},
		"no accounts yet, never, —":       {State: ownbooks.Choosing, NextTry: soon},
		"sign in again, never, now":       {State: ownbooks.Failing, SignIn: []string{"Harbor Bank"}, NextTry: soon},
		"token refused, never, in 1 hour": {State: ownbooks.Denied, NextTry: ownbooks.At(now.Add(time.Hour))},
		"token lost, never, —":            {State: ownbooks.Lost, NextTry: ownbooks.At(now.Add(time.Hour))},
	} {
		c.Every = 15 * time.Minute

		if text := c.StateText(now) + ", " + c.LastText(now) + ", " + c.NextText(now); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

func TestAnAccountIsProposedForItsMatchesAndForANewAccount(t *testing.T) {
	c := ownbooks.Connection{Title: "Mercury"}
	for want, a := range map[string]ownbooks.ConnectedAccount{
		"6789, 4821, Mercury Checking*": {Name: "Checking", BooksAccount: "6789", Matches: []string{"6789", "4821"}},
		"Treasury*":                     {BooksAccount: "Treasury"},
		"0001*, 6789":                   {BooksAccount: "0001", Matches: []string{"6789"}},
		"7733":                          {BooksAccount: "7733", Taken: true},
	} {
		targets := c.Targets(&a)
		for n, target := range targets {
			if a.IsNew(target) {
				targets[n] += "*"
			}
		}

		if text := strings.Join(targets, ", "); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

func TestAccountsThatWereTakenStayChosen(t *testing.T) {
	first := ownbooks.Connection{Accounts: []ownbooks.ConnectedAccount{{}, {Refused: "no currency"}, {Missing: true}}}
	again := ownbooks.Connection{Accounts: []ownbooks.ConnectedAccount{{}, {Taken: true}}}

	if got := first.Chosen(); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("at first %v", got)
	}
	if got := again.Chosen(); !slices.Equal(got, []bool{false, true}) {
		t.Errorf("again %v", got)
	}
}

func TestNumbersOfAccountsAreShort(t *testing.T) {
	for account, want := range map[string]string{
		"000123456789": "…6789", "GB33BUKB20201555555555": "…5555", "6789": "6789", "…6789": "…6789",
		"Mercury Treasury": "Mercury Treasury", "Treasury": "Treasury", "Account 000123456789": "Account 000123456789",
	} {
		if got := ownbooks.AccountText(account); got != want {
			t.Errorf("%q is %q, want %q", account, got, want)
		}
	}
}
