package bookrules

import (
	"slices"
	"strings"

	"tarmac/internal/money"
)

// applier applies payments to open items.
type applier struct {
	items    []Receivable // oldest first; their field Minor decreases as payments are applied
	names    customerNames
	byNumber map[string]*itemList
	byAmount map[amountKey]*itemList
	payers   payerIndex
	byKey    map[string][]int // indexes in items by ItemKey; nil until an answer needs it
	paidOn   map[int]Day      // days of the last payments, by index in items
	paidBy   map[int]string   // ids of these payments
	asked    map[int]bool     // indexes in items of those that the text of a payment in a question names
	texts    int              // number of texts in which numbers of items were looked for
	found    Receivables
}

type amountKey struct {
	currency string
	minor    int64
}

func newApplier(items []Receivable, names customerNames) *applier {
	a := &applier{
		items: items, names: names, byNumber: map[string]*itemList{}, byAmount: map[amountKey]*itemList{},
		paidOn: map[int]Day{}, paidBy: map[int]string{}, asked: map[int]bool{},
	}
	byCustomer := map[string]*itemList{}
	for i := range items {
		if number := squeeze(items[i].Number); number != "" {
			addItem(a.byNumber, number, i)
		}
		if customer := names.of(items[i].Party); customer != "" {
			addItem(byCustomer, customer, i)
		}
		addItem(a.byAmount, amountKey{items[i].Currency, items[i].Minor}, i)
	}
	a.payers = newPayerIndex(byCustomer)
	return a
}

// applyAll applies payments, which are ordered by day.
func (a *applier) applyAll(w *Work, payments []Payment, answers map[string]string) error {
	for n := range payments {
		p := &payments[n]
		if w.Stopped() {
			break
		}
		if answer, answered := answers[p.ID]; answered {
			a.applyAnswer(p, answer)
			continue
		}
		if err := a.apply(p); err != nil {
			return err
		}
	}
	return w.Err()
}

