package banks

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tarmac/service/statements/bank"
)

// figures holds the figures of one or several bank statements of one account.
type figures struct {
	account, currency        string
	lines, inflow, outflow   int64
	pending                  int64
	first, last              string
	openings, closings, also []int64
}

// tally returns the figures of each statement in the contents.
func tally(found *Contents) []figures {
	var all []figures
	for _, s := range found.Statements {
		f := figures{account: s.Account.Number, currency: s.Currency}
		if f.account == "" {
			f.account = s.Account.Name
		}
		for _, line := range s.Lines {
			if line.Pending {
				f.pending++
				continue
			}
			f.addLine(line)
		}
		f.openings, f.closings = minor(s.Opening), minor(s.Closing)
		all = append(all, f)
	}
	return all
}

func (f *figures) addLine(line bank.Line) {
	f.lines++
	f.inflow += max(line.Minor, 0)
	f.outflow += max(-line.Minor, 0)
	f.addDates(line.Booked.String(), line.Booked.String())
}

func (f *figures) addDates(first, last string) {
	if first != "" && (f.first == "" || first < f.first) {
		f.first = first
	}
	f.last = max(f.last, last)
}

// add adds the figures of another statement of the same account.
func (f *figures) add(o figures) {
	f.lines += o.lines
	f.inflow += o.inflow
	f.outflow += o.outflow
	f.pending += o.pending
	f.addDates(o.first, o.last)
	f.openings = append(f.openings, o.openings...)
	f.closings = append(f.closings, o.closings...)
}

func minor(b *bank.Balance) []int64 {
	if b == nil {
		return nil
	}
	return []int64{b.Minor}
}

// group holds the expected statements of one account and currency.
type group []expected

// vague returns two numbers for sorting: account is 1 if the group fits any account, and currency
// is 1 if it fits any currency. Otherwise they are 0.
func (g group) vague() (account, currency int) {
	if g[0].Account == "" || g[0].AccountOptional {
		account = 1
	}
	if g[0].Currency == nil || *g[0].Currency == "" {
		currency = 1
	}
	return account, currency
}

func (g group) fits(f figures) bool {
	return g.fitsAccount(f.account) && g.fitsCurrency(f.currency)
}

func (g group) fitsAccount(account string) bool {
	if vague, _ := g.vague(); vague == 1 {
		return true
	}
	got := letters(account)
	for _, name := range append([]string{g[0].Account}, g[0].AccountAlso...) {
		want := letters(name)
		if strings.HasSuffix(got, want) || len(got) >= 3 && strings.HasSuffix(want, got) ||
			strings.HasSuffix(strings.TrimSuffix(got, currency(got)), want) {
			return true
		}
	}
	return false
}

// currency returns the currency code at the end of an account number. It returns "" if there is
// none.
func currency(number string) string {
	code := number[max(0, len(number)-3):]
	if bank.IsCurrency(strings.ToUpper(code)) {
		return code
	}
	return ""
}

func (g group) fitsCurrency(code string) bool {
	if _, vague := g.vague(); vague == 1 {
		return true
	}
	return code == *g[0].Currency || slices.ContainsFunc(g[0].CurrencyAlso, func(also *string) bool {
		return also == nil && code == "" || also != nil && *also == code
	})
}

