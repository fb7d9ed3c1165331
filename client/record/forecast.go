package record

import (
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/payables"
	"tarmac/internal/civil"
)

// Forecast describes a whole forecast for programs. The function ids returns the IDs of the rows
// with the given indices. with is "plan", or the name of one of its cases, and added has the lines
// that a person supposes; both are empty without a plan.
func Forecast(f *forecast.Forecast, ids func(rows []int) []string, with string, added []string) Object {
	b := &f.Basis
	count := int64(len(b.Rows))
	in, out := b.Totals()
	lastYear := Null("last_year_percent")
	if b.KnowsLastYear {
		lastYear = Count("last_year_percent", "", &b.LastYear)
	}
	weeks := make([]Object, len(f.Weeks))
	for i := range f.Weeks {
		weeks[i] = ForecastWeek(f, i)
		weeks[i] = append(weeks[i], List("recurring", expectedPayments(f.Weeks[i].Payments, ids)),
			List("bills", DescribeAll(f.Weeks[i].Bills, func(b payables.Bill) Object {
				return Bill(&b).Pick("vendor_name", "number", "due_on", "open_minor", "currency", "reporting_cents")
			})),
			words("last_year_transaction_ids", "", ids(f.Weeks[i].LastYearRows)))
		if f.HasPlan() {
			weeks[i] = append(weeks[i], List("planned", plannedLines(f, i)))
		}
	}
	return Object{
		date("today", "", f.Today.String()),
		Flag("hypothetical", "", f.HasPlan()),
		nullIfEmpty("with", "", with),
		nullIfEmpty("what_if", "", strings.Join(added, "; ")),
		total("runway_cash_cents", "", f.Start),
		List("weeks", weeks),
		List("tests", DescribeAll(f.Trials, ForecastTest)),
		total("replaced_cents", "", f.ReplacedByBills()),
		List("invoices_not_counted_on", DescribeAll(f.Late, DoubtfulInvoice)),
		Nested("basis", slices.Concat(Object{
			date("first_date", "", b.First.String()), date("last_date", "", b.Last.String()),
			total("in_cents", "", in), total("out_cents", "", out),
			lastYear, Count("transaction_count", "", &count),
		}, leftOut("", in), Object{words("transaction_ids", "", ids(b.Rows))})),
		words("notes", "", f.Sentences()),
		total("median_miss_cents", "", f.MedianMiss()).derived(), Sentences("reason"),
	}
}

// plannedLines describes what the lines of a plan bring and cost in a week.
func plannedLines(f *forecast.Forecast, week int) []Object {
	return DescribeAll(f.Weeks[week].Planned, func(p forecast.Planned) Object {
		return Object{
			nullIfEmpty("name", "", p.Line.Name), Text("kind", "", string(p.Line.Kind)), planDay("date", p.Day),
			inMinor("net_cents", "", f.Basis.Currency, &p.Cents),
		}
	})
}

// NoForecast describes why there is no forecast, with the fields of Forecast.
func NoForecast(today civil.Date, currency string, why error) Object {
	none := figures.UnknownTotal(currency, figures.Balance, "There is no forecast: "+why.Error()+".")
	return Object{
		date("today", "", today.String()), Null("weeks"), List("tests", []Object{}),
		words("notes", "", []string{why.Error()}),
		total("runway_cash_cents", "", none).derived(), total("median_miss_cents", "", none).derived(),
		Sentences("reason", none.Reason), Sentences("sentence"), Sentences("basis_sentences"),
	}
}

