package bookrules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/statements/bank"
)

// plainApplier applies payments as applier does, but looks at all items for each payment.
type plainApplier struct {
	items     []Receivable
	amounts   []int64
	applied   []Application
	questions [][]int // indexes of the items that each question is about
	asked     map[int]bool
}

func (a *plainApplier) apply(p Payment) {
	fitting := func(fits func(i int) bool) (indexes []int) {
		for i := range a.items {
			if a.items[i].Minor > 0 && p.Day > a.items[i].AsOf && fits(i) {
				indexes = append(indexes, i)
			}
		}
		return indexes
	}
	all := strings.Fields(words(p.Text))
	named := fitting(func(i int) bool {
		number := squeeze(a.items[i].Number)
		for at := range all {
			for to := at + 1; to <= min(len(all), at+mostNumberWords); to++ {
				if strings.Join(all[at:to], "") == number {
					return true
				}
			}
		}
		return false
	})
	isPayerOf := func(i int) bool { return isPayer(customerName(p.Payer), customerName(a.items[i].Party)) }
	total, rest := int64(0), p.Minor
	for _, i := range named {
		total += a.items[i].Minor
	}
	for _, i := range named {
		item := &a.items[i]
		minor := min(rest, item.Minor)
		if item.Currency == p.Currency && minor > 0 && (total == p.Minor || item.Minor == p.Minor || isPayerOf(i)) {
			a.applied = append(a.applied, Application{Payment: p.ID, Day: p.Day, Item: *item, Minor: minor})
			item.Minor, rest = item.Minor-minor, rest-minor
		}
	}
	if rest < p.Minor {
		return
	}
	likely := fitting(func(i int) bool {
		return slices.Contains(named, i) || isPayerOf(i) || a.amounts[i] == p.Minor && a.items[i].Currency == p.Currency
	})
	if len(likely) > 0 {
		a.questions = append(a.questions, likely)
	}
	for _, i := range likely {
		a.asked[i] = true
	}
}

// likeNames are names of customers and payers of which many begin with others.
var likeNames = rapid.Custom(func(t *rapid.T) string {
	names := []string{"Acme", "Acmeville", "Acmeville Foods", "Acmeville Foods West", "Bolt", ""}
	name := rapid.SampledFrom(names).Draw(t, "name")
	return name + rapid.SampledFrom([]string{"", " Inc", " GmbH", " x"}).Draw(t, "form")
})

func TestPaymentsAreAppliedAsIfEachWereComparedWithAllItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{3, 15, 60}).Draw(t, "size")
		var items []Receivable
		for n := range rapid.IntRange(0, size).Draw(t, "items") {
			items = append(items, Receivable{
				AsOf: Day(rapid.IntRange(1, 9).Draw(t, "as of")),
				OpenItem: bank.OpenItem{
					Number: rapid.SampledFrom([]string{"", "7", "A-7", "A 7", fmt.Sprint(n)}).Draw(t, "number"),
					Party:  likeNames.Draw(t, "customer"), Minor: int64(rapid.IntRange(1, 4).Draw(t, "due")),
					Currency: rapid.SampledFrom([]string{"USD", "EUR"}).Draw(t, "currency"),
				},
			})
		}
		plain := &plainApplier{items: slices.Clone(items), asked: map[int]bool{}}
		for _, item := range items {
			plain.amounts = append(plain.amounts, item.Minor)
		}
		a := newApplier(slices.Clone(items), customerNames{})
		for n := range rapid.IntRange(0, size).Draw(t, "payments") {
			p := Payment{
				ID: fmt.Sprint(n), Day: Day(n*10/size + 1), Minor: int64(rapid.IntRange(1, 6).Draw(t, "amount")),
				Payer: likeNames.Draw(t, "payer"), Currency: "USD",
				Text: rapid.SampledFrom([]string{"", "A 7", "7", "12 A-7", "1 2 3"}).Draw(t, "text"),
			}
			plain.apply(p)
			if err := a.apply(&p); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(a.found.Applied, plain.applied) {
			t.Fatalf("applied %v, want %v", a.found.Applied, plain.applied)
		}
		if len(a.found.Questions) != len(plain.questions) {
			t.Fatalf("%d questions, want %d", len(a.found.Questions), len(plain.questions))
		}
		for n, q := range a.found.Questions {
			var got []int
			for _, one := range q.likely {
				got = append(got, one.at)
			}
			want := plain.questions[n]
			switch {
			case q.More != (len(want) > MostChoices):
				t.Fatalf("question %d has more items: %t, of %d", n, q.More, len(want))
			case !q.More && !slices.Equal(got, want), !slices.IsSorted(got), len(got) > MostChoices:
				t.Fatalf("question %d is about %v, want %v", n, got, want)
			}
		}
		for i := range items {
			if a.items[i].Minor > 0 && a.mayBePaid(i, plain.amounts[i]) != plain.asked[i] {
				t.Fatalf("item %d may be paid: %t", i, !plain.asked[i])
			}
		}
	})
}

func TestTheNextEarlierDayIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.SliceOf(rapid.Map(rapid.IntRange(1, 9), func(n int) Day { return Day(n) })).Draw(t, "days")
		tree := newMinTree(days)
		for at := range days {
			if rapid.Bool().Draw(t, "removed") {
				tree.remove(at)
				days[at] = FarFuture
			}
		}
		from, before := rapid.IntRange(0, len(days)+1).Draw(t, "from"), Day(rapid.IntRange(0, 10).Draw(t, "before"))
		want := -1
		for at := len(days) - 1; at >= from; at-- {
			if days[at] < before {
				want = at
			}
		}
		got, found := tree.next(from, before)
		if found != (want >= 0) || found && got != want {
			t.Fatalf("next(%d, %d) of %v = %d, %t, want %d", from, before, days, got, found, want)
		}
	})
}