// letters returns the letters and digits of an account name.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// groups divides the expected statements by account and currency. Groups that fit any account or
// currency come last, because they are compared with the statements that no other group fits.
func groups(statements []expected) []group {
	var all []group
	for _, s := range statements {
		at := slices.IndexFunc(all, func(g group) bool {
			return g[0].Account == s.Account && text(g[0].Currency) == text(s.Currency)
		})
		if at < 0 {
			all = append(all, group{s})
		} else {
			all[at] = append(all[at], s)
		}
	}
	slices.SortStableFunc(all, func(a, b group) int {
		accountA, currencyA := a.vague()
		accountB, currencyB := b.vague()
		return 2*(accountA-accountB) + currencyA - currencyB
	})
	return all
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// compare compares the expected with the found figures. It returns the differences that make a test
// fail (hard) and those that are only reported (soft).
func compare(want []expected, got []figures, about *answer) (hard, soft []string) {
	used := make([]bool, len(got))
	all := groups(want)
	for _, g := range all {
		var sum figures
		found := 0
		vague, anyCurrency := g.vague()
		for i, f := range got {
			if used[i] || !g.fits(f) || vague+anyCurrency == 2 && len(all) > 1 && found == len(g) {
				continue
			}
			used[i] = true
			found++
			sum.add(f)
		}
		h, s := g.differences(sum, found, about)
		hard, soft = append(hard, h...), append(soft, s...)
	}
	for i, f := range got {
		if !used[i] && f.lines > 0 {
			hard = append(hard, fmt.Sprintf("one statement too many: %s %s", f.account, f.currency))
		}
	}
	return hard, soft
}

// differences compares the expected figures of the group with the figures that were found for an
// account.
func (g group) differences(got figures, found int, about *answer) (hard, soft []string) {
	want, optional := g.figures()
	name := g[0].Account + " " + text(g[0].Currency)
	if found == 0 {
		if want.lines > 0 && !g[0].Optional {
			hard = append(hard, name+": no statement")
		}
		return hard, soft
	}
	differ := func(serious bool, what string, want, got any) {
		difference := fmt.Sprintf("%s: %s %v, want %v", name, what, got, want)
		if serious {
			hard = append(hard, difference)
		} else {
			soft = append(soft, difference)
		}
	}
	if got.lines != want.lines {
		differ(!g[0].Mixed, "lines", want.lines, got.lines)
	}
	if abs(got.inflow-want.inflow) > about.Tolerance {
		differ(!g[0].Mixed, "inflow", want.inflow, got.inflow)
	}
	if abs(got.outflow-want.outflow) > about.Tolerance {
		differ(!g[0].Mixed, "outflow", want.outflow, got.outflow)
	}
	if first, last := g.dates(); want.lines > 0 && len(first) > 0 &&
		(!slices.Contains(first, got.first) || !slices.Contains(last, got.last)) {
		differ(true, "dates", fmt.Sprint(first, last), got.first+" "+got.last)
	}
	if got.pending != want.pending {
		differ(false, "pending", want.pending, got.pending)
	}
	switch near := closeTo(got.closings, want.closings, about.Tolerance); {
	case len(want.closings) > 0 && !near:
		differ(!optional, "closing", want.closings, got.closings)
	case len(want.closings) == 0 && len(got.closings) > 0 && !closeTo(got.closings, want.also, 0):
		differ(false, "closing", "none", got.closings)
	}
	if len(want.openings) > 0 && len(got.openings) > 0 && !closeTo(got.openings, want.openings, 0) {
		differ(!g[0].OpeningOptional, "opening", want.openings, got.openings)
	}
	return hard, soft
}

// figures adds up the expected statements of the group. The result optional is true if closing
// balances may be missing.
func (g group) figures() (sum figures, optional bool) {
	for _, e := range g {
		sum.lines += e.Transactions
		sum.inflow += e.Inflow
		sum.outflow += e.Outflow
		sum.pending += e.Pending
		sum.also = append(sum.also, e.ClosingAlso...)
		sum.closings = appendKnown(sum.closings, e.Closing)
		sum.openings = appendKnown(sum.openings, e.Opening)
		optional = optional || e.ClosingOptional
	}
	return sum, optional
}

// dates returns the dates that are accepted for the first line of the group, and those for the
// last.
func (g group) dates() (first, last []string) {
	for _, e := range g {
		for _, dates := range [][]string{{e.First, e.Last}, e.DatesValue, e.DatesUTC} {
			if len(dates) == 2 && dates[0] != "" {
				first, last = append(first, dates[0]), append(last, dates[1])
			}
		}
	}
	return first, last
}

func appendKnown(list []int64, value *int64) []int64 {
	if value == nil {
		return list
	}
	return append(list, *value)
}

func closeTo(got, want []int64, tolerance int64) bool {
	return slices.ContainsFunc(got, func(g int64) bool {
		return slices.ContainsFunc(want, func(w int64) bool { return abs(g-w) <= tolerance })
	})
}

func abs(n int64) int64 { return max(n, -n) }
