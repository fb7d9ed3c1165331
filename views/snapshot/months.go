package snapshot

import (
	"context"
	"sync"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/views/panel"
)

// MonthsBack is how many months, the current one included, the charts go back.
const MonthsBack = 13

// Month is what the ledger's summary says of one calendar month (UTC).
type Month struct {
	First   civil.Date // its first day
	Summary apiclient.Summary
}

// knownMonths returns the months that need not be asked for again.
func (s *Snapshot) knownMonths() []Month {
	if s.renewMonths {
		s.renewMonths = false
		return nil
	}
	months, _ := s.Months.Value()
	return months
}

// monthsFetch returns the fetch of the last MonthsBack months, oldest first, the
// current one last. The API has no monthly totals, but every listing carries the
// summary of its whole filter: a month is a page of one row. Of months that are
// already known only the last two are asked for again, because a feed may still
// add to last month; the others are kept until RenewMonths.
func monthsFetch(source Source, known []Month, today civil.Date) func(context.Context) ([]Month, error) {
	return func(ctx context.Context) ([]Month, error) {
		months := make([]Month, MonthsBack)
		missing := make([]int, 0, MonthsBack)
		for i := range months {
			first := today.FirstOfMonth().AddMonths(i - MonthsBack + 1)
			months[i].First = first
			if kept, ok := findMonth(known, first); ok && i < MonthsBack-2 {
				months[i] = kept
				continue
			}
			missing = append(missing, i)
		}
		return months, fetchMonths(ctx, source, months, missing)
	}
}

// fetchMonths asks for several months at a time: one after another would make
// the first page wait for thirteen round trips.
func fetchMonths(ctx context.Context, source Source, months []Month, missing []int) error {
	const atOnce = 4
	var (
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
				page, err := source.TransactionPage(ctx, apiclient.TransactionQuery{
					From: months[i].First, To: months[i].First.LastOfMonth(), Limit: 1,
				})
				if err != nil {
					mu.Lock()
					if fail == nil {
						fail = err
					}
					mu.Unlock()
					cancel()
					continue
				}
				months[i].Summary = page.Summary
			}
		})
	}
	for _, i := range missing {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return fail
}

func findMonth(months []Month, first civil.Date) (Month, bool) {
	for _, m := range months {
		if m.First == first {
			return m, true
		}
	}
	return Month{}, false
}

// RenewMonths makes the next load ask for every month again, the closed ones
// too. What is known stays until the answer comes.
func (s *Snapshot) RenewMonths() { s.renewMonths = true }

func monthsCondition(months []Month) panel.Status {
	for _, m := range months {
		if m.Summary.Count > 0 {
			return panel.Ready
		}
	}
	return panel.Empty
}
