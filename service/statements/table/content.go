package table

import (
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// maxContent is the number of records from which detectContent infers the columns.
const maxContent = 400

// detectContent finds the layout of a file without a header by the content of its columns. Nearly
// every record must have a date, a text and an amount in the same columns. If several columns may
// be the amount, the running balances must prove which one it is.
func detectContent(text start) (*layout, bool) {
	for _, delimiter := range delimiters {
		records := text.sample(delimiter, maxContent)
		columns, ok := contentColumns(records)
		if !ok {
			continue
		}
		if found, ok := chooseContent(text, delimiter, records, columns); ok {
			return found, true
		}
	}
	return nil, false
}

// contentColumns finds the columns of dates, texts, currencies and accounts by their cells. It
// returns false if there is no column of dates or none of texts.
func contentColumns(records []record) ([]column, bool) {
	width := 0
	for i := range records {
		width = max(width, len(records[i].fields))
	}
	if width < 3 || width > 40 {
		return nil, false
	}
	columns := make([]column, width)
	rows, others := 0, 0
	for i := range records {
		switch {
		case records[i].empty():
			continue
		case !slices.ContainsFunc(records[i].fields, isDate):
			others++
			continue
		}
		rows++
		for j := range columns {
			columns[j].add(records[i].field(j))
		}
	}
	if others*10 > rows {
		return nil, false
	}
	dates, texts := 0, 0
	for i := range columns {
		one := &columns[i]
		if one.role = contentRole(one, rows); one.role == roleDate {
			if dates++; dates == 2 {
				one.role = roleValueDate
			}
			if dates > 2 {
				one.role = roleNone
			}
		}
		texts += boolean(one.role == roleText)
	}
	return columns, dates > 0 && texts > 0
}

func isDate(field string) bool {
	_, ok := scanDate(field)
	return ok
}

// contentRole returns the role that the cells of a column suggest. It returns roleNone for amounts,
// which chooseContent decides about.
func contentRole(one *column, rows int) role {
	switch {
	case one.filled == 0:
		return roleNone
	case one.mostly(one.dates):
		if one.filled*20 >= rows*19 {
			return roleDate
		}
	case one.mostly(one.codes):
		return roleCurrency
	case one.signs == rows && one.bothSides():
		return roleSign
	case one.mostly(one.amounts):
		if len(one.distinct) == 1 && one.decimals == 0 && len(one.distinct[0]) >= 8 && one.filled == rows {
			return roleAccount
		}
	case len(one.distinct) == 1 && one.filled == rows && iban.MatchString(one.distinct[0]):
		return roleAccount
	case one.mostly(countIBANs(one)):
		return roleOtherAccount
	default:
		return roleText
	}
	return roleNone
}

// countIBANs returns the number of cells that are IBANs: all if each value in column.distinct is
// one, else 0.
func countIBANs(one *column) int {
	for _, cell := range one.distinct {
		if !iban.MatchString(cell) {
			return 0
		}
	}
	return one.filled
}

// isMoney reports whether the cells are amounts, of which at least half have decimals or a sign.
func (c *column) isMoney() bool {
	return c.role == roleNone && c.filled > 0 && c.mostly(c.amounts) && c.decimals*2 >= c.filled
}

// chooseContent decides which columns are amounts and balances, and returns the layout. It returns
// false if no choice, or more than one, fits the running balances.
func chooseContent(text start, delimiter byte, records []record, columns []column) (*layout, bool) {
	var money []int
	for i := range columns {
		if columns[i].isMoney() {
			money = append(money, i)
		}
	}
	build := func(roles map[int]role) (*layout, bool) {
		with := append([]column(nil), columns...)
		for i, r := range roles {
			with[i].role = r
		}
		found := &layout{delimiter: delimiter}
		if !found.choose(with) {
			return nil, false
		}
		found.making, found.signs = found.hash(with), found.readSignForm(records)
		return found, true
	}
	if len(money) == 1 && columns[money[0]].filled == columns[money[0]].rows {
		return build(map[int]role{money[0]: roleAmount})
	}
	if debit, credit, ok := signedPair(columns, money); ok {
		return build(map[int]role{debit: roleDebit, credit: roleCredit})
	}
	var proved *layout
	for _, roles := range arrangements(money) {
		for _, before := range []bool{false, true} {
			found, ok := build(roles)
			if !ok {
				continue
			}
			if found.before = before; !found.proves(text) {
				continue
			}
			switch {
			case proved == nil, found.amount != none && found.amount == proved.amount && proved.before:
				proved = found
			case found.amount == none || found.amount != proved.amount:
				return nil, false
			}
		}
	}
	return proved, proved != nil
}

// signedPair returns the columns of money out and of money in among two columns of amounts: each
// row has one of them, and one column has only negative amounts and the other only positive ones.
func signedPair(columns []column, money []int) (debit, credit int, ok bool) {
	if len(money) != 2 {
		return none, none, false
	}
	first, second := &columns[money[0]], &columns[money[1]]
	for row := range first.cells {
		if (first.cells[row] == "") == (second.cells[row] == "") {
			return none, none, false
		}
	}
	negative := func(c *column) (count int) {
		for _, cell := range c.cells {
			count += boolean(strings.HasPrefix(cell, "-") || strings.HasPrefix(cell, "−") || strings.HasPrefix(cell, "("))
		}
		return count
	}
	switch a, b := negative(first), negative(second); {
	case a == first.filled && b == 0:
		return money[0], money[1], true
	case a == 0 && b == second.filled:
		return money[1], money[0], true
	}
	return none, none, false
}

// arrangements returns the possible roles of the columns of amounts: one balance, with either one
// amount or a debit and a credit.
func arrangements(money []int) []map[int]role {
	var all []map[int]role
	if len(money) < 2 || len(money) > 4 {
		return nil
	}
	for _, balance := range money {
		for _, first := range money {
			if first == balance {
				continue
			}
			all = append(all, map[int]role{balance: roleBalance, first: roleAmount})
			for _, second := range money {
				if second != balance && second != first {
					all = append(all, map[int]role{balance: roleBalance, first: roleDebit, second: roleCredit})
				}
			}
		}
	}
	return all
}

// proves reports whether every running balance follows from the one before it, and at least two do.
func (l *layout) proves(text start) bool {
	r := newReader(text.budget, strings.NewReader(text.text), []byte(text.text), l,
		bank.Options{DateOrder: bank.DayFirst, Decimal: '.'})
	if r.decideForms() != nil || r.collectEvidence() != nil {
		return false
	}
	way, _ := r.bestReading()
	links := 0
	for _, of := range r.evidence.order {
		toward, _ := of.chain.direction(way)
		if of.chain.breaks[toward] > 0 {
			return false
		}
		links += of.chain.links
	}
	if r.layout.amount == none && way&inverted != 0 {
		return false // the columns of debits and credits are swapped
	}
	return links >= 2
}