// ForecastWeek describes a week of a forecast.
func ForecastWeek(f *forecast.Forecast, week int) Object {
	w, sums := &f.Weeks[week], f.Figures(week)
	number := int64(week + 1)
	invoices := make([]string, len(w.Receipts))
	for i := range w.Receipts {
		invoices[i] = w.Receipts[i].ID
	}
	o := Object{
		Count("week", "Week", &number).inTable().dropOrder(1).phrased("week %s"),
		date("first_date", "From", w.First.String()).inTable().phrased(NoPhrase),
		date("last_date", "To", w.Last.String()).inTable().dropOrder(2).phrased("until %s"),
		total("in_cents", "In", sums.In).inTable(),
		total("out_cents", "Out", sums.Out).inTable(),
	}
	bills := total("bills_cents", "Of it bills", sums.Bills).
		phrasedIf(f.KnowsBills() && !sums.Bills.IsNothing(), "including bills of %s")
	if f.KnowsBills() {
		bills = bills.inTable()
	}
	o = append(o, bills)
	if f.HasPlan() {
		o = append(o, total("what_if_cents", "Plan", sums.Supposed).inTable())
	}
	o = append(o,
		total("net_cents", "Net", sums.Net),
		total("cash_cents", "Spendable (est.)", sums.Cash).inTable().phrased("cash %s"),
		total("worst_miss_cents", "± Band", sums.Band).inTable().phrasedIf(!sums.Band.Unknown, "give or take %s"),
	)
	return slices.Concat(o, leftOut("", sums.In), Object{words("invoice_ids", "", invoices)})
}

func expectedPayments(payments []forecast.Payment, ids func(rows []int) []string) []Object {
	all := make([]Object, len(payments))
	for i, p := range payments {
		rows := make([]int, len(p.Payments))
		for j := range p.Payments {
			rows[j] = p.Payments[j].Row
		}
		all[i] = Object{
			counterpartyName("", p.Name), Text("direction", "", string(p.Direction)),
			Text("rhythm", "", p.Rhythm.String()), date("expected_date", "", p.Day.String()),
			inMinor("usual_cents", "", p.Currency, &p.Usual), inMinor("counted_cents", "", p.Currency, &p.Cents),
			words("transaction_ids", "", ids(rows)),
		}
	}
	return all
}

// ForecastTest describes a test of the forecast's rules on the past: the nets of its thirteen
// weeks.
func ForecastTest(t forecast.Trial) Object {
	sums := t.Figures()
	return Object{
		date("first_date", "Test from", t.Begins.String()).inTable().phrased("from %s"),
		total("actual_cents", "Net of 13 weeks", sums.Actual).inTable().phrased("net %s"),
		total("estimated_cents", "Estimate", sums.Estimated).inTable().phrased(NoPhrase),
		total("miss_cents", "Miss", sums.Miss).inTable().phrased("missed by %s"),
		total("straight_line_cents", "Net burn alone", sums.Linear).inTable().dropOrder(1).phrased(NoPhrase),
		total("straight_line_miss_cents", "Its miss", sums.LinearMiss).inTable().phrased("by net burn alone %s"),
		Flag("knows_last_year", "", t.KnowsLastYear),
	}
}

// DoubtfulInvoice describes an open invoice that is later than its customer ever paid.
func DoubtfulInvoice(i apiclient.Invoice) Object {
	all := Invoice(i).Pick("id", "number", "recipient_name", "total_cents", "due_date")
	for n := range all {
		all[n].Column = Column{InTable: all[n].Name != "id"}
	}
	return all
}

// Alive describes whether the company is default alive, which is hypothetical. The error err says
// why the answer is unknown; then a is nil.
func Alive(a *forecast.Alive, err error) Object {
	if err != nil {
		return Object{
			Flag("hypothetical", "", true), Text("answer", "", string(forecast.Unknown)),
			words("notes", "", []string{err.Error()}),
		}
	}
	month := a.Figures()
	long, short := a.Months()
	return slices.Concat(Object{
		Flag("hypothetical", "", true),
		Text("answer", "", string(a.Answer())),
		Text("first_month", "", figures.YearMonth(a.First)),
		total("monthly_in_cents", "", month.In), total("monthly_out_cents", "", month.Out),
		total("monthly_net_cents", "", month.Net), total("last_months_net_cents", "", month.LastNet),
		countOrNull("cash_months", long), countOrNull("last_months_cash_months", short),
	}, leftOut("", month.In), Object{words("notes", "", a.Sentences())})
}

// countOrNull describes a number. A nil one is null.
func countOrNull(name string, n *int64) Field {
	if n == nil {
		return Null(name)
	}
	return Count(name, "", n)
}
