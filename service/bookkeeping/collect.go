package bookkeeping

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/einvoice"
	"tarmac/service/store"
)

// batchLines is the number of lines that are inserted into the database at a time.
const batchLines = 1500

// batchStatements is the number of statements that one transaction of a stage completes.
const batchStatements = 500

// collector stores in the database what a reader of bank files finds in a file. It implements
// bank.Sink.
type collector struct {
	write         func(fn func(tx *store.Tx) error) error // runs steps one after the other
	org           store.OrgKey
	company       string // name of the organization
	file          bookrules.File
	shows         bool // lines are kept to be shown
	said          bool // the user said the periods
	statements    []*collected
	byAddress     map[*bank.Statement]*collected
	byNumber      map[statedNumber][]*collected // result of sameAccount; nil until all statements are read
	lists         []*collectedList              // in the order in which they begin
	listsBySource map[*bank.OpenItems]*collectedList
	batch         lineBatch
	inserting     *task       // inserts the lines of an earlier batch; nil if there is none
	inserted      lineBatch   // buffer with the lines that inserting inserts
	rated         []bank.Rate // rates that are not stored yet
	openItems     int
	bills         int
	rates         int
	today         civil.Date
	future        []string // rates of days to come, as their currencies and days
	differing     []string // rates that differ from those of earlier files, as their currencies and days
	problems      []string
}

// lineBatch holds lines, and the statements that they belong to.
type lineBatch struct {
	lines []bookrules.Line
	of    []*collected
}

// collected is a statement of the file that is being read.
type collected struct {
	source *bank.Statement
	stored bookrules.Statement
	// first and last are the earliest and the latest booking date of the lines.
	first, last civil.Date
	sample      []lineGroup // the first booked lines, at most maxSample
	shown       []ownbooks.ReadLine
	newest      []ownbooks.ReadLine    // at most ownbooks.MaxSamples, the newest first
	companies   map[companyPayment]int // lines of shown by the company that is the other party
}

// collectedList is a list of open invoices of the file that is being read.
type collectedList struct {
	source *bank.OpenItems
	items  []bank.OpenItem
}

// Statement adds a statement to the list of statements that finish stores.
func (c *collector) Statement(s *bank.Statement) error {
	if c.byAddress[s] != nil {
		return nil
	}
	one := &collected{source: s, stored: bookrules.Statement{File: c.file.Key}}
	c.statements = append(c.statements, one)
	c.byAddress[s] = one
	return nil
}

// Line adds a line to the batch. A full batch is stored.
func (c *collector) Line(s *bank.Statement, l bank.Line) error {
	one := c.byAddress[s]
	if one == nil {
		return fmt.Errorf("line %d belongs to a statement that was not announced", l.Place)
	}
	if err := one.count(l); err != nil {
		return err
	}
	if c.shows {
		one.show(l)
	}
	c.batch.lines, c.batch.of = append(c.batch.lines, bookrules.Line{Line: l}), append(c.batch.of, one)
	if len(c.batch.lines) < batchLines {
		return nil
	}
	return c.flush()
}

// show keeps a line to be shown, if it is one of the first or of the newest.
func (s *collected) show(l bank.Line) {
	line := ownbooks.ReadLine{
		Day: l.Booked, Minor: l.Minor, Pending: l.Pending, Party: shortened(l.Counterparty),
		Text: shortened(cmp.Or(l.Description, l.Reference)),
	}
	if len(s.shown) < ownbooks.MaxRead {
		s.shown = append(s.shown, line)
		s.countCompany(l)
	}
	if !line.Pending {
		s.keepNewest(line)
	}
}

// shortened returns the beginning of a text, more than a screen shows of it.
func shortened(text string) string { return strings.ToValidUTF8(text[:min(len(text), 400)], "") }

// flush starts to store the lines of the batch, and empties the batch. Meanwhile, the reader can
// read further lines.
func (c *collector) flush() error {
	if err := c.wait(); err != nil {
		return err
	}
	batch := c.batch
	c.batch, c.inserted = lineBatch{c.inserted.lines[:0], c.inserted.of[:0]}, batch
	if len(batch.lines) == 0 {
		return nil
	}
	c.inserting = start(func() error {
		return c.write(func(tx *store.Tx) error { return c.insert(tx, batch) })
	})
	return nil
}

