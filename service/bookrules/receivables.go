package bookrules

import (
	"cmp"
	"maps"
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
	Email    string
	Currency string
	Minor    int64 // amount still due, in minor units
	// TotalMinor is the amount of the whole invoice, in minor units.
	TotalMinor int64
	Issued     civil.Date
	Due        civil.Date // zero if unknown
}

// Receivable is an open item of a customer: an invoice or a line of an imported list that is not
// completely paid.
type Receivable struct {
	bank.OpenItem        // its field Minor is the amount still due
	Source        string // source of the list that contains the item; "" for an own invoice
	Invoice       string // public id of the own invoice; "" for an item of a list
	// AsOf is the last day whose payments are already deducted from Minor.
	AsOf Day
}

// Payment is a transaction that may pay open items: money in for invoices, and money out for bills.
type Payment struct {
	ID       string // public id of the transaction
	Day      Day
	Minor    int64 // positive
	Currency string
	Payer    string // the other party: for bills, who was paid
	Text     string // all text that the bank sent: description, reference and memo
}

// Application is the part of a payment that pays one open item.
type Application struct {
	Payment string // id of the transaction
	Day     Day
	Item    Receivable // the item before the payment was deducted
	Minor   int64
}

// PaymentQuestion asks the user which items a payment pays.
type PaymentQuestion struct {
	Payment Payment
	More    bool // true if the payment may pay other items than Items too

	items  []Receivable // items of all questions
	likely []likelyItem
}

// likelyItem is an item that a payment may pay, and what is due of it at that time.
type likelyItem struct {
	at    int // index in PaymentQuestion.items
	minor int64
}

// Items returns the items that the payment may pay, oldest first, but at most MostChoices. Items
// that the payment's text names are preferred to those of its exact amount, and both to others of
// the payer.
func (q *PaymentQuestion) Items() []Receivable {
	items := make([]Receivable, len(q.likely))
	for n, one := range q.likely {
		items[n] = q.items[one.at]
		items[n].Minor = one.minor
	}
	return items
}

// Called returns the oldest open item with a number that the payment can pay, also one that Items
// does not have.
func (q *PaymentQuestion) Called(number string) (Receivable, bool) {
	number = squeeze(number)
	at := slices.IndexFunc(q.items, func(r Receivable) bool {
		return number != "" && squeeze(r.Number) == number && r.Minor > 0 && r.AsOf < q.Payment.Day
	})
	if at < 0 {
		return Receivable{}, false
	}
	return q.items[at], true
}

// MostChoices is the largest number of items among which the user chooses, which is what a person
// can compare.
const MostChoices = 19

// Receivables is the result of OpenReceivables.
type Receivables struct {
	Open      []Receivable // items that customers still owe, oldest first
	Paid      []PaidItem   // items of lists that payments have paid in full
	Applied   []Application
	Questions []PaymentQuestion
}

// PaidItem is an item of an imported list that payments have paid in full.
type PaidItem struct {
	Receivable
	Paid Day // day of the last payment
}

// OpenReceivables returns the own invoices and the items of the lists of that side, each once. It
// deducts payments from an item of a list if they were booked after the day of the list, and from
// an own invoice if they were booked after it was issued. A payment is applied to an item if the
// payment's text contains the item's number as a whole word, and the payer or the exact amount fits
// too. Otherwise a PaymentQuestion asks which items it pays. answers maps ids of payments to the
// user's decisions: the key of an item (Receivable.ItemKey), or "" if the payment pays none. It
// returns ErrOverflow if a sum overflows 64 bits, and the error of w if that ends.
func OpenReceivables(
	w *Work, lists []OpenList, invoices []OwnInvoice, payments []Payment, answers map[string]string,
) (Receivables, error) {
	names := customerNames{}
	items, err := openItems(lists, invoices, names)
	if err != nil {
		return Receivables{}, err
	}
	payments = inOrder(payments)
	a := newApplier(items, names)
	if err := a.applyAll(w, payments, answers); err != nil {
		return Receivables{}, err
	}
	a.found.Open = a.open()
	gone := newApplier(goneItems(lists, names), names)
	if err := gone.applyAll(w, payments, answers); err != nil {
		return Receivables{}, err
	}
	a.found.Paid = append(a.paid(), gone.paid()...)
	return a.found, nil
}

