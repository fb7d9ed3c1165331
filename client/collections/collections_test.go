package collections_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/internal/civil"
)

var today = civil.MustParse("2026-11-20")

// invoice returns an invoice that is due on a day, and was paid the given number of days later.
func invoice(email, due string, status apiclient.InvoiceStatus, late ...int) apiclient.Invoice {
	day := civil.MustParse(due).Time()
	created := civil.MustParse(due).AddDays(-30).Time()
	i := apiclient.Invoice{
		ID: "inv_" + email + due, Number: "INV-" + due, Status: status, RecipientName: "Name of " + email,
		RecipientEmail: email, Total: apiclient.NewAmount(100_00, "USD"), CreatedAt: created, SentAt: &created, DueDate: &day,
	}
	for _, days := range late {
		paid := civil.MustParse(due).AddDays(days).Time()
		i.PaidAt = &paid
	}
	return i
}

func open(email, due string) apiclient.Invoice { return invoice(email, due, apiclient.InvoiceOverdue) }

func paid(email, due string, late int) apiclient.Invoice {
	return invoice(email, due, apiclient.InvoicePaid, late)
}

func one(t *testing.T, invoices ...apiclient.Invoice) collections.Customer {
	t.Helper()
	all := collections.Customers(invoices, today)
	if len(all) != 1 {
		t.Fatalf("%d customers, want one", len(all))
	}
	return all[0]
}

func TestAHabitIsTheMedianOfPaidAndOverdueInvoices(t *testing.T) {
	first, second := paid("a", "2026-01-01", 2), paid("a", "2026-02-01", 6)
	for name, c := range map[string]struct {
		third []apiclient.Invoice
		usual int
		habit bool
	}{
		"paid later":  {[]apiclient.Invoice{paid("a", "2026-03-01", 30)}, 6, true},
		"paid early":  {[]apiclient.Invoice{paid("a", "2026-03-01", -9), paid("a", "2026-04-01", -5)}, -5, true},
		"overdue":     {[]apiclient.Invoice{open("a", "2026-11-15")}, 5, true},
		"not yet due": {[]apiclient.Invoice{open("a", "2026-11-20")}, 0, false},
		"none":        {},
	} {
		if got := one(t, append(c.third, first, second)...); got.Usual != c.usual || got.HasHabit != c.habit {
			t.Errorf("%s: usually %d days late, habit %v; want %d, %v", name, got.Usual, got.HasHabit, c.usual, c.habit)
		}
	}
}

func TestPaymentIsExpectedTheUsualDaysAfterTheDueDate(t *testing.T) {
	habit := []apiclient.Invoice{paid("a", "2026-01-01", 10), paid("a", "2026-02-01", 10), paid("a", "2026-03-01", 30)}

	for due, want := range map[string]struct {
		expected string
		doubtful bool
	}{
		"2026-12-01": {expected: "2026-12-11"},
		"2026-11-15": {expected: "2026-11-25"},
		"2026-11-05": {expected: "2026-11-20"}, // not in the past
		"2026-10-21": {expected: "2026-11-20"}, // as late as ever
		"2026-10-20": {doubtful: true},         // later than ever
	} {
		o := one(t, append(slices.Clone(habit), open("a", due))...).Open[0]
		if o.Expected.String() != want.expected || o.IsDoubtful != want.doubtful {
			t.Errorf("due %s: expected %q, doubtful %v; want %+v", due, o.Expected, o.IsDoubtful, want)
		}
	}

	if o := one(t, open("a", "2026-11-19")).Open[0]; !o.IsDoubtful || !o.Expected.IsZero() {
		t.Errorf("the overdue invoice of a customer that has paid none is expected on %s", o.Expected)
	}
	undated := open("a", "2026-11-01")
	undated.DueDate = nil
	if o := one(t, undated).Open[0]; o.IsDoubtful || !o.Expected.IsZero() || o.DaysLate != 0 {
		t.Errorf("an invoice without a due date: %+v", o)
	}
}

func TestTwoDebtorsAreNeverMerged(t *testing.T) {
	invoices := []apiclient.Invoice{
		open("a@x.example", "2026-11-01"), open(" A@X.example ", "2026-11-02"), open("b@x.example", "2026-11-03"),
		open("", "2026-11-04"), open("", "2026-11-05"), open(" ", "2026-11-06"),
	}
	for i := range invoices {
		invoices[i].RecipientName = "Acme"
	}

	got := map[string][]int{}
	for _, c := range collections.Customers(invoices, today) {
		got[c.Email] = append(got[c.Email], len(c.Open))
	}

	if want := "map[:[1 1 1] a@x.example:[2] b@x.example:[1]]"; fmt.Sprint(got) != want {
		t.Errorf("open invoices by customer: %v, want %v", got, want)
	}
}

