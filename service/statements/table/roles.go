package table

import (
	"fmt"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

const (
	// leastLinks is the number of balances that must follow from the amounts before a column counts
	// as the amount against its heading.
	leastLinks = 5
	// mostFigures is the largest number of columns of figures that are compared.
	mostFigures = 6
	// sampleRows is the number of rows that a question about columns shows.
	sampleRows = 3
)

// amounts says which columns have the amounts, and which one the balance. It has either an amount
// or a debit and a credit; the others are none.
type amounts struct{ amount, debit, credit, balance int }

// figures holds the parsed columns of a file's first rows, to try which of them explain the
// balances.
type figures struct {
	columns []column
	values  map[int][]int64 // by column; 0 for an empty cell
	filled  map[int][]bool
	keys    []string // account and currency of each row; "" for a row that isn't booked
	signs   []int64  // direction of each row that a column of signs gives, else 1
	fees    int
	tried   []int // columns that may be the amount or the balance
}

// decideRoles corrects which columns are the amount and the balance by the balances: the amount is
// what explains them. If several choices do and differ, it stores them in l.choices.
func (l *layout) decideRoles(columns []column) {
	f := l.readFigures(columns)
	if f == nil {
		return
	}
	current := amounts{l.amount, l.debit, l.credit, l.balance}
	links, breaks := 0, 0
	if l.balance != none {
		links, breaks = f.explain(current)
	}
	var fitting []amounts
	for _, other := range f.arrangements() {
		if other == current {
			continue
		}
		of, wrong := f.explain(other)
		switch {
		case wrong > 0 || of == 0:
		case l.balance != none && links > 0 && breaks == 0:
			// The headings fit, too. Another amount is a choice only if its heading is one, too.
			if other.balance == l.balance && of == links && f.isNamedAmount(other) && f.differ(current, other) {
				fitting = append(fitting, other)
			}
		case of >= leastLinks, l.balance == none && other.balance == l.amount && other.amount != none:
			if !slices.ContainsFunc(fitting, func(one amounts) bool { return !f.differ(one, other) }) {
				fitting = append(fitting, other)
			}
		}
	}
	sure := len(fitting) == 1 && (links == 0 || breaks > 0)
	if sure {
		of, _ := f.explain(fitting[0])
		sure = of >= leastLinks
	}
	switch {
	case len(fitting) == 0:
	case sure:
		l.use(fitting[0])
	default:
		l.choices = append([]amounts{current}, fitting...)
		l.samples = f.samples(l.choices)
	}
}

// use sets the columns of the amount and the balance.
func (l *layout) use(a amounts) {
	l.amount, l.debit, l.credit, l.balance = a.amount, a.debit, a.credit, a.balance
	l.net, l.deducted = false, false
	if l.amount == none {
		l.sign = none
	}
}

// chooseAmounts uses the choice of the user among l.choices. It returns a question if there is
// none.
func (l *layout) chooseAmounts(options bank.Options, records []record) error {
	if len(l.choices) == 0 {
		return nil
	}
	names := make([]string, len(l.choices))
	for i, choice := range l.choices {
		names[i] = l.nameOf(choice)
		if options.Amount != "" && fold(options.Amount) == fold(names[i]) {
			l.use(choice)
			l.signs = l.readSignForm(records)
			return nil
		}
	}
	return &bank.Question{
		Place:  l.headerLine,
		Reason: "the amount may be " + strings.Join(quotedAll(names), " or ") + ": " + l.samples,
		Flag:   "--amount", Choices: names,
	}
}

func quotedAll(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = fmt.Sprintf("%q", short(name))
	}
	return all
}

// nameOf returns the headings of the amounts of a choice.
func (l *layout) nameOf(a amounts) string {
	if a.amount != none {
		return l.heading(a.amount)
	}
	return l.heading(a.debit) + " and " + l.heading(a.credit)
}

func (l *layout) heading(column int) string {
	if column < len(l.headings) && l.headings[column] != "" {
		return l.headings[column]
	}
	return fmt.Sprintf("column %d", column+1)
}

// readFigures parses the columns of figures. It returns nil if there are fewer than two, or too
// many, or if their decimal mark isn't certain.
func (l *layout) readFigures(columns []column) *figures {
	f := &figures{columns: columns, values: map[int][]int64{}, filled: map[int][]bool{}, fees: l.fee}
	marks := written.Marks(written.AnyMark)
	var found []int
	for i := range columns {
		if one := &columns[i]; one.mayBeFigure() {
			found = append(found, i)
			for _, cell := range one.cells {
				if amount, ok := scanAmount(cell); ok {
					marks &= written.MarksOf(amount.number)
				}
			}
		}
	}
	if len(found) < 2 || len(found) > mostFigures || !marks.Decided() {
		return nil
	}
	rows := columns[found[0]].rows
	for row := range rows {
		cell := func(column int) string {
			if column == none {
				return ""
			}
			return columns[column].cells[row]
		}
		state := fold(cell(l.status))
		key := cell(l.account) + "\x00" + cell(l.currency) + "\x00"
		if pendingWords[state] || voidWords[state] {
			key = ""
		}
		f.keys = append(f.keys, key)
		sign := int64(1)
		if l.sign != none && debitOrCredit(cell(l.sign)) < 0 {
			sign = -1
		}
		f.signs = append(f.signs, sign)
	}
	if l.fee != none {
		found = append(found, l.fee)
	}
	for _, column := range append(found, l.amount, l.debit, l.credit, l.balance) {
		if column != none && f.values[column] == nil {
			f.parse(column, marks.Byte())
		}
	}
	f.tried = found
	return f
}

