package cli_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/internal/civil"
	"tarmac/service/access"
	"tarmac/service/egress"
	"tarmac/service/invoicing"
	"tarmac/service/receivables"
	"tarmac/service/store"
)

func TestRemindListsWhomToRemindFirst(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	rows := sheet(t, c.must("remind", "--csv"))
	if len(rows) == 0 {
		t.Fatal("nobody is reminded")
	}
	for i, row := range rows {
		if number(t, row["overdue_count"]) == 0 {
			t.Errorf("%s has nothing overdue", row["recipient_name"])
		}
		if i > 0 && number(t, row["priority_cent_days"]) > number(t, rows[i-1]["priority_cent_days"]) {
			t.Errorf("%s comes too late", row["recipient_name"])
		}
	}
	if all := sheet(t, c.must("remind", "--all", "--csv")); len(all) <= len(rows) {
		t.Errorf("%d customers, and %d to remind", len(all), len(rows))
	}
	if text := c.must("remind"); !strings.Contains(text, "USUAL") || strings.Count(text, "\n") != len(rows)+1 {
		t.Errorf("%s", text)
	}

	for _, one := range decoded(t, c.must("remind", "--json")).([]any) {
		customer := one.(map[string]any)
		email := customer["recipient_email"].(string)
		if customer["imported"] == true {
			refused(t, c.run("remind", customer["recipient_name"].(string)), 1, "probably imported")
			continue
		}
		mail := c.must("remind", strings.ToUpper(email))
		if mail != customer["reminder"] || strings.Contains(mail, "$") != customer["amount_confirmed"].(bool) {
			t.Errorf("the reminder to %s: %q", email, mail)
		}
		for _, invoice := range customer["open_invoices"].([]any) {
			i := invoice.(map[string]any)
			if late := i["days_late"].(float64) > 0; strings.Contains(mail, i["number"].(string)) != late {
				t.Errorf("the reminder to %s about %v:\n%s", email, i, mail)
			}
		}
	}
}

func TestRemindRefusesUnknownCustomers(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	refused(t, c.run("remind", "nobody@example.com"), 2, "no customer has the e-mail address or name")
	refused(t, c.run("remind", "a", "b"), 2, "takes one customer")
	refused(t, c.run("remind", "--all", "a@example.com"), 2, "cannot be combined")
	refused(t, c.run("remind", "--json", "--csv"), 2, "cannot be combined")
}

// debts are the open invoices of an organization, as they are in its database.
type debts struct {
	invoices []invoicing.Invoice
	imported []receivables.ImportedItem
}

// randomDebts returns invoices of few customers with few names, so that names are shared, with part
// payments, several currencies and imported items.
func randomDebts(rng *rand.Rand, now time.Time) (d debts) {
	today, names := civil.Of(now), []string{"Acme", "Borea", "Cumae", "Delta"}
	for i := range 4 + rng.IntN(12) {
		total, customer := int64(1+rng.IntN(3))*100_00, rng.IntN(5)
		inv := invoicing.Invoice{
			ID: fmt.Sprint("inv_", i, "_", rng.Uint64()), Status: invoicing.Overdue, Currency: "USD", Description: "Advice",
			RecipientName:  names[customer%len(names)],
			RecipientEmail: fmt.Sprintf("billing%d@example.com", customer),
			SubtotalCents:  total, TotalCents: total, DueDate: today.AddDays(-rng.IntN(100)),
			CreatedAt: now, UpdatedAt: now, SentAt: &now,
			LineItems: []invoicing.LineItem{{Description: "Hours", Quantity: "1", UnitPriceCents: total, AmountCents: total}},
		}
		switch rng.IntN(16) {
		case 0:
			inv.PaidCents = 100_00 * rng.Int64N(total/100_00)
		case 1:
			inv.Currency = "EUR"
		case 2:
			inv.DueDate = today.AddDays(rng.IntN(30))
		}
		if !inv.DueDate.Before(today) {
			inv.Status = invoicing.Sent
		}
		d.invoices = append(d.invoices, inv)
	}
	for i := range rng.IntN(3) {
		d.imported = append(d.imported, receivables.ImportedItem{
			CustomerKey: fmt.Sprint(i), CustomerName: names[rng.IntN(len(names))], Currency: "USD", OpenMinor: 100_00,
			USDCents: 100_00, USDKnown: true, Due: today.AddDays(-rng.IntN(50)),
		})
	}
	return d
}

