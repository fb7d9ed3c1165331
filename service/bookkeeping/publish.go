package bookkeeping

import (
	"maps"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// publish replaces the ledger of the API with the lines of the journal. Only days whose
// transactions have changed are written. It returns the numbers of the organization's own invoices
// that it has paid. If changed is not nil, publish stores there the number of transactions that it
// added, changed or removed.
func (j *journal) publish(tx *store.Tx, changed *int) (paid []string, err error) {
	before, err := tx.BookDays(j.Org)
	if err != nil {
		return nil, err
	}
	p := publisher{journal: j, tx: tx, before: before, explained: j.explain(), changed: changed}
	return p.run()
}

// publisher writes the transactions, receivables and balance that the API returns. Transactions are
// written month by month.
type publisher struct {
	*journal
	tx *store.Tx
	// before holds the digest of each day that has lines in the ledger. Days that still have lines
	// are removed from the map. The days left in it at the end have no lines any more, and their
	// transactions are deleted.
	before    map[books.Day]store.DayDigest
	explained map[int]explanation // explanations of inflows by index in movements
	text      []byte              // buffer of inputsOf
	// changed counts the transactions that are added, changed or removed. It is nil if the caller
	// does not need the number.
	changed *int
}

func (p *publisher) run() (paid []string, err error) {
	if err := p.publishMonths(); err != nil {
		return nil, err
	}
	var gone []books.Day
	for day := range p.before {
		gone = append(gone, day)
	}
	slices.Sort(gone)
	if err := p.replace(gone, nil); err != nil {
		return nil, err
	}
	for _, day := range gone {
		if err := p.tx.SetBookDay(p.Org, day, store.DayDigest{}); err != nil {
			return nil, err
		}
	}
	if paid, err = p.payInvoices(); err != nil {
		return nil, err
	}
	if err := p.setReceivables(); err != nil {
		return nil, err
	}
	if err := p.tx.ReplaceBookQuestions(p.Org, p.storedQuestions()); err != nil {
		return nil, err
	}
	if err := p.storeProofs(p.tx, p.accounts); err != nil {
		return nil, err
	}
	return paid, p.setCash()
}

// publishMonths writes the transactions of all months. While the database writes the transactions
// of a month, another goroutine composes those of the next month.
func (p *publisher) publishMonths() error {
	var current *draft
	for month := range p.months() {
		next, err := p.draft(month)
		if err != nil {
			return err
		}
		if err := p.write(current); err != nil {
			return err
		}
		current = next
	}
	return p.write(current)
}

// draft holds the days of a month whose transactions may differ from those in the ledger.
type draft struct {
	inputs   map[books.Day]store.Digest // digests of the input of these days' transactions
	entries  entries
	composed *task
}

// draft reads the lines of a month and starts to compose their transactions. It leaves out the days
// whose transactions depend on the same input as before. It returns nil if no day is left.
func (p *publisher) draft(month books.Span) (*draft, error) {
	inputs, err := p.inputs(month)
	if err != nil {
		return nil, err
	}
	for day, input := range inputs {
		if p.before[day].Inputs == input {
			delete(p.before, day)
			delete(inputs, day)
		}
	}
	if len(inputs) == 0 {
		return nil, nil
	}
	days := slices.Sorted(maps.Keys(inputs))
	d := &draft{inputs: inputs}
	d.entries, err = p.readEntries(books.Span{First: days[0], Last: days[len(days)-1]})
	if err != nil {
		return nil, err
	}
	d.entries.all = slices.DeleteFunc(d.entries.all, func(e entry) bool {
		_, found := inputs[e.merged.Day]
		return !found
	})
	d.composed = start(func() error { return p.compose(d.entries) })
	return d, nil
}

// write writes a draft and the digests of its days to the ledger.
func (p *publisher) write(d *draft) error {
	if d == nil {
		return nil
	}
	if err := d.composed.wait(); err != nil {
		return err
	}
	var changed []books.Day
	rows := make([]ledger.Transaction, 0, len(d.entries.all))
	for rest := d.entries.all; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].merged.Day == rest[0].merged.Day {
			n++
		}
		day, before := rest[0].merged.Day, len(rows)
		for i := range rest[:n] {
			if rest[i].isRow {
				rows = append(rows, rest[i].row)
			}
		}
		rest = rest[n:]
		after := store.DayDigest{Rows: digestOf(rows[before:]), Inputs: d.inputs[day]}
		if p.before[day].Rows == after.Rows {
			rows = rows[:before]
		} else {
			changed = append(changed, day)
		}
		delete(p.before, day)
		if err := p.tx.SetBookDay(p.Org, day, after); err != nil {
			return err
		}
	}
	return p.replace(changed, rows)
}

// replace replaces the transactions of the given days in the ledger.
func (p *publisher) replace(days []books.Day, rows []ledger.Transaction) error {
	if len(days) == 0 {
		return nil
	}
	if err := p.countChanges(days, rows); err != nil {
		return err
	}
	dates := make([]civil.Date, len(days))
	for n, day := range days {
		dates[n] = day.Date()
	}
	return p.tx.ReplaceDays(p.Org, dates, rows)
}
