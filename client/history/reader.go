package history

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Reader reads the transactions of the past months in steps, newest month first. Between two steps,
// its Ledger has the months read so far. After an error, the next step continues where the failed
// one stopped.
//
// A Step may run on any goroutine. All methods must be called from the same goroutine.
type Reader struct {
	span   []civil.Date // first days of the months of the last ReadAll, newest first
	queue  []listing    // what is left to read; the first one may be under way
	months map[civil.Date]month
	ledger *spending.Ledger
	// outdated says that the ledger lacks what has been read. Ledger then makes another one.
	outdated bool

	coverage figures.Coverage

	counted  int64 // number of rows in all months, as the server counts them
	decision decision

	generation    int             // number of calls of ReadAll; outcomes of earlier generations are dropped
	ownTransfers  map[string]bool // IDs of own transfers in the months of the queue
	financing     map[string]bool // IDs of financing in the months of the queue
	took          time.Duration   // time that all requests took together
	requestsTaken int
	renewed       int // how often the Reader has begun anew because the currency has changed
}

// month holds the rows of a month that has been read.
type month struct {
	rows       []spending.Row // part of the ledger's rows
	unreadable []spending.UnreadableRow
	difference Difference
}

// NewReader returns a Reader that has read nothing.
func NewReader() *Reader { return &Reader{months: map[civil.Date]month{}} }

// ReadAll makes the next steps read all given months, newest first, even those that have been read.
// Until a month has been read again, the ledger keeps its old rows.
func (r *Reader) ReadAll(months []civil.Date) {
	r.generation++
	r.counted = 0
	r.setSpan(months)
	count := listing{kind: rowCount}
	count.query.From, count.query.To, count.query.Limit = months[len(months)-1], months[0].LastOfMonth(), 1
	r.queue = append([]listing{count}, listingsOf(months)...)
}

// maxRenewed bounds how often a Reader begins anew because the currency has changed meanwhile.
// After that it keeps rows in two currencies, whose totals are unknown.
const maxRenewed = 3

// Forget drops all rows and ends the reading. The decision of the user stays.
func (r *Reader) Forget() {
	r.generation++
	r.queue, r.ledger, r.outdated = nil, nil, false
	clear(r.months)
}

// ReadAgain makes the next steps read some months of a span again. Months of the span that have not
// been read are included. It does nothing while other steps are left.
func (r *Reader) ReadAgain(span []civil.Date, isOutdated func(first civil.Date) bool) {
	if len(r.queue) > 0 {
		return
	}
	r.setSpan(span)
	if months := r.missing(isOutdated); len(months) > 0 {
		r.queue = listingsOf(months)
	}
}

// missing returns the months of the span that have not been read, except those that the user
// refused, and those that are outdated.
func (r *Reader) missing(isOutdated func(first civil.Date) bool) (months []civil.Date) {
	for _, first := range r.span {
		_, read := r.months[first]
		isRefused := r.decision == refused && len(r.months) > 0 && first.Before(r.oldest())
		if !read && !isRefused || read && isOutdated(first) {
			months = append(months, first)
		}
	}
	return months
}

func (r *Reader) setSpan(months []civil.Date) {
	r.span = months
	for first := range r.months {
		if !slices.Contains(months, first) {
			delete(r.months, first)
		}
	}
}

// listingsOf returns the listings for months, which are ordered newest first: the IDs of rows that
// are neither cost nor income, and then the rows of each month.
func listingsOf(months []civil.Date) []listing {
	oldest, newest := months[len(months)-1], months[0]
	queue := []listing{
		keywordListing(ownTransferIDs, InternalTransfers, oldest, newest),
		keywordListing(financingIDs, Financing, oldest, newest),
	}
	for _, first := range months {
		queue = append(queue, monthListing(first))
	}
	return queue
}

// Step reads some pages. Its Outcome must be passed to Apply.
type Step func(context.Context, Source) Outcome

// Outcome is the result of a Step.
type Outcome struct {
	Err        error
	listings   []listing // the first ones of the queue
	generation int
	took       time.Duration
	requests   int
}

// Next returns the next step. It returns nil if nothing is left to read, or if Question has a
// question. Call Next again only after the outcome of the step has been passed to Apply.
//
// After the newest month, a step reads two months at a time, so that the server makes a page while
// another one is decoded.
func (r *Reader) Next() Step {
	if len(r.queue) == 0 || r.asks() {
		return nil
	}
	next, generation := slices.Clone(r.queue[:1]), r.generation
	if len(r.queue) > 1 && len(r.months) > 0 && r.queue[0].kind == monthRows && r.decision != refused {
		next = slices.Clone(r.queue[:2])
	}
	return func(ctx context.Context, source Source) Outcome {
		counting, began := countingSource{Source: source}, time.Now()
		errs := make([]error, len(next))
		var all sync.WaitGroup
		for i := range next {
			all.Go(func() { errs[i] = next[i].readPages(ctx, &counting) })
		}
		all.Wait()
		return Outcome{cmp.Or(errs...), next, generation, time.Since(began), int(counting.requests.Load())}
	}
}

// Apply stores the outcome of a step. It does nothing if ReadAll has been called since the step was
// returned.
func (r *Reader) Apply(o Outcome) {
	if o.generation != r.generation {
		return
	}
	r.took += o.took
	r.requestsTaken += o.requests
	copy(r.queue, o.listings)
	for o.generation == r.generation && len(r.queue) > 0 && r.queue[0].finished {
		first := r.queue[0]
		r.queue = slices.Delete(r.queue, 0, 1) // frees the rows of the listing
		r.finish(&first)
	}
	r.leaveOutRefused()
}

