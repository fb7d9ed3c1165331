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

// MonthsBack is how many months, the current one included, the charts go back.
const MonthsBack = 13

// knownMonths returns the months that need not be asked for again.
func (s *Snapshot) knownMonths() []figures.Month {
	if s.renewMonths {
		s.renewMonths = false
		return nil
	}
	months, _ := s.Months.Value()
	return months
}

// loadMonths is Load for the months. A load that the server interrupts with a pause
// goes on after it with those that are missing.
func (s *Snapshot) loadMonths() Request {
	renewing := s.renewMonths
	fetch := monthsFetch(s.source, s.knownMonths(), s.readMonths, civil.Of(s.now()))
	var read []figures.Month
	request := load(s, Months, &s.Months, func(ctx context.Context) (months []figures.Month, err error) {
		months, read, err = fetch(ctx)
		return months, err
	}, monthsCondition)
	return func() Answer {
		answer := request()
		settle := answer.settle
		answer.settle = func(s *Snapshot) bool {
			counts := settle(s)
			if counts {
				s.readMonths = read
				s.renewMonths = s.renewMonths || renewing && errors.Is(s.Months.Err(), apiclient.ErrRateLimited)
			}
			return counts
		}
		return answer
	}
}

// monthsFetch returns the fetch of the last MonthsBack months, oldest first, the
// current one last, with those that were read where the server asked for a pause. The API has no monthly totals, but every listing carries the
// summary of its whole filter: a month is a page of one row. Of months that are
// already known only the last two are asked for again, because a feed may still
// add to last month; the others are kept until RenewMonths. Of those that an attempt
// before this one has read none is.
func monthsFetch(source Source, known, before []figures.Month, today civil.Date) func(context.Context) (all, read []figures.Month, err error) {
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

// fetchMonths asks for several months at a time: one after another would make
// the first page wait for thirteen round trips. It returns which came.
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

// RenewMonths makes the next load ask for every month again, the closed ones
// too. What is known stays until the answer comes.
func (s *Snapshot) RenewMonths() { s.renewMonths = true }

func monthsCondition(months []figures.Month) resource.Status {
	for _, m := range months {
		if m.Summary.Count > 0 {
			return resource.Ready
		}
	}
	return resource.Empty
}
