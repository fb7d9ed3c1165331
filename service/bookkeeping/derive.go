package bookkeeping

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tarmac/internal/civil"
	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// derived is an account with what follows from its statements.
type derived struct {
	books.Account
	contents []books.Content
	files    []int64 // keys of the contents' files
	merged   []books.Merged
	doubts   []books.Doubt
	proof    books.Proof
}

// reader reads stored books: *store.Tx or *store.Snapshot.
type reader interface {
	BookAccounts(org store.OrgKey) ([]books.Account, error)
	BookStatements(org store.OrgKey) ([]books.Statement, error)
	BookAnswers(org store.OrgKey) (map[string]string, error)
	BookImports(org store.OrgKey) ([]books.Import, error)
	BookEntries(org store.OrgKey, account int64) ([]store.BookEntry, error)
}

// ledgerBooks are the books of an organization while they are derived.
type ledgerBooks struct {
	*Books
	reader
	accounts   []books.Account
	statements []books.Statement
	files      map[int64]books.File
	answers    map[string]string
}

// load reads the books, except for lines.
func (b *Books) load(r reader) (l *ledgerBooks, err error) {
	l = &ledgerBooks{Books: b, reader: r, files: map[int64]books.File{}}
	if l.accounts, err = r.BookAccounts(b.Org); err != nil {
		return nil, err
	}
	if l.statements, err = r.BookStatements(b.Org); err != nil {
		return nil, err
	}
	if l.answers, err = r.BookAnswers(b.Org); err != nil {
		return nil, err
	}
	imports, err := r.BookImports(b.Org)
	for _, i := range imports {
		for _, f := range i.Files {
			l.files[f.Key] = f.File
		}
	}
	return l, err
}

// derive merges and proves an account's lines. Files that exclude reports true for are left out.
func (l *ledgerBooks) derive(a books.Account, exclude func(file int64) bool) (derived, error) {
	byFile := map[int64]*books.Content{}
	fileOf := map[int64]int64{}
	for _, s := range l.statements {
		if s.Account != a.Key || exclude != nil && exclude(s.File) {
			continue
		}
		c := byFile[s.File]
		if c == nil {
			f := l.files[s.File]
			c = &books.Content{Key: string(f.Hash[:]), Making: f.Making, Rank: f.Rank}
			byFile[s.File] = c
		}
		fileOf[s.Key] = s.File
		addStatement(c, s)
	}
	if len(byFile) == 0 {
		return derived{Account: a}, nil
	}
	entries, err := l.BookEntries(l.Org, a.Key)
	if err != nil {
		return derived{}, err
	}
	for _, e := range entries {
		if c := byFile[fileOf[e.Statement]]; c != nil {
			c.Entries = append(c.Entries, e.Entry)
		}
	}
	d := derived{Account: a}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		c := byFile[file]
		c.Covered = books.Join(c.Covered)
		slices.SortStableFunc(c.Balances, func(x, y books.Balance) int { return int(x.Day - y.Day) })
		d.contents, d.files = append(d.contents, *c), append(d.files, file)
	}
	d.merged, d.doubts = books.Merge(d.contents, l.decisions(a))
	d.proof = books.Prove(d.merged, d.contents)
	return d, nil
}

// addStatement adds a statement's days and balances to the content of its file.
func addStatement(c *books.Content, s books.Statement) {
	if s.Covered.First > 0 {
		c.Covered = append(c.Covered, s.Covered)
	}
	if s.Opening != nil {
		c.Balances = append(c.Balances, *s.Opening)
	}
	if s.Closing != nil {
		c.Balances = append(c.Balances, *s.Closing)
	}
}

// decisions returns the doubts of an account that a person decided: their lines are different
// ones.
func (l *ledgerBooks) decisions(a books.Account) (different []books.Decision) {
	for question, answer := range l.answers {
		var d books.Decision
		var account int64
		n, _ := fmt.Sscanf(question, "different %d %d %d", &account, &d.Day, &d.Minor)
		if n == 3 && account == a.Key && answer == "yes" {
			different = append(different, d)
		}
	}
	return different
}

