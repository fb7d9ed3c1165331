package bookkeeping_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tarmac/service/accounts"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// cashOf returns the balance that the API returns.
func cashOf(t *testing.T, b *bookkeeping.Books) (cash accounts.Balance) {
	t.Helper()
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		account, err := snap.ManagedAccount(b.Org)
		cash = account.Balance
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return cash
}

// taxReserve is a second account of another bank, which got 300 from that of september.
var taxReserve = statement{
	account: "00555500002222", first: "2026-09-01", last: "2026-09-30", closing: "300.00", closedOn: "2026-09-30",
	lines: []line{{"2026-09-20", "300.00", "9", "XFER FROM ACCT 00123456789"}},
}

// withReserve returns books with the accounts of september and taxReserve.
func withReserve(t *testing.T) *bookkeeping.Books {
	t.Helper()
	b := newBooks(t)
	first := september
	first.lines = append(slices.Clone(first.lines), line{"2026-09-20", "-300.00", "8", "XFER TO ACCT 00555500002222"})
	first.closing, first.closedOn = "1400.00", "2026-09-30"
	take(t, b, source("a.qfx", first.ofx()), source("b.qfx", taxReserve.ofx()))
	checkLedger(t, b, septemberRows...)
	if cash := cashOf(t, b); cash.AvailableCents != 170000 {
		t.Fatalf("cash is %+v", cash)
	}
	return b
}

func setRole(t *testing.T, b *bookkeeping.Books, account string, role bookrules.Role) bookkeeping.AccountChange {
	t.Helper()
	change, err := b.SetRole(t.Context(), account, role)
	if err != nil {
		t.Fatal(err)
	}
	return change
}

func TestMoneyForAnExcludedAccountHasLeft(t *testing.T) {
	b := withReserve(t)

	change := setRole(t, b, "2222", bookrules.Excluded)

	checkLedger(t, b, "2026-09-02 -50000 Landlord", "2026-09-15 +120000 Customer", "2026-09-20 -30000 XFER TO ACCT")
	if cash := cashOf(t, b); cash.AvailableCents != 140000 || change.ChangedRows != 1 ||
		change.Role != bookrules.Excluded {
		t.Errorf("cash is %+v, the change %+v", cash, change)
	}
	if change := setRole(t, b, "2222", bookrules.Savings); change.ChangedRows != 1 {
		t.Errorf("the change back is %+v", change)
	}
	checkLedger(t, b, septemberRows...)
}

func TestAClosedAccountKeepsItsTransfersAndIsNoCash(t *testing.T) {
	b := withReserve(t)

	setRole(t, b, "2222", bookrules.Closed)

	checkLedger(t, b, septemberRows...)
	if cash := cashOf(t, b); cash.AvailableCents != 140000 {
		t.Errorf("cash is %+v", cash)
	}
}

// A transfer to an account whose statements end earlier is in transit. A closed account has no
// statements to come, so that the transfer lacks its other half.
func TestAClosedAccountCoversWhatComesAfter(t *testing.T) {
	b := withReserve(t)
	next := october(func(s *statement) {
		s.lines = []line{{"2026-10-03", "-70.00", "12", "XFER TO ACCT 00555500002222"}}
	})
	take(t, b, source("c.qfx", next.ofx()))
	checkLedger(t, b, septemberRows...)
	if cash := cashOf(t, b); cash.HoldingCents != 7000 {
		t.Fatalf("cash is %+v", cash)
	}

	setRole(t, b, "2222", bookrules.Closed)

	if got := namesOf(t, b); len(got) != 3 || !strings.HasSuffix(got[2], "/internal_transfer") {
		t.Errorf("transactions are %q", got)
	}
	if cash := cashOf(t, b); cash.HoldingCents != 0 {
		t.Errorf("cash is %+v", cash)
	}
}

