package transactions

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/fold"
	"tarmac/internal/money"
)

// local is the part of the filter that the API does not know: the size of the amount in the
// currency of the totals, the account and the category. It is searched in the rows in memory.
type local struct {
	least, most int64 // minor units, both included
	account     string
	byCategory  bool
	category    string // part of the category; "" means rows that have none
	text        string // as it was typed; "" restricts nothing
}

func (l local) empty() bool { return l.text == "" }

// A word begins as that of an account or a category and names none.
var (
	errAccount  = errors.New("name the account, for example acct:4821")
	errCategory = errors.New("name the category, for example cat:travel, or cat:none for rows without one")
)

// parseFilter divides a typed filter into the text that the server searches and the words that only
// rows in memory can be searched for: >5k, <200, 1k..2k, =1240, acct:4821 and cat:travel. Amounts
// are in the given currency.
func parseFilter(typed, currency string) (keyword string, l local, err error) {
	l.most = math.MaxInt64
	var words, own []string
	for _, word := range wordsOf(typed) {
		is, err := l.add(word, currency)
		if err != nil {
			return "", local{}, err
		}
		if is {
			own = append(own, word)
		} else {
			words = append(words, word)
		}
	}
	l.text = strings.Join(own, " ")
	if l.empty() {
		return strings.TrimSpace(typed), local{}, nil
	}
	return strings.Join(words, " "), l, nil
}

// wordsOf divides a typed filter at its spaces. A category in quotes is one word.
func wordsOf(typed string) (words []string) {
	for rest := strings.TrimSpace(typed); rest != ""; rest = strings.TrimSpace(rest) {
		word, _, _ := strings.Cut(rest, " ")
		if begin := categoryPrefix + `"`; strings.HasPrefix(strings.ToLower(rest), begin) {
			word = rest
			if end := strings.Index(rest[len(begin):], `"`); end >= 0 {
				word = rest[:len(begin)+end+1]
			}
		}
		words = append(words, word)
		rest = rest[len(word):]
	}
	return words
}

// add restricts the filter by a word. It returns false if the word is text for the server.
func (l *local) add(word, currency string) (is bool, err error) {
	if account, ok := strings.CutPrefix(strings.ToLower(word), "acct:"); ok {
		l.account = fold.String(account)
		if l.account == "" {
			return false, errAccount
		}
		return true, nil
	}
	if category, ok := strings.CutPrefix(strings.ToLower(word), categoryPrefix); ok {
		l.byCategory, l.category = true, fold.String(strings.Trim(category, `"`))
		switch l.category {
		case "":
			return false, errCategory
		case noCategory:
			l.category = ""
		}
		return true, nil
	}
	if from, to, ok := strings.Cut(word, ".."); ok {
		least, errFrom := money.Parse(from, currency)
		most, errTo := money.Parse(to, currency)
		if errFrom != nil || errTo != nil {
			return false, nil // a period or a text
		}
		l.restrict(min(least, most), max(least, most))
		return true, nil
	}
	sign := strings.IndexAny(word, "<>=")
	if sign != 0 || len(word) == 1 {
		return false, nil
	}
	orEqual := strings.HasPrefix(word[1:], "=")
	minor, err := money.Parse(strings.TrimPrefix(word[1:], "="), currency)
	switch {
	case err != nil:
		return false, err
	case word[0] == '=':
		l.restrict(minor, minor)
	case word[0] == '>' && orEqual:
		l.restrict(minor, math.MaxInt64)
	case word[0] == '>':
		l.restrict(minor+1, math.MaxInt64)
	case orEqual:
		l.restrict(0, minor)
	default:
		l.restrict(0, minor-1)
	}
	return true, nil
}

func (l *local) restrict(least, most int64) { l.least, l.most = max(l.least, least), min(l.most, most) }

