package openitems

import (
	"strconv"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// group is a named part of a list: a customer, a customer's project, or an aging bucket. The
// outermost group is the whole list and has no name.
type group struct {
	name     string
	line     int
	sum      int64
	currency string
	mixed    bool // true if its invoices are in several currencies
}

// maxDepth is the largest depth of nested groups, and maxName the largest length of their names.
const (
	maxDepth = 16
	maxName  = 500
)

// groups lists the groups whose end was not read yet, the outermost first.
type groups []group

// add adds an amount to all open groups.
func (g groups) add(line int, minor int64, currency string) error {
	for i := range g {
		sum, ok := money.Add(g[i].sum, minor)
		if !ok {
			return bank.Errorf(line, "the amounts are too large to be added up")
		}
		g[i].sum = sum
		if g[i].currency == "" {
			g[i].currency = currency
		}
		g[i].mixed = g[i].mixed || g[i].currency != currency
	}
	return nil
}

// find returns the index of the innermost open group with the given name. It returns -1 if there is
// none.
func (g groups) find(name string) int {
	for i := len(g) - 1; i > 0; i-- {
		rest, ok := strings.CutPrefix(strings.ToLower(name), strings.ToLower(g[i].name))
		if ok && (rest == "" || strings.HasPrefix(rest, " with sub")) {
			return i
		}
	}
	return -1
}

// path returns the names of the open groups, joined with colons as in QuickBooks.
func (g groups) path() string {
	var path []string
	for _, one := range g[1:] {
		path = append(path, one.name)
	}
	return strings.Join(path, ":")
}

// totalOf returns the name of the group that a total belongs to; the whole list has the name "". It
// returns false if the label does not belong to a total.
func totalOf(label string) (name string, ok bool) {
	lower := strings.TrimSuffix(strings.ToLower(label), ":")
	for _, word := range totalWords {
		rest, found := strings.CutPrefix(lower, word)
		switch {
		case !found:
		case strings.TrimSpace(rest) == "":
			return "", true
		case rest[0] == ' ':
			return strings.TrimPrefix(strings.TrimSpace(label[len(word):]), "for "), true
		}
	}
	return "", false
}

// check returns an error if the total in the file differs from the sum of the group's invoices.
func (g group) check(line int, total int64) error {
	if total == g.sum {
		return nil
	}
	what := "the list"
	if g.name != "" {
		what = strconv.Quote(bank.Short(g.name))
	}
	return bank.Errorf(line, "the total %s of %s differs from the sum of its rows, %s, by %s",
		money.Format(total, g.currency), what, money.Format(g.sum, g.currency), money.Format(total-g.sum, g.currency))
}