// finish stores what a listing has brought. A month whose rows do not add up is put into the queue
// once more. If the server's totals are in another currency than those of the months before, all
// months are read anew.
func (r *Reader) finish(l *listing) {
	switch l.kind {
	case rowCount:
		r.counted = l.summary.Count
	case ownTransferIDs:
		r.ownTransfers = l.ids
	case financingIDs:
		r.financing = l.ids
	case monthRows:
		if was, now := r.currency(), l.summary.Currency; was != now && was != "" && now != "" && r.renewed < maxRenewed {
			r.renewed++
			r.Forget()
			r.ReadAll(r.span)
			return
		}
		m := month{difference: l.difference()}
		if !m.difference.IsZero() && !l.repeated {
			again := monthListing(l.query.From)
			again.repeated = true
			r.queue = slices.Insert(r.queue, 0, again)
			return
		}
		m.rows = spending.NewLedger(l.rows, r.ownTransfers, r.financing).Rows
		for _, id := range l.unreadable {
			purpose := spending.PurposeOf(id, r.ownTransfers, r.financing)
			m.unreadable = append(m.unreadable, spending.UnreadableRow{Month: l.query.From, Purpose: purpose})
		}
		r.months[l.query.From] = m
		r.outdated = true
	}
}

func (r *Reader) buildLedger() {
	r.outdated = false
	var parts [][]spending.Row
	for _, first := range r.span {
		parts = append(parts, r.months[first].rows)
	}
	r.ledger = spending.Join(r.currency(), parts)
	r.ledger.Coverage = r.coverage
	rest := r.ledger.Rows
	for n, first := range r.span {
		if m, read := r.months[first]; read {
			m.rows, rest = slices.Clip(rest[:len(parts[n])]), rest[len(parts[n]):] // frees the rows of the ledger before
			r.ledger.Unreadable = append(r.ledger.Unreadable, m.unreadable...)
			r.months[first] = m
		}
	}
}

// currency returns the currency of the server's totals of the months that have been read.
func (r *Reader) currency() string {
	for _, first := range r.span {
		if m, read := r.months[first]; read {
			return m.difference.Server.Currency
		}
	}
	return ""
}

// SetCoverage sets which days statements cover. If that is new, there is a new ledger of the same
// rows.
func (r *Reader) SetCoverage(c figures.Coverage) {
	if r.coverage.Equal(c) {
		return
	}
	r.coverage = c
	if r.ledger != nil {
		ledger := *r.ledger
		ledger.Coverage = c
		r.ledger = &ledger
	}
}

// rowsRead returns the number of rows in the months that have been read.
func (r *Reader) rowsRead() (n int64) {
	for _, m := range r.months {
		n += int64(len(m.rows))
	}
	return n
}

// Ledger returns the rows of the months read so far, newest first. It is nil before the first month
// has been read. After a month has been read, there is a new ledger; a ledger never changes.
func (r *Reader) Ledger() *spending.Ledger {
	if r.outdated {
		r.buildLedger()
	}
	return r.ledger
}

// Totals returns the server's totals of the months that have been read. The newest month comes
// first.
func (r *Reader) Totals() (all []figures.Month) {
	for _, first := range r.span {
		if m, read := r.months[first]; read {
			all = append(all, figures.Month{First: first, Summary: m.difference.Server, NoRateOut: m.noRateOut()})
		}
	}
	return all
}

// noRateOut returns the number of rows without an exchange rate that are money out.
func (m *month) noRateOut() (n int64) {
	for i := range m.rows {
		if r := &m.rows[i]; !r.Reporting.Known() && r.Direction == apiclient.Outflow {
			n++
		}
	}
	return n
}

// Differences returns the months whose rows do not add up to the server's totals, even after they
// were read a second time. The newest month comes first.
func (r *Reader) Differences() (all []Difference) {
	for _, first := range r.span {
		if m, read := r.months[first]; read && !m.difference.IsZero() {
			all = append(all, m.difference)
		}
	}
	return all
}

// IsOutdated reports whether the server's totals for a month differed from the given ones when the
// month was read. It returns false if the month has not been read.
func (r *Reader) IsOutdated(first civil.Date, server apiclient.Summary) bool {
	m, read := r.months[first]
	return read && m.difference.Server != server
}

// Progress says how much has been read.
type Progress struct {
	Rows, AllRows     int64      // rows read, and rows that the server counted
	Months, AllMonths int        // months read, and months to read
	Since             civil.Date // first day of the oldest month read; zero before the first month
	Complete          bool       // all months have been read
}

// Progress returns how much has been read so far. Months that are being read again count as read.
func (r *Reader) Progress() Progress {
	p := Progress{Rows: r.rowsRead(), Months: len(r.months), AllMonths: len(r.span), Since: r.oldest()}
	if len(r.queue) > 0 && r.queue[0].kind == monthRows {
		if _, again := r.months[r.queue[0].query.From]; !again {
			p.Rows += r.queue[0].listed
		}
	}
	p.AllRows = max(r.counted, p.Rows)
	p.Complete = p.AllMonths > 0 && p.Months == p.AllMonths
	return p
}

// oldest returns the first day of the oldest month that has been read.
func (r *Reader) oldest() (oldest civil.Date) {
	for first := range r.months {
		if oldest.IsZero() || first.Before(oldest) {
			oldest = first
		}
	}
	return oldest
}

// countingSource counts requests.
type countingSource struct {
	Source
	requests atomic.Int64
}

func (s *countingSource) TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (
	*apiclient.TransactionPage, error,
) {
	s.requests.Add(1)
	return s.Source.TransactionPage(ctx, q)
}
