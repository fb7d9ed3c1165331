package bookrules

import (
	"slices"
	"strings"

	"tarmac/internal/money"
)

// applier applies payments to open items.
type applier struct {
	items      []Receivable     // oldest first; their field Minor decreases as payments are applied
	byNumber   map[string][]int // maps an item's number to indices in items
	byCustomer map[string][]int
	byAmount   map[amountKey][]int
	paidOn     map[int]Day      // days of the last payments, by index in items
	paidBy     map[int]string   // ids of these payments
	likely     map[string][]int // maps a payer to the indices of items whose customer fits
	found      Receivables
}

type amountKey struct {
	currency string
	minor    int64
}

func newApplier(items []Receivable) *applier {
	a := &applier{
		items: items, byNumber: map[string][]int{}, byCustomer: map[string][]int{}, byAmount: map[amountKey][]int{},
		paidOn: map[int]Day{}, paidBy: map[int]string{}, likely: map[string][]int{},
	}
	for i := range items {
		number, customer := squeeze(items[i].Number), customerName(items[i].Party)
		if number != "" {
			a.byNumber[number] = append(a.byNumber[number], i)
		}
		if customer != "" {
			a.byCustomer[customer] = append(a.byCustomer[customer], i)
		}
		amount := amountKey{items[i].Currency, items[i].Minor}
		a.byAmount[amount] = append(a.byAmount[amount], i)
	}
	return a
}

// applyAll applies payments, which are ordered by day.
func (a *applier) applyAll(payments []Payment, answers map[string]string) error {
	for _, p := range payments {
		if answer, answered := answers[p.ID]; answered {
			a.applyAnswer(p, answer)
			continue
		}
		if err := a.apply(p); err != nil {
			return err
		}
	}
	return nil
}

// paid returns the items of lists that payments have paid in full, in their order.
func (a *applier) paid() (paid []PaidItem) {
	for i, item := range a.items {
		if day, known := a.paidOn[i]; known && item.Minor == 0 && item.Invoice == "" {
			paid = append(paid, PaidItem{item, day})
		}
	}
	return paid
}

// apply applies a payment to the items that its text names, or adds a question about the payment.
func (a *applier) apply(p Payment) error {
	named := a.open(a.named(p.Text), p)
	var total int64
	for _, i := range named {
		var fits bool
		if total, fits = money.Add(total, a.items[i].Minor); !fits {
			return ErrOverflow
		}
	}
	rest := p.Minor
	for _, i := range named {
		item := &a.items[i]
		if item.Currency == p.Currency && (total == p.Minor || item.Minor == p.Minor || isPayer(p.Payer, item.Party)) {
			rest -= a.pay(p, i, rest)
		}
	}
	if rest < p.Minor {
		return nil
	}
	likely := slices.Concat(named, a.open(a.ofPayer(p.Payer), p),
		a.open(a.byAmount[amountKey{p.Currency, p.Minor}], p))
	slices.Sort(likely)
	likely = slices.Compact(likely)
	if len(likely) == 0 {
		return nil
	}
	question := PaymentQuestion{Payment: p}
	for _, i := range likely {
		question.Items = append(question.Items, a.items[i])
	}
	a.found.Questions = append(a.found.Questions, question)
	return nil
}

// applyAnswer applies a payment to the items with the key that the user chose.
func (a *applier) applyAnswer(p Payment, key string) {
	rest := p.Minor
	for i := range a.items {
		if a.items[i].ItemKey() == key && a.items[i].Currency == p.Currency && a.items[i].AsOf < p.Day {
			rest -= a.pay(p, i, rest)
		}
		if item := a.items[i]; item.Currency != p.Currency && item.ItemKey() == key && item.Invoice == "" &&
			item.AsOf < p.Day && rest > 0 {
			a.pay(p, i, item.Minor) // the user says that it is paid; at which rate is not known
			rest = 0
		}
	}
}

// ofPayer returns the indices of the items of customers whose name fits that of a payer.
func (a *applier) ofPayer(payer string) []int {
	indices, known := a.likely[payer]
	if !known {
		for customer, some := range a.byCustomer {
			if isPayer(payer, customer) {
				indices = append(indices, some...)
			}
		}
		slices.Sort(indices)
		a.likely[payer] = indices
	}
	return indices
}

// pay applies a payment to the item with index i, up to the available amount of the payment. It
// returns the applied amount.
func (a *applier) pay(p Payment, i int, available int64) int64 {
	minor := min(available, a.items[i].Minor)
	if minor <= 0 {
		return 0
	}
	a.found.Applied = append(a.found.Applied, Application{Payment: p.ID, Day: p.Day, Item: a.items[i], Minor: minor})
	a.items[i].Minor -= minor
	a.paidOn[i], a.paidBy[i] = p.Day, p.ID
	return minor
}

// open returns the indices, out of the given ones, of the items that the payment can still pay.
func (a *applier) open(indices []int, p Payment) []int {
	var open []int
	for _, i := range indices {
		if a.items[i].Minor > 0 && p.Day > a.items[i].AsOf && p.Minor > 0 {
			open = append(open, i)
		}
	}
	return open
}

// mostNumberWords is the largest number of words into which blanks and dashes split an item's
// number.
const mostNumberWords = 4

// named returns the indices of the items whose numbers occur in the text as whole words, in
// ascending order.
func (a *applier) named(text string) []int {
	var indices []int
	all := strings.Fields(words(text))
	for i := range all {
		number := ""
		for _, word := range all[i:min(len(all), i+mostNumberWords)] {
			number += word
			indices = append(indices, a.byNumber[number]...)
		}
	}
	slices.Sort(indices)
	return slices.Compact(indices)
}

// SameCompany reports whether two names are of one company, whatever its legal form.
func SameCompany(a, b string) bool {
	return customerName(a) != "" && customerName(a) == customerName(b)
}

// isPayer reports whether a payer is the given customer. Banks truncate names, so two names match
// if one is the beginning of the other and long enough.
func isPayer(payer, customer string) bool {
	const enough = 6
	payer, customer = customerName(payer), customerName(customer)
	switch {
	case payer == "" || customer == "":
		return false
	case payer == customer:
		return true
	}
	return len(payer) >= enough && strings.HasPrefix(customer, payer) ||
		len(customer) >= enough && strings.HasPrefix(payer, customer)
}
