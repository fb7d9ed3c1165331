package demodata

import (
	"strconv"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

// subscription is a vendor that is paid once a month. Months count from the start of the history.
type subscription struct {
	name, memo, category string
	day                  int
	cents                int64 // price in the first month of the history, in minor units
	growth               int64 // percent of the first price by which a bill of usage grows each month; 0 for a fixed price
	currency, method     string
	logo                 bool
	from, until          int    // paid from month from, before month until; until 0 means to the end
	rises                []rise // increases of a fixed price, oldest first
	otherName            string // spelling of the name in every third month; "" if there is none
}

// rise is an increase of a price from a month on.
type rise struct {
	month   int
	percent int64
}

var subscriptions = [...]subscription{
	{
		name: "Cumulus Compute", memo: "Cloud usage", category: "cloud", day: 3, cents: 9_200 * dollar, growth: 6,
		currency: "USD", method: "card", logo: true,
	},
	{
		name: "Stratus Edge", memo: "Bandwidth and CDN", category: "cloud", day: 4, cents: 1_450 * dollar, growth: 4,
		currency: "USD", method: "card", logo: true, otherName: "STRATUS EDGE INC",
	},
	{
		name: "Quillboard", memo: "Design tool seats", category: "software", day: 6, cents: 480 * dollar,
		currency: "GBP", method: "card", logo: true, rises: []rise{{6, 25}, {15, 20}},
	},
	{
		name: "Threadline Chat", memo: "Team chat seats", category: "software", day: 7, cents: 390 * dollar,
		currency: "USD", method: "card", rises: []rise{{5, 20}, {12, 25}, {23, 18}},
	},
	{
		name: "Kestrel CRM", memo: "CRM seats", category: "software", day: 9, cents: 1_150 * dollar,
		currency: "USD", method: "card", logo: true, rises: []rise{{12, 30}, {21, 15}}, otherName: "KESTREL CRM, INC.",
	},
	{
		name: "Lantern Row Insurance", memo: "Business insurance", category: "insurance", day: 10, cents: 1_850 * dollar,
		currency: "USD", method: "ach", rises: []rise{{12, 8}, {24, 12}},
	},
	{
		name: "Pagewright Docs", memo: "Documentation hosting", category: "software", day: 11, cents: 260 * dollar,
		currency: "EUR", method: "card",
	},
	{
		name: "Nightjar Monitoring", memo: "Logs and traces", category: "software", day: 12, cents: 1_900 * dollar, growth: 6,
		currency: "USD", method: "card", logo: true,
	},
	{
		name: "Hirefold", memo: "Job posts and applicant tracking", category: "recruiting", day: 16, cents: 1_400 * dollar,
		currency: "USD", method: "card", rises: []rise{{9, 15}}, until: 22,
	},
	{
		name: "Tallybook Accounting", memo: "Bookkeeping", category: "professional_services", day: 18, cents: 2_600 * dollar,
		currency: "USD", method: "ach", logo: true, rises: []rise{{18, 14}}, otherName: "Tallybook  Accounting LLC",
	},
	{
		name: "Fibrewave Internet", memo: "Office internet", category: "utilities", day: 20, cents: 310 * dollar,
		currency: "USD", method: "ach",
	},
	{
		name: "Copyfield Assistants", memo: "Code assistant seats", category: "software", day: 14, cents: 1_240 * dollar,
		currency: "USD", method: "card", from: 21,
	},
}

// isPaidIn reports whether the subscription is paid in a month.
func (s *subscription) isPaidIn(month int) bool {
	return month >= s.from && (s.until == 0 || month < s.until)
}

// price returns the price in a month, in minor units, before the variation of a bill of usage.
func (s *subscription) price(month int) int64 {
	price := s.cents * (100 + s.growth*int64(month)) / 100
	for _, r := range s.rises {
		if month >= r.month {
			price = price * (100 + r.percent) / 100
		}
	}
	return price
}

const (
	grossPerHead  = 9_800 * dollar
	healthPerHead = 620 * dollar
)

// hires lists how many employees join in which month of the history.
var hires = [...]struct {
	month  int
	people int64
}{{2, 2}, {4, 2}, {7, 3}, {9, 2}, {12, 2}, {14, 2}, {17, 2}, {20, 2}, {23, 2}}

// headcount returns the number of employees in a month of the history. The first month is 0.
func headcount(month int) int64 {
	people := int64(12)
	for _, h := range hires {
		if month >= h.month {
			people += h.people
		}
	}
	return people
}

func (p *plan) planCosts() {
	p.eachMonth(func(m int, first civil.Date) {
		p.planPayroll(m, first)
		p.planOffice(m, first)
		p.planTaxes(m, first)
		for _, s := range subscriptions {
			if s.isPaidIn(m) {
				p.planSubscription(s, m, first)
			}
		}
	})
}

func (p *plan) planPayroll(m int, first civil.Date) {
	heads := headcount(m)
	gross := heads * grossPerHead
	people := strconv.FormatInt(heads, 10) + " people"
	payday := func(d civil.Date, memo string) {
		p.add(p.officeTime(d), ledger.Transaction{
			Direction: ledger.Outflow, Source: ledger.ServiceAccount, AmountMinor: p.vary(gross*36/100, 1), Currency: "USD",
			Counterparty: "Ledgerline Payroll", LogoURL: logoURL("Ledgerline Payroll"), Category: "payroll", HasReceipt: true,
			Memo: memo + ", " + people, Method: "ach", Reference: "PR-" + d.String(),
		})
	}
	payday(dayOfMonth(first, 15), "Payroll, first half of "+monthName(first))
	payday(dayOfMonth(first, 27), "Payroll, second half of "+monthName(first))
	p.add(p.officeTime(dayOfMonth(first, 5)), ledger.Transaction{
		Direction: ledger.Outflow, Source: ledger.LinkedBank, AmountMinor: p.vary(gross*36/100, 2), Currency: "USD",
		Counterparty: "Federal Tax Deposit", Category: "payroll_taxes", HasReceipt: true,
		Memo: "Payroll taxes " + monthName(first.AddMonths(-1)), Method: "ach",
	})
	p.add(p.officeTime(dayOfMonth(first, 2)), ledger.Transaction{
		Direction: ledger.Outflow, Source: ledger.LinkedBank, AmountMinor: heads * healthPerHead, Currency: "USD",
		Counterparty: "Juniper Health Plan", Category: "benefits", HasReceipt: true,
		Memo: "Health plan " + monthName(first) + ", " + people, Method: "ach",
	})
}

func (p *plan) planOffice(m int, first civil.Date) {
	rent := 16_500 * dollar
	if m >= 12 {
		rent = 18_200 * dollar
	}
	p.add(p.officeTime(dayOfMonth(first, 1)), ledger.Transaction{
		Direction: ledger.Outflow, Source: ledger.LinkedBank, AmountMinor: rent, Currency: "USD",
		Counterparty: "Harbour Lane Properties", Category: "rent", HasReceipt: true, Memo: "Rent " + monthName(first),
		Method: "ach",
	})
	p.add(p.officeTime(dayOfMonth(first, 25)), ledger.Transaction{
		Direction: ledger.Inflow, Source: ledger.ServiceAccount, AmountMinor: p.vary(2_900*dollar, 25), Currency: "USD",
		Counterparty: "Service account interest", Category: "interest", Memo: "Interest " + monthName(first),
		Method: "interest",
	})
}

func (p *plan) planTaxes(m int, first civil.Date) {
	once := func(d civil.Date, dir ledger.Direction, cents int64, name, memo string) {
		p.add(p.officeTime(d), ledger.Transaction{
			Direction: dir, Source: ledger.LinkedBank, AmountMinor: cents, Currency: "USD",
			Counterparty: name, Category: "taxes", HasReceipt: true, Memo: memo, Method: "ach",
		})
	}
	switch first.Month() {
	case time.March:
		once(
			dayOfMonth(first, 2), ledger.Outflow, 14_600*dollar, "State Franchise Tax Office",
			"Franchise tax "+first.Time().Format("2006"),
		)
	case time.April:
		once(dayOfMonth(first, 14), ledger.Inflow, p.vary(41_000*dollar, 10), "Federal Tax Refund", "Research credit")
	}
	if int(first.Month())%3 == 1 {
		once(
			dayOfMonth(first, 20), ledger.Outflow, p.vary(2_400*dollar+int64(m)*180*dollar, 15), "State Sales Tax Office",
			"Sales tax, last quarter",
		)
	}
}

func (p *plan) planSubscription(s subscription, m int, first civil.Date) {
	logo := ""
	if s.logo {
		logo = logoURL(s.name)
	}
	name, price := s.name, s.price(m)
	if s.otherName != "" && m%3 == 1 {
		name = s.otherName
	}
	if s.growth > 0 {
		price = p.vary(price, 4)
	}
	p.add(p.officeTime(dayOfMonth(first, s.day)), ledger.Transaction{
		Direction: ledger.Outflow, Source: ledger.LinkedBank, AmountMinor: price, Currency: s.currency,
		Counterparty: name, Category: s.category, LogoURL: logo, HasReceipt: p.rng.IntN(10) > 0,
		Memo: s.memo + " " + monthName(first), Method: s.method,
	})
}

// RecurringPayees returns the names of the counterparties that the organization pays repeatedly,
// each in one spelling. Some are paid in a part of the history only.
func RecurringPayees() []string {
	names := []string{
		"Ledgerline Payroll", "Federal Tax Deposit", "Juniper Health Plan", "Harbour Lane Properties",
		"State Franchise Tax Office", "State Sales Tax Office",
	}
	for _, s := range subscriptions {
		names = append(names, s.name)
	}
	for _, c := range contractors {
		names = append(names, c.name)
	}
	return names
}

// RareWord occurs in the memo of exactly one row of a ledger with the full history, so that tests
// can search for it.
const RareWord = "theodolite"

// irregularRow is a ledger row with an unknown amount, a currency without a rate, or an unknown
// payer, as real ledgers have them.
type irregularRow struct {
	daysAgo      int
	direction    ledger.Direction
	source       ledger.Source
	minor        int64 // amount in minor units of currency; 0 if unknown
	currency     string
	rate         bool // true if a USD rate is known
	counterparty string
	memo         string
}

var irregularRows = [...]irregularRow{
	{1, ledger.Outflow, ledger.ServiceAccount, 0, "USD", false, "Juniper Hotel", "Deposit, amount not settled"},
	{2, ledger.Outflow, ledger.LinkedBank, 1_240_00, "GBP", false, "Wexford & Dunn Solicitors", "Trademark search"},
	{
		3, ledger.Inflow, ledger.LinkedBank, 4_310_00, "USD", true, ledger.UnknownCounterparty,
		"Incoming wire, sender not named",
	},
	{4, ledger.Outflow, ledger.ServiceAccount, 0, "EUR", false, ledger.UnknownCounterparty, "Card hold abroad"},
	{6, ledger.Outflow, ledger.LinkedBank, 86_400, "JPY", false, "東京展示会サービス", "Booth deposit"},
	{9, ledger.Outflow, ledger.LinkedBank, 612_40, "EUR", false, "Bäckerei Grünwald", "Catering, customer day"},
	{14, ledger.Inflow, ledger.ServiceAccount, 0, "USD", false, ledger.UnknownCounterparty, "Deposit under review"},
	{21, ledger.Outflow, ledger.LinkedBank, 2_180_00, "USD", true, ledger.UnknownCounterparty, "Check 1047"},
	{33, ledger.Outflow, ledger.LinkedBank, 142_000, "JPY", true, "東京展示会サービス", "Booth rental"},
	{47, ledger.Outflow, ledger.ServiceAccount, 930_00, "GBP", true, "Harrowgate Couriers", "Prototype shipped to London"},
	{58, ledger.Inflow, ledger.LinkedBank, 1_875_00, "EUR", false, "Ελλάδα Ναυτιλία", "Bank fee returned"},
	{76, ledger.Outflow, ledger.ServiceAccount, 0, "GBP", false, "Quayside Hotel", "No-show fee, disputed"},
	{95, ledger.Outflow, ledger.LinkedBank, 54_800, "JPY", true, ledger.UnknownCounterparty, "Card payment abroad"},
	{
		131, ledger.Outflow, ledger.LinkedBank, 385_00, "USD", true, "Alder Instruments",
		"Rented a " + RareWord + " for the office move",
	},
	{
		188, ledger.Inflow, ledger.LinkedBank, 980_00, "USD", true, ledger.UnknownCounterparty,
		"Check deposited at the branch",
	},
	{240, ledger.Outflow, ledger.LinkedBank, 7_420_00, "GBP", true, "Wexford & Dunn Solicitors", "Contract review"},
	{330, ledger.Outflow, ledger.ServiceAccount, 3_150_00, "EUR", true, "Messe Rheinblick", "Conference booth"},
	{415, ledger.Outflow, ledger.LinkedBank, 228_000, "JPY", true, "京都デザイン事務所", "Brand workshop"},
}

// Uncategorized is the category of rows that belong to no other.
const Uncategorized = "uncategorized"

// settledMinor is the amount of irregular rows whose amount was unknown until their month was over,
// in minor units.
const settledMinor = 214_00

func (p *plan) planIrregularRows() {
	for i, o := range irregularRows {
		t := ledger.Transaction{
			Direction: o.direction, Source: o.source, AmountMinor: o.minor, Currency: o.currency, Counterparty: o.counterparty,
			Category: Uncategorized, Memo: o.memo, Method: [...]string{"card", "wire", "check", ""}[i%4],
			HasReceipt: o.rate && i%3 == 0,
		}
		day := p.today.AddDays(-o.daysAgo)
		at := p.officeTime(day)
		settled := p.isSettled(day)
		if settled && t.AmountMinor == 0 {
			t.AmountMinor = settledMinor
		}
		if o.rate || settled {
			p.add(at, t)
		} else {
			p.addUnconverted(at, t)
		}
	}
}