// insert inserts lines. Their statements are inserted before their first lines, without account and
// balances; finish adds these at the end of the file.
func (c *collector) insert(tx *store.Tx, batch lineBatch) (err error) {
	for n, s := range batch.of {
		if s.stored.Key == 0 {
			if s.stored.Key, err = tx.InsertBookStatement(c.org, bookrules.Statement{File: c.file.Key}); err != nil {
				return err
			}
		}
		batch.lines[n].Statement = s.stored.Key
	}
	return tx.InsertBookLines(c.org, batch.lines)
}

// wait waits until the lines of earlier batches are stored. Until then, another goroutine uses the
// database transaction, so nothing else may use it.
func (c *collector) wait() error {
	if err := c.inserting.wait(); err != nil {
		return storeError{err}
	}
	return nil
}

// count adds a line to the statement's totals: its number of lines, inflow, outflow and pending
// amount.
func (s *collected) count(l bank.Line) error {
	if l.Minor > ledger.MaxAmount || l.Minor < -ledger.MaxAmount {
		return bank.Errorf(l.Place, "the amount is too large")
	}
	sum, fits := &s.stored.InflowMinor, false
	amount := l.Minor
	switch {
	case l.Pending:
		s.stored.PendingLines++
		sum = &s.stored.PendingMinor
	case l.Minor < 0:
		sum, amount = &s.stored.OutflowMinor, -l.Minor
		fallthrough
	default:
		s.stored.Lines++
		if len(s.sample) < maxSample {
			s.sample = append(s.sample, lineGroup{bookrules.DayOf(l.Booked), l.Minor})
		}
		if s.first.IsZero() || l.Booked.Before(s.first) {
			s.first = l.Booked
		}
		if l.Booked.After(s.last) {
			s.last = l.Booked
		}
	}
	if *sum, fits = money.Add(*sum, amount); !fits {
		return bank.Errorf(l.Place, "the amounts add up to more than can be counted")
	}
	return nil
}

// OpenList adds a list of open invoices to those that finish stores.
func (c *collector) OpenList(list *bank.OpenItems) error {
	c.listOf(list)
	return nil
}

func (c *collector) listOf(source *bank.OpenItems) *collectedList {
	l := c.listsBySource[source]
	if l == nil {
		l = &collectedList{source: source}
		c.listsBySource[source] = l
		c.lists = append(c.lists, l)
	}
	return l
}

// OpenItem adds an open invoice to the list that it belongs to.
func (c *collector) OpenItem(list *bank.OpenItems, item bank.OpenItem) error {
	to := c.listOf(list)
	to.items = append(to.items, item)
	if list.Side == bank.Payable {
		c.bills++
		return c.refuseOwn(item)
	}
	c.openItems++
	return nil
}

// refuseOwn returns an error for an electronic invoice that the organization itself has sent.
func (c *collector) refuseOwn(item bank.OpenItem) error {
	if c.file.Format != einvoice.Name || !bookrules.SameCompany(item.Party, c.company) {
		return nil
	}
	return bank.Errorf(0, "is an invoice of %q, the company of these books; only bills of others are read",
		bank.Short(item.Party))
}

// Rate stores an exchange rate.
func (c *collector) Rate(r bank.Rate) error {
	c.rates++
	if r.Date.After(c.today.AddDays(1)) { // it may be tomorrow already in the bank's zone
		c.future = append(c.future, rateName(r))
	}
	if c.rated = append(c.rated, r); len(c.rated) < batchLines {
		return nil
	}
	return c.flushRates()
}

// flushRates stores the rates that are not stored yet.
func (c *collector) flushRates() error {
	if err := c.wait(); err != nil || len(c.rated) == 0 {
		return err
	}
	var differing []string
	err := c.write(func(tx *store.Tx) (err error) {
		if differing, err = c.differingRates(tx); err != nil {
			return err
		}
		for _, r := range c.rated {
			if err := tx.InsertBookRate(c.org, c.file.Key, r); err != nil {
				return err
			}
		}
		return nil
	})
	c.rated, c.differing = c.rated[:0], append(c.differing, differing...)
	if err != nil {
		return storeError{err}
	}
	return nil
}