// insert returns a client of a new organization with these debts.
func (d *debts) insert(t *testing.T, b *both) *apiclient.Client {
	t.Helper()
	org, err := b.service.CreateOrganization(t.Context(), "Debts")
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := b.service.Store().Organization(t.Context(), org.PublicID)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.service.Store().Write(t.Context(), func(tx *store.Tx) error {
		for _, inv := range d.invoices {
			if _, err := tx.InsertInvoice(key, inv); err != nil {
				return err
			}
		}
		for _, item := range d.imported {
			if err := tx.InsertReceivables(key, item); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	secret, _, err := b.service.CreateToken(t.Context(), org.PublicID, access.Scopes[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	client, err := apiclient.New("http://"+b.address, apiclient.Token(secret), apiclient.WithRetry(apiclient.NoRetry))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// owes returns what a customer owes past due in USD, and whether its invoices show the same: none
// is paid in part or in another currency.
func (d *debts) owes(email string, today civil.Date) (cents int64, whole bool) {
	whole = true
	for _, inv := range d.invoices {
		if inv.RecipientEmail != email || !inv.DueDate.Before(today) {
			continue
		}
		whole = whole && inv.PaidCents == 0 && inv.Currency == "USD"
		if inv.Currency == "USD" {
			cents += inv.TotalCents - inv.PaidCents
		}
	}
	return cents, whole
}

func customersOf(ctx context.Context, t *testing.T, client *apiclient.Client, today civil.Date) []collections.Customer {
	t.Helper()
	list, err := collections.Read(ctx, client)
	if err != nil {
		t.Fatal(err)
	}
	aging, err := client.ReceivablesAging(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return collections.WithAging(collections.Customers(list.Invoices, today), aging, today)
}

func TestAmountsAreConfirmedOnlyWhereNothingWasPaidInPart(t *testing.T) {
	t.Parallel()
	b := newBoth(t)
	now := time.Now()
	today := civil.Of(now)
	confirmed, unconfirmed, imported := 0, 0, 0
	for seed := range uint64(60) {
		d := randomDebts(rand.New(rand.NewPCG(seed, 1)), now)
		count := 0
		for _, c := range customersOf(t.Context(), t, d.insert(t, b), today) {
			cents, whole := d.owes(c.Email, today)
			switch {
			case c.IsImported:
				imported++
				count += c.OverdueCount()
				continue
			case c.IsConfirmed && (!whole || c.Overdue.Minor != cents || c.Owed.Minor != cents):
				t.Errorf("seed %d: %s is confirmed with %s, and owes %d", seed, c.Email, c.Overdue, cents)
			case c.IsConfirmed:
				confirmed++
			case c.OverdueCount() > 0:
				unconfirmed++
			}
			if strings.Contains(c.Reminder(), "$") != c.IsConfirmed {
				t.Errorf("seed %d: the reminder to %s:\n%s", seed, c.Email, c.Reminder())
			}
		}
		for _, item := range d.imported {
			if item.Due.Before(today) {
				count--
			}
		}
		if count != 0 {
			t.Errorf("seed %d: %d more imported items than there are", seed, count)
		}
	}
	if confirmed < 20 || unconfirmed < 20 || imported < 20 {
		t.Errorf("%d confirmed, %d not, %d imported", confirmed, unconfirmed, imported)
	}
}
