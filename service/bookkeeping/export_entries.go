package bookkeeping

import (
	"math/big"

	"tarmac/service/bookexport"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
)

// writeEntry writes the transaction of a line. A transfer whose two lines have the same day is
// written once, when writeEntry gets the line that sends the money.
func (x *exporter) writeEntry(e *entry) error {
	a, account := &x.matching.accounts[e.account], x.named[e.account]
	movement := e.movement
	var row ledger.Transaction
	if e.row != nil {
		row = *e.row
	}
	if e.row == nil || x.matching.transfers.Treatments[movement] == bookrules.IsPaired {
		treatment := x.matching.books.rules.Apply(a.Account, *e.text)
		row = bookrules.Row(a.Account, *e.merged, *e.text, x.matching.nameIn(e), treatment, bookrules.Valuation{})
		row.ID, row.Category = bookrules.LineID(a.Account, *e.merged), ""
	}
	t := &bookexport.Transaction{
		Date: e.merged.Day.Date(), Kind: bookexport.Transfer, ID: row.ID, Payee: row.Counterparty, Description: row.Memo,
		Reference: row.Reference, Category: row.Category,
	}
	switch x.matching.transfers.Treatments[movement] {
	case bookrules.IsPaired:
		return x.writeHalf(t, movement, account)
	case bookrules.IsInTransit:
		// The balance of the other account includes the money although no line shows it. That line
		// belongs to a day without a statement.
		t.Postings = balanced(account, e.merged.Minor, bookexport.WithoutStatement)
		if x.held[movement] {
			t.Postings = balanced(account, e.merged.Minor, bookexport.InTransit)
		}
	case bookrules.IsOneSided, bookrules.IsSuspected:
		t.Postings = balanced(account, e.merged.Minor, bookexport.OtherSides)
	case bookrules.IsOutside:
		t.Postings = balanced(account, e.merged.Minor, bookexport.Excluded)
	default:
		t.Kind = bookexport.Payment
		t.Postings = balanced(account, e.merged.Minor, categoryAccount(&row))
	}
	return x.write(t)
}

// categoryAccount returns the account of income, expenses or equity for a transaction.
func categoryAccount(row *ledger.Transaction) bookexport.Name {
	switch {
	case row.Category == ledger.CategoryFinancing:
		return bookexport.Investors
	case row.Category == ledger.CategoryInternalTransfer:
		return bookexport.OtherSides
	case row.Direction == ledger.Inflow:
		return bookexport.Category(bookexport.Income, row.Category)
	}
	return bookexport.Category(bookexport.Expenses, row.Category)
}

// writeHalf writes a line of a transfer whose two lines are known. Lines of different days go
// through the account for money in transit, so that each account has its balance on each day.
func (x *exporter) writeHalf(t *bookexport.Transaction, movement int, account *bookexport.Account) error {
	pair := x.halves[movement]
	out, in := &x.matching.movements[pair.Out], &x.matching.movements[pair.In]
	c := conversion{sent: -out.Minor, got: in.Minor, lost: pair.LostMinor, from: x.account(out), to: x.account(in)}
	incoming := movement == pair.In
	other := pair.In
	if incoming {
		other = pair.Out
	}
	t.OtherID = x.lineID(other)
	if c.lost != 0 && (incoming || out.Day == in.Day) {
		t.ID = bookrules.TransactionID(x.matching.accounts[x.index(in.Account)].Account, *in.Merged)
	}
	switch {
	case out.Day == in.Day && incoming:
		return nil
	case out.Day == in.Day:
		t.Postings = append(c.received(), bookexport.Posting{Own: c.from, Minor: out.Minor, Currency: c.from.Currency})
	case out.Day < in.Day && !incoming:
		t.Postings = balanced(account, out.Minor, bookexport.InTransit)
	case out.Day < in.Day:
		t.Postings = append(c.received(), c.transit(out.Minor, c.from.Currency))
	case incoming:
		t.Postings = []bookexport.Posting{{Own: c.to, Minor: c.got, Currency: c.to.Currency}}
		if c.lost != 0 {
			t.Postings = append(t.Postings, bookexport.Posting{
				Other: &bookexport.Exchange, Minor: c.lost, Currency: c.to.Currency,
			})
		}
		t.Postings = append(t.Postings, c.transit(-c.got-c.lost, c.to.Currency))
	default:
		posting := c.transit(c.got+c.lost, c.to.Currency)
		posting.Cost = c.cost(c.sent)
		t.Postings = []bookexport.Posting{posting, {Own: c.from, Minor: out.Minor, Currency: c.from.Currency}}
	}
	return x.write(t)
}

// conversion is a transfer between two accounts, which may have different currencies.
type conversion struct {
	sent, got, lost int64 // minor units; lost is in the currency of got
	from, to        *bookexport.Account
}

// received returns the postings for the amount that arrived and for the amount that was lost in the
// exchange. Their costs add up to the amount that was sent.
func (c *conversion) received() []bookexport.Posting {
	cost := new(big.Int).Mul(big.NewInt(c.sent), big.NewInt(c.got))
	cost.Quo(cost, big.NewInt(max(1, c.got+c.lost)))
	arrived := cost.Int64()
	postings := []bookexport.Posting{{Own: c.to, Minor: c.got, Currency: c.to.Currency}}
	if c.lost == 0 {
		arrived = c.sent
	} else {
		postings = append(postings, bookexport.Posting{
			Other: &bookexport.Exchange, Minor: c.lost, Currency: c.to.Currency, Cost: c.cost(max(arrived-c.sent,
				c.sent-arrived)),
		})
	}
	postings[0].Cost = c.cost(arrived)
	return postings
}

// cost returns an amount in the currency of the account that sent the money. It returns nil if both
// accounts have the same currency.
func (c *conversion) cost(minor int64) *bookexport.TotalCost {
	if c.from.Currency == c.to.Currency {
		return nil
	}
	return &bookexport.TotalCost{Minor: minor, Currency: c.from.Currency}
}

func (c *conversion) transit(minor int64, currency string) bookexport.Posting {
	return bookexport.Posting{Other: &bookexport.InTransit, Minor: minor, Currency: currency}
}

// index returns the index in matching.accounts of the account with the given key.
func (x *exporter) index(key int64) int {
	for n := range x.matching.accounts {
		if x.matching.accounts[n].Key == key {
			return n
		}
	}
	return -1 // not reached: each movement belongs to an account of the matching
}

func (x *exporter) account(m *bookrules.Movement) *bookexport.Account {
	return x.named[x.index(m.Account)]
}

// lineID returns the public id of the line of a movement.
func (x *exporter) lineID(movement int) string {
	m := &x.matching.movements[movement]
	return bookrules.LineID(x.matching.accounts[x.index(m.Account)].Account, *m.Merged)
}
