package bookkeeping

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"strconv"

	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// derivation is the version of the rules by which lines become transactions: matching.row,
// bookrules.Row, bookrules.Name, bookrules.ShownNames and the functions that they call. Increase it
// when the same lines yield other transactions. The transactions of unchanged days are then derived
// again.
const derivation = 7

// commonInputs returns a digest of the input that all transactions depend on: the fields of all
// accounts, the text of the user's rules, and the constant derivation.
func commonInputs(accounts []bookrules.Account, rules, company string) store.Digest {
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q", derivation, rules, company)
	for n := range accounts {
		fmt.Fprintf(h, " %+v", accounts[n])
	}
	return digest(h)
}

// inputs returns, for each day, a digest of the input that its transactions depend on. If a day's
// digest is the same as at the last publication, its transactions are the same too, and publish
// need not read the texts of its lines.
func (p *publisher) inputs(days bookrules.Span) (map[bookrules.Day]dayInputs, error) {
	hashes, lines := map[bookrules.Day]hash.Hash{}, map[bookrules.Day]int{}
	v, err := p.matching.valuationOf(days)
	if err != nil {
		return nil, err
	}
	for n := range p.matching.accounts {
		a := &p.matching.accounts[n]
		head := fmt.Appendf(nil, "%d %v", a.Key, v.Rates[a.Currency])
		if v.Currency != bookrules.USD {
			head = fmt.Appendf(head, " %s %v", v.Currency, v.Rates[v.Currency])
		}
		last := bookrules.Day(0)
		from, to := indexes(a.merged, days)
		for at := from; at < to; at++ {
			m := &a.merged[at]
			h := hashes[m.Day]
			if h == nil {
				h = sha256.New()
				_, _ = h.Write(p.matching.books.common[:]) // Write of a hash never fails
				hashes[m.Day] = h
			}
			if m.Day != last {
				_, _ = h.Write(head)
				last = m.Day
			}
			_, _ = h.Write(p.inputsOf(a, at))
			lines[m.Day]++
		}
	}
	inputs := make(map[bookrules.Day]dayInputs, len(hashes))
	for day, h := range hashes {
		inputs[day] = dayInputs{digest(h), lines[day]}
	}
	return inputs, nil
}

// dayInputs is the digest of the input that a day's transactions depend on, and the number of its
// lines.
type dayInputs struct {
	digest store.Digest
	lines  int
}

// inputsOf returns the input that the transaction of the line a.merged[at] depends on, except its
// account and text. The method inputs adds the account once for all lines of a day. The key m.Line
// stands for the text, because the stored text of a line never changes. What is shown of the name
// in it depends on the names in other lines.
func (p *publisher) inputsOf(a *derived, at int) []byte {
	p.text = p.text[:0]
	m, movement := &a.merged[at], a.firstMovement+at
	for _, n := range [...]int64{
		m.Line, m.Minor, int64(m.Ordinal), int64(p.matching.transfers.Treatments[movement]), p.matching.lost[movement],
		int64(p.explained[movement]), a.facts.at(m.Note).shownLength(),
	} {
		p.text = binary.AppendVarint(p.text, n)
	}
	return p.text
}

// shownLength returns the length of what is shown of the name, which is a beginning of it; 0 if
// nothing is shown of it.
func (f *lineFacts) shownLength() int64 {
	if f.shown == ledger.UnknownCounterparty {
		return 0
	}
	return int64(len(f.shown))
}

// explanation is a set of flags with what is known about an inflow. The transaction of its line
// depends on them.
type explanation uint8

const (
	isFinancing explanation = 1 << iota
	hasReceipt
	isOwnMoney
)

// explain returns the explanations of inflows, by their indexes in matching.movements.
func (mt *matching) explain() map[int]explanation {
	explained := map[int]explanation{}
	for _, flow := range mt.inflows {
		if mt.financing[flow.known] {
			explained[flow.movement] |= isFinancing
		}
		if mt.receipts[flow.known] {
			explained[flow.movement] |= hasReceipt
		}
	}
	for movement, category := range mt.paidOut {
		explained[movement] = isFinancing
		if category == ledger.CategoryInternalTransfer {
			explained[movement] = isOwnMoney
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
		if t.ReportingKnown {
			text = binary.AppendVarint(text, t.ReportingMinor)
		}
		_, _ = h.Write(text) // Write of a hash never fails
	}
	return digest(h)
}

// digest returns the first half of a SHA-256 sum, which is long enough to recognize changes.
func digest(h hash.Hash) store.Digest { return store.Digest(h.Sum(nil)[:16]) }
