package books

import (
	"strconv"
	"strings"

	"tarmac/client/mask"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

type inks struct{ faint, good, caution, bad table.Ink }

func newInks(t theme.Theme) inks {
	return inks{
		faint: table.NewInk(t.Faint), good: table.NewInk(t.Good),
		caution: table.NewInk(t.Caution), bad: table.NewInk(t.Critical),
	}
}

// coverageColumn is the index of the column with a cell for each month.
const coverageColumn = 3

func accountColumns() []table.Column {
	return []table.Column{
		{Title: "Account", Min: 12, Ideal: 24, Tight: 5, Whole: table.WidestName, Flex: 1},
		{Title: "Role", Min: 9, Ideal: 9, Priority: 4},
		{Title: "Balance", Min: 17, Ideal: 18, Whole: 26, Align: table.Right},
		{Title: "Months", Min: 4, Ideal: mostMonths, Whole: mostMonths, Priority: 1},
		{Title: "Pending", Min: 12, Ideal: 14, Whole: 24, Align: table.Right, Priority: 5},
		{Title: "Newest", Min: 8, Ideal: 8, Priority: 2},
		{Title: "Adds up", Min: 7, Ideal: 12, Whole: 16, Tight: 3},
	}
}

type accountRows struct{ *Screen }

// Row appends the cells of an account.
func (r accountRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	a := r.accountAt(i)
	if a == nil {
		return dst, false
	}
	covered, ink := r.coverage(a)
	age, ageInk := r.age(a)
	proof, proofInk := r.proof(a)
	return append(
		dst,
		table.Cell{Text: a.Label(), KeepEnd: true},
		table.Cell{Text: a.Role, Ink: r.inks.faint},
		table.Cell{Text: r.balance(a)},
		table.Cell{Text: covered, Ink: ink},
		table.Cell{Text: r.pending(a)},
		table.Cell{Text: age, Ink: ageInk},
		table.Cell{Text: proof, Ink: proofInk},
	), true
}

// amount returns an amount with its currency, or dots instead of a hidden amount.
func (s *Screen) amount(minor int64, currency string) string {
	text := money.Format(minor, currency)
	if s.theme.Masked {
		text = mask.Dots
	}
	if currency == "" {
		return text
	}
	return text + " " + currency
}

func (s *Screen) balance(a *ownbooks.Account) string {
	if a.Balance == nil {
		return money.Dash
	}
	return s.amount(*a.Balance, a.Currency)
}

// pending returns the pending total, or "" if it is 0.
func (s *Screen) pending(a *ownbooks.Account) string {
	if a.PendingMinor == 0 {
		return ""
	}
	return s.amount(a.PendingMinor, a.Currency)
}

// age returns how long ago the newest statement of an account ends.
func (s *Screen) age(a *ownbooks.Account) (string, table.Ink) {
	today := civil.Of(s.env.Now())
	days, known := a.Age(today)
	switch {
	case !known:
		return money.Dash, s.inks.faint
	case a.Outdated(today):
		return "! " + strconv.Itoa(days) + "d", s.inks.caution
	case days == 0:
		return "today", table.Ink{}
	}
	return strconv.Itoa(days) + "d ago", table.Ink{}
}

// proof returns whether the lines of an account add up to its balances, or else the first month
// where they don't.
func (s *Screen) proof(a *ownbooks.Account) (string, table.Ink) {
	sign, ink := s.levelSign(a.ProofLevel())
	switch {
	case a.Contradiction && len(a.Differences) > 0:
		return sign + a.Differences[0].Last.Time().Format("Jan 2006"), ink
	case a.Contradiction:
		return sign + "no", ink
	case a.Balance == nil:
		return sign + "no balance", ink
	case len(a.Proven) == 0:
		return sign + "one balance", ink
	}
	return strings.TrimSpace(sign), ink
}

func importColumns() []table.Column {
	return []table.Column{
		{Title: "When (UTC)", Min: 16, Ideal: 16},
		{Title: "Files", Min: 5, Ideal: 5, Align: table.Right, Priority: 2},
		{Title: "New lines", Min: 9, Ideal: 9, Align: table.Right},
		{Title: "Names", Min: 16, Ideal: 30, Tight: 8, Flex: 1, Priority: 1},
		{Title: "Import", Min: 30, Ideal: 30, Priority: 3},
	}
}

type importRows struct{ *Screen }

// Row appends the cells of an import.
func (r importRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	record := r.importAt(i)
	if record == nil {
		return dst, false
	}
	return append(
		dst,
		table.Cell{Text: record.At.UTC().Format("2006-01-02 15:04")},
		table.Cell{Text: money.Count(int64(len(record.Files)))},
		table.Cell{Text: money.Count(int64(record.New))},
		table.Cell{Text: record.FilesText()},
		table.Cell{Text: record.ID, Ink: r.inks.faint},
	), true
}
