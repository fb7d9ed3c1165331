package bookrules

import (
	"cmp"
	"slices"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// Mark is what the user says about a bill.
type Mark string

// Marks of bills. A bill without a mark is open until payments settle it.
const (
	Unmarked       Mark = ""
	MarkedPaid     Mark = "paid"
	MarkedDisputed Mark = "disputed" // listed, and in no sum
)

// Bill is a bill of a vendor. Its Party is the vendor.
type Bill struct {
	Receivable // its field Minor is the amount still to pay; 0 for a paid bill
	Mark       Mark
	// MayBePaid is true if a question asks whether a payment pays the bill.
	MayBePaid bool
	Paid      Day    // day of the last payment of a paid bill; 0 if it is not known
	PaidBy    string // id of that payment's transaction; "" if it is not known
}

// Bills is the result of OpenBills.
type Bills struct {
	All       []Bill // those to pay, oldest first, then the paid ones
	Questions []PaymentQuestion
}

// OpenBills returns the bills of the lists, each once, and the credits of vendors deducted. Two
// sources list the same bill if its number and currency are equal and its vendor fits; the newest
// list counts. If a source had a bill and its newest list does not any more, older lists of other
// sources do not count for it.
//
// Payments are applied as OpenReceivables does it for the other side, with the same answers. Marks
// are by Receivable.ItemKey. OpenBills returns ErrOverflow if a sum overflows 64 bits.
func OpenBills(lists []OpenList, payments []Payment, answers map[string]string, marks map[string]Mark) (Bills, error) {
	items, gone := billsOnce(lists)
	var found Bills
	var paid, disputed, open []Bill
	for _, item := range items {
		switch b := (Bill{Receivable: item, Mark: marks[item.ItemKey()]}); b.Mark {
		case MarkedPaid:
			b.Minor = 0
			paid = append(paid, b)
		case MarkedDisputed:
			disputed = append(disputed, b)
		default:
			open = append(open, b)
		}
	}
	open, err := lessCredits(open)
	if err != nil {
		return found, err
	}
	open = append(open, slices.DeleteFunc(disputed, func(b Bill) bool { return b.Minor < 0 })...)
	slices.SortStableFunc(open, func(a, b Bill) int { return compareReceivables(a.Receivable, b.Receivable) })
	a := newApplier(receivablesIn(open))
	payments = inOrder(payments)
	before := newApplier(gone)
	if err := before.applyAll(payments, answers); err != nil {
		return found, err
	}
	if err := a.applyAll(lessApplied(payments, before.found.Applied), answers); err != nil {
		return found, err
	}
	found.Questions = a.found.Questions
	asked := map[string]bool{}
	for _, q := range found.Questions {
		for _, item := range q.Items {
			asked[item.ItemKey()] = true
		}
	}
	for i := range open {
		b := &open[i]
		if b.Minor = a.items[i].Minor; b.Minor == 0 {
			b.Paid, b.PaidBy = a.paidOn[i], a.paidBy[i]
			paid = append(paid, *b)
			continue
		}
		b.MayBePaid = asked[b.ItemKey()]
		found.All = append(found.All, *b)
	}
	for i, day := range before.paidOn {
		if item := before.items[i]; item.Minor == 0 {
			paid = append(paid, Bill{Receivable: item, Paid: day, PaidBy: before.paidBy[i]})
		}
	}
	slices.SortStableFunc(paid, func(a, b Bill) int {
		return cmp.Or(-cmp.Compare(a.Paid, b.Paid), compareReceivables(a.Receivable, b.Receivable))
	})
	found.All = append(found.All, paid...)
	return found, nil
}

func receivablesIn(bills []Bill) []Receivable {
	items := make([]Receivable, len(bills))
	for i := range bills {
		items[i] = bills[i].Receivable
	}
	return items
}

// billsOnce returns the bills and credits of the newest lists of all sources, each once, the oldest
// first, and those that only older lists have.
func billsOnce(lists []OpenList) (items, gone []Receivable) {
	newest := newestLists(lists)
	known, dropped := knownItems{}, knownItems{}
	gone = goneItems(lists)
	asOf := map[string]Day{}
	for _, list := range newest {
		asOf[list.Source] = list.AsOf
	}
	for _, item := range gone {
		item.AsOf = asOf[item.Source]
		dropped.add(item)
	}
	for _, list := range newest {
		var own []Receivable
		for _, item := range list.Items {
			r := Receivable{OpenItem: item, Source: list.Source, AsOf: list.AsOf}
			if !known.has(r, 0) && !dropped.has(r, list.AsOf) {
				own = append(own, r)
			}
		}
		for _, r := range own {
			known.add(r)
		}
		items = append(items, own...)
	}
	slices.SortStableFunc(items, compareReceivables)
	gone = slices.DeleteFunc(gone, func(r Receivable) bool { return r.Minor < 0 || known.has(r, 0) })
	return items, once(gone)
}

// once returns items without those that an earlier one repeats.
func once(items []Receivable) []Receivable {
	known := knownItems{}
	return slices.DeleteFunc(items, func(r Receivable) bool {
		if known.has(r, 0) {
			return true
		}
		known.add(r)
		return false
	})
}

// knownItems holds items by number and currency. Bills and credits are apart.
type knownItems map[string][]Receivable

func (k knownItems) key(r Receivable) string {
	sign := "+"
	if r.Minor < 0 {
		sign = "-"
	}
	return squeeze(r.Number) + "\x1f" + r.Currency + sign
}

func (k knownItems) add(r Receivable) {
	if squeeze(r.Number) != "" {
		k[k.key(r)] = append(k[k.key(r)], r)
	}
}

// has reports whether there is an item with the number, currency and vendor of r, of a list of a
// day after the given one.
func (k knownItems) has(r Receivable, after Day) bool {
	if squeeze(r.Number) == "" {
		return false
	}
	return slices.ContainsFunc(k[k.key(r)], func(other Receivable) bool {
		return other.AsOf > after && (customerName(other.Party) == customerName(r.Party) || isPayer(other.Party, r.Party))
	})
}

// lessCredits returns the bills after credits are deducted from the oldest bills of their vendor in
// the same currency, whatever their source.
func lessCredits(bills []Bill) ([]Bill, error) {
	credits := map[string]int64{}
	key := func(b *Bill) string { return customerName(b.Party) + "\x1f" + b.Currency }
	for i := range bills {
		if b := &bills[i]; b.Minor < 0 {
			sum, fits := money.Add(credits[key(b)], b.Minor)
			if !fits {
				return nil, ErrOverflow
			}
			credits[key(b)] = sum
		}
	}
	bills = slices.DeleteFunc(bills, func(b Bill) bool { return b.Minor < 0 })
	for i := range bills {
		b := &bills[i]
		// The sum of a positive and a negative amount cannot overflow.
		rest := credits[key(b)] + b.Minor
		credits[key(b)], b.Minor = min(rest, 0), max(rest, 0)
	}
	return slices.DeleteFunc(bills, func(b Bill) bool { return b.Minor == 0 }), nil
}

// lessApplied returns payments without what was applied already, and without those of which nothing
// is left.
func lessApplied(payments []Payment, applied []Application) []Payment {
	if len(applied) == 0 {
		return payments
	}
	used := map[string]int64{}
	for _, a := range applied {
		used[a.Payment] += a.Minor
	}
	payments = slices.Clone(payments)
	for i := range payments {
		payments[i].Minor -= min(used[payments[i].ID], payments[i].Minor)
	}
	return slices.DeleteFunc(payments, func(p Payment) bool { return p.Minor == 0 })
}

// inOrder returns payments ordered by day.
func inOrder(payments []Payment) []Payment {
	return slices.SortedFunc(slices.Values(payments), func(a, b Payment) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.ID, b.ID))
	})
}

// EarliestList returns the day of the earliest of lists, of which there must be one. Payments after
// it may pay what they list.
func EarliestList(lists []OpenList) Day {
	return slices.MinFunc(lists, func(a, b OpenList) int { return cmp.Compare(a.AsOf, b.AsOf) }).AsOf
}

// ListsOf returns the lists of a side.
func ListsOf(lists []OpenList, side bank.Side) []OpenList {
	return slices.DeleteFunc(slices.Clone(lists), func(l OpenList) bool { return l.Side != side })
}

// FindBills returns the bills and credits of lists that the user means by text: a number, or a
// number and the vendor's name after it. One without a number is found by its vendor.
func FindBills(lists []OpenList, text string) []Receivable {
	items, gone := billsOnce(lists)
	if text = squeeze(text); text == "" {
		return nil
	}
	var byNumber, byBoth []Receivable
	for _, item := range append(items, gone...) {
		switch text {
		case cmp.Or(squeeze(item.Number), squeeze(item.Party)):
			byNumber = append(byNumber, item)
		case squeeze(item.Number + item.Party):
			byBoth = append(byBoth, item)
		}
	}
	if len(byNumber) > 0 {
		return byNumber
	}
	return byBoth
}
