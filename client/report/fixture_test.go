package report_test

import (
	"fmt"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/report"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
)

// books is a ledger in the making.
type books struct {
	rows                    []apiclient.Transaction
	ownTransfers, financing map[string]bool
}

func newBooks() *books { return &books{ownTransfers: map[string]bool{}, financing: map[string]bool{}} }

// add adds a transaction in USD cents. A negative amount is money out.
func (b *books) add(day, name string, cents int64) *apiclient.Transaction {
	t := apiclient.Transaction{
		ID: fmt.Sprintf("txn_%d", len(b.rows)+1), Date: civil.MustParse(day), CounterpartyName: name,
		Direction: apiclient.Inflow, Source: apiclient.Source("bank"),
	}
	if cents < 0 {
		t.Direction, cents = apiclient.Outflow, -cents
	}
	t.Amount, t.Reporting = apiclient.NewAmount(cents, "USD"), apiclient.NewAmount(cents, "USD")
	b.rows = append(b.rows, t)
	return &b.rows[len(b.rows)-1]
}

// month returns a day in the months before November 2026, the current month.
func month(back, day int) string {
	first := civil.MustParse("2026-11-01").AddMonths(-back)
	return civil.New(first.Year(), first.Month(), day).String()
}

// company returns the books of a company with recurring costs, customers, financing, an own
// transfer and a transaction without a USD amount.
func company() *books {
	b := newBooks()
	for back := 24; back >= 0; back-- {
		rent, wages := int64(-18_200_00), int64(-74_000_00)
		if back < 6 {
			rent, wages = -19_400_00, -81_500_00
		}
		b.add(month(back, 1), "Harbour Lane Properties", rent)
		b.add(month(back, 15), "Ledgerline Payroll", wages)
		if back > 2 {
			b.add(month(back, 9), "Pagewright Docs", -480_00)
		}
		if back < 3 {
			b.add(month(back, 12), "Kestrel CRM, Inc.", -1_250_00)
		}
		b.add(month(back, 20), "Aurelia Biolabs", 61_000_00+int64(back)*350_00)
		if back%3 == 1 {
			b.add(month(back, 18), "Corvid Security", 27_500_00)
		}
	}
	b.add(month(1, 5), "Redbrick Recruiting", -14_200_00)
	b.add(month(14, 7), "Seed Fund I", 2_500_000_00)
	b.financing[b.rows[len(b.rows)-1].ID] = true
	b.add(month(1, 8), "Northlight Labs", -9_000_00)
	b.ownTransfers[b.rows[len(b.rows)-1].ID] = true
	b.add(month(1, 21), "Zoë Okafor", -3_100_00).Reporting = apiclient.UnknownAmount("USD")
	return b
}

// input returns what a report of October 2026 is made from.
func (b *books) input() report.Input {
	rows := slices.Clone(b.rows)
	slices.SortStableFunc(rows, func(x, y apiclient.Transaction) int { return y.Date.Compare(x.Date) })
	in := report.Input{
		Company: "Northlight Labs", Month: civil.MustParse("2026-10-01"), Now: sample.Now,
		History: report.History{Ledger: spending.NewLedger(rows, b.ownTransfers, b.financing)},
	}
	in.History.Ledger.Currency = "USD"
	for _, first := range history.Span(civil.Of(sample.Now)) {
		of := slices.DeleteFunc(slices.Clone(rows), func(t apiclient.Transaction) bool {
			return t.Date.FirstOfMonth() != first
		})
		in.History.Months = append(in.History.Months, figures.Month{First: first, Summary: sumOf(of)})
	}
	org := sample.New()
	in.Cash.Value, in.Aging.Value = &org.Cash, &org.Aging
	in.Invoices.Value.Invoices = invoices()
	return in
}

// invoices are three paid ones and two overdue ones of a customer who usually pays late, and one
// that is not due.
func invoices() (all []apiclient.Invoice) {
	for i, days := range []int{12, 20, 16, -1, -1, -1} {
		sent, due := sample.Now.AddDate(0, -10+2*i, 0), sample.Now.AddDate(0, -9+2*i, -15)
		one := apiclient.Invoice{
			ID: fmt.Sprintf("inv_%d", i+1), Number: fmt.Sprintf("INV-%06d", i+1), RecipientName: "Aurelia Biolabs",
			RecipientEmail: "pay@aurelia.example", Total: apiclient.NewAmount(int64(i+1)*4_100_00, "USD"),
			CreatedAt: sent, SentAt: &sent, DueDate: &due, Status: apiclient.InvoiceSent,
		}
		if days >= 0 {
			paid := due.AddDate(0, 0, days)
			one.PaidAt, one.Status = &paid, apiclient.InvoicePaid
		} else if due.Before(sample.Now) {
			one.Status = apiclient.InvoiceOverdue
		}
		all = append(all, one)
	}
	slices.Reverse(all)
	return all
}

