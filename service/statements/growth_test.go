package statements_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/einvoice"
	"tarmac/service/statements/workbook"
)

// cost is what reading a file takes. It doesn't depend on the machine.
type cost struct{ steps, allocations, bytes float64 }

// costOf returns the cost of detecting the format of a file and of reading it.
func costOf(content []byte, read func(*bank.Budget, []byte) error) (cost, error) {
	budget := bank.NewBudget(context.Background())
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	err := read(budget, content)
	runtime.ReadMemStats(&after)
	return cost{
		float64(budget.Steps()), float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc),
	}, err
}

// readers returns what reads each kind of file.
func readers() map[string]func(*bank.Budget, []byte) error {
	all := map[string]func(*bank.Budget, []byte) error{
		"pdf": func(b *bank.Budget, content []byte) error {
			_, err := einvoice.Attached(b, content)
			return err
		},
		"xlsx": func(b *bank.Budget, content []byte) error {
			book, err := workbook.Open(b, content)
			for sheet := 0; err == nil && sheet < book.Sheets(); sheet++ {
				_, err = book.CSV(sheet)
			}
			return err
		},
	}
	for _, format := range statements.Formats(civil.New(2026, 11, 1)) {
		all[format.Name] = func(b *bank.Budget, content []byte) error {
			if format.Making != nil {
				format.Making(b, content[:min(len(content), bank.HeadSize)])
			}
			format.Recognize(b, content[:min(len(content), bank.HeadSize)])
			options := bank.Options{
				Currency: "USD", AsOf: civil.New(2026, 9, 30), DateOrder: bank.DayFirst, Decimal: '.',
			}
			return format.Read(b, bytes.NewReader(content), options, bank.Bounded(b, &banks.Counter{}))
		}
	}
	return all
}

// The files are doubled five times from 20 kB. Whether they are read or refused makes no
// difference.
func TestTheCostOfReadingGrowsLikeTheSizeOfTheFile(t *testing.T) {
	const smallest, doublings, most = 20_000, 5, 2.2
	shapes := shapes(t)
	for name, read := range readers() {
		if len(shapes[name]) < 6 {
			t.Errorf("%s has only %d shapes", name, len(shapes[name]))
		}
		for shape, content := range shapes[name] {
			t.Run(name+"/"+shape, func(t *testing.T) {
				var costs []cost
				for n := range doublings + 1 {
					next, err := costOf(content(smallest<<n), read)
					if refused, asked := new(bank.Error), new(bank.Question); err != nil && !errors.As(err, &refused) &&
						!errors.As(err, &asked) && !errors.Is(err, einvoice.ErrNotAttached) {
						t.Logf("%v", err)
					}
					costs = append(costs, next)
				}
				for _, of := range []struct {
					name string
					get  func(cost) float64
				}{
					{"steps", func(c cost) float64 { return c.steps }},
					{"allocations", func(c cost) float64 { return c.allocations }},
					{"bytes allocated", func(c cost) float64 { return c.bytes }},
				} {
					first, before, last := of.get(costs[0]), of.get(costs[doublings-1]), of.get(costs[doublings])
					mean := math.Pow(last/first, 1.0/doublings)
					if t.Logf("%s: %.0f, %.2f per doubling", of.name, last, mean); mean > most || last/before > most {
						t.Errorf("the %s grow by %.2f per doubling, at last %.2f", of.name, mean, last/before)
					}
				}
			})
		}
	}
}
