package openitems

import (
	"strconv"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// group is a part of a list with a name: a customer, a project of one, or an aging bucket. The
// outermost group is the whole list and has no name.
type group struct {
	name     string
	line     int
	sum      int64
	currency string
	mixed    bool // its invoices have several currencies
}

// maxDepth bounds groups within groups.
const maxDepth = 16

// groups are the groups that are open, the outermost first.
type groups []group

// add adds an amount to all open groups.
func (g groups) add(line int, minor int64, currency string) error {
	for i := range g {
		sum, ok := money.Add(g[i].sum, minor)
		if !ok {
			return bank.Errorf(line, "the sum of the invoices is too large")
		}
		g[i].sum = sum
		if g[i].currency == "" {
			g[i].currency = currency
		}
		g[i].mixed = g[i].mixed || g[i].currency != currency
	}
	return nil
}

// find returns the innermost open group that a total belongs to, or -1.
func (g groups) find(name string) int {
	for i := len(g) - 1; i > 0; i-- {
		rest, ok := strings.CutPrefix(strings.ToLower(name), strings.ToLower(g[i].name))
		if ok && (rest == "" || strings.HasPrefix(rest, " with sub")) {
			return i
		}
	}
	return -1
}

// path returns the names of the open groups as QuickBooks joins them.
func (g groups) path() string {
	var path []string
	for _, one := range g[1:] {
		path = append(path, one.name)
	}
	return strings.Join(path, ":")
}

// totalOf returns what a label says it totals: "" for the whole list. It returns false for a
// label that is no total.
func totalOf(label string) (name string, ok bool) {
	lower := strings.ToLower(label)
	switch lower {
	case "total", "totals", "grand total", "total:":
		return "", true
	}
	for _, start := range []string{"total for ", "total "} {
		if strings.HasPrefix(lower, start) {
			return strings.TrimSpace(label[len(start):]), true
		}
	}
	return "", false
}

// check compares a total with what it totals.
func (g group) check(line int, total int64) error {
	if total == g.sum {
		return nil
	}
	what := "the list"
	if g.name != "" {
		what = strconv.Quote(bank.Short(g.name))
	}
	return bank.Errorf(line, "the total %s of %s differs from the sum of its invoices, %s, by %s",
		money.Format(total, g.currency), what, money.Format(g.sum, g.currency), money.Format(total-g.sum, g.currency))
}
