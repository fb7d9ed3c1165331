package snapshot

import (
	"context"
	"errors"
	"slices"
	"sync"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/civil"
)

// MonthsBack is the number of months in the part Months, including the current month.
const MonthsBack = 13

// knownMonths returns the months that have been fetched. After RefreshMonths it returns none.
func (s *Snapshot) knownMonths() []figures.Month {
	if s.refreshMonths {
		s.refreshMonths = false
		return nil
	}
	months, _ := s.Months.Value()
	return months
}

// loadMonths returns the request for the part Months. If a 429 response interrupts it, the next
// request fetches only the months that are still missing.
func (s *Snapshot) loadMonths() Request {
	renewing := s.refreshMonths
	fetch := monthsFetch(s.source, s.knownMonths(), s.partialMonths, civil.Of(s.now()))
	var read []figures.Month
	request := load(s, Months, &s.Months, func(ctx context.Context) (months []figures.Month, err error) {
		months, read, err = fetch(ctx)
		return months, err
	}, monthsCondition)
	return func() Result {
		answer := request()
		apply := answer.apply
		answer.apply = func(s *Snapshot) bool {
			counts := apply(s)
			if counts {
				s.partialMonths = read
				s.refreshMonths = s.refreshMonths || renewing && errors.Is(s.Months.Err(), apiclient.ErrRateLimited)
			}
			return counts
		}
		return answer
	}
}

// monthsFetch returns a function that fetches the last MonthsBack months, oldest first. The API has
// no monthly totals. But each page of transactions has the summary of its filter, so a month takes
// one request for a page of one row. Of the months in known, only the current and the previous one
// are fetched again, because older ones rarely change; if these are in another currency, all are.
// If a 429 response interrupts the function, its result read has the months fetched so far. They
// are passed to the next call of monthsFetch as before.
func monthsFetch(
	source Source,
	known, before []figures.Month,
	today civil.Date,
) func(context.Context) (all, read []figures.Month, err error) {
	return func(ctx context.Context) (all, read []figures.Month, err error) {
		if len(before) > 0 && figures.CurrencyOf(before) != figures.CurrencyOf(known) {
			known = nil
		}
		months := make([]figures.Month, MonthsBack)
		missing := make([]int, 0, MonthsBack)
		for i := range months {
			first := today.FirstOfMonth().AddMonths(i - MonthsBack + 1)
			months[i].First = first
			kept, ok := findMonth(before, first)
			if ok {
				read = append(read, kept)
			} else if kept, ok = findMonth(known, first); i >= MonthsBack-2 {
				ok = false
			}
			if ok {
				months[i] = kept
				continue
			}
			missing = append(missing, i)
		}
		for range 2 {
			came, err := fetchMonths(ctx, source, months, missing)
			if errors.Is(err, apiclient.ErrRateLimited) {
				for _, i := range missing {
					if came[i] {
						read = append(read, months[i])
					}
				}
				return months, read, err
			}
			if err != nil || haveOneCurrency(months) {
				return months, nil, err
			}
			read, missing = nil, missing[:0]
			for i := range months {
				missing = append(missing, i)
			}
		}
		return months, nil, errCurrencyChanged
	}
}

var errCurrencyChanged = errors.New("the currency of the books has changed while the months were read")

func haveOneCurrency(months []figures.Month) bool {
	return !slices.ContainsFunc(months, func(m figures.Month) bool {
		return m.Summary.Currency != months[0].Summary.Currency
	})
}

// fetchMonths fetches the summaries of the months whose indexes are in missing. It sends four
// requests at a time, because thirteen in a row would take long. It returns which months it
// fetched, and the first error.
func fetchMonths(ctx context.Context, source Source, months []figures.Month, missing []int) ([]bool, error) {
	const atOnce = 4
	var (
		came = make([]bool, len(months))
		wg   sync.WaitGroup
		mu   sync.Mutex
		fail error
		jobs = make(chan int)
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range min(atOnce, len(missing)) {
		wg.Go(func() {
			for i := range jobs {
				month, err := fetchMonth(ctx, source, months[i].First, i >= len(months)-2-figures.WindowMonths)
				if err != nil {
					mu.Lock()
					if fail == nil {
						fail = err
					}
					mu.Unlock()
					cancel()
					continue
				}
				months[i], came[i] = month, true
			}
		})
	}
	for _, i := range missing {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return came, fail
}

// fetchMonth fetches the summary of a month. If the month counts for the net burn, it also fetches
// how many of the transactions without an exchange rate are money out.
func fetchMonth(ctx context.Context, source Source, first civil.Date, burns bool) (m figures.Month, err error) {
	query := apiclient.TransactionQuery{From: first, To: first.LastOfMonth(), Limit: 1}
	page, err := source.TransactionPage(ctx, query)
	if err != nil {
		return m, err
	}
	m = figures.Month{First: first, Summary: page.Summary}
	if !burns || page.Summary.UnconvertedCount <= 0 {
		return m, nil
	}
	query.Direction = apiclient.Outflow
	if page, err = source.TransactionPage(ctx, query); err == nil {
		m.NoRateOut = page.Summary.UnconvertedCount
	}
	return m, err
}

func findMonth(months []figures.Month, first civil.Date) (figures.Month, bool) {
	for _, m := range months {
		if m.First == first {
			return m, true
		}
	}
	return figures.Month{}, false
}

// RefreshMonths makes the next request for the part Months fetch all months again. Until the result
// arrives, the snapshot keeps the old ones.
func (s *Snapshot) RefreshMonths() { s.refreshMonths = true }

func monthsCondition(months []figures.Month) resource.Status {
	for _, m := range months {
		if m.Summary.Count > 0 {
			return resource.Ready
		}
	}
	return resource.Empty
}
