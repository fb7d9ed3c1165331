package bookkeeping

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tarmac/internal/termtext"
	"tarmac/service/books"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// TransferReport lists the transfers between own accounts for the output of `tarmac books
// transfers`, the oldest first.
type TransferReport struct {
	Transfers []TransferRecord `json:"transfers"`
	// InTransit lists lines of transfers whose other line is on a day that no statement covers yet.
	InTransit []TransitRecord `json:"in_transit"`
	// OneSided lists lines of transfers whose other line is missing, although statements cover the
	// days on which it could be.
	OneSided []TransferSide `json:"one_sided"`
	// Proposals lists pairs of lines that match by amount and days but have no evidence of a
	// transfer. They are transactions unless the user says that they are transfers.
	Proposals []TransferRecord `json:"proposals"`
}

// TransferRecord describes a transfer, or two lines that may be one.
type TransferRecord struct {
	ID  string       `json:"id"`
	Out TransferSide `json:"out"`
	In  TransferSide `json:"in"`
	// LostMinor is the part of the amount that did not arrive, in minor units of the currency of
	// In. It is negative for a gain.
	LostMinor int64 `json:"lost_minor"`
}

// TransferSide describes a line that is, or may be, one side of a transfer.
type TransferSide struct {
	Account     string `json:"account"` // as in StatementReport
	Date        string `json:"date"`
	AmountMinor int64  `json:"amount_minor"` // without its sign
	Currency    string `json:"currency"`
	Text        string `json:"text"`
	// Evidence says which part of the line names the other account: "rule", "account number", "bank
	// code" or "text". It is "" if no part does.
	Evidence string `json:"evidence"`
}

// TransitRecord describes money in transit between own accounts.
type TransitRecord struct {
	TransferSide
	Direction string `json:"direction"` // "inflow" or "outflow"
	Other     string `json:"other"`     // the other account, as in StatementReport
	// Held is true if the amount counts as held money, because the balance of the other account
	// does not include it yet.
	Held bool `json:"held"`
}

// evidenceNames has the texts of TransferSide.Evidence.
var evidenceNames = map[books.EvidenceOrigin]string{
	books.FromRule: "rule", books.FromNumber: "account number", books.FromCode: "bank code", books.FromText: "text",
}

// Transfers returns the transfers between own accounts, the money in transit and the proposals.
func (b *Books) Transfers(ctx context.Context) (report TransferReport, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		j, err := b.journal(snap)
		if err != nil {
			return err
		}
		texts, err := j.texts(j.transferLines())
		if err == nil {
			report = j.transferReport(texts)
		}
		return err
	})
	return report, err
}

// DecideTransfer stores the user's decision whether a proposal is a transfer. It adds a rule for
// the line of money out, and for all lines like it, at the beginning of the rules. It returns
// store.ErrNotFound if there is no proposal with the id.
func (b *Books) DecideTransfer(ctx context.Context, id string, accept bool) (RulesChange, error) {
	rule := ""
	err := b.Store.Read(ctx, func(snap *store.Snapshot) error {
		j, err := b.journal(snap)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(j.transfers.Proposals, func(p books.Pair) bool { return j.pairID(p) == id })
		if at < 0 {
			return fmt.Errorf("proposal %s: %w", termtext.Line(id), store.ErrNotFound)
		}
		rule, err = j.transferRule(j.transfers.Proposals[at], accept)
		return err
	})
	if err != nil {
		return RulesChange{}, err
	}
	return b.EditRules(ctx, func(current string) string { return rule + current })
}

// transferRule returns the text of a rule that says whether the pair is a transfer. The rule also
// repeats what the current rules say about the line.
func (j *journal) transferRule(pair books.Pair, accept bool) (string, error) {
	texts, err := j.texts(map[int]bool{pair.Out: true})
	if err != nil {
		return "", err
	}
	from, to := j.own[j.movements[pair.Out].Account].Account, j.own[j.movements[pair.In].Account].Account
	line := texts[pair.Out]
	outcome := j.rules.Apply(from, line)
	outcome.Transfer = books.TransferRule{Set: true}
	if accept {
		outcome.Transfer = books.TransferRule{Set: true, Own: true, Account: to.Number}
	}
	return books.TransferRuleFor(from, line, outcome)
}

// pairID returns the id of a transfer or proposal. It depends only on the two lines.
func (j *journal) pairID(pair books.Pair) string {
	out, in := &j.movements[pair.Out], &j.movements[pair.In]
	key := books.TransactionID(j.own[out.Account].Account, out.Merged) +
		books.TransactionID(j.own[in.Account].Account, in.Merged)
	return "tr_" + shortHash(key)
}

// transferLines returns the indices in j.movements of the lines that a TransferReport lists.
func (j *journal) transferLines() map[int]bool {
	wanted := map[int]bool{}
	for _, pairs := range [...][]books.Pair{j.transfers.Pairs, j.transfers.Proposals} {
		for _, pair := range pairs {
			wanted[pair.Out], wanted[pair.In] = true, true
		}
	}
	for n, treatment := range j.transfers.Treatments {
		if treatment == books.IsInTransit || treatment == books.IsOneSided {
			wanted[n] = true
		}
	}
	return wanted
}

// texts returns the texts of the wanted lines by index in j.movements.
func (j *journal) texts(wanted map[int]bool) (map[int]bank.Line, error) {
	texts := make(map[int]bank.Line, len(wanted))
	for month := range j.months() {
		for n := range j.accounts {
			a := &j.accounts[n]
			err := j.lines(a, month, func(at int, l bank.Line) error {
				if wanted[a.firstMovement+at] {
					l.Raw = ""
					texts[a.firstMovement+at] = l
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return texts, nil
}

func (j *journal) transferReport(texts map[int]bank.Line) TransferReport {
	r := TransferReport{
		Transfers: j.transferRecords(j.transfers.Pairs, texts), InTransit: []TransitRecord{}, OneSided: []TransferSide{},
		Proposals: j.transferRecords(j.transfers.Proposals, texts),
	}
	for _, transit := range j.transfers.InTransit {
		direction := "outflow"
		if j.movements[transit.Movement].Minor > 0 {
			direction = "inflow"
		}
		r.InTransit = append(r.InTransit, TransitRecord{
			TransferSide: j.transferSide(transit.Movement, texts), Direction: direction,
			Other: ShortNumber(j.own[transit.Other].Number), Held: transit.Held,
		})
	}
	for n, treatment := range j.transfers.Treatments {
		if treatment == books.IsOneSided {
			r.OneSided = append(r.OneSided, j.transferSide(n, texts))
		}
	}
	slices.SortStableFunc(r.OneSided, func(x, y TransferSide) int { return cmp.Compare(x.Date, y.Date) })
	return r
}

func (j *journal) transferRecords(pairs []books.Pair, texts map[int]bank.Line) []TransferRecord {
	records := make([]TransferRecord, len(pairs))
	for n, pair := range pairs {
		records[n] = TransferRecord{
			ID: j.pairID(pair), Out: j.transferSide(pair.Out, texts), In: j.transferSide(pair.In, texts),
			LostMinor: pair.LostMinor,
		}
	}
	return records
}

func (j *journal) transferSide(movement int, texts map[int]bank.Line) TransferSide {
	m := &j.movements[movement]
	account, text := j.own[m.Account], texts[movement]
	return TransferSide{
		Account: ShortNumber(account.Number), Date: m.Day.Date().String(), AmountMinor: max(m.Minor, -m.Minor),
		Currency: account.Currency, Text: cmp.Or(text.Description, text.Counterparty, text.Reference),
		Evidence: evidenceNames[m.Evidence.Origin],
	}
}
