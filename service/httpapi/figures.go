package httpapi

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/accounts"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/cash"
	"tarmac/service/cashnote"
	"tarmac/service/cutoff"
	"tarmac/service/ledger"
	"tarmac/service/providers"
	"tarmac/service/receivables"
	"tarmac/service/store"
)

func figuresUnavailable(cause error) error {
	return balanceUnavailable("figures are temporarily unavailable", cause)
}

// balanceUnavailable returns the problem with status 503 for a balance that cannot be read. If the
// balance of own books is not known, it says why in place of text. If a provider failed, it says
// what the provider did, and when to ask again.
func balanceUnavailable(text string, cause error) error {
	if errors.Is(cause, store.ErrOtherCurrency) {
		return cause
	}
	if failure, ok := errors.AsType[*providers.Failure](cause); ok {
		wait := cmp.Or(failure.RetryAfter, retrySeconds*time.Second)
		return &problem{
			status: http.StatusServiceUnavailable, text: text + ": " + failure.Text, header: retryAfter(ceilSeconds(wait)),
		}
	}
	if errors.Is(cause, cash.ErrNoRate) {
		return &problem{
			status: http.StatusServiceUnavailable, text: cash.ErrNoRate.Error(), header: retryAfter(retrySeconds),
		}
	}
	if unknown, ok := errors.AsType[*unknownBalance](cause); ok {
		note := cashnote.Note{Prose: unknown.text, Facts: unknown.facts}
		return &problem{status: http.StatusServiceUnavailable, text: note.String(), header: retryAfter(retrySeconds)}
	}
	return retryLater(http.StatusServiceUnavailable, text, cause)
}

// figuresError returns the problem for figures that cannot be computed: status 500 if they
// overflow, status 503 if their records cannot be read.
func figuresError(cause error) error {
	if errors.Is(cause, store.ErrOtherCurrency) {
		return cause
	}
	for _, overflow := range [...]error{
		cash.ErrOverflow, receivables.ErrOverflow, ledger.ErrOverflow, bookrules.ErrOverflow,
	} {
		if errors.Is(cause, overflow) {
			return retryLater(http.StatusInternalServerError, "figures could not be computed", cause)
		}
	}
	return figuresUnavailable(cause)
}

type cashPositionResponse struct {
	OrgID            string         `json:"org_id"`
	Status           string         `json:"status"`
	AsOf             time.Time      `json:"as_of"`
	CashCents        int64          `json:"cash_cents"`
	MonthlyBurnCents int64          `json:"monthly_burn_cents"`
	IsBurning        bool           `json:"is_burning"`
	Sufficient       bool           `json:"sufficient"`
	RunwayCashCents  *int64         `json:"runway_cash_cents"`
	RunwayMonths     *tenths        `json:"runway_months"`
	RunwayNote       string         `json:"runway_note"`
	Currency         string         `json:"currency,omitempty"` // "" for US dollars
	Extension        *cashExtension `json:"extension,omitempty"`
}

// tenths is a number in tenths. In JSON it is a decimal number: 142 tenths are 14.2.
type tenths int64

// MarshalJSON implements json.Marshaler. It writes 142 tenths as 14.2 and 140 tenths as 14.
func (t tenths) MarshalJSON() ([]byte, error) {
	b := strconv.AppendInt(nil, int64(t)/10, 10)
	if t%10 != 0 {
		b = append(b, '.', byte('0'+t%10))
	}
	return b, nil
}

// getCashPosition responds with cash, burn and runway (docs/api.md, Cash position).
func getCashPosition(c *call, currency string) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	p, open, facts, err := c.cashPositionOf(currency)
	if unknown, ok := errors.AsType[*unknownBalance](err); ok && c.extended() {
		return nil, &problem{
			status: http.StatusServiceUnavailable, text: unknown.text, extension: c.cashExtensionOf(p, facts),
			header: append(retryAfter(retrySeconds), [2]string{preferenceApplied, extensionPreference}),
		}
	}
	if err != nil {
		return nil, figuresError(err)
	}
	response := cashPositionResponse{
		OrgID: c.credential.OrgPublicID, Status: accountStatus(open), AsOf: c.now.UTC().Truncate(time.Second),
		CashCents: p.CashCents, MonthlyBurnCents: p.MonthlyBurnCents, IsBurning: p.IsBurning, Sufficient: p.Sufficient,
		RunwayCashCents: p.RunwayCashCents, RunwayMonths: (*tenths)(p.RunwayTenths), RunwayNote: p.Note.String(),
		Currency: currency,
	}
	if c.extended() {
		response.RunwayNote, response.Extension = p.Note.Prose(), c.cashExtensionOf(p, facts)
	}
	return response, nil
}