// differingRates returns the currencies and days of rates that differ by more than a twentieth from
// those of earlier files. The rates of the file imported last count.
func (c *collector) differingRates(tx *store.Tx) (differing []string, err error) {
	spans := map[string]bookrules.Span{}
	for _, r := range c.rated {
		day := bookrules.DayOf(r.Date)
		span, found := spans[r.Currency]
		if !found {
			span.First = day
		}
		spans[r.Currency] = bookrules.Span{First: min(span.First, day), Last: max(span.Last, day)}
	}
	known := map[string]bank.Rate{}
	for currency, span := range spans {
		earlier, err := tx.BookRates(c.org, currency, span)
		if err != nil {
			return nil, err
		}
		for _, r := range earlier {
			known[rateName(r)] = r
		}
	}
	for _, r := range c.rated {
		if before, found := known[rateName(r)]; found && !bookrules.NearRates(r, before) {
			differing = append(differing, rateName(r))
		}
	}
	return differing, nil
}

// rateName names a rate by its currency and day.
func rateName(r bank.Rate) string { return r.Currency + " on " + r.Date.String() }

// Problem adds a warning to the list of the file's problems in the report.
func (c *collector) Problem(place int, remark string) {
	if place > 0 {
		remark = fmt.Sprintf("line %d: %s", place, remark)
	}
	c.problems = append(c.problems, remark)
}

// finish stores what is known only at the end of the file: the accounts, periods and balances of
// statements, and the lists of open invoices. The function resolve returns the key of a statement's
// account.
func (c *collector) finish(covers bookrules.Span, resolve func(*collected) (int64, error)) error {
	if err := c.flush(); err != nil {
		return err
	}
	if err := c.flushRates(); err != nil {
		return err
	}
	if n := len(c.differing); n > 0 {
		c.Problem(0, plural.Count(n, "rate")+" of days that have one already, more than 5 % apart, such as "+
			slices.Min(c.differing)+"; those imported last count")
	}
	if n := len(c.future); n > 0 {
		c.Problem(0, plural.Count(n, "rate")+" of days that are still to come, such as "+slices.Min(c.future)+
			": is the year right?")
	}
	for _, s := range c.statements {
		s.setPeriod(covers)
		if c.said {
			s.stored.Period = bookrules.SaidPeriod
		}
	}
	for _, s := range c.statements {
		account, err := resolve(s)
		if err != nil {
			return err
		}
		s.stored.Account = account
	}
	for some := range slices.Chunk(c.statements, batchStatements) {
		if err := c.write(func(tx *store.Tx) error { return c.storeStatements(tx, some) }); err != nil {
			return storeError{err}
		}
	}
	for _, list := range c.lists {
		if err := c.storeOpenList(list); err != nil {
			return storeError{err}
		}
		list.items = nil // not needed anymore, and may be large
	}
	return nil
}

// storeOpenList stores a list of open invoices, a batch of them at a time.
func (c *collector) storeOpenList(list *collectedList) error {
	stored := bookrules.OpenList{
		File: c.file.Key, Side: list.source.Side, Source: list.source.Source, AsOf: bookrules.DayOf(list.source.AsOf),
	}
	err := c.write(func(tx *store.Tx) (err error) {
		stored.Key, err = tx.InsertBookOpenList(c.org, stored)
		return err
	})
	for some := range slices.Chunk(list.items, batchLines) {
		if err != nil {
			return err
		}
		err = c.write(func(tx *store.Tx) error { return tx.InsertBookOpenItems(c.org, stored.Key, some) })
	}
	return err
}

// storeStatements stores what is known of statements at the end of the file.
func (c *collector) storeStatements(tx *store.Tx, statements []*collected) (err error) {
	for _, s := range statements {
		if s.stored.Key == 0 {
			s.stored.Key, err = tx.InsertBookStatement(c.org, s.stored)
		} else {
			err = tx.UpdateBookStatement(c.org, s.stored)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