func TestARoleOutlivesAnUndoneImport(t *testing.T) {
	b := newBooks(t)
	first := take(t, b, source("b.qfx", taxReserve.ofx()))
	setRole(t, b, "2222", bookrules.Savings)
	if _, err := b.Rename(t.Context(), "2222", "Tax reserve"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(t.Context(), string(first.Import)); err != nil {
		t.Fatal(err)
	}

	take(t, b, source("b.qfx", taxReserve.ofx()))

	states, err := b.Accounts(t.Context())
	if err != nil || len(states) != 1 || states[0].Role != string(bookrules.Savings) || states[0].Name != "Tax reserve" ||
		!states[0].Renamed {
		t.Errorf("accounts are %+v, %v", states, err)
	}
}

// The role follows from the first file that says it, whatever was imported before.
func TestTheRoleFollowsFromTheKindInTheFile(t *testing.T) {
	savings := source("b.qfx", strings.Replace(taxReserve.ofx(), "CHECKING", "SAVINGS", 1))
	silent := source("a.csv", strings.ReplaceAll(csvHead, "00123456789", "00555500002222")+
		"09/20/2026,XFER FROM ACCT,300.00\n09/21/2026,FEE,-1.00\n")
	b := newBooks(t)
	take(t, b, silent)
	second := take(t, b, savings)

	role := func() bookrules.Role {
		states, err := b.Accounts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return bookrules.Role(states[0].Role)
	}
	if role() != bookrules.Savings {
		t.Errorf("the role is %s", role())
	}
	setRole(t, b, "2222", bookrules.Operating)
	if role() != bookrules.Operating {
		t.Errorf("the role that a person gave is %s", role())
	}
	if _, err := b.Undo(t.Context(), string(second.Import)); err != nil {
		t.Fatal(err)
	}
	if role() != bookrules.Operating {
		t.Errorf("without the file, the role is %s", role())
	}
}

func TestAnAccountThatIsNotFoundListsTheAccounts(t *testing.T) {
	b := withReserve(t)
	if _, err := b.Rename(t.Context(), "2222", "Reserve"); err != nil {
		t.Fatal(err)
	}

	_, err := b.SetRole(t.Context(), "8888", bookrules.Savings)

	if !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), "…6789 (USD), …2222 Reserve (USD)") {
		t.Errorf("error is %v", err)
	}
	if _, err := b.SetRole(t.Context(), "reserve", bookrules.Savings); err != nil {
		t.Errorf("by its name: %v", err)
	}
}

func TestAnAmbiguousAccountListsTheAccounts(t *testing.T) {
	b := withReserve(t)
	third := taxReserve
	third.account, third.lines = "00999900002222", []line{{"2026-09-20", "20.00", "7", "Customer"}}
	third.closing = "20.00"
	take(t, b, source("c.qfx", third.ofx()))

	_, err := b.SetRole(t.Context(), "2222", bookrules.Savings)

	if err == nil || !strings.Contains(err.Error(), "00555500002222 (USD) or 00999900002222 (USD)") {
		t.Errorf("error is %v", err)
	}
	names, err := b.AccountNames(t.Context())
	if err != nil || len(names) != 3 || names[0].Text != "6789" || names[1].Text != "00555500002222" {
		t.Errorf("names are %+v, %v", names, err)
	}
}

func TestTwoAccountsAreNotCalledTheSame(t *testing.T) {
	b := withReserve(t)
	if _, err := b.Rename(t.Context(), "2222", "Reserve"); err != nil {
		t.Fatal(err)
	}

	_, err := b.Rename(t.Context(), "6789", "reserve")

	if err == nil || !strings.Contains(err.Error(), "…2222 Reserve (USD) is called that already") {
		t.Errorf("error is %v", err)
	}
	again, err := b.Rename(t.Context(), "2222", "")
	if err != nil || again.Name != "" {
		t.Errorf("the name in the files is %+v, %v", again, err)
	}
}

func TestAFileWithoutItsAccountIsOfTheOneThatIsTyped(t *testing.T) {
	nameless := "Date,Description,Amount,Currency\n2026-10-13,FEE,-1.00,USD\n2026-10-14,DEPOSIT,2.00,USD\n"
	for text, accounts := range map[string]int{
		"2222": 2, "…2222": 2, "00555500002222": 2, "22": 3, "Petty cash": 3,
	} {
		b := withReserve(t)
		options := bookkeeping.Options{}
		options.Read.Account = text

		importWith(t, b, options, source("c.csv", nameless))

		if states, err := b.Accounts(t.Context()); err != nil || len(states) != accounts {
			t.Errorf("%s: accounts are %+v, %v", text, states, err)
		}
	}
}
