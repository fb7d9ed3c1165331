package demodata

import (
	"strconv"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

// subscription is a vendor that is paid once a month.
type subscription struct {
	name, memo, category string
	day                  int
	cents                int64 // price in the first month of the history, in minor units
	growth               int64 // percent of the first price by which the price grows each month
	currency, method     string
	logo                 bool
}

var subscriptions = [...]subscription{
	{"Cumulus Compute", "Cloud usage", "cloud", 3, 9_200 * dollar, 6, "USD", "card", true},
	{"Stratus Edge", "Bandwidth and CDN", "cloud", 4, 1_450 * dollar, 4, "USD", "card", true},
	{"Quillboard", "Design tool seats", "software", 6, 480 * dollar, 5, "GBP", "card", true},
	{"Threadline Chat", "Team chat seats", "software", 7, 390 * dollar, 6, "USD", "card", false},
	{"Kestrel CRM", "CRM seats", "software", 9, 1_150 * dollar, 5, "USD", "card", true},
	{"Lantern Row Insurance", "Business insurance", "insurance", 10, 1_850 * dollar, 2, "USD", "ach", false},
	{"Pagewright Docs", "Documentation hosting", "software", 11, 260 * dollar, 4, "EUR", "card", false},
	{"Nightjar Monitoring", "Logs and traces", "software", 12, 1_900 * dollar, 6, "USD", "card", true},
	{"Hirefold", "Job posts and applicant tracking", "recruiting", 16, 1_400 * dollar, 3, "USD", "card", false},
	{"Tallybook Accounting", "Bookkeeping", "professional_services", 18, 2_600 * dollar, 2, "USD", "ach", true},
	{"Fibrewave Internet", "Office internet", "utilities", 20, 310 * dollar, 0, "USD", "ach", false},
}

const (
	grossPerHead  = 9_800 * dollar
	healthPerHead = 620 * dollar
)

// headcount returns the number of employees in a month of the history. The first month is 0.
func headcount(month int) int64 { return 12 + int64(month)*19/historyMonths }

func (p *plan) planCosts() {
	p.eachMonth(func(m int, first civil.Date) {
		p.planPayroll(m, first)
		p.planOffice(m, first)
		p.planTaxes(m, first)
		for _, s := range subscriptions {
			p.planSubscription(s, m, first)
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
	p.add(p.officeTime(dayOfMonth(first, s.day)), ledger.Transaction{
		Direction: ledger.Outflow, Source: ledger.LinkedBank, AmountMinor: p.vary(s.cents*(100+s.growth*int64(m))/100, 4),
		Currency:     s.currency,
		Counterparty: s.name, Category: s.category, LogoURL: logo, HasReceipt: p.rng.IntN(10) > 0,
		Memo: s.memo + " " + monthName(first), Method: s.method,
	})
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

func (p *plan) planIrregularRows() {
	for i, o := range irregularRows {
		t := ledger.Transaction{
			Direction: o.direction, Source: o.source, AmountMinor: o.minor, Currency: o.currency, Counterparty: o.counterparty,
			Category: "uncategorized", Memo: o.memo, Method: [...]string{"card", "wire", "check", ""}[i%4],
			HasReceipt: o.rate && i%3 == 0,
		}
		at := p.officeTime(p.today.AddDays(-o.daysAgo))
		if o.rate {
			p.add(at, t)
		} else {
			p.addUnconverted(at, t)
		}
	}
}