// cashPositionOf computes the position from own books, if the organization has any, else from its
// feeds. facts is nil without own books.
func (c *call) cashPositionOf(currency string) (p cash.Position, open bool, facts *booksFacts, err error) {
	books, facts, err := c.booksInput(currency)
	if err != nil {
		return cash.Position{}, false, facts, err
	}
	if facts != nil {
		p, err = cash.EstimateBooks(books)
		return p, true, facts, err
	}
	in, err := c.cashInput()
	if err != nil {
		return cash.Position{}, false, nil, err
	}
	p, err = cash.Estimate(in)
	return p, in.AccountOpen, nil, err
}

// booksInput reads the balance of own books and the flow of their burn window, in one snapshot.
// facts is nil if the organization has no own books. An *unknownBalance comes with facts.
func (c *call) booksInput(currency string) (in cash.BooksInput, facts *booksFacts, err error) {
	stored, local := c.api.Balances.(StoredBalances)
	if !local {
		return in, nil, nil
	}
	org := c.credential.Org
	err = c.api.Store.Read(c.ctx, func(snap *store.Snapshot) error {
		states, err := bookkeeping.CoveredAccounts(snap, org)
		if err != nil || len(states) == 0 {
			return err
		}
		known := cutoff.Of(states, civil.Of(c.now))
		window := known.Window()
		facts = &booksFacts{window: window, known: known}
		_, balance, read, err := stored.balanceIn(snap, org, currency)
		if unknown, ok := errors.AsType[*unknownBalance](err); ok {
			unknown.facts = known.Note(nil).Facts
		}
		if err != nil {
			return err
		}
		shares, err := snap.BookCashShares(org)
		if currency != "" && err == nil {
			shares, err = snap.ReportedCashShares(org)
		}
		if err != nil {
			return err
		}
		facts.shares = shares
		stated, err := snap.BookCash(org, currency)
		if err != nil {
			return err
		}
		settled, fits := balance.SettledCents()
		if !fits {
			return cash.ErrOverflow
		}
		in = cash.BooksInput{
			Currency:     cmp.Or(currency, bookrules.USD),
			SettledCents: settled, SpendableCents: balance.AvailableCents, Months: int64(window.Months),
			Window: window.Period(), Sufficient: window.Sufficient,
		}
		note := known.Note(shares)
		in.Note.Facts = note.Facts
		rest := new(cashnote.Note)
		rest.Say(window.MissingNote(), note.Prose, stated.Note, read)
		if window.Months == 0 {
			in.Note.Rest = rest.Prose
			return nil
		}
		open, names, err := bookkeeping.OpenQuestions(snap, org, window, currency)
		if err != nil {
			return err
		}
		rest.Say(names)
		in.Note.Rest, in.Open = rest.Prose, open
		in.Flow, err = flowOf(snap, org, window, currency)
		return err
	})
	return in, facts, err
}

// flowOf returns the flow of the months of a burn window. Own books have one flow, whichever source
// their transactions have.
func flowOf(
	snap *store.Snapshot, org store.OrgKey, window cutoff.BurnWindow, currency string,
) (flow cash.Flow, err error) {
	for _, source := range ledger.Sources {
		sum, err := snap.OperatingSummary(org, source, window.First, window.Last, currency)
		if err == nil {
			err = flow.Add(flowOfSource(sum))
		}
		if err != nil {
			return flow, err
		}
	}
	return flow, nil
}

func flowOfSource(s store.OperatingSummary) cash.Flow {
	return cash.Flow{
		InflowCents: s.Inflow, OutflowCents: s.Outflow,
		Rows: s.Count, Unconverted: s.Unconverted, UnconvertedOut: s.UnconvertedOut,
	}
}

// cashInput reads the balances and the history that cash.Estimate needs. If the managed account's
// balance is in the service's database, it is read in the same snapshot as the ledger. Otherwise it
// is read first, so that no snapshot stays open during that call.
func (c *call) cashInput() (cash.Input, error) {
	in := cash.Input{
		Currency: bookrules.USD,
		Today:    civil.Of(c.now),
		Feeds:    []cash.Feed{{Source: ledger.ServiceAccount}, {Source: ledger.LinkedBank}},
	}
	stored, local := c.api.Balances.(StoredBalances)
	if !local {
		open, balance, err := c.api.Balances.Balance(c.ctx, c.credential.Org)
		if err == nil {
			err = addManagedAccount(&in, open, balance)
		}
		if err != nil {
			return cash.Input{}, err
		}
	}
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) error {
		if local {
			open, balance, _, err := stored.balanceIn(snap, c.credential.Org, "")
			if err != nil {
				return err
			}
			if err := addManagedAccount(&in, open, balance); err != nil {
				return err
			}
		}
		linked, err := snap.LinkedAccounts(c.credential.Org)
		if err != nil {
			return err
		}
		if err := addLinkedBanks(&in, linked); err != nil {
			return err
		}
		from, to := cash.Window(in.Today)
		for i := range in.Feeds {
			if err := addHistory(snap, c.credential.Org, &in.Feeds[i], from, to); err != nil {
				return err
			}
		}
		return nil
	})
	return in, err
}

