package bookrules_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
)

// downloadDay is the day on which the files of the tests below end.
const downloadDay = bookrules.Day(12)

// download returns a file with lines of one day and the balances before and after them.
func download(name string, opening int64, amounts ...int64) bookrules.Content {
	var movements []movement
	closing := opening
	for _, minor := range amounts {
		movements = append(movements, movement{day: downloadDay, minor: minor})
		closing += minor
	}
	return ends(file(name, span(downloadDay, downloadDay), movements...), opening, closing)
}

// booked returns the balance and the proof of files that were imported in a given order.
func booked(contents ...bookrules.Content) (int64, bookrules.Proof) {
	merged, _ := bookrules.Merge(nil, contents, nil)
	balance, _ := bookrules.BookedBalance(merged, contents)
	return balance.Minor, bookrules.Prove(merged, contents)
}

func TestTheBalanceOfADayIsTheLastOfItsFilesInAnyOrder(t *testing.T) {
	withoutBalances := download("only lines", 0, -500)
	withoutBalances.Balances, withoutBalances.Ends = nil, nil
	twoStatements := download("two statements", 970, -30, -5)
	twoStatements.Balances = append(download("a", 970, -30).Balances, download("b", 940, -5).Balances...)
	twoStatements.Ends = append(download("a", 970, -30).Ends, download("b", 940, -5).Ends...)
	for name, test := range map[string]struct {
		files []bookrules.Content
		want  int64
	}{
		"the day again, with more lines": {[]bookrules.Content{
			download("a", 980, -10), download("b", 980, -10, -500)}, 470},
		"new lines": {[]bookrules.Content{
			download("a", 980, -10), download("b", 970, -500)}, 470},
		"new lines three times": {[]bookrules.Content{
			download("a", 980, -10), download("b", 970, -30), download("c", 940, -5)}, 935},
		"equal lines": {[]bookrules.Content{
			download("a", 980, -10), download("b", 970, -10), download("c", 960, -10)}, 950},
		"a part of the lines": {[]bookrules.Content{
			download("a", 980, -10, -20), download("b", 970, -20, -3), download("c", 947, -7)}, 940},
		"money in at the end": {[]bookrules.Content{
			download("a", 980, -10), download("b", 970, -500), download("c", 470, 900)}, 1370},
		"there and back": {[]bookrules.Content{
			download("a", 980, -10), download("b", 970, 10), download("c", 980, -80)}, 900},
		"statements of one file": {[]bookrules.Content{download("morning", 980, -10), twoStatements}, 935},
		"after other days": {[]bookrules.Content{
			ends(file("a", span(1, downloadDay), movement{day: 3, minor: -7}, movement{day: downloadDay, minor: -10}), 997, 980),
			download("b", 980, -500)}, 480},
		"lines without a balance": {[]bookrules.Content{
			ends(file("a", span(1, downloadDay), movement{day: 3, minor: -7}, movement{day: downloadDay, minor: -10}), 997, 980),
			withoutBalances}, 480},
	} {
		t.Run(name, func(t *testing.T) {
			for files := range permutations(test.files) {
				got, proof := booked(files...)
				if got != test.want || len(proof.Gaps) > 0 {
					t.Errorf("the balance is %d, want %d; gaps are %+v", got, test.want, proof.Gaps)
				}
			}
		})
	}
}

func permutations[T any](all []T) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		var arrange func(rest, done []T) bool
		arrange = func(rest, done []T) bool {
			if len(rest) == 0 {
				return yield(done)
			}
			for i := range rest {
				if !arrange(slices.Concat(rest[:i], rest[i+1:]), append(slices.Clone(done), rest[i])) {
					return false
				}
			}
			return true
		}
		arrange(all, nil)
	}
}

func TestBalancesOfADayThatDoNotChainContradict(t *testing.T) {
	for name, files := range map[string][]bookrules.Content{
		"lines are missing between two files": {download("a", 980, -10), download("b", 940, -5)},
		"each file has a line the other lacks": {
			ends(file("a", span(1, downloadDay), movement{day: downloadDay, minor: -10}), 980, 970),
			ends(file("b", span(1, downloadDay), movement{day: downloadDay, minor: -30}), 980, 950),
		},
		"the balance after the same lines differs": {download("a", 980, -10), download("b", 930, -10)},
	} {
		for files := range permutations(files) {
			if _, proof := booked(files...); len(proof.Gaps) == 0 {
				t.Errorf("%s: the files are accepted", name)
			}
		}
	}
}

// Files that each have some consecutive lines of an account, and together all, give its last
// balance, whatever they repeat and in whatever order they were imported.
func TestAnyDownloadsGiveTheLastBalanceInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// No balance recurs, because signed powers of two never add up to zero.
		powers := rapid.SliceOfNDistinct(rapid.IntRange(0, 12), 2, 9, rapid.ID).Draw(t, "powers")
		balance, day := int64(100_000), bookrules.Day(1)
		before, movements := []int64{balance}, make([]movement, len(powers))
		for i, power := range powers {
			minor := rapid.SampledFrom([]int64{-1, 1}).Draw(t, "sign") << power
			day += bookrules.Day(rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "days"))
			balance += minor
			movements[i], before = movement{day: day, minor: minor}, append(before, balance)
		}
		var files []bookrules.Content
		for first, last := 0, 0; last < len(movements); {
			first = rapid.IntRange(first, last).Draw(t, "first")
			last = rapid.IntRange(last+1, len(movements)).Draw(t, "last")
			some := movements[first:last]
			files = append(files, ends(file(fmt.Sprint("file ", len(files)), span(some[0].day, some[len(some)-1].day), some...),
				before[first], before[last]))
		}
		files = rapid.Permutation(files).Draw(t, "order")

		got, proof := booked(files...)

		if got != balance || len(proof.Gaps) > 0 {
			t.Fatalf("the balance is %d, want %d; gaps are %+v", got, balance, proof.Gaps)
		}
	})
}