// open returns the items that are not completely paid, in their order.
func (a *applier) open() []Receivable {
	count := 0
	for i := range a.items {
		if a.items[i].Minor > 0 {
			count++
		}
	}
	open := make([]Receivable, 0, count)
	for _, item := range a.items {
		if item.Minor > 0 {
			open = append(open, item)
		}
	}
	return open
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
func (a *applier) apply(p *Payment) error {
	named := a.named(p)
	var total int64
	for _, i := range named {
		var fits bool
		if total, fits = money.Add(total, a.items[i].Minor); !fits {
			return ErrOverflow
		}
	}
	rest, payer := p.Minor, a.names.of(p.Payer)
	for _, i := range named {
		item := &a.items[i]
		if item.Currency == p.Currency &&
			(total == p.Minor || item.Minor == p.Minor || isPayer(payer, a.names.of(item.Party))) {
			rest -= a.pay(p, i, rest)
		}
	}
	if rest == p.Minor {
		a.ask(p, payer, named)
	}
	return nil
}

// ask adds a question about a payment if there are items that it may pay: the named ones, those of
// its payer, and those of its amount.
func (a *applier) ask(p *Payment, payer string, named []int) {
	likely := slices.Clone(named)
	for _, list := range a.payers.of(payer) {
		likely = a.pick(likely, list, p, MostChoices+1)
		list.asked = p.Day
	}
	if list := a.byAmount[amountKey{p.Currency, p.Minor}]; list != nil {
		likely = a.pick(likely, list, p, MostChoices+1)
		list.asked = p.Day
	}
	slices.Sort(likely)
	likely = slices.Compact(likely)
	if len(likely) == 0 {
		return
	}
	for _, i := range named {
		a.asked[i] = true
	}
	question := PaymentQuestion{Payment: *p, More: len(likely) > MostChoices, items: a.items}
	if question.More {
		slices.SortStableFunc(likely, func(i, j int) int {
			return a.rank(i, p, named) - a.rank(j, p, named)
		})
		likely = likely[:MostChoices]
		slices.Sort(likely)
	}
	question.likely = make([]likelyItem, len(likely))
	for n, i := range likely {
		question.likely[n] = likelyItem{i, a.items[i].Minor}
	}
	a.found.Questions = append(a.found.Questions, question)
}

// rank orders the items that a payment may pay, the likeliest first.
func (a *applier) rank(i int, p *Payment, named []int) int {
	_, isNamed := slices.BinarySearch(named, i)
	switch {
	case isNamed:
		return 0
	case a.items[i].Minor == p.Minor && a.items[i].Currency == p.Currency:
		return 1
	}
	return 2
}

// mayBePaid reports whether a question is about a payment that may pay an item, even if the
// question does not list it. minor is the amount of the item before payments; the item must still
// be open.
func (a *applier) mayBePaid(i int, minor int64) bool {
	item := &a.items[i]
	return a.asked[i] || a.byAmount[amountKey{item.Currency, minor}].asked > item.AsOf ||
		a.payers.asked(a.names.of(item.Party)) > item.AsOf
}

// applyAnswer applies a payment to the items with the key that the user chose.
func (a *applier) applyAnswer(p *Payment, key string) {
	if a.byKey == nil {
		a.byKey = map[string][]int{}
		for i := range a.items {
			of := a.names.itemKey(&a.items[i])
			a.byKey[of] = append(a.byKey[of], i)
		}
	}
	rest := p.Minor
	for _, i := range a.byKey[key] {
		item := &a.items[i]
		switch {
		case rest <= 0:
			return
		case item.AsOf >= p.Day:
		case item.Currency == p.Currency:
			rest -= a.pay(p, i, rest)
		case item.Invoice == "":
			a.pay(p, i, item.Minor) // the user says that it is paid; at which rate is not known
			rest = 0
		}
	}
}

// pay applies a payment to the item with index i, up to the available amount of the payment. It
// returns the applied amount.
func (a *applier) pay(p *Payment, i int, available int64) int64 {
	minor := min(available, a.items[i].Minor)
	if minor <= 0 {
		return 0
	}
	a.found.Applied = append(a.found.Applied, Application{Payment: p.ID, Day: p.Day, Item: a.items[i], Minor: minor})
	a.items[i].Minor -= minor
	a.paidOn[i], a.paidBy[i] = p.Day, p.ID
	return minor
}

// mostNumberWords is the largest number of words into which blanks and dashes split an item's
// number.
const mostNumberWords = 4

// mostNamed is the largest number of items that the text of a payment names. Words that more items
// have as their number name none, such as "1" or "rent".
const mostNamed = 500

// named returns the indexes of the items that a payment can pay and whose numbers occur in its text
// as whole words, in ascending order.
func (a *applier) named(p *Payment) (indexes []int) {
	if len(a.byNumber) == 0 {
		return nil
	}
	a.texts++
	all := strings.Fields(words(p.Text))
	for i := range all {
		number := ""
		for _, word := range all[i:min(len(all), i+mostNumberWords)] {
			number += word
			list := a.byNumber[number]
			if list == nil || list.text == a.texts {
				continue
			}
			list.text = a.texts
			if indexes = a.pick(indexes, list, p, mostNamed+1); len(indexes) > mostNamed {
				return nil
			}
		}
	}
	slices.Sort(indexes)
	return indexes
}

// SameCompany reports whether two names are of one company, whatever its legal form.
func SameCompany(a, b string) bool {
	return customerName(a) != "" && customerName(a) == customerName(b)
}

// enoughOfName is the number of bytes that the beginning of a name needs to stand for the name.
const enoughOfName = 6

// isPayer reports whether a payer is the given customer. Both are results of customerName. Banks
// truncate names, so two names match if one is the beginning of the other and long enough.
func isPayer(payer, customer string) bool {
	switch {
	case payer == "" || customer == "":
		return false
	case payer == customer:
		return true
	}
	return len(payer) >= enoughOfName && strings.HasPrefix(customer, payer) ||
		len(customer) >= enoughOfName && strings.HasPrefix(payer, customer)
}