// addManagedAccount adds the managed account's balance b to the first feed of input. hasAccount
// says whether there is an open account.
func addManagedAccount(input *cash.Input, hasAccount bool, b accounts.Balance) error {
	input.AccountOpen = hasAccount
	if !hasAccount {
		return nil
	}
	settled, ok := b.SettledCents()
	if !ok {
		return cash.ErrOverflow
	}
	feed := &input.Feeds[0]
	feed.HasBalance, feed.SettledCents, feed.SpendableCents = true, settled, b.AvailableCents
	return nil
}

// addLinkedBanks adds the balances of linked bank accounts to the last feed of input. It only
// counts balances without a USD amount.
func addLinkedBanks(input *cash.Input, linked []accounts.Linked) error {
	feed := &input.Feeds[len(input.Feeds)-1]
	for _, l := range linked {
		switch {
		case l.BalanceMinor == 0:
			feed.HasBalance = true
			continue
		case !l.USDKnown:
			input.UnconvertedBalance++
			continue
		}
		sum, ok := money.Add(feed.SettledCents, l.USDCents)
		if !ok {
			return cash.ErrOverflow
		}
		feed.HasBalance, feed.SettledCents, feed.SpendableCents = true, sum, sum
	}
	return nil
}

func addHistory(snap *store.Snapshot, org store.OrgKey, feed *cash.Feed, from, to civil.Date) (err error) {
	if feed.FirstDay, err = snap.FirstDay(org, feed.Source); err != nil {
		return err
	}
	sum, err := snap.OperatingSummary(org, feed.Source, from, to, "")
	feed.Flow = flowOfSource(sum)
	return err
}

type agingResponse struct {
	OrgID    string          `json:"org_id"`
	AsOf     time.Time       `json:"as_of"`
	Currency string          `json:"currency"`
	Totals   agingTotals     `json:"totals"`
	Buckets  agingBuckets    `json:"buckets"`
	Top      []agingCustomer `json:"top_overdue_customers"`
	Imported *importedLists  `json:"imported,omitempty"`
}

type agingTotals struct {
	OutstandingCents int64 `json:"outstanding_cents"`
	OverdueCents     int64 `json:"overdue_cents"`
	InvoiceCount     int64 `json:"invoice_count"`
	OverdueCount     int64 `json:"overdue_count"`
	UnconvertedCount int64 `json:"unconverted_count"`
}

type agingBuckets struct {
	CurrentCents    int64 `json:"current_cents"`
	Days1To30Cents  int64 `json:"days_1_30_cents"`
	Days31To60Cents int64 `json:"days_31_60_cents"`
	Days61To90Cents int64 `json:"days_61_90_cents"`
	Days90PlusCents int64 `json:"days_90_plus_cents"`
}

type agingCustomer struct {
	CustomerName      string `json:"customer_name"`
	OverdueCents      int64  `json:"overdue_cents"`
	OverdueCount      int64  `json:"overdue_count"`
	OldestDaysPastDue int    `json:"oldest_days_past_due"`
}

// getReceivablesAging responds with open receivables by age (docs/api.md, Receivables).
func getReceivablesAging(c *call, currency string) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var items []receivables.OpenItem
	var imported *importedLists
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		if currency != "" {
			items, err = snap.ReportedItems(c.credential.Org, currency, civil.Of(c.now))
		} else {
			items, err = snap.OpenItems(c.credential.Org)
		}
		if err != nil {
			return err
		}
		if prefers(c.r.Header.Values("Prefer"), importedInvoices) {
			imported, err = importedListsOf(snap, c.credential.Org, currency)
		}
		return err
	})
	if err != nil {
		return nil, figuresError(err)
	}
	a, err := receivables.Age(items, civil.Of(c.now))
	if err != nil {
		return nil, figuresError(err)
	}
	response := agingResponse{
		OrgID: c.credential.OrgPublicID, AsOf: c.now.UTC().Truncate(time.Second), Currency: cmp.Or(currency, bookrules.USD),
		Totals: agingTotals{a.OutstandingCents, a.OverdueCents, a.Count, a.OverdueCount, a.Unconverted},
		Buckets: agingBuckets{
			a.Buckets.Current, a.Buckets.Days1To30, a.Buckets.Days31To60, a.Buckets.Days61To90, a.Buckets.DaysOver90,
		},
		Top: make([]agingCustomer, len(a.TopOverdue)), Imported: imported,
	}
	for i, customer := range a.TopOverdue {
		response.Top[i] = agingCustomer{
			customer.Name, customer.OverdueCents, customer.OverdueCount, customer.OldestDaysPastDue,
		}
	}
	return response, nil
}
