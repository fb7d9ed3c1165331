package voices_test

// knownDifferences are the differences between voices that are not mended yet. The list may only
// shrink.
var knownDifferences = []string{
	"csv ForecastWeek.cash_cents: mark",
	"csv ForecastWeek.in_cents: mark",
	"csv ForecastWeek.out_cents: mark",
	"csv ForecastWeek.worst_miss_cents: mark",
	"dashboard Aging.share: absent",
	"dashboard CashPosition.cash_cents: absent",
	"dashboard CashPosition.cash_cents: reason",
	"dashboard CashPosition.runway_cash_cents: reason",
	"dashboard CashPosition.runway_months: reason",
	"dashboard ForecastWeek.cash_cents: reason",
	"dashboard ForecastWeek.in_cents: reason",
	"dashboard ForecastWeek.out_cents: reason",
	"dashboard ForecastWeek.worst_miss_cents: reason",
	"line Customer.overdue_cents: known",
}
