package bookkeeping

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/service/bookrules"
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
	// Proposals lists pairs of lines that may be transfers although they have no evidence of one.
	// They are transactions of the category internal_transfer until the user answers.
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
	// Question is the id of the question whether a proposal is a transfer; "" for a transfer.
	Question string `json:"question,omitempty"`
}

// TransferSide describes a line that is, or may be, one side of a transfer.
type TransferSide struct {
	Account     string `json:"account"` // as in StatementReport
	Date        string `json:"date"`
	AmountMinor int64  `json:"amount_minor"` // without its sign
	Currency    string `json:"currency"`
	Text        string `json:"text"`
	// Evidence says why the line is one side of a transfer (evidenceNames): "rule", "account
	// number", "bank code", "text", "same id", "conversion", "company name" or "answer". It's ""
	// if only the other line says so.
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
var evidenceNames = map[bookrules.EvidenceOrigin]string{
	bookrules.FromRule: "rule", bookrules.FromNumber: "account number", bookrules.FromCode: "bank code",
	bookrules.FromText: "text", bookrules.FromID: "same id", bookrules.FromConversion: "conversion",
	bookrules.FromOwner: "company name", bookrules.FromAnswer: "answer",
}

// Transfers returns the transfers between own accounts, the money in transit and the proposals.
func (b *Books) Transfers(ctx context.Context) (report TransferReport, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		mt, err := b.matching(snap)
		if err != nil {
			return err
		}
		texts, err := mt.texts(mt.transferLines())
		if err == nil {
			report = mt.transferReport(texts)
		}
		return err
	})
	return report, err
}

// DecideTransfer stores the user's answer to the question whether a proposal is a transfer. A pair
// about which the user has decided can be decided again. It returns store.ErrNotFound if there is
// no such pair.
func (b *Books) DecideTransfer(ctx context.Context, id string, accept bool) (ownbooks.Answered, error) {
	question := ""
	err := b.Store.Read(ctx, func(snap *store.Snapshot) error {
		mt, err := b.matching(snap)
		if err != nil {
			return err
		}
		pair, found := mt.pairWith(func(p bookrules.Pair) bool { return mt.pairID(p) == id })
		if !found {
			return fmt.Errorf("proposal %s: %w", termtext.Line(id), store.ErrNotFound)
		}
		question = questionID(mt.transferKeyOf(pair))
		return nil
	})
	if err != nil {
		return ownbooks.Answered{}, err
	}
	answer := answeredNo
	if accept {
		answer = answeredYes
	}
	return b.Answer(ctx, question, answer)
}

// pairWith returns the first pair for which is returns true, of those that the user can decide
// about: pairs that may be transfers, and those about which the user has decided.
func (mt *matching) pairWith(is func(bookrules.Pair) bool) (bookrules.Pair, bool) {
	pairs := slices.Concat(mt.transfers.Suspected, mt.transfers.Denied)
	for _, pair := range mt.transfers.Pairs {
		if pair.By == bookrules.FromAnswer {
			pairs = append(pairs, pair)
		}
	}
	for _, d := range mt.transferDecisions() {
		pairs = append(pairs, bookrules.Pair{Out: d.Out, In: d.In})
	}
	at := slices.IndexFunc(pairs, is)
	if at < 0 {
		return bookrules.Pair{}, false
	}
	return pairs[at], true
}

// pairID returns the id of a transfer or proposal. It depends only on the two lines.
func (mt *matching) pairID(pair bookrules.Pair) string {
	return "tr_" + shortHash(mt.transferKeyOf(pair))
}

// transferLines returns the indices in mt.movements of the lines that a TransferReport lists.
func (mt *matching) transferLines() map[int]bool {
	wanted := map[int]bool{}
	for _, pairs := range [...][]bookrules.Pair{mt.transfers.Pairs, mt.transfers.Suspected} {
		for _, pair := range pairs {
			wanted[pair.Out], wanted[pair.In] = true, true
		}
	}
	for n, treatment := range mt.transfers.Treatments {
		if treatment == bookrules.IsInTransit || treatment == bookrules.IsOneSided {
			wanted[n] = true
		}
	}
	return wanted
}

// texts returns the texts of the wanted lines by index in mt.movements.
func (mt *matching) texts(wanted map[int]bool) (map[int]bank.Line, error) {
	texts := make(map[int]bank.Line, len(wanted))
	for month := range mt.months() {
		for n := range mt.accounts {
			a := &mt.accounts[n]
			err := mt.books.lines(a, month, func(at int, l bank.Line) error {
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

func (mt *matching) transferReport(texts map[int]bank.Line) TransferReport {
	r := TransferReport{
		Transfers: mt.transferRecords(mt.transfers.Pairs, texts), InTransit: []TransitRecord{}, OneSided: []TransferSide{},
		Proposals: mt.transferRecords(mt.transfers.Suspected, texts),
	}
	for _, transit := range mt.transfers.InTransit {
		direction := "outflow"
		if mt.movements[transit.Movement].Minor > 0 {
			direction = "inflow"
		}
		r.InTransit = append(r.InTransit, TransitRecord{
			TransferSide: mt.transferSide(transit.Movement, texts), Direction: direction,
			Other: ShortNumber(mt.own[transit.Other].Number), Held: transit.Held,
		})
	}
	for n, treatment := range mt.transfers.Treatments {
		if treatment == bookrules.IsOneSided {
			r.OneSided = append(r.OneSided, mt.transferSide(n, texts))
		}
	}
	slices.SortStableFunc(r.OneSided, func(x, y TransferSide) int { return cmp.Compare(x.Date, y.Date) })
	return r
}

func (mt *matching) transferRecords(pairs []bookrules.Pair, texts map[int]bank.Line) []TransferRecord {
	records := make([]TransferRecord, len(pairs))
	for n, pair := range pairs {
		records[n] = TransferRecord{
			ID: mt.pairID(pair), Out: mt.transferSide(pair.Out, texts), In: mt.transferSide(pair.In, texts),
			LostMinor: pair.LostMinor,
		}
		switch by := evidenceNames[pair.By]; {
		case by != "":
			records[n].Out.Evidence, records[n].In.Evidence = by, by
		case mt.transfers.Treatments[pair.Out] == bookrules.IsSuspected:
			records[n].Question = questionID(mt.patternKey(mt.patternOf(pair)))
		}
	}
	return records
}

func (mt *matching) transferSide(movement int, texts map[int]bank.Line) TransferSide {
	m := &mt.movements[movement]
	account, text := mt.own[m.Account], texts[movement]
	return TransferSide{
		Account: ShortNumber(account.Number), Date: m.Day.Date().String(), AmountMinor: max(m.Minor, -m.Minor),
		Currency: account.Currency, Text: cmp.Or(text.Description, text.Counterparty, text.Reference),
		Evidence: evidenceNames[m.Evidence.Origin],
	}
}
