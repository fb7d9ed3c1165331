package voices_test

import (
	"regexp"
	"slices"
	"strings"

	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/internal/plural"
	"tarmac/internal/testsupport/voices"
)

// billTotal adds up the company's open bills that include accepts. It is written without the
// client's rules, which it checks.
func (s *served) billTotal(include func(voices.Bill) bool) figures.Total {
	sum := figures.Total{Currency: "USD"}
	if s.company.Bills == nil {
		return figures.UnknownTotal("USD", figures.Gross, payables.NoList)
	}
	maybe, asked, unrated, bills := figures.Total{Currency: "USD"}, 0, 0, 0
	for _, b := range s.company.Bills {
		if b.State != "open" || !include(b) {
			continue
		}
		bills++
		if !b.Rated {
			unrated++
			continue
		}
		sum.Add(b.Cents)
		if b.MayBePaid {
			asked++
			maybe.Add(b.Cents)
		}
	}
	if asked > 0 {
		sum.MayBeLess = plural.Count(asked, "bill") + " of " + maybe.String() +
			" may be paid already; `tarmac books questions` asks."
	}
	if unrated > 0 {
		sum.LeftOut = plural.Count(unrated, "bill") + " without a USD rate not counted."
	}
	sum.Unknown = sum.Unknown || bills > 0 && unrated == bills
	return sum
}

func isPastDue(b voices.Bill) bool { return !b.OnReceipt && b.DueIn < 0 }

func isDueSoon(b voices.Bill) bool { return b.OnReceipt || b.DueIn >= 0 && b.DueIn <= payables.Week }

// isInFirstWeek reports whether the first week of the forecast has a bill: those past due, too.
func isInFirstWeek(b voices.Bill) bool { return isPastDue(b) || isDueSoon(b) }

func (s *served) billFacts() (facts []fact) {
	all := s.billTotal(func(voices.Bill) bool { return true })
	pastDue, due := s.billTotal(isPastDue), s.billTotal(isDueSoon)
	isEmpty := len(s.company.Bills) == 0 // sentences say so
	add := func(name string, want figures.Total, places ...[]spot) {
		at := slices.Concat(places...)
		if isEmpty {
			at = onlyOf(at, "assistant bills", "check limits")
		}
		facts = append(facts, fact{name, figureOf(want), at})
	}
	const page = "dashboard bills"
	// A mark of the first figure of a panel or a sentence stands for the others, too.
	alike := func(one figures.Total, label string) []spot {
		if one.Mark() != all.Mark() {
			return nil
		}
		return on(label, 0, page)
	}
	add("Payables.bills_cents", all, on(`^To pay `, 0, "command bills", "line bills", page),
		on(`^Total  +\d+ bills?`, 1, "report bills"), in("assistant bills", "", "total"),
		in("json report", "", "bills/bills_cents"))
	add("Payables.past_due_cents", pastDue, on(`^To pay `, 1, "command bills", "line bills"), on(`^To pay .*: `, 0, page),
		on(`^Total  +\d+ bills?`, 0, "report bills"), in("assistant bills", "", "past_due"),
		in("check limits", "", "bills_past_due"), in("json report", "", "bills/past_due_cents"))
	add("Payables.due_cents", due, on(`^To pay `, 2, "command bills", "line bills"), alike(due, `past due, `),
		on(`^Due within 7 days, beside what is past due:`, 0, "report bills"), in("assistant bills", "", "due"),
		in("check limits", "", "bills_due"), in("json report", "", "bills/due_cents"))
	for i, name := range figures.BucketNames {
		bucket := s.billTotal(func(b voices.Bill) bool {
			days := 0
			if isPastDue(b) {
				days = -b.DueIn
			}
			return figures.BucketOf(days) == i
		})
		label := figures.BucketLabels[i]
		line := `^` + regexp.QuoteMeta(strings.ReplaceAll(label, "–", "-")) + `: `
		add("Payables."+name+"_cents", bucket, on(line, 0, "line bills"), alike(bucket, regexp.QuoteMeta(label)+`  `),
			in("assistant bills", "", "buckets/name="+name+"/amount"), in("json report", "", "bills/"+name+"_cents"))
	}
	return append(facts, s.vendorFacts()...)
}

func (s *served) vendorFacts() (facts []fact) {
	seen := map[string]bool{}
	for _, one := range s.company.Bills {
		if one.State == "open" {
			facts = append(facts, s.billFact(one))
		}
		if seen[one.Vendor] {
			continue
		}
		seen[one.Vendor] = true
		total := s.billTotal(func(b voices.Bill) bool { return b.Vendor == one.Vendor })
		pastDue := s.billTotal(func(b voices.Bill) bool { return b.Vendor == one.Vendor && isPastDue(b) })
		row := "bills/vendors/vendor_name=" + one.Vendor
		facts = append(facts,
			fact{"Vendor.bills_cents", figureOf(total), slices.Concat(on(`^  \d: `+one.Vendor+`, `, 0, "line bills"),
				on(`^`+one.Vendor+`  `, 1, "report bills"),
				on(`│ `+one.Vendor+`  `, 0, "dashboard bills"), in("json report", "", row+"/bills_cents"))},
			fact{"Vendor.past_due_cents", figureOf(pastDue), slices.Concat(on(`^`+one.Vendor+`  `, 0, "report bills"),
				on(`│ `+one.Vendor+`  `, 1, "dashboard bills"),
				in("json report", "", row+"/past_due_cents"))})
	}
	return facts
}

func (s *served) billFact(b voices.Bill) fact {
	if !b.Rated {
		return fact{"Bill.reporting_cents", figure{}, in("csv bills", b.Number, "reporting_cents")}
	}
	want := figureOf(figures.Total{Currency: "USD", Minor: b.Cents, Kind: figures.Balance})
	return fact{"Bill.open_minor", want, slices.Concat(on(`  `+b.Number+`  `, 0, "command bills"),
		on(`: `+b.Vendor+`, `+b.Number+`, `, 0, "line bills"), in("csv bills", b.Number, "open"),
		in("assistant bills", "", "bills/number="+b.Number+"/to_pay"))}
}
