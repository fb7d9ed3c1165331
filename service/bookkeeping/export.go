package bookkeeping

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/bookexport"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Exported describes exported books. Its JSON is part of the output of `tarmac books export`.
type Exported struct {
	Accounts     int `json:"accounts"`
	Transactions int `json:"transactions"`
	// Notes are sentences about unknown balances, and about transactions that the export adds where
	// the lines of statements do not add up to the balances.
	Notes []string `json:"notes"`
}

// Export writes the whole books: opening balances, each line once, transfers, known balances and
// exchange rates. It keeps the texts of one month's lines in memory.
func (b *Books) Export(ctx context.Context, out bookexport.Writer) (Exported, error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	x := &exporter{out: out, halves: map[int]bookrules.Pair{}, held: map[int]bool{}}
	x.summary.Notes = []string{}
	err := b.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		if x.matching, err = b.matching(snap); err != nil {
			return err
		}
		organization, err := snap.Organization(b.Org)
		if err != nil {
			return err
		}
		return x.run(organization.Name, civil.Of(b.Now()))
	})
	return x.summary, err
}

// exporter writes the lines of the books to a file of an accounting program.
type exporter struct {
	matching *matching
	out      bookexport.Writer
	// named[n] describes matching.accounts[n] for the exported journal, with the account's name
	// there.
	named   []*bookexport.Account
	events  []event                // openings and checkpoints that were not written yet, ordered by day
	halves  map[int]bookrules.Pair // transfers by the indexes in matching.movements of both lines
	held    map[int]bool           // indexes in matching.movements of transfers in transit
	summary Exported
}

// event is an opening balance or a checkpoint of an account.
type event struct {
	account int // index in matching.accounts
	opening bool
	bookrules.Checkpoint
}

func (x *exporter) run(organization string, today civil.Date) error {
	x.prepare(today)
	x.summary.Accounts = len(x.named)
	if err := x.out.Begin(bookexport.Header{Organization: organization, Accounts: x.named}); err != nil {
		return err
	}
	if err := x.writeRates(); err != nil {
		return err
	}
	for month := range x.matching.months() {
		entries, err := x.matching.entries(month)
		if err != nil {
			return err
		}
		for i := range entries {
			if err := x.writeEvents(entries[i].merged.Day); err != nil {
				return err
			}
			if err := x.writeEntry(&entries[i]); err != nil {
				return err
			}
		}
	}
	if err := x.writeEvents(1 << 30); err != nil {
		return err
	}
	return x.out.End()
}

// prepare names the accounts, computes their balances and finds the lines of transfers.
func (x *exporter) prepare(today civil.Date) {
	all := make([]bookrules.Account, len(x.matching.accounts))
	for n := range x.matching.accounts {
		all[n] = x.matching.accounts[n].Account
	}
	for n, name := range bookexport.OwnNames(all) {
		a := &x.matching.accounts[n]
		running := bookrules.RunningBalance(a.merged, a.contents)
		account := &bookexport.Account{
			Name: name, Number: a.Number, Bank: a.Bank, Currency: a.Currency, BalanceKnown: running.Known,
			Opened: x.addEvents(n, running, today),
		}
		if !running.Known {
			x.note(a.Account, "no statement has a balance; it begins at zero")
		}
		x.named = append(x.named, account)
	}
	slices.SortStableFunc(x.events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.account, b.account))
	})
	for _, pair := range x.matching.transfers.Pairs {
		x.halves[pair.Out], x.halves[pair.In] = pair, pair
	}
	for _, transit := range x.matching.transfers.InTransit {
		x.held[transit.Movement] = transit.Held
	}
}

// addEvents adds the events of an account and returns the day on which it is opened: the day before
// its first line, or the day of its first known balance if that is earlier.
func (x *exporter) addEvents(n int, running bookrules.Running, today civil.Date) civil.Date {
	opened := bookrules.Day(0)
	if merged := x.matching.accounts[n].merged; len(merged) > 0 {
		opened = merged[0].Day - 1
	}
	if c := running.Checkpoints; len(c) > 0 && (opened == 0 || c[0].Day < opened) {
		opened = c[0].Day
	}
	if opened == 0 {
		return today
	}
	if running.Opening != 0 {
		c := bookrules.Checkpoint{Day: opened, Minor: running.Opening}
		x.events = append(x.events, event{account: n, opening: true, Checkpoint: c})
	}
	for _, c := range running.Checkpoints {
		if c.Day > opened {
			x.events = append(x.events, event{account: n, Checkpoint: c})
		}
	}
	return opened.Date()
}

// note adds a note about an account to the summary.
func (x *exporter) note(a bookrules.Account, text string) {
	x.summary.Notes = append(x.summary.Notes, fmt.Sprintf("%s %s: %s", ShortNumber(a.Number), a.Currency, text))
}

// writeRates writes the exchange rates of the accounts' currencies since the first line.
func (x *exporter) writeRates() error {
	span, any := x.matching.span()
	var done []string
	for _, a := range x.matching.accounts {
		if !any || a.Currency == "USD" || slices.Contains(done, a.Currency) {
			continue
		}
		done = append(done, a.Currency)
		days := bookrules.Span{First: span.First - bookrules.MaxRateAge, Last: 1 << 30}
		rates, err := x.matching.books.BookRates(x.matching.books.Org, a.Currency, days)
		if err != nil {
			return err
		}
		for n, rate := range rates {
			if n+1 < len(rates) && rates[n+1].Date == rate.Date {
				continue // the last rate of a day is written
			}
			if err := x.out.Rate(rate); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeEvents writes the events of days before the given one.
func (x *exporter) writeEvents(before bookrules.Day) error {
	for len(x.events) > 0 && x.events[0].Day < before {
		if err := x.writeEvent(&x.events[0]); err != nil {
			return err
		}
		x.events = x.events[1:]
	}
	return nil
}

func (x *exporter) writeEvent(e *event) error {
	account := x.named[e.account]
	if e.opening {
		return x.write(&bookexport.Transaction{
			Date: e.Day.Date(), Kind: bookexport.Opening, Payee: "Opening balance",
			Postings: balanced(account, e.Minor, bookexport.OpeningBalances),
		})
	}
	if e.Missing != 0 {
		other, text := bookexport.Unexplained, "is missing between the balances of statements"
		if !e.Covered {
			other, text = bookexport.WithoutStatement, "is missing, of days that no statement covers"
		}
		x.note(x.matching.accounts[e.account].Account, fmt.Sprintf("%s %s; up to %s",
			money.Format(e.Missing, account.Currency), text, e.Day.Date()))
		err := x.write(&bookexport.Transaction{
			Date: e.Day.Date(), Kind: bookexport.Difference, Payee: "Difference to the bank's balance",
			Postings: balanced(account, e.Missing, other),
		})
		if err != nil {
			return err
		}
	}
	return x.out.Balance(e.Day.Date(), account, e.Minor)
}

// balanced returns the postings of an amount on an own account and on another.
func balanced(account *bookexport.Account, minor int64, other bookexport.Name) []bookexport.Posting {
	return []bookexport.Posting{
		{Own: account, Minor: minor, Currency: account.Currency},
		{Other: &other, Minor: -minor, Currency: account.Currency},
	}
}

func (x *exporter) write(t *bookexport.Transaction) error {
	x.summary.Transactions++
	if t.Payee == ledger.UnknownCounterparty {
		t.Payee = "Unknown"
	}
	return x.out.Transaction(t)
}
