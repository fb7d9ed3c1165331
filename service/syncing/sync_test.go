package syncing_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// statement returns a statement of an account for the days of a request, with a line for each
// amount, booked one day after the other until the day before noon.
func statement(account string, r providers.Request, amounts ...int64) providers.Statement {
	last := r.Until
	if last.IsZero() {
		last = civil.Of(r.Now)
	}
	st := providers.Statement{Account: account, First: r.Since, Last: last}
	for n, minor := range amounts {
		day := civil.Of(noon).AddDays(n - len(amounts))
		if !day.Before(r.Since) && !day.After(last) {
			st.Lines = append(st.Lines, bank.Line{Booked: day, Minor: minor, Description: "line"})
		}
	}
	return st
}

// connected returns a fixture whose organization has taken the account "a" of the bank. The bank
// answers each request with the given lines.
func connected(t testing.TB, change func(*providers.Kind), amounts ...int64) *fixture {
	t.Helper()
	f := newFixture(t)
	if change != nil {
		kind := f.bank.kind()
		change(&kind)
		f.Kinds = []providers.Kind{kind}
	}
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789")}}
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		return providers.Reading{Statements: []providers.Statement{statement("a", r, amounts...)}}, nil
	}
	f.choose(t, f.connect(t, "token"), "a")
	return f
}

func (f *fixture) sync(t testing.TB) syncing.Outcome {
	t.Helper()
	outcomes, err := f.Sync(context.Background(), f.org, "", syncing.SyncOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return outcomes[0]
}

func TestAReadingFillsTheBooksAndPlansTheNext(t *testing.T) {
	f := connected(t, nil, 100, -200)

	c := f.list(t)[0]

	if c.State != store.ConnectionReady || !c.LastSuccess.Equal(noon) || !c.NextTry.Equal(noon.Add(time.Hour)) {
		t.Errorf("the connection is %+v", c.Connection)
	}
	accounts, err := f.Books(f.org).Accounts(context.Background())
	if err != nil || len(accounts) != 1 || accounts[0].Lines != 2 || accounts[0].Number != "…6789" {
		t.Errorf("the accounts in the books are %+v, %v", accounts, err)
	}
	if sent := f.bank.sent(); !slices.Equal(sent, []string{"accounts", "read since 2024-11-18"}) {
		t.Errorf("the requests are %q", sent)
	}
	f.sync(t)
	if sent := f.bank.sent(); sent[2] != "read since 2026-10-07" {
		t.Errorf("the second reading is %q", sent[2])
	}
}

func TestFailuresAreToldAndTheBooksStay(t *testing.T) {
	for name, test := range map[string]struct {
		failure error
		state   store.ConnectionState
		next    time.Duration
	}{
		"unreachable": {&providers.Failure{Text: "no answer"}, store.ConnectionFailing, time.Minute},
		"denied": {
			&providers.Failure{Cause: providers.Denied, Text: "revoked"}, store.ConnectionDenied, 24 * time.Hour,
		},
		"limited": {
			&providers.Failure{Cause: providers.Limited, Text: "too often", RetryAfter: 3 * time.Hour},
			store.ConnectionFailing, 3 * time.Hour,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := connected(t, nil, 100)
			f.bank.failure = test.failure
			f.clock.advance(time.Hour)

			outcome := f.sync(t)

			c := f.list(t)[0]
			if outcome.Problem != test.failure.Error() || c.Problem != outcome.Problem || c.Failures != 1 {
				t.Errorf("the outcome is %+v", outcome)
			}
			if c.State != test.state || !c.NextTry.Equal(noon.Add(time.Hour+test.next)) || !c.LastSuccess.Equal(noon) {
				t.Errorf("the connection is %+v", c.Connection)
			}
		})
	}
}

