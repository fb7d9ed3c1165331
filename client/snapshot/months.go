package snapshot

import (
	"context"
	"errors"
	"sync"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/civil"
)

// MonthsBack is the number of months in charts, including the current one.
const MonthsBack = 13

// knownMonths returns the months that need not be fetched again.
func (s *Snapshot) knownMonths() []figures.Month {
	if s.refreshMonths {
		s.refreshMonths = false
		return nil
	}
	months, _ := s.Months.Value()
	return months
}

// loadMonths is Load for the months. After a 429 response the next load continues with the
// missing months.
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

// monthsFetch returns a function that fetches the last MonthsBack months, oldest first.
// After a 429 response it also returns the months read so far, which are passed as before
// to the next attempt. The API has no monthly totals, but each page carries the totals of
// its filter, so a month costs a page of one row. Of the known months only the last two are
// fetched again, since last month may still change; RefreshMonths refreshes the others.
func monthsFetch(
	source Source,
	known, before []figures.Month,
	today civil.Date,
) func(context.Context) (all, read []figures.Month, err error) {
	return func(ctx context.Context) (all, read []figures.Month, err error) {
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
		came, err := fetchMonths(ctx, source, months, missing)
		if !errors.Is(err, apiclient.ErrRateLimited) {
			return months, nil, err
		}
		for _, i := range missing {
			if came[i] {
				read = append(read, months[i])
			}
		}
		return months, read, err
	}
}

// fetchMonths fetches several months at a time, as one by one would take thirteen round
// trips. It returns which months were read.
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
				months[i].Summary, came[i] = page.Summary, true
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

func findMonth(months []figures.Month, first civil.Date) (figures.Month, bool) {
	for _, m := range months {
		if m.First == first {
			return m, true
		}
	}
	return figures.Month{}, false
}

// RefreshMonths makes the next load fetch all months again. The known ones stay until then.
func (s *Snapshot) RefreshMonths() { s.refreshMonths = true }

func monthsCondition(months []figures.Month) resource.Status {
	for _, m := range months {
		if m.Summary.Count > 0 {
			return resource.Ready
		}
	}
	return resource.Empty
}