// matches reports whether a row is of the size, of the account and of the category. A row without
// an amount in the currency of the totals has no size.
func (l local) matches(t *apiclient.Transaction, category string) bool {
	if l.byCategory && (t.Unreadable != nil || !l.isCategory(category)) {
		return false
	}
	if l.account != "" && !strings.Contains(fold.String(t.SourceLabel), l.account) {
		return false
	}
	if l.least == 0 && l.most == math.MaxInt64 {
		return t.Unreadable == nil
	}
	size, known := figures.Size(t.Reporting)
	return known && size >= uint64(l.least) && l.most >= 0 && size <= uint64(l.most)
}

func (l local) isCategory(name string) bool {
	return (name == "") == (l.category == "") && strings.Contains(fold.String(name), l.category)
}

// currency returns the currency of the totals, or "" before any figure is known.
func (s *Screen) currency() string {
	sum, _ := s.state.Value()
	return cmp.Or(sum.Currency, s.data.Currency())
}

// isListing reports whether the list is the server's listing, which is read as it scrolls.
func (s *Screen) isListing() bool { return s.sorting.order == byDate && s.filter.local.empty() }

// searchMemory shows the rows in memory that match the local filter.
func (s *Screen) searchMemory() {
	rows, whole := s.sorting.rows, s.sorting.whole
	if !whole {
		rows = s.store.inMemory()
		_, whole = s.store.all()
	}
	s.showFound(s.sorting.order, rows, whole)
}

// inMemory returns the rows in memory, newest first.
func (s *store) inMemory() (rows []apiclient.Transaction) {
	for i := range s.pages {
		rows = append(rows, s.pages[i].rows...)
	}
	return rows
}

// showFound shows those of the rows that match the local filter, in an order. whole says that the
// rows are all that match the server's part of the filter. The cursor stays on its transaction.
func (s *Screen) showFound(o order, rows []apiclient.Transaction, whole bool) {
	id := ""
	if t, ok := s.row(s.table.Cursor()); ok && s.sorting.order == o && s.table.Cursor() > 0 {
		id = t.ID
	}
	k := sorting{order: o, rows: rows, whole: whole}
	k.sorted = sortedIndexes(o, rows)
	if l := s.filter.local; !l.empty() {
		k.sorted = slices.DeleteFunc(k.sorted, func(i int) bool {
			return !l.matches(&rows[i], s.rows.annotated.Of(&rows[i]).Category)
		})
		ledger := spending.NewLedger(rows, nil, nil)
		ledger.Currency = cmp.Or(ledger.Currency, s.currency())
		k.found = ledger.Flows(k.sorted)
	}
	s.sorting = k
	s.showRows()
	s.table.SetCursor(max(0, slices.IndexFunc(k.sorted, func(i int) bool { return rows[i].ID == id })))
}

// canReadAll reports whether rows that the local filter might match have not been read.
func (s *Screen) canReadAll() bool {
	return s.allowed() && !s.filter.local.empty() && s.store.known && !s.sorting.whole && !s.sorting.reading
}

// readRest reads all rows of the listing, to search them too.
func (s *Screen) readRest() {
	if s.store.total > maxSorted {
		s.input.problem = money.Count(int64(s.store.total)) + " transactions match; at most " + money.Count(maxSorted) +
			" can be searched for amounts or categories: filter by dates (f), text (/) or direction (d)"
		return
	}
	s.readAll(s.sorting.order)
}

// foundWords says how many of the rows that were read match the local filter.
func (s *Screen) foundWords() string {
	k := &s.sorting
	words := money.Count(int64(len(k.sorted))) + " of " + money.Count(int64(len(k.rows))) + " rows read"
	if !k.whole {
		words += ", of " + money.Count(int64(s.store.total)) + " · a reads all"
	}
	return words
}

// foundTotals returns the sums of the rows that match the local filter, without a direction that
// none of them has.
func (s *Screen) foundTotals() (parts []string) {
	f, t := s.sorting.found, s.theme
	for _, sum := range []struct {
		name  string
		total figures.Total
		write func(...string) string
	}{{"in ", f.In, t.Inflow.Render}, {"out ", f.Out, t.Strong.Render}} {
		if sum.total.Minor != 0 || sum.total.Unknown {
			parts = append(parts, sum.name+s.withMark(sum.total, sum.write(figures.Unmarked(sum.total.String()))))
		}
	}
	return parts
}