func sumOf(rows []apiclient.Transaction) (s apiclient.Summary) {
	s.Currency = "USD"
	for i := range rows {
		cents, known := rows[i].Reporting.Minor()
		s.Count++
		switch {
		case !known:
			s.UnconvertedCount++
		case rows[i].Direction == apiclient.Inflow:
			s.InflowMinor += cents
		default:
			s.OutflowMinor += cents
		}
	}
	s.NetMinor = s.InflowMinor - s.OutflowMinor
	return s
}

// bills are seven bills of as many vendors, of which one may be paid, and a disputed one.
func bills() *payables.Payables {
	all := apiclient.Bills{Kept: true, Known: true, Currency: "USD"}
	for i, vendor := range []string{"Cloudhost, Inc.", "Harbor Print", "Juniper & Rook LLP", "Ledgerline Payroll",
		"Pagewright Docs", "Redbrick Recruiting", "Wharf Cleaning", "Zoë Okafor"} {
		cents := int64(i+1) * 1_150_25
		b := apiclient.Bill{
			Number: fmt.Sprintf("B-%d", i+1), VendorName: vendor, State: apiclient.BillOpen, MayBePaid: i == 2,
			Open: apiclient.NewAmount(cents, "USD"), Reporting: apiclient.NewAmount(cents, "USD"),
			DueOn: civil.Of(sample.Now).AddDays(9*i - 20),
		}
		if i == 7 {
			b.State = apiclient.BillDisputed
		}
		all.All = append(all.All, b)
	}
	return payables.Of(&all, civil.Of(sample.Now))
}

// cases are reports that differ in what was read.
func cases() map[string]report.Input {
	all := map[string]report.Input{"usual": company().input(), "empty": empty(), "hostile": hostileBooks().input()}
	young := newBooks()
	young.add("2026-10-03", "Harbour Lane Properties", -18_200_00)
	young.add("2026-10-20", "Aurelia Biolabs", 61_000_00)
	all["first month"] = young.input()
	partial := company().input()
	partial.Month = civil.MustParse("2026-11-01")
	partial.Bills.Value = bills()
	all["current month"] = partial
	enormous := newBooks()
	enormous.add("2026-09-03", "Everything, Ltd", -9_223_372_036_854_775_807)
	enormous.add("2026-10-03", "Everything, Ltd", -9_223_372_036_854_775_807)
	all["enormous"] = enormous.input()
	differing := company().input()
	differing.Cash = report.Part[*apiclient.CashPosition]{Problem: "the token lacks the scope account:read"}
	differing.Invoices = report.Part[collections.List]{Problem: "the token lacks the scope invoices:read"}
	differing.Aging = report.Part[*apiclient.ReceivablesAging]{Problem: "the token lacks the scope invoices:read"}
	differing.History.Differences = []history.Difference{{
		First: civil.MustParse("2026-09-01"), Server: apiclient.Summary{Currency: "USD", Count: 3, OutflowMinor: 1_200_00},
	}}
	all["without cash"] = differing
	planned := company().input()
	planned.Plan.Value = parsed("plan from 2026-09 in USD\n" +
		"budget \"Rent\" 20k/month on 1: Harbour Lane Properties\n" +
		"hire 2 \"engineer\" 9k/month from March 2027\n" +
		"raise \"Seed\" 1.5M on 2027-06-15, takes 10 weeks\n" +
		"floor 200k\n")
	all["with a plan"] = planned
	categorized := company().input()
	categorized.Category = func(t *apiclient.Transaction) string {
		return map[string]string{
			"Ledgerline Payroll": "Payroll", "Harbour Lane Properties": "Rent", "Redbrick Recruiting": "=Hiring <b>",
		}[t.CounterpartyName]
	}
	all["with categories"] = categorized
	misread := company().input()
	misread.Plan.Problem = "The plan cannot be read: line 3: 9k is no month."
	all["with a wrong plan"] = misread
	return all
}

func parsed(text string) *plan.Plan {
	p, err := plan.Parse(text)
	if err != nil {
		panic(err)
	}
	return p
}

func empty() report.Input {
	in := newBooks().input()
	in.Cash.Value = &apiclient.CashPosition{
		Currency: "USD",
		OrgID:    "org_1", Status: apiclient.AccountNotOpen, AsOf: sample.Now, RunwayNote: "No account is open.",
	}
	in.Aging.Value = &apiclient.ReceivablesAging{Currency: "USD", OrgID: "org_1"}
	return in
}

// hostileBooks has ten thousand counterparties, whose names are hostile and long.
func hostileBooks() *books {
	b := newBooks()
	for i := range 10_000 {
		name := hostileNames[i%len(hostileNames)] + fmt.Sprint(i)
		b.add(month(1+i%3, 1+i%28), name, int64(1-2*(i%2))*int64(i+1)*9_999_99)
	}
	return b
}

var hostileNames = []string{
	"</script><script>alert(1)</script>", "</style><svg onload=alert(1)>", `" onmouseover="alert(1)`, "' x='", "<!--",
	"{{.Title}}", "&lt;b&gt;", "\u202egnitrats\u202c", "שלום עולם",
	"Z̷̢a̶l̸g̵o̷", "\x1b[31mred\x07", "日本電機株式会社",
	"javascript:alert(1)", "a\tb\nc\r", "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
}
