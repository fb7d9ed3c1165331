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
// are by Receivable.ItemKey. OpenBills returns ErrOverflow if a sum overflows 64 bits, and the
// error of w if that ends.
func OpenBills(
	w *Work, lists []OpenList, payments []Payment, answers map[string]string, marks map[string]Mark,
) (Bills, error) {
	names := customerNames{}
	items, gone := billsOnce(lists, names)
	var found Bills
	var paid, disputed, open []Bill
	for _, item := range items {
		switch b := (Bill{Receivable: item, Mark: marks[names.itemKey(&item)]}); b.Mark {
		case MarkedPaid:
			b.Minor = 0
			paid = append(paid, b)
		case MarkedDisputed:
			disputed = append(disputed, b)
		default:
			open = append(open, b)
		}
	}
	open, err := lessCredits(open, names)
	if err != nil {
		return found, err
	}
	open = append(open, slices.DeleteFunc(disputed, func(b Bill) bool { return b.Minor < 0 })...)
	slices.SortStableFunc(open, func(a, b Bill) int { return compareReceivables(a.Receivable, b.Receivable) })
	a := newApplier(receivablesIn(open), names)
	payments = inOrder(payments)
	before := newApplier(gone, names)
	if err := before.applyAll(w, payments, answers); err != nil {
		return found, err
	}
	if err := a.applyAll(w, lessApplied(payments, before.found.Applied), answers); err != nil {
		return found, err
	}
	found.Questions = a.found.Questions
	asked := a.askedKeys(open)
	for i := range open {
		b := &open[i]
		if b.Minor = a.items[i].Minor; b.Minor == 0 {
			b.Paid, b.PaidBy = a.paidOn[i], a.paidBy[i]
			paid = append(paid, *b)
			continue
		}
		b.MayBePaid = asked[names.itemKey(&b.Receivable)]
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

// askedKeys returns the keys of the bills that a payment may pay about which a question is. bills
// are those of the applier before payments.
func (a *applier) askedKeys(bills []Bill) map[string]bool {
	asked := map[string]bool{}
	for i := range a.items {
		if a.items[i].Minor > 0 && a.mayBePaid(i, bills[i].Minor) {
			asked[a.names.itemKey(&a.items[i])] = true
		}
	}
	for n := range a.found.Questions {
		for _, one := range a.found.Questions[n].likely {
			if item := &a.items[one.at]; item.Minor == 0 { // another payment paid it later
				asked[a.names.itemKey(item)] = true
			}
		}
	}
	return asked
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
func billsOnce(lists []OpenList, names customerNames) (items, gone []Receivable) {
	newest := newestLists(lists)
	known, dropped := newKnownItems(names), newKnownItems(names)
	gone = goneItems(lists, names)
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
	return items, once(gone, names)
}

// once returns items without those that an earlier one repeats.
func once(items []Receivable, names customerNames) []Receivable {
	known := newKnownItems(names)
	return slices.DeleteFunc(items, func(r Receivable) bool {
		if known.has(r, 0) {
			return true
		}
		known.add(r)
		return false
	})
}

// knownItems holds items by number and currency. Bills and credits are apart.
type knownItems struct {
	names customerNames
	byKey map[string]*sameNumber
}

// sameNumber holds the days of the newest lists that have items of one number, by vendor
// (customerName).
type sameNumber struct {
	asOf    map[string]Day
	vendors []string // the first of them, at most mostSimilar, whose names are also compared by their beginnings
}

// mostSimilar is the largest number of vendors with bills of the same number and currency whose
// names are compared by their beginnings.
const mostSimilar = 100

func newKnownItems(names customerNames) knownItems {
	return knownItems{names, map[string]*sameNumber{}}
}

// of returns the items with the number, currency and sign of r; nil if there are none or r has no
// number.
func (k knownItems) of(r Receivable) (key string, same *sameNumber) {
	number := squeeze(r.Number)
	if number == "" {
		return "", nil
	}
	sign := "+"
	if r.Minor < 0 {
		sign = "-"
	}
	key = number + "\x1f" + r.Currency + sign
	return key, k.byKey[key]
}

func (k knownItems) add(r Receivable) {
	key, same := k.of(r)
	if key == "" {
		return
	}
	if same == nil {
		same = &sameNumber{asOf: map[string]Day{}}
		k.byKey[key] = same
	}
	vendor := k.names.of(r.Party)
	asOf, known := same.asOf[vendor]
	same.asOf[vendor] = max(asOf, r.AsOf)
	if !known && len(same.vendors) < mostSimilar {
		same.vendors = append(same.vendors, vendor)
	}
}

// has reports whether there is an item with the number, currency and vendor of r, of a list of a
// day after the given one.
func (k knownItems) has(r Receivable, after Day) bool {
	_, same := k.of(r)
	if same == nil {
		return false
	}
	vendor := k.names.of(r.Party)
	return same.asOf[vendor] > after || slices.ContainsFunc(same.vendors, func(other string) bool {
		return same.asOf[other] > after && isPayer(other, vendor)
	})
}

// lessCredits returns the bills after credits are deducted from the oldest bills of their vendor in
// the same currency, whatever their source.
func lessCredits(bills []Bill, names customerNames) ([]Bill, error) {
	credits := map[string]int64{}
	key := func(b *Bill) string { return names.of(b.Party) + "\x1f" + b.Currency }
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
	items, gone := billsOnce(lists, customerNames{})
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