// goneItems returns the items that the newest list of their source does not have any more, as the
// last list had them that did, the oldest first.
func goneItems(lists []OpenList, names customerNames) []Receivable {
	type listed struct {
		source, key string
	}
	last := map[listed]Receivable{}
	newest := newestLists(lists)
	isNewest := func(list *OpenList) bool {
		return slices.ContainsFunc(newest, func(n OpenList) bool { return n.Key == list.Key })
	}
	for n := range lists {
		list := &lists[n]
		if isNewest(list) {
			continue
		}
		for _, item := range list.Items {
			r := Receivable{OpenItem: item, Source: list.Source, AsOf: list.AsOf}
			of := listed{list.Source, names.itemKey(&r)}
			if before, known := last[of]; item.Minor != 0 && (!known || before.AsOf < r.AsOf) {
				last[of] = r
			}
		}
	}
	if len(last) == 0 {
		return nil
	}
	for _, list := range newest {
		for _, item := range list.Items {
			delete(last, listed{list.Source, names.itemKey(&Receivable{OpenItem: item})})
		}
	}
	return slices.SortedFunc(maps.Values(last), compareReceivables)
}

// ItemKey identifies an item by its number, customer and currency. For an item without a number,
// the key contains its dates instead.
func (r Receivable) ItemKey() string { return customerNames{}.itemKey(&r) }

// customerNames holds results of customerName, because many items have the same customer.
type customerNames map[string]string

func (c customerNames) of(name string) string {
	short, known := c[name]
	if !known {
		short = customerName(name)
		c[name] = short
	}
	return short
}

func (c customerNames) itemKey(r *Receivable) string {
	number := squeeze(r.Number)
	if number == "" {
		number = r.Issued.String() + "/" + r.Due.String()
	}
	return number + "\x1f" + c.of(r.Party) + "\x1f" + r.Currency
}

// legalForms lists the endings of company names that the payer's name in a payment often lacks.
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

// openItems returns the own invoices, and the items of the newest list of each source after the
// list's credits are deducted. Each item is returned once, the oldest first.
func openItems(lists []OpenList, invoices []OwnInvoice, names customerNames) ([]Receivable, error) {
	var items []Receivable
	for _, i := range invoices {
		items = append(items, Receivable{
			Invoice: i.ID, AsOf: DayOf(i.Issued) - 1,
			OpenItem: bank.OpenItem{
				Number: i.Number, Party: i.Customer, Issued: i.Issued, Due: i.Due, Currency: i.Currency, Minor: i.Minor,
			},
		})
	}
	known := map[string]bool{}
	for n := range items {
		known[names.itemKey(&items[n])] = true
	}
	newest := newestLists(lists)
	for n, list := range newest {
		open, err := afterCredits(list, names)
		if err != nil {
			return nil, err
		}
		items = slices.Grow(items, len(open))
		own, last := map[string]bool{}, n == len(newest)-1
		for _, item := range open {
			if last && len(known) == 0 {
				items = append(items, item)
				continue
			}
			key := names.itemKey(&item)
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

// compareReceivables orders items by date, the oldest first.
func compareReceivables(a, b Receivable) int {
	return cmp.Or(a.date().Compare(b.date()), a.Due.Compare(b.Due), cmp.Compare(a.Number, b.Number),
		cmp.Compare(a.Party, b.Party), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Place, b.Place))
}

// date returns the day of issue. If that is unknown, it returns the due date.
func (r *Receivable) date() civil.Date {
	if r.Issued.IsZero() {
		return r.Due
	}
	return r.Issued
}

// newestLists returns the newest list of each source, the newest list first. If a source has
// several lists of the same day, the one imported last is used.
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

// afterCredits returns the items of a list that are still due after credits are deducted. A
// customer's credits are deducted from the customer's oldest items in the same currency.
func afterCredits(list OpenList, names customerNames) ([]Receivable, error) {
	items := make([]Receivable, 0, len(list.Items))
	credits := map[string]int64{}
	for _, item := range list.Items {
		if item.Minor > 0 {
			items = append(items, Receivable{OpenItem: item, Source: list.Source, AsOf: list.AsOf})
			continue
		}
		key := names.of(item.Party) + "\x1f" + item.Currency
		sum, fits := money.Add(credits[key], item.Minor)
		if !fits {
			return nil, ErrOverflow
		}
		credits[key] = sum
	}
	slices.SortStableFunc(items, compareReceivables)
	for i := range items {
		key := names.of(items[i].Party) + "\x1f" + items[i].Currency
		// The sum of a positive and a negative amount cannot overflow.
		if rest := credits[key] + items[i].Minor; rest >= 0 {
			items[i].Minor, credits[key] = rest, 0
		} else {
			items[i].Minor, credits[key] = 0, rest
		}
	}
	return slices.DeleteFunc(items, func(r Receivable) bool { return r.Minor == 0 }), nil
}
