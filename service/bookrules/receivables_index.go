package bookrules

import (
	"maps"
	"slices"
	"strings"
)

// itemList holds items that have something in common, such as their customer.
type itemList struct {
	at    []int    // indexes in applier.items, oldest first
	open  *minTree // days of the items that are not paid; nil until needed
	asked Day      // day of the last payment about which a question with items of the list was added; 0 if there is none
	text  int      // number of the last text in which the number of the items was found
}

func addItem[K comparable](lists map[K]*itemList, key K, item int) {
	if lists[key] == nil {
		lists[key] = &itemList{}
	}
	lists[key].at = append(lists[key].at, item)
}

// pick appends to picked the oldest items of a list that a payment can pay, at most as many as
// given.
func (a *applier) pick(picked []int, l *itemList, p *Payment, most int) []int {
	const few = 16 // items that are looked through without a tree
	if p.Minor <= 0 {
		return picked
	}
	if len(l.at) <= few {
		for _, i := range l.at {
			if a.items[i].Minor > 0 && a.items[i].AsOf < p.Day {
				picked = append(picked, i)
			}
		}
		return picked
	}
	if l.open == nil {
		days := make([]Day, len(l.at))
		for n, i := range l.at {
			days[n] = a.items[i].AsOf
		}
		tree := newMinTree(days)
		l.open = &tree
	}
	for n, found := l.open.next(0, p.Day); found && most > 0; n, found = l.open.next(n+1, p.Day) {
		if a.items[l.at[n]].Minor <= 0 {
			l.open.remove(n)
			continue
		}
		picked = append(picked, l.at[n])
		most--
	}
	return picked
}

// payerIndex finds the items of customers whose names fit that of a payer (isPayer).
type payerIndex struct {
	customers []string // in order
	lists     []*itemList
	// beginning[n] is the index of the longest other customer whose name begins customers[n], and
	// is long enough to stand for it; -1 if there is none.
	beginning []int
	found     map[string][]*itemList // results of the method of
	joined    map[*itemList][2]int   // lists of several customers, and the indexes of the first and after the last
	askedOf   []Day                  // result of asked by index in customers; nil until needed
}

func newPayerIndex(byCustomer map[string]*itemList) payerIndex {
	x := payerIndex{
		customers: slices.Sorted(maps.Keys(byCustomer)), found: map[string][]*itemList{}, joined: map[*itemList][2]int{},
	}
	x.lists, x.beginning = make([]*itemList, len(x.customers)), make([]int, len(x.customers))
	for n, customer := range x.customers {
		x.lists[n], x.beginning[n] = byCustomer[customer], x.longest(customer, n-1)
	}
	return x
}

// longest returns the index of the longest customer, up to the index at, whose name begins a name
// and is long enough to stand for it; -1 if there is none. The customers up to that index are those
// before the name in order.
func (x *payerIndex) longest(name string, at int) int {
	for at >= 0 && !(len(x.customers[at]) >= enoughOfName && strings.HasPrefix(name, x.customers[at])) {
		at = x.beginning[at]
	}
	return at
}

// of returns lists with all items of the customers that fit a payer, a result of customerName.
func (x *payerIndex) of(payer string) (lists []*itemList) {
	if payer == "" {
		return nil
	}
	lists, known := x.found[payer]
	if known {
		return lists
	}
	from, whole := slices.BinarySearch(x.customers, payer)
	to := from
	if whole {
		to++
	}
	if len(payer) >= enoughOfName {
		for to < len(x.customers) && strings.HasPrefix(x.customers[to], payer) {
			to++
		}
	}
	switch {
	case to-from == 1:
		lists = append(lists, x.lists[from])
	case to > from:
		joined := &itemList{}
		for _, l := range x.lists[from:to] {
			joined.at = append(joined.at, l.at...)
		}
		slices.Sort(joined.at)
		lists, x.joined[joined] = append(lists, joined), [2]int{from, to}
	}
	for at := x.longest(payer, from-1); at >= 0; at = x.beginning[at] {
		lists = append(lists, x.lists[at])
	}
	x.found[payer] = lists
	return lists
}

// asked returns the day of the last payment about which a question with the items of a customer was
// added; 0 if there is none. All payments must have been applied.
func (x *payerIndex) asked(customer string) Day {
	if x.askedOf == nil {
		x.askedOf = make([]Day, len(x.customers))
		for n, l := range x.lists {
			x.askedOf[n] = l.asked
		}
		for joined, of := range x.joined {
			for n := of[0]; n < of[1]; n++ {
				x.askedOf[n] = max(x.askedOf[n], joined.asked)
			}
		}
	}
	if at, found := slices.BinarySearch(x.customers, customer); found {
		return x.askedOf[at]
	}
	return 0
}
