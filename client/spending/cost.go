package spending

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// MonthOf is the total of a counterparty in a month and in the month before.
type MonthOf struct {
	Name        string
	Now, Before figures.Total
}

const (
	// mostNamed is the largest number of counterparties that CostText names.
	mostNamed = 3
	// leastShare is the divisor of the change that a counterparty must exceed to be named.
	leastShare = 10
	// sameShare is the divisor of the month before. A smaller change is about the same.
	sameShare = 20
	// longestName is the number of cells after which a name is shortened.
	longestName = 40
)

// CostText says how much the operating costs of a month differ from those of the month before, and
// which counterparties changed most: "October cost $479k, $32k more than September. Most:
// Ledgerline Payroll +$15k." For money in, it says the same of income. It returns "" if a total is
// unknown, or if statements do not cover the months.
func CostText(all []MonthOf, direction apiclient.Direction, month civil.Date) string {
	var now, before figures.Total
	for _, c := range all {
		now.AddPart(c.Now)
		before.AddPart(c.Before)
		if c.Now.Uncovered || c.Before.Uncovered {
			return ""
		}
	}
	change := figures.Difference(now, before)
	if len(all) == 0 || change.Unknown || now.Minor == 0 {
		return ""
	}
	verb := " cost "
	if direction == apiclient.Inflow {
		verb = " brought in "
	}
	name, last := month.Month().String(), month.AddMonths(-1).Month().String()
	text := name + verb
	if now.Mark() != figures.NoMark {
		text += "about "
	}
	text += figures.Unmarked(now.Short())
	size := max(change.Minor, -change.Minor)
	if size < before.Minor/sameShare || size == 0 {
		return text + ", about as much as " + last + "."
	}
	more := " more than "
	if change.Minor < 0 {
		more = " less than "
	}
	text += ", " + money.Short(size, now.Currency) + more + last + "."
	if most := largestChanges(all, size); len(most) > 0 {
		text += " Most: " + strings.Join(most, ", ") + "."
	}
	return text
}

// largestChanges names the counterparties whose totals changed most, in either direction.
func largestChanges(all []MonthOf, size int64) (names []string) {
	type changed struct {
		name   string
		change figures.Total
	}
	var list []changed
	for _, c := range all {
		d := figures.Difference(c.Now, c.Before)
		if !d.Unknown && max(d.Minor, -d.Minor) > size/leastShare {
			list = append(list, changed{c.Name, d})
		}
	}
	slices.SortStableFunc(list, func(a, b changed) int {
		return cmp.Or(cmp.Compare(max(b.change.Minor, -b.change.Minor), max(a.change.Minor, -a.change.Minor)),
			cmp.Compare(a.name, b.name))
	})
	for _, c := range list[:min(mostNamed, len(list))] {
		names = append(names, strings.TrimSpace(termtext.Fit(c.name, longestName))+" "+figures.Unmarked(c.change.Short()))
	}
	return names
}
