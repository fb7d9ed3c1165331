package books

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// OwnInvoice is an open invoice that the organization sent itself.
type OwnInvoice struct {
	ID       string // public id
	Number   string
	Customer string
	Currency string
	Minor    int64 // amount still due, in minor units
	Issued   civil.Date
	Due      civil.Date // zero if unknown
}

// Receivable is an open item of a customer.
type Receivable struct {
	bank.OpenItem        // Minor is what is still due
	Source        string // of the list; "" for an own invoice
	Invoice       string // public id of the own invoice, or ""
	// AsOf is the day up to which payments are already deducted.
	AsOf Day
}

// Payment is a row of money in that may pay open items.
type Payment struct {
	ID       string // public id of the transaction
	Day      Day
	Minor    int64
	Currency string
	Payer    string
	Text     string // all the bank says: description, reference, memo
}

// Application is a part of a payment that pays an open item.
type Application struct {
	Payment string // id of the transaction
	Day     Day
	Item    Receivable // with what was due before the payment
	Minor   int64
}

// PaymentQuestion asks which items a payment pays.
type PaymentQuestion struct {
	Payment Payment
	Items   []Receivable // the likely ones, the oldest first
}

// Receivables are what customers still owe.
type Receivables struct {
	Open      []Receivable // the oldest first
	Applied   []Application
	Questions []PaymentQuestion
}

// OpenReceivables returns the own invoices and the open items of all lists, each once, less the
// payments booked after the day of their list (after the issue of an own invoice). A payment is
// applied if its text names an item's number as a whole word, and the payer or the exact amount
// fits too; otherwise it is asked about. answers hold the decisions of people: the key of an
// item (Receivable.ItemKey) by the id of the payment, or "" for none. It returns ErrOverflow for
// sums beyond 64 bits.
func OpenReceivables(lists []OpenList, invoices []OwnInvoice, payments []Payment, answers map[string]string,
) (Receivables, error) {
	items, err := openItems(lists, invoices)
	if err != nil {
		return Receivables{}, err
	}
	a := newApplier(items)
	payments = slices.Clone(payments)
	slices.SortFunc(payments, func(a, b Payment) int { return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.ID, b.ID)) })
	for _, p := range payments {
		if answer, answered := answers[p.ID]; answered {
			a.applyAnswer(p, answer)
			continue
		}
		if err := a.apply(p); err != nil {
			return Receivables{}, err
		}
	}
	for _, item := range a.items {
		if item.Minor > 0 {
			a.found.Open = append(a.found.Open, item)
		}
	}
	return a.found, nil
}

// ItemKey identifies an item by its number, customer and currency. Items without a number are
// told apart by their dates and amounts, of which only the dates are in the key.
func (r Receivable) ItemKey() string {
	number := squeeze(r.Number)
	if number == "" {
		number = r.Issued.String() + "/" + r.Due.String()
	}
	return number + "\x1f" + customerName(r.Customer) + "\x1f" + r.Currency
}

// legalForms are the ends of companies' names that payments often lack.
var legalForms = []string{
	"INC", "INCORPORATED", "LLC", "LTD", "LIMITED", "CORP", "CORPORATION", "CO", "COMPANY", "GMBH", "AG", "SA", "SAS",
	"SARL",
	"BV", "PLC", "SPA", "SRL", "AB", "OY", "KG", "UG",
}

// customerName returns the words of a company's name without its legal form.
func customerName(name string) string {
	all := strings.Fields(words(name))
	for len(all) > 1 && slices.Contains(legalForms, all[len(all)-1]) {
		all = all[:len(all)-1]
	}
	return strings.Join(all, " ")
}

// openItems returns the items of own invoices and of the newest list of each source after their
// credits, each once, the oldest first.
func openItems(lists []OpenList, invoices []OwnInvoice) ([]Receivable, error) {
	var items []Receivable
	for _, i := range invoices {
		items = append(items, Receivable{
			Invoice: i.ID, AsOf: DayOf(i.Issued) - 1,
			OpenItem: bank.OpenItem{
				Number: i.Number, Customer: i.Customer, Issued: i.Issued, Due: i.Due, Currency: i.Currency, Minor: i.Minor,
			},
		})
	}
	known := map[string]bool{}
	for _, item := range items {
		known[item.ItemKey()] = true
	}
	for _, list := range newestLists(lists) {
		open, err := afterCredits(list)
		if err != nil {
			return nil, err
		}
		own := map[string]bool{}
		for _, item := range open {
			key := item.ItemKey()
			if squeeze(item.Number) != "" && known[key] {
				continue
			}
			own[key] = true
			items = append(items, item)
		}
		for key := range own {
			known[key] = true
		}
	}
	slices.SortStableFunc(items, compareReceivables)
	return items, nil
}

// compareReceivables orders items by their dates, the oldest first.
func compareReceivables(a, b Receivable) int {
	return cmp.Or(a.date().Compare(b.date()), a.Due.Compare(b.Due), cmp.Compare(a.Number, b.Number),
		cmp.Compare(a.Customer, b.Customer), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Place, b.Place))
}

// date returns the day of issue, or if it is unknown the due date.
func (r *Receivable) date() civil.Date {
	if r.Issued.IsZero() {
		return r.Due
	}
	return r.Issued
}

// newestLists returns the newest list of each source, the newest first. Of several lists of a
// day the one that was imported last counts.
func newestLists(lists []OpenList) []OpenList {
	newest := map[string]OpenList{}
	for _, list := range lists {
		if best, known := newest[list.Source]; !known || list.AsOf > best.AsOf ||
			list.AsOf == best.AsOf && list.Key > best.Key {
			newest[list.Source] = list
		}
	}
	var sorted []OpenList
	for _, list := range newest {
		sorted = append(sorted, list)
	}
	slices.SortFunc(sorted, func(a, b OpenList) int {
		return cmp.Or(cmp.Compare(b.AsOf, a.AsOf), cmp.Compare(a.Source, b.Source))
	})
	return sorted
}

// afterCredits returns a list's items that are still due when each customer's credits have paid
// the customer's oldest items of the same currency.
func afterCredits(list OpenList) ([]Receivable, error) {
	var items []Receivable
	credits := map[string]int64{}
	for _, item := range list.Items {
		if item.Minor > 0 {
			items = append(items, Receivable{OpenItem: item, Source: list.Source, AsOf: list.AsOf})
			continue
		}
		key := customerName(item.Customer) + "\x1f" + item.Currency
		sum, fits := money.Add(credits[key], item.Minor)
		if !fits {
			return nil, ErrOverflow
		}
		credits[key] = sum
	}
	slices.SortStableFunc(items, compareReceivables)
	for i := range items {
		key := customerName(items[i].Customer) + "\x1f" + items[i].Currency
		// The sum of an amount above 0 and one below it always fits.
		if rest := credits[key] + items[i].Minor; rest >= 0 {
			items[i].Minor, credits[key] = rest, 0
		} else {
			items[i].Minor, credits[key] = 0, rest
		}
	}
	return slices.DeleteFunc(items, func(r Receivable) bool { return r.Minor == 0 }), nil
}
