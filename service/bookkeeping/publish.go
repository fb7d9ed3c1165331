package bookkeeping

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"

	"tarmac/internal/civil"
	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// publish replaces the ledger of the API with the lines of the journal. Only days whose
// transactions have changed are written. It returns the numbers of the organization's own invoices
// that are paid now. If changed is not nil, it receives the number of transactions that are added,
// changed or removed.
func (j *journal) publish(tx *store.Tx, changed *int) (paid []string, err error) {
	before, err := tx.BookDays(j.Org)
	if err != nil {
		return nil, err
	}
	p := publisher{journal: j, tx: tx, before: before, changed: changed}
	return p.run()
}

// publisher writes the transactions, receivables and balance that the API returns. Transactions are
// written month by month.
type publisher struct {
	*journal
	tx *store.Tx
	// before holds the digest of each day that has transactions in the ledger. Days that still have
	// some are removed from it, so that those left at the end are deleted from the ledger.
	before map[books.Day][]byte
	// changed counts the transactions that are added, changed or removed; nil if nobody asks.
	changed *int
}

func (p *publisher) run() (paid []string, err error) {
	for month := range p.months() {
		if err := p.month(month); err != nil {
			return nil, err
		}
	}
	var gone []books.Day
	for day := range p.before {
		gone = append(gone, day)
	}
	slices.Sort(gone)
	if err := p.replace(gone, nil, nil); err != nil {
		return nil, err
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
	return paid, p.setCash()
}

// month writes the transactions of one month to the ledger. It skips days whose digest has not
// changed.
func (p *publisher) month(span books.Span) error {
	rows, err := p.rows(span)
	if err != nil {
		return err
	}
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

// replace replaces the transactions of the given days in the ledger, and stores the digests of
// these days.
func (p *publisher) replace(days []books.Day, digests map[books.Day][]byte, rows []ledger.Transaction) error {
	if len(days) == 0 {
		return nil
	}
	if err := p.countChanges(days, rows); err != nil {
		return err
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

// digestOf returns a digest of the transactions of one day. It includes all fields but the date.
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
		_, _ = h.Write(text) // Write of a hash never fails
	}
	return h.Sum(nil)[:16]
}
