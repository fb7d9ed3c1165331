package collections_test

import (
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/internal/civil"
)

// listed returns an invoice of an imported list.
func listed(number, customer, currency string, minor int64, due, paid string) apiclient.ImportedInvoice {
	i := apiclient.ImportedInvoice{
		Number: number, CustomerName: customer, Open: apiclient.NewAmount(minor, currency),
		Reporting: apiclient.UnknownAmount("USD"), DueOn: civil.MustParse(due),
	}
	if currency == "USD" {
		i.Reporting = i.Open
	}
	if paid != "" {
		i.PaidOn = civil.MustParse(paid)
	}
	return i
}

func TestCustomersOfImportedListsAreRemindedByNumber(t *testing.T) {
	imported := &apiclient.ImportedReceivables{
		Lists: []apiclient.ImportedList{{Source: "xero", AsOf: civil.MustParse("2026-11-15")}},
		Invoices: []apiclient.ImportedInvoice{
			listed("102", "Acme", "USD", 700_00, "2026-11-01", ""), listed("103", "acme", "USD", 300_00, "2026-11-10", ""),
			listed("99", "Acme", "USD", 0, "2026-08-01", "2026-08-06"),
			listed("200", "Borea", "KWD", 1500, "2026-10-01", ""), listed("201", "Borea", "KWD", 250, "2026-10-02", ""),
		},
	}
	aged := &apiclient.ReceivablesAging{Currency: "USD",
		Imported: imported, TopOverdue: []apiclient.OverdueCustomer{aging("Acme", 1000_00, 2), aging("Acme", 40_00, 1)},
	}

	all := collections.WithAging(nil, aged, today)

	var acme, borea collections.Customer
	rest := 0
	for _, c := range all {
		switch {
		case c.IsImported:
			rest++ // the other debtor of this name, who is not in the list
		case c.Name == "Acme":
			acme = c
		default:
			borea = c
		}
	}
	if len(all) != 3 || rest != 1 {
		t.Fatalf("customers: %+v", all)
	}
	if acme.OwedText() != "$1,000.00" || acme.UsualText() != "10 days late" || acme.Paid != 1 {
		t.Errorf("Acme owes %s, pays %s, has paid %d", acme.OwedText(), acme.UsualText(), acme.Paid)
	}
	for _, want := range []string{"- 102, due 2026-11-01, $700.00\n", "- 103, due", "The total is $1,000.00."} {
		if !strings.Contains(acme.Reminder(), want) {
			t.Errorf("the reminder lacks %q:\n%s", want, acme.Reminder())
		}
	}
	if text := borea.Reminder(); !strings.Contains(text, "- 200, due 2026-10-01, 1.500 KWD\n") ||
		!strings.Contains(text, "The total is 1.750 KWD.") {
		t.Errorf("the reminder in another currency:\n%s", text)
	}
}

func TestOpenInvoicesOfListsAreSortedByAgeInTheCurrencyOfTheAging(t *testing.T) {
	euros := listed("1", "Acme", "EUR", 700_00, "2026-11-01", "")
	euros.Reporting = euros.Open
	unknown := listed("2", "Acme", "KWD", 900, "2026-11-01", "")
	unknown.Reporting = apiclient.UnknownAmount("EUR")
	imported := &apiclient.ImportedReceivables{Lists: []apiclient.ImportedList{{AsOf: civil.MustParse("2026-11-15")}},
		Invoices: []apiclient.ImportedInvoice{euros, unknown}}

	all := collections.WithAging(nil, &apiclient.ReceivablesAging{Currency: "EUR", Imported: imported}, today)

	if len(all) != 1 {
		t.Fatalf("customers: %+v", all)
	}
	if euro, dollar := all[0].OpenByAge("EUR"), all[0].OpenByAge("USD"); total(euro) != 700_00 || total(dollar) != 0 {
		t.Errorf("EUR by age: %v; USD: %v", euro, dollar)
	}
}

func total(parts []int64) (sum int64) {
	for _, part := range parts {
		sum += part
	}
	return sum
}