// mayBeFigure reports whether the cells are amounts with decimals and the heading is not of
// something else.
func (c *column) mayBeFigure() bool {
	switch c.role {
	case roleNone, roleAmount, roleDebit, roleCredit, roleBalance, roleValue, roleSign:
		return c.filled > 0 && c.mostly(c.amounts) && c.decimals*2 >= c.filled && c.dates*2 < c.filled && !isCharge(c.name)
	}
	return false
}

func (f *figures) parse(column int, mark byte) {
	cells := f.columns[column].cells
	values, filled := make([]int64, len(cells)), make([]bool, len(cells))
	for i, cell := range cells {
		amount, ok := scanAmount(cell)
		if !ok {
			continue
		}
		if minor, err := amount.minor(mark, ""); err == nil {
			values[i], filled[i] = minor, true
		}
	}
	f.values[column], f.filled[column] = values, filled
}

// arrangements returns the possible choices of columns.
func (f *figures) arrangements() (all []amounts) {
	columns := slices.DeleteFunc(slices.Clone(f.tried), func(column int) bool { return column == f.fees })
	for _, balance := range columns {
		for _, first := range columns {
			if first == balance {
				continue
			}
			all = append(all, amounts{first, none, none, balance})
			for _, second := range columns {
				if second != balance && second != first && f.isPair(first, second) {
					all = append(all, amounts{none, first, second, balance})
				}
			}
		}
	}
	return all
}

// isPair reports whether each row has at most one of two amounts other than zero.
func (f *figures) isPair(first, second int) bool {
	both, any := 0, 0
	for row := range f.keys {
		a, b := f.values[first][row] != 0, f.values[second][row] != 0
		both += boolean(a && b)
		any += boolean(a || b)
	}
	return both == 0 && any > 0
}

// move returns how the amounts of a row change the balance.
func (f *figures) move(a amounts, row int) int64 {
	if a.amount != none {
		return f.values[a.amount][row] * f.signs[row]
	}
	return abs(f.values[a.credit][row]) - abs(f.values[a.debit][row])
}

// explain returns how many balances follow from the amounts, in the best reading, and how many
// don't. Balances that don't change are not counted.
func (f *figures) explain(a amounts) (links, breaks int) {
	breaks = -1
	for way := range reading(readings) {
		if way&lessFees != 0 && f.fees == none || way&inverted != 0 && a.amount == none {
			continue
		}
		if follow, wrong := f.follow(a, way); breaks < 0 || wrong < breaks || wrong == breaks && follow > links {
			links, breaks = follow, wrong
		}
	}
	return links, breaks
}

// follow counts the balances that follow from the amounts in a reading, and those that don't.
func (f *figures) follow(a amounts, way reading) (follow, wrong int) {
	type state struct {
		balance   int64
		since, at sums
	}
	chains := map[string]*state{}
	for row, key := range f.keys {
		if key == "" {
			continue
		}
		own := sums{amount: f.move(a, row)}
		if f.fees != none {
			own.fee = abs(f.values[f.fees][row])
		}
		s := chains[key]
		if !f.filled[a.balance][row] {
			if s != nil {
				s.since.amount, s.since.fee = s.since.amount+own.amount, s.since.fee+own.fee
				s.at.amount, s.at.fee = s.at.amount+own.amount, s.at.fee+own.fee
			}
			continue
		}
		balance := f.values[a.balance][row]
		if s == nil {
			chains[key] = &state{balance: balance, at: own}
			continue
		}
		from, to, moves := s.balance, balance, sums{s.since.amount + own.amount, s.since.fee + own.fee}
		if way&newestFirst != 0 {
			from, to, moves = to, from, s.at
		}
		switch move := moves.move(way); {
		case to-from != move:
			wrong++
		case move != 0:
			follow++
		}
		*s = state{balance: balance, at: own}
	}
	return follow, wrong
}

// differ reports whether the amounts of two choices differ in a row.
func (f *figures) differ(a, b amounts) bool {
	for row, key := range f.keys {
		if key != "" && f.move(a, row) != f.move(b, row) {
			return true
		}
	}
	return false
}

// isNamedAmount reports whether the headings of a choice name amounts.
func (f *figures) isNamedAmount(a amounts) bool {
	if a.amount != none {
		return f.columns[a.amount].role == roleAmount || f.columns[a.amount].role == roleValue
	}
	return f.columns[a.debit].role == roleDebit && f.columns[a.credit].role == roleCredit
}

// samples shows the figures of the choices in the first rows where they differ.
func (f *figures) samples(choices []amounts) string {
	var rows []string
	for row, key := range f.keys {
		if key == "" || len(rows) == sampleRows {
			continue
		}
		var cells []string
		for _, choice := range choices {
			cells = append(cells, f.cell(choice, row))
		}
		rows = append(rows, strings.Join(cells, " or "))
	}
	return strings.Join(rows, ", ")
}

func (f *figures) cell(a amounts, row int) string {
	for _, column := range []int{a.amount, a.debit, a.credit} {
		if column != none && f.columns[column].cells[row] != "" {
			return short(f.columns[column].cells[row])
		}
	}
	return "nothing"
}
