package bookkeeping

import (
	"maps"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// ledgerDays are the days of a ledger that a publication changes.
type ledgerDays interface {
	// remove removes days that have no lines any more, in ascending order. It is called first.
	remove(days []bookrules.Day) error
	// write stores the digests of days, and replaces the transactions of those that have changed.
	// The days and the transactions are in ascending order, and follow those of the call before.
	write(digests map[bookrules.Day]store.DayDigest, changed []bookrules.Day, rows []ledger.Transaction) error
	// complete is called after all days were written.
	complete() error
	// written reports whether the ledger was written beside the one that counts.
	written() bool
	// store stores in the last transaction what is not stored yet.
	store(tx *store.Tx) error
	// changes returns the number of transactions that were added, changed or removed; 0 if nobody
	// needs it.
	changes() int
}

// publisher writes the transactions, receivables and balance that the API returns. Transactions are
// written month by month.
type publisher struct {
	matching  *matching
	tx        *store.Tx                         // transaction of publishRest
	before    map[bookrules.Day]store.DayDigest // digests of the days that have lines in the ledger
	days      ledgerDays
	explained map[int]explanation // explanations of inflows by index in movements
	text      []byte              // buffer of inputsOf
}

// publishDays writes the transactions of days that have changed.
func (p *publisher) publishDays() error {
	if gone := p.gone(); len(gone) > 0 {
		if err := p.days.remove(gone); err != nil {
			return err
		}
	}
	return p.publishMonths()
}

// gone returns the days that have lines in the ledger and no lines any more, in ascending order.
func (p *publisher) gone() (days []bookrules.Day) {
	have := make(map[bookrules.Day]bool, len(p.before))
	for n := range p.matching.accounts {
		last := bookrules.Day(0)
		for at := range p.matching.accounts[n].merged {
			if day := p.matching.accounts[n].merged[at].Day; day != last {
				have[day], last = true, day
			}
		}
	}
	for day := range p.before {
		if !have[day] {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days
}

// publishRest writes what follows from the matching besides transactions. It returns the numbers of
// the organization's own invoices that it has paid.
func (p *publisher) publishRest(tx *store.Tx) (paid []string, err error) {
	p.tx = tx
	if paid, err = p.payInvoices(); err != nil {
		return nil, err
	}
	if err := p.keepCurrency(); err != nil {
		return nil, err
	}
	if err := p.setReceivables(); err != nil {
		return nil, err
	}
	if err := p.setBills(); err != nil {
		return nil, err
	}
	if err := p.tx.ReplaceBookQuestions(p.matching.books.Org, p.matching.storedQuestions()); err != nil {
		return nil, err
	}
	if err := p.matching.books.storeProofs(p.tx, p.matching.accounts); err != nil {
		return nil, err
	}
	return paid, p.setCash()
}

// mostComposed is the number of lines whose transactions are composed at a time, unless a day has
// more. Each takes half a kilobyte.
const mostComposed = 20_000

// publishMonths writes the transactions of all months. While the database writes the transactions
// of some days, another goroutine composes those of the next days.
func (p *publisher) publishMonths() error {
	var current *draft
	for month := range p.matching.months() {
		inputs, err := p.inputs(month)
		if err != nil {
			return err
		}
		for day, input := range inputs {
			if p.before[day].Inputs == input.digest {
				delete(inputs, day)
			}
		}
		days := slices.Sorted(maps.Keys(inputs))
		for len(days) > 0 {
			n, lines := 1, inputs[days[0]].lines
			for n < len(days) && lines+inputs[days[n]].lines <= mostComposed {
				lines += inputs[days[n]].lines
				n++
			}
			next, err := p.draft(days[:n], inputs)
			if err != nil {
				return err
			}
			if err := p.write(current); err != nil {
				return err
			}
			current, days = next, days[n:]
		}
	}
	return p.write(current)
}

// draft holds days whose transactions may differ from those in the ledger.
type draft struct {
	inputs   map[bookrules.Day]dayInputs
	entries  entries
	composed *task
}

// draft reads the lines of days, which are in ascending order, and starts to compose their
// transactions.
func (p *publisher) draft(days []bookrules.Day, inputs map[bookrules.Day]dayInputs) (d *draft, err error) {
	d = &draft{inputs: inputs}
	early := inputs[days[0]].lines > mostComposed
	d.entries, err = p.matching.readEntries(bookrules.Span{First: days[0], Last: days[len(days)-1]}, early)
	if err != nil {
		return nil, err
	}
	d.entries.all = slices.DeleteFunc(d.entries.all, func(e entry) bool {
		_, found := inputs[e.merged.Day]
		return !found
	})
	d.composed = start(func() error {
		err := p.matching.compose(&d.entries)
		for n := range d.entries.all {
			d.entries.all[n].text = nil // not needed anymore, and may be large
		}
		return err
	})
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
	var changed []bookrules.Day
	digests := map[bookrules.Day]store.DayDigest{}
	rows, left := d.entries.rows[:0], d.entries.rows
	for rest := d.entries.all; len(rest) > 0; {
		day, n, count := rest[0].merged.Day, 0, 0
		for ; n < len(rest) && rest[n].merged.Day == day; n++ {
			if rest[n].row != nil {
				count++
			}
		}
		of := left[:count]
		rest, left = rest[n:], left[count:]
		after := store.DayDigest{Rows: digestOf(of), Inputs: d.inputs[day].digest}
		if p.before[day].Rows != after.Rows {
			rows, changed = append(rows, of...), append(changed, day)
		}
		digests[day] = after
	}
	d.entries.all = nil // not needed anymore, and may be large
	return p.days.write(digests, changed, rows)
}

// writtenDays are days of a ledger that a transaction changes at once.
type writtenDays struct {
	tx       *store.Tx
	org      store.OrgKey
	counting bool
	differ   int // number of transactions that were added, changed or removed
}

func (d *writtenDays) complete() error       { return nil }
func (d *writtenDays) written() bool         { return false }
func (d *writtenDays) store(*store.Tx) error { return nil }
func (d *writtenDays) changes() int          { return d.differ }

func (d *writtenDays) remove(days []bookrules.Day) error {
	for _, day := range days {
		if err := d.tx.SetBookDay(d.org, day, store.DayDigest{}); err != nil {
			return err
		}
	}
	return d.write(nil, days, nil)
}

func (d *writtenDays) write(
	digests map[bookrules.Day]store.DayDigest,
	changed []bookrules.Day,
	rows []ledger.Transaction,
) error {
	for day, digest := range digests {
		if err := d.tx.SetBookDay(d.org, day, digest); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	var old []ledger.Transaction
	for _, day := range changed {
		if !d.counting {
			break
		}
		some, err := d.tx.DayTransactions(d.org, day.Date())
		if err != nil {
			return err
		}
		old = append(old, some...)
	}
	if d.counting {
		d.differ += differences(old, rows)
	}
	return d.tx.ReplaceDays(d.org, datesOf(changed), rows)
}

func datesOf(days []bookrules.Day) []civil.Date {
	dates := make([]civil.Date, len(days))
	for n, day := range days {
		dates[n] = day.Date()
	}
	return dates
}
