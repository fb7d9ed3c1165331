package bookkeeping

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"strconv"

	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// derivation is the version of the rules by which lines become transactions: journal.row,
// books.Row, books.Name and the functions that they call. Increase it when the same lines yield
// other transactions. The transactions of unchanged days are then derived again.
const derivation = 2

// commonInputs returns a digest of the input that all transactions depend on: the accounts and a
// person's rules.
func (p *publisher) commonInputs() (store.Digest, error) {
	rules, err := p.BookRules(p.Org)
	h := sha256.New()
	fmt.Fprintf(h, "%d %q", derivation, rules)
	for n := range p.accounts {
		fmt.Fprintf(h, " %+v", p.accounts[n].Account)
	}
	return digest(h), err
}

// inputs returns, for each day, a digest of the input that its transactions depend on. If the
// digest of a day is the same as before, so are its transactions, and the texts of its lines need
// not be read.
func (p *publisher) inputs(days books.Span) (map[books.Day]store.Digest, error) {
	hashes := map[books.Day]hash.Hash{}
	for n := range p.accounts {
		a := &p.accounts[n]
		rates, err := p.rates(a, days)
		if err != nil {
			return nil, err
		}
		head := fmt.Appendf(nil, "%d %v", a.Key, rates)
		last := books.Day(0)
		from, to := indexes(a.merged, days)
		for at := from; at < to; at++ {
			m := &a.merged[at]
			h := hashes[m.Day]
			if h == nil {
				h = sha256.New()
				_, _ = h.Write(p.common[:]) // Write of a hash never fails
				hashes[m.Day] = h
			}
			if m.Day != last {
				_, _ = h.Write(head)
				last = m.Day
			}
			_, _ = h.Write(p.inputsOf(a.firstMovement+at, m))
		}
	}
	digests := make(map[books.Day]store.Digest, len(hashes))
	for day, h := range hashes {
		digests[day] = digest(h)
	}
	return digests, nil
}

// inputsOf returns the input that the transaction of a line depends on, apart from its account and
// its text. The text never changes.
func (p *publisher) inputsOf(movement int, m *books.Merged) []byte {
	p.text = p.text[:0]
	for _, n := range [...]int64{
		m.Line, m.Minor, int64(m.Ordinal), int64(p.transfers.Treatments[movement]), p.lost[movement],
		int64(p.explained[movement]),
	} {
		p.text = binary.AppendVarint(p.text, n)
	}
	return p.text
}

// explanation says what is known about an inflow.
type explanation uint8

const (
	isFinancing explanation = 1 << iota
	hasReceipt
)

// explain returns the explanations of inflows by index in movements.
func (j *journal) explain() map[int]explanation {
	explained := map[int]explanation{}
	for _, flow := range j.inflows {
		if j.financing[flow.id] {
			explained[flow.movement] |= isFinancing
		}
		if j.receipts[flow.id] {
			explained[flow.movement] |= hasReceipt
		}
	}
	return explained
}

// digestOf returns a digest of the transactions of one day. It includes all fields but the date.
func digestOf(rows []ledger.Transaction) store.Digest {
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
	return digest(h)
}

// digest returns the first half of a SHA-256 sum.
func digest(h hash.Hash) store.Digest { return store.Digest(h.Sum(nil)[:16]) }
