package bookkeeping

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/invoicing"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// derived is an account with the results of merging its imported lines.
type derived struct {
	bookrules.Account
	contents []bookrules.Content
	files    []int64 // keys of the files that contents came from
	merged   []bookrules.Merged
	facts    *factTable          // facts of lines by Merged.Note
	plain    map[lineNames]int32 // indexes in facts of those that are plain and were read from lines
	bare     bool                // true if some lines have no facts, because they could not be stored
	// firstMovement is the index in matching.movements of the first line of merged.
	firstMovement int
	doubts        []bookrules.Doubt
	proof         bookrules.Proof
}

// reader reads the stored books. It is implemented by *store.Tx and *store.Snapshot.
type reader interface {
	Context() context.Context
	BookAccounts(org store.OrgKey) ([]bookrules.Account, error)
	BookStatements(org store.OrgKey) ([]bookrules.Statement, error)
	BookAnswers(org store.OrgKey) (map[string]string, error)
	BookImports(org store.OrgKey) ([]bookrules.Import, error)
	BookEntries(org store.OrgKey, account int64, visit func(statement int64, e bookrules.Entry)) error
	BookLines(org store.OrgKey, account int64, days bookrules.Span, visit func(bookrules.Line) error) error
	BookFileLines(org store.OrgKey, file, account int64, days bookrules.Span, visit func(bookrules.Line) error) error
	BookBalances(org store.OrgKey) ([]bookrules.StatedBalance, error)
	BookFeedBalances(org store.OrgKey) ([]bookrules.FeedBalance, error)
	BookPacks(org store.OrgKey, account int64, visit func(store.BookPack) error) error
	BookPaidInvoices(org store.OrgKey) ([]bookrules.PaidInvoice, error)
	BookRules(org store.OrgKey) (string, error)
	ReportingCurrency(org store.OrgKey) (store.ReportingCurrency, error)
	BookRates(org store.OrgKey, currency string, days bookrules.Span) ([]bank.Rate, error)
	BookOpenLists(org store.OrgKey) ([]bookrules.OpenList, error)
	Organization(org store.OrgKey) (store.Organization, error)
	SentInvoices(org store.OrgKey) ([]invoicing.Invoice, error)
	BookInvoicePayments(org store.OrgKey) ([]store.BookInvoicePayment, error)
	BookDays(org store.OrgKey) (map[bookrules.Day]store.DayDigest, error)
	BookProofs(org store.OrgKey) ([]store.BookProof, error)
	BookedDays(org store.OrgKey, statement int64) (bookrules.Span, error)
	NewestBookRate(org store.OrgKey, currency string, day bookrules.Day) (*bank.Rate, error)
	BookFeed(org store.OrgKey, connection string) (bookrules.File, error)
	BookFeedLines(org store.OrgKey, file, account int64, days bookrules.Span) ([]bookrules.Line, error)
	ConnectionOf(org store.OrgKey, publicID string) (store.Connection, error)
	// LeaveOutImport and SupposeChoice make the reader see the books with a change.
	LeaveOutImport(org store.OrgKey, importKey int64) error
	SupposeChoice(a bookrules.Account, edit func(*bookrules.AccountChoice))
}

// packStore stores packs. It is implemented by *store.Tx.
type packStore interface {
	SetBookPack(org store.OrgKey, p store.BookPack) error
	DeleteBookPacks(org store.OrgKey, account, file int64) error
}

// ledgerBooks holds an organization's stored books while its ledger is derived from them.
type ledgerBooks struct {
	*Books
	reader
	packs      packStore // where new packs are stored; nil to read the lines without packing them
	accounts   []bookrules.Account
	statements []bookrules.Statement
	stated     []bookrules.StatedBalance
	read       []bookrules.FeedBalance // balances in readings of connections
	files      map[int64]bookrules.File
	byAccount  map[int64]*storedAccount             // results of stored; nil until needed
	decided    map[accountName][]bookrules.Decision // results of decisions; nil until needed
	newest     bookrules.Day                        // result of shownDay; 0 until needed
	readAt     map[int64]int64                      // times of the last readings of connections, by file, in microseconds
	answers    map[string]string
	rules      bookrules.Rules
	work       *bookrules.Work
	common     store.Digest // result of commonInputs
	finder     *bookrules.EvidenceFinder
	names      *bookrules.Names
	currency   string // in which the organization reports
	chosen     string // what the owner chose; "" if the currency follows from imports
	// derivedCurrency is the currency that follows from imports.
	derivedCurrency bookrules.Reporting
	ratesRead       map[currencyDay]bookrules.Rates // results of ratesOn
}

// currencyDay is a currency on a day.
type currencyDay struct {
	currency string
	day      bookrules.Day
}

// load reads the stored books except the lines. The method derive reads the lines of one account at
// a time.
func (b *Books) load(r reader) (l *ledgerBooks, err error) { return b.loadEdited(r, bookEdits{}) }