func TestDraftsVoidedAndUnreadableInvoicesAreLeftOut(t *testing.T) {
	broken := open("a", "2026-11-01")
	broken.Unreadable = &apiclient.ContractError{}
	credit := open("a", "2026-11-01")
	credit.Total = apiclient.NewAmount(-100, "USD")

	got := collections.Customers([]apiclient.Invoice{
		invoice(
			"a",
			"2026-01-01",
			apiclient.InvoiceDraft,
		), invoice("a", "2026-01-01", apiclient.InvoiceVoided), broken, credit,
		invoice("a", "2026-01-01", "disputed"),
	}, today)

	if len(got) != 0 {
		t.Errorf("customers: %+v", got)
	}
}

func TestRemindersAreOrderedByMoneyAndDaysBeyondUsual(t *testing.T) {
	large := open("large", "2026-11-10") // 10 days
	large.Total = apiclient.NewAmount(900_00, "USD")
	euros := open("euros", "2026-06-01")
	euros.Total = apiclient.NewAmount(1_000_000_00, "EUR")
	all := collections.Customers([]apiclient.Invoice{
		open("old", "2026-10-01"), // 50 days
		large, euros,
		open("usual", "2026-09-01"), // 80 days, as always
		paid("usual", "2026-01-01", 80), paid("usual", "2026-02-01", 80), paid("usual", "2026-03-01", 80),
		open("current", "2026-12-01"),
	}, today)

	var order []string
	for _, c := range all {
		order = append(order, fmt.Sprint(c.Email, " ", c.Priority, " ", c.Overdue))
	}

	want := []string{"large 900000 $900.00", "old 500000 $100.00", "usual 0 $100.00", "euros 0 —", "current 0 $0.00"}
	if !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
}

func TestPriorityDoesNotOverflow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var invoices []apiclient.Invoice
		exact := new(big.Int)
		for i := range rapid.IntRange(1, 5).Draw(t, "invoices") {
			days := rapid.IntRange(1, 700_000).Draw(t, "days")
			cents := rapid.OneOf(rapid.Int64Range(1, 1e12), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "cents")
			late := open("a", today.AddDays(-days).String())
			late.ID, late.Total = fmt.Sprint(i), apiclient.NewAmount(cents, "USD")
			invoices = append(invoices, late)
			exact.Add(exact, new(big.Int).Mul(big.NewInt(cents), big.NewInt(int64(days))))
		}
		all := collections.Customers(invoices, today)
		if len(invoices) >= 3 {
			exact.SetInt64(0) // days beyond the median
			for _, o := range all[0].Open {
				cents, _ := o.Total.Minor()
				beyond := int64(max(0, o.DaysLate-all[0].Usual))
				exact.Add(exact, new(big.Int).Mul(big.NewInt(cents), big.NewInt(beyond)))
			}
		}
		want := int64(math.MaxInt64)
		if exact.IsInt64() {
			want = exact.Int64()
		}
		if all[0].Priority != want {
			t.Fatalf("priority %d, want %d", all[0].Priority, want)
		}
	})
}

func TestAnOverdueAmountBeyondInt64IsUnknown(t *testing.T) {
	huge := open("a", "2026-11-01")
	huge.Total = apiclient.NewAmount(math.MaxInt64, "USD")
	other := open("a", "2026-11-02")

	if c := one(t, huge, other); !c.Overdue.Unknown || c.Priority != math.MaxInt64 {
		t.Errorf("overdue %v, priority %d", c.Overdue, c.Priority)
	}
}

func TestARenamedCustomerHasTheNewestName(t *testing.T) {
	newest := open("a", "2026-11-01")
	newest.RecipientName = "New name"

	if c := one(t, newest, paid("a", "2026-01-01", 1)); c.Name != "New name" {
		t.Errorf("name %q", c.Name)
	}
}

func TestListsOfFarDatesAreRead(t *testing.T) {
	far := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	future := open("a", "2026-11-01")
	future.DueDate = &far
	ancient := paid("a", "0001-01-01", 0)
	ancient.PaidAt = &far

	c := one(t, future, ancient, paid("a", "2026-01-01", 0), paid("a", "2026-01-02", 0))

	if c.Usual != 0 || c.Open[0].Expected.String() != "9999-12-31" || strings.Contains(c.Reminder(), "9999") {
		t.Errorf("usual %d, expected %s", c.Usual, c.Open[0].Expected)
	}
}