// publish makes the ledger of the API what the accounts' lines are: it replaces the transactions
// of the days that differ.
func (l *ledgerBooks) publish(tx *store.Tx, accounts []derived) error {
	before, err := tx.BookDays(l.Org)
	if err != nil {
		return err
	}
	lists, err := tx.BookOpenLists(l.Org)
	if err != nil {
		return err
	}
	p := publisher{ledgerBooks: l, tx: tx, accounts: accounts, before: before, lists: lists}
	return p.run()
}

// publisher replaces the transactions of days, month by month.
type publisher struct {
	*ledgerBooks
	tx       *store.Tx
	accounts []derived
	before   map[books.Day][]byte // digests of the days that were derived before, and are left

	own       map[int64]books.OwnAccount
	movements []books.Movement // the lines of all accounts
	movement  map[int64]int    // indices of movements by line
	transfers books.Transfers
	lists     []books.OpenList
	payments  []books.Payment // money in, if there are lists
	lost      map[int]int64   // amounts lost in transfers, by the movement that arrived
}

func (p *publisher) run() error {
	span, any := p.span()
	if err := p.findTransfers(span); err != nil {
		return err
	}
	for first := span.First; any && first <= span.Last; {
		last := min(span.Last, books.DayOf(first.Date().LastOfMonth()))
		if err := p.month(books.Span{First: first, Last: last}); err != nil {
			return err
		}
		first = last + 1
	}
	var gone []books.Day
	for day := range p.before {
		gone = append(gone, day)
	}
	slices.Sort(gone)
	if err := p.replace(gone, nil, nil); err != nil {
		return err
	}
	if err := p.setReceivables(); err != nil {
		return err
	}
	return p.setCash()
}

// span returns the days from the first line of the books to the last.
func (p *publisher) span() (span books.Span, any bool) {
	for _, a := range p.accounts {
		if len(a.merged) == 0 {
			continue
		}
		first, last := a.merged[0].Day, a.merged[len(a.merged)-1].Day
		if !any {
			span = books.Span{First: first, Last: last}
		}
		span.First, span.Last, any = min(span.First, first), max(span.Last, last), true
	}
	return span, any
}

// month replaces the transactions of those days of a month that differ from before.
func (p *publisher) month(span books.Span) error {
	rows, err := p.rows(span)
	if err != nil {
		return err
	}
	p.collectPayments(rows)
	var changed []books.Day
	digests := map[books.Day][]byte{}
	var keep []ledger.Transaction
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Date == rows[0].Date {
			n++
		}
		day := books.DayOf(rows[0].Date)
		digest := digestOf(rows[:n])
		if string(p.before[day]) != string(digest) {
			changed = append(changed, day)
			digests[day] = digest
			keep = append(keep, rows[:n]...)
		}
		delete(p.before, day)
		rows = rows[n:]
	}
	return p.replace(changed, digests, keep)
}

// replace stores the transactions of days and their digests.
func (p *publisher) replace(days []books.Day, digests map[books.Day][]byte, rows []ledger.Transaction) error {
	if len(days) == 0 {
		return nil
	}
	dates := make([]civil.Date, len(days))
	for n, day := range days {
		dates[n] = day.Date()
		if err := p.tx.SetBookDay(p.Org, day, digests[day]); err != nil {
			return err
		}
	}
	return p.tx.ReplaceDays(p.Org, dates, rows)
}

// digestOf returns a digest of all fields of a day's transactions, except for the date.
func digestOf(rows []ledger.Transaction) []byte {
	h := sha256.New()
	var text []byte
	for i := range rows {
		t := &rows[i]
		text = text[:0]
		for _, field := range [...]string{
			t.ID, t.Currency, t.Counterparty, t.Category, t.LogoURL, t.Memo, t.Method, t.Reference,
		} {
			text = append(binary.AppendUvarint(text, uint64(len(field))), field...)
		}
		for _, n := range [...]int64{int64(t.Direction), int64(t.Source), t.AmountMinor, t.USDCents} {
			text = binary.AppendVarint(text, n)
		}
		for _, b := range [...]bool{t.AmountKnown, t.USDKnown, t.HasReceipt} {
			text = strconv.AppendBool(text, b)
		}
		_, _ = h.Write(text) // it never fails
	}
	return h.Sum(nil)[:16]
}