// loadEdited is load for books with edits.
func (b *Books) loadEdited(r reader, edits bookEdits) (l *ledgerBooks, err error) {
	l = &ledgerBooks{
		Books: b, reader: r, work: bookrules.NewWork(r.Context()), files: map[int64]bookrules.File{},
		readAt:    map[int64]int64{},
		ratesRead: map[currencyDay]bookrules.Rates{},
	}
	if tx, ok := r.(*store.Tx); ok {
		l.packs = tx
	}
	if edits.see != nil {
		if r, err = edits.see(r); err != nil {
			return nil, err
		}
		l.reader = r
	}
	l.names = &bookrules.Names{}
	if l.accounts, err = r.BookAccounts(b.Org); err != nil {
		return nil, err
	}
	if l.statements, err = r.BookStatements(b.Org); err != nil {
		return nil, err
	}
	if l.stated, err = r.BookBalances(b.Org); err != nil {
		return nil, err
	}
	if l.read, err = r.BookFeedBalances(b.Org); err != nil {
		return nil, err
	}
	if l.answers, err = r.BookAnswers(b.Org); err != nil {
		return nil, err
	}
	maps.Copy(l.answers, edits.answers)
	rules, err := r.BookRules(b.Org)
	if err != nil {
		return nil, err
	}
	if edits.rules != nil {
		rules = *edits.rules
	}
	if l.rules, err = bookrules.ParseRules([]byte(rules)); err != nil {
		return nil, fmt.Errorf("the stored rules, %w", err)
	}
	company, err := b.companyName(r)
	if err != nil {
		return nil, err
	}
	l.common = commonInputs(l.accounts, rules, company)
	l.finder = bookrules.NewEvidenceFinder(l.accounts, company)
	imports, err := r.BookImports(b.Org)
	if err != nil {
		return nil, err
	}
	for _, i := range imports {
		for _, f := range i.Files {
			l.files[f.Key] = f.File
			if f.Connection != "" {
				l.readAt[f.Key] = i.At.UnixMicro()
			}
		}
	}
	return l, l.findCurrency(imports, edits.chosen)
}

// derive reads the lines of an account in all files, merges them, and compares the sums of lines
// with the account's balances.
func (l *ledgerBooks) derive(a bookrules.Account) (derived, error) {
	contents := map[int64]*bookrules.Content{} // by file
	lines := map[int64]int{}                   // number of lines by file
	stored := l.stored(a.Key)
	for _, s := range stored.statements {
		lines[s.File] += s.Lines
	}
	for _, s := range stored.statements {
		c := contents[s.File]
		if c == nil {
			f := l.files[s.File]
			c = &bookrules.Content{
				Key:      cmp.Or(f.Connection, string(f.Hash[:])),
				Making:   f.Making,
				Rank:     f.Rank,
				Imported: s.File,
			}
			c.Balances = slices.Clone(stored.read[s.File])
			c.Entries = make([]bookrules.Entry, 0, lines[s.File])
			contents[s.File] = c
		}
		addStatement(c, s)
	}
	d := derived{Account: a}
	if len(contents) == 0 {
		return d, nil
	}
	files := slices.Sorted(maps.Keys(contents))
	if err := l.readPacked(&d, contents, files); err != nil {
		return derived{}, err
	}
	for _, file := range files {
		c := contents[file]
		c.SortEntries()
		c.Covered = bookrules.Join(c.Covered)
		slices.SortStableFunc(c.Balances, func(x, y bookrules.Balance) int { return int(x.Day - y.Day) })
		d.contents, d.files = append(d.contents, *c), append(d.files, file)
	}
	if stated := l.statedBalances(a.Key); len(stated.Balances) > 0 {
		d.contents, d.files = append(d.contents, stated), append(d.files, noFile)
	}
	l.merge(&d)
	return d, nil
}

// noFile is the file key of contents that the user stated and no file has.
const noFile = 0

// merge merges the lines of an account's contents, and compares the sums of lines with the
// account's balances.
func (l *ledgerBooks) merge(d *derived) {
	contents := bookrules.Correct(d.contents)
	d.merged, d.doubts = bookrules.Merge(l.work, contents, l.decisions(d.Account))
	d.proof = bookrules.Prove(d.merged, contents)
}

// without returns the account as if the files for which exclude returns true had not been imported.
func (l *ledgerBooks) without(d *derived, exclude func(file int64) bool) derived {
	rest := derived{Account: d.Account, facts: d.facts, bare: d.bare}
	for n, file := range d.files {
		if !exclude(file) {
			rest.contents, rest.files = append(rest.contents, d.contents[n]), append(rest.files, file)
		}
	}
	switch len(rest.files) {
	case len(d.files):
		return *d
	case 0:
		return rest
	}
	l.merge(&rest)
	return rest
}

// addStatement adds the period and the balances of a statement to the content of its file.
func addStatement(c *bookrules.Content, s bookrules.Statement) {
	if s.Covered.First > 0 {
		c.Covered = append(c.Covered, s.Covered)
	}
	if s.Opening != nil {
		c.Balances = append(c.Balances, *s.Opening)
	}
	if s.Closing != nil {
		c.Balances = append(c.Balances, *s.Closing)
	}
	if ends, known := bookrules.EndsOf(&s); known {
		c.Ends = append(c.Ends, ends)
	}
}