func TestAProviderThatAsksToWaitIsNotAskedByAPersonEither(t *testing.T) {
	f := connected(t, nil)
	f.bank.failure = &providers.Failure{Cause: providers.Limited, Text: "too often", RetryAfter: 3 * time.Hour}
	f.sync(t)
	before := len(f.bank.sent())
	f.bank.failure = nil

	outcome := f.sync(t)

	if len(f.bank.sent()) != before || !strings.Contains(outcome.Problem, "wait until 2026-11-20 15:07 UTC") {
		t.Errorf("the outcome is %q", outcome.Problem)
	}
	f.clock.advance(3 * time.Hour)
	if outcome := f.sync(t); outcome.Problem != "" || len(f.bank.sent()) != before+1 {
		t.Errorf("afterwards the outcome is %q", outcome.Problem)
	}
}

func TestAPersonMayUseTheReserveOfADaysRequests(t *testing.T) {
	f := connected(t, func(k *providers.Kind) { k.Daily, k.Reserve = 4, 1 })
	f.sync(t)
	f.sync(t)

	outcome := f.sync(t)

	if len(f.bank.sent()) != 4 || !strings.Contains(outcome.Problem, "the next is possible at 2026-11-21 12:07 UTC") {
		t.Errorf("after %q the outcome is %q", f.bank.sent(), outcome.Problem)
	}
	if c := f.list(t)[0]; c.State != store.ConnectionReady || c.Failures != 0 || c.BudgetLeft != 0 {
		t.Errorf("the connection is %+v", c)
	}
}

func TestHistoryIsReadInWindowsUntilTwoAreEmpty(t *testing.T) {
	f := newFixture(t)
	kind := f.bank.kind()
	kind.Window = 44
	f.Kinds = []providers.Kind{kind}
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789")}}
	var windows []string
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		windows = append(windows, r.Since.String()+" to "+r.Until.String())
		return providers.Reading{Statements: []providers.Statement{statement("a", r, make([]int64, 60)...)}}, nil
	}

	f.choose(t, f.connect(t, "token"), "a")

	want := []string{
		"2026-10-07 to ", "2026-08-24 to 2026-10-06", "2026-07-11 to 2026-08-23", "2026-05-28 to 2026-07-10",
	}
	if !slices.Equal(windows, want) {
		t.Errorf("the windows are %q, want %q", windows, want)
	}
	if c := f.list(t)[0]; !c.History.Whole {
		t.Errorf("the history is %+v", c.History)
	}
}

func TestAnAccountThatCannotBeReadDoesNotStopTheOthers(t *testing.T) {
	f := newFixture(t)
	f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789"), checking("b", "…1234")}}
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		broken := statement("b", r, 100)
		broken.Incomplete = "the bank asks to sign in again"
		return providers.Reading{Statements: []providers.Statement{statement("a", r, 100), broken}}, nil
	}

	f.choose(t, f.connect(t, "token"), "a", "b")

	c := f.list(t)[0]
	if c.State != store.ConnectionFailing || c.Problem != "the bank asks to sign in again; all other accounts were read" ||
		!c.NextTry.Equal(noon.Add(time.Hour)) {
		t.Errorf("the connection is %+v", c.Connection)
	}
	accounts, err := f.Books(f.org).Accounts(context.Background())
	if err != nil || len(accounts) != 1 || accounts[0].Lines != 1 {
		t.Errorf("the accounts in the books are %+v, %v", accounts, err)
	}
}

func TestACanceledReadingIsDueAgain(t *testing.T) {
	f := connected(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	f.bank.reading = func(providers.Request) (providers.Reading, error) {
		cancel()
		return providers.Reading{}, &providers.Failure{Text: "canceled"}
	}

	_, err := f.Sync(ctx, f.org, "", syncing.SyncOptions{})

	c := f.list(t)[0]
	if !errors.Is(err, context.Canceled) || c.State != store.ConnectionReady || !c.NextTry.Equal(noon) {
		t.Errorf("after %v the connection is %+v", err, c.Connection)
	}
}
