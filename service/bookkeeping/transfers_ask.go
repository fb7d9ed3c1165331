package bookkeeping

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
)

// transferKeyOf returns the key of the question whether two lines are a transfer.
func (mt *matching) transferKeyOf(pair bookrules.Pair) string {
	key := strings.TrimSpace(transferKey)
	for _, movement := range [...]int{pair.Out, pair.In} {
		m := &mt.movements[movement]
		a := mt.own[m.Account].Account
		key += fmt.Sprintf(" %d %d %d %s %q", m.Day, m.Minor, m.Ordinal, a.Currency, a.Identity)
	}
	return key
}

// parseTransferKey returns the lines that a question is about, if key is a result of transferKeyOf
// and the books have both lines. Otherwise it returns false.
func (mt *matching) parseTransferKey(key string) (pair bookrules.Pair, ok bool) {
	if !strings.HasPrefix(key, transferKey) {
		return pair, false
	}
	var lines [2]struct {
		bookrules.Merged
		currency, identity string
	}
	fields := []any{}
	for n := range lines {
		l := &lines[n]
		fields = append(fields, &l.Day, &l.Minor, &l.Ordinal, &l.currency, &l.identity)
	}
	if _, err := fmt.Sscanf(key, transferKey+"%d %d %d %s %q %d %d %d %s %q", fields...); err != nil {
		return pair, false
	}
	var found [2]int
	for n := range lines {
		l := &lines[n]
		if found[n], ok = mt.findLine(l.Merged, l.currency, l.identity); !ok {
			return pair, false
		}
	}
	return bookrules.Pair{Out: found[0], In: found[1]}, true
}

// findLine returns the index in mt.movements of a line of an account.
func (mt *matching) findLine(line bookrules.Merged, currency, identity string) (movement int, ok bool) {
	n, known := mt.named[accountName{currency, identity}]
	if !known {
		return 0, false
	}
	a := &mt.accounts[n]
	at, found := slices.BinarySearchFunc(a.merged, line, compareMerged)
	return a.firstMovement + at, found
}

// transferDecisions returns what the user has said about pairs of lines, in the order of the lines.
func (mt *matching) transferDecisions() (decisions []bookrules.TransferDecision) {
	for _, key := range slices.Sorted(maps.Keys(mt.books.answers)) {
		if pair, ok := mt.parseTransferKey(key); ok {
			decisions = append(decisions, bookrules.TransferDecision{
				Out: pair.Out, In: pair.In, IsTransfer: mt.books.answers[key] == answeredYes,
			})
		}
	}
	return decisions
}

// trustPayments lifts the suspicion from pairs whose money in pays an invoice or whose money out
// pays a bill, or of which the user is asked which one it pays.
func (mt *matching) trustPayments() {
	pays := maps.Clone(mt.receipts)
	for _, q := range slices.Concat(mt.receivables.Questions, mt.bills.Questions) {
		pays[q.Payment.ID] = true
	}
	for _, b := range mt.bills.All {
		pays[b.PaidBy] = true
	}
	if len(pays) == 0 {
		return
	}
	mt.transfers.Suspected = slices.DeleteFunc(mt.transfers.Suspected, func(pair bookrules.Pair) bool {
		if !pays[mt.transactionID(pair.In)] && !pays[mt.transactionID(pair.Out)] {
			return false
		}
		mt.transfers.Treatments[pair.Out], mt.transfers.Treatments[pair.In] = bookrules.IsRow, bookrules.IsRow
		return true
	})
}

// transactionID returns the public id of a line's transaction.
func (mt *matching) transactionID(movement int) string {
	m := &mt.movements[movement]
	return bookrules.TransactionID(mt.own[m.Account].Account, *m.Merged)
}

func (mt *matching) transferQuestion(pair bookrules.Pair) question {
	out, in := &mt.movements[pair.Out], &mt.movements[pair.In]
	sent, got := mt.amount(out), mt.amount(in)
	asked := question{
		OpenQuestion: ownbooks.OpenQuestion{
			Kind: AboutTransfer,
			Text: fmt.Sprintf("%s left %s on %s (%s), and %s reached %s on %s (%s): is it a transfer between your accounts?",
				sent, ShortNumber(mt.own[out.Account].Number), out.Day.Date(), cmp.Or(out.Payee, "no text"), got,
				ShortNumber(mt.own[in.Account].Number), in.Day.Date(), cmp.Or(in.Payee, "no text")),
			Meanwhile: "Neither counts in burn.",
			Choices: []ownbooks.Choice{
				{Answer: "yes", Text: "a transfer: neither is a transaction", Stored: answeredYes},
				{Answer: "no", Text: fmt.Sprintf("%s of cost in %s and %s of income in %s", sent, monthText(out), got,
					monthText(in)), Stored: answeredNo},
			},
		},
		key:       mt.transferKeyOf(pair),
		account:   out.Account,
		lineGroup: lineGroup{out.Day, out.Minor},
		other:     &otherLine{in.Account, lineGroup{in.Day, in.Minor}},
		about:     fmt.Sprintf("%s on %s", sent, out.Day.Date()),
	}
	mt.leaveOut(&asked, out)
	mt.leaveOut(&asked, in)
	return asked
}

// amount returns the amount of a line without its sign, with its currency.
func (mt *matching) amount(m *bookrules.Movement) string {
	currency := mt.own[m.Account].Currency
	return money.Format(max(m.Minor, -m.Minor), currency) + " " + currency
}

// monthText returns the month of a line, such as "2026-11".
func monthText(m *bookrules.Movement) string { return m.Day.Date().String()[:len("2026-11")] }
