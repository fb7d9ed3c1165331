package unrated

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

var (
	amounts  = regexp.MustCompile(`[≥~]?[-+]?[≥~]?\$[\d,]+(?:\.\d+)?[kMBT]?`)
	moneyOut = regexp.MustCompile(`(?i)\bout +$`)
	shares   = regexp.MustCompile(`\d+\.\d%`)
	// The scale at the left of a chart has rounded amounts of two digits.
	scale  = regexp.MustCompile(`(?:│|^) *\$\d(?:\.?\d)?0*(?:\.0+)?[kMBT]? ?$`)
	blocks = regexp.MustCompile(`[▁▂▃▄▅▆▇█]{2}|[━╸╺]`)
)

// FalseStatements returns the false statements in text: an incomplete sum without a mark, an
// unknown sum shown as an amount, a mark without an explanation, or a mark on a complete sum. text
// is a screen without styles, or the output of a command. exact lists amounts that are complete, in
// addition to those of the company.
func (c Company) FalseStatements(text string, exact ...int64) (wrong []string) {
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	known := c.completeAmounts(exact)
	marked := false
	for line := range strings.SplitSeq(text, "\n") {
		for _, at := range amounts.FindAllStringIndex(line, -1) {
			said, bare := line[at[0]:at[1]], strings.TrimLeft(line[at[0]:at[1]], "≥~+-")
			mark := strings.ContainsAny(said, "≥~") || strings.HasSuffix(line[:at[0]], "at least ") ||
				strings.HasPrefix(line[at[1]:], " (partial)")
			marked = marked || mark
			onScale := scale.MatchString(line[:at[1]]) && !mark
			switch nothing := bare == "$0" || bare == "$0.00"; {
			case onScale:
			case c.InflowsShown && nothing && moneyOut.MatchString(line[:at[0]]) && !mark:
			case c.Rated == All && mark:
				complain("%s is marked, and nothing is left out: %s", said, line)
			case c.Rated == None && nothing:
				complain("%s is nothing instead of unknown: %s", said, line)
			case c.Rated != All && !mark && !known[bare]:
				complain("%s is not marked: %s", said, line)
			}
		}
		for _, at := range shares.FindAllStringIndex(line, -1) {
			mark := strings.HasSuffix(line[:at[0]], "~") || strings.HasSuffix(line[:at[0]], "about ")
			if marked = marked || mark; mark == (c.Rated == All) || c.Rated == None {
				complain("the share %s: %s", line[at[0]:at[1]], line)
			}
		}
		if c.Rated == None && blocks.MatchString(line) {
			complain("something is drawn of what is unknown: %s", line)
		}
	}
	if explained := strings.Contains(strings.Join(strings.Fields(text), " "), "USD rate"); marked && !explained {
		complain("the marks are not explained")
	}
	return wrong
}

// sumOfMonths returns the sums of the rows of some months. The parameters say how many months ago
// the newest and the oldest of these months were.
func (c Company) sumOfMonths(newest, oldest int) sums {
	first := civil.Of(c.Now).FirstOfMonth()
	return sumOf(slices.DeleteFunc(c.rows(), func(r row) bool {
		back := first.MonthsSince(r.date.FirstOfMonth())
		return back < newest || back > oldest
	}))
}

// completeAmounts returns the amounts that are complete, in the form in which they are printed,
// without signs.
func (c Company) completeAmounts(exact []int64) map[string]bool {
	all := append([]int64{available, holding, locked, pending, cash, spendable, cash - spendable, burn}, exact...)
	closing, whole := int64(cash), true
	first := civil.Of(c.Now).FirstOfMonth()
	for m := range monthsBack {
		if whole {
			all = append(all, closing)
		}
		var month []row
		for _, r := range c.rows() {
			if r.date.FirstOfMonth() == first.AddMonths(-m) {
				month = append(month, r)
			}
			if r.rated {
				all = append(all, r.cents)
			}
		}
		if s := sumOf(month); s.unrated == 0 {
			all = append(all, s.in, s.out, s.in-s.out)
			closing += s.out - s.in
		} else {
			whole = false
		}
	}
	if s := c.sumOfMonths(1, 3); s.unrated == 0 {
		all = append(all, s.in, s.out)
	}
	known := map[string]bool{}
	for _, cents := range all {
		for _, text := range [...]string{money.Text(cents, "USD"), money.Short(cents, "USD")} {
			known[strings.TrimLeft(text, "-")] = true
		}
	}
	return known
}
