// Package voices holds companies whose figures are hard to say, with a server for each. Its test
// compares what the dashboard, the line mode, the commands, the report, the assistants and the
// check say of them.
package voices

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/readings"
)

// Now is the time of all companies.
var Now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// Company answers the read requests of the API.
type Company struct {
	Name     string
	Account  map[string]any
	Cash     map[string]any
	Aging    map[string]any
	Invoices []any
	Rows     []Row  // newest first
	Bills    []Bill // nil if no list of bills was imported
}

// Row is a transaction in US dollars. If it is not rated, its amount in US dollars is unknown. If
// it is broken, the client cannot decode it.
type Row struct {
	Day           civil.Date
	Direction     string
	Name          string
	Cents         int64
	Rated, Broken bool
}

// Companies returns all companies.
func Companies() []Company {
	var all []Company
	add := func(name string, change func(*Company)) {
		c := whole()
		c.Name = name
		if change != nil {
			change(&c)
		}
		all = append(all, c)
	}
	add("all rates", nil)
	add("no rates", func(c *Company) {
		c.leaveOut(func(int) bool { return true })
		for i := range c.Bills {
			c.Bills[i].Rated = false
		}
		c.Aging = aging(12, 12, 0, 0, 0, 0, 0)
	})
	add("some without rates", func(c *Company) {
		c.leaveOut(func(i int) bool { return i%13 == 4 })
		c.Bills[1].Rated = false
		c.Aging = aging(12, 3, 4_100_00, 3_300_00, 2_700_00, 1_900_00, 800_00)
	})
	add("half without rates", func(c *Company) {
		c.leaveOut(func(i int) bool { return i%2 == 1 })
		c.Bills[0].Rated, c.Bills[2].Rated, c.Bills[3].Rated = false, false, false
		c.Aging = aging(12, 6, 4_100_00, 3_300_00, 0, 0, 0)
	})
	add("an account without a rate", func(c *Company) {
		c.Cash["runway_note"] = c.Cash["runway_note"].(string) +
			" Cash is incomplete: there is no exchange rate for St. Gallen KB …6666 in CHF."
		c.extend("coverage", map[string]any{"accounts": []any{map[string]any{
			"account": "St. Gallen KB …6666", "currency": "CHF", "state": "current", "unrated": true,
		}}})
	})
	add("unanswered questions", func(c *Company) {
		unanswered := readings.Unanswered{
			Questions: 2, InMinor: 31_400_00, Transfers: 1, Low: readings.Reading{BurnMinor: 14_000_00, Tenths: 635},
			High: readings.Reading{BurnMinor: 28_000_00, Tenths: 317},
		}
		c.Bills[0].MayBePaid, c.Bills[3].MayBePaid = true, true
		c.extend("readings", map[string]any{
			"questions": unanswered.Questions, "inflow_cents": unanswered.InMinor, "transfers": unanswered.Transfers,
			"low": reading(unanswered.Low), "high": reading(unanswered.High),
		})
	})
	add("statements with gaps", func(c *Company) {
		c.Cash["runway_note"] = c.Cash["runway_note"].(string) + " No statement of Chase …1234 covers 2026-10-13 to " +
			"2026-10-20."
		c.cover("2026-11-12", "2024-10-01..2024-12-31", "2026-10-13..2026-10-20")
	})
	add("a month without statements", func(c *Company) {
		c.Rows = slices.DeleteFunc(c.Rows, func(r Row) bool { return r.Day.FirstOfMonth() == civil.New(2026, 10, 1) })
		c.Cash["runway_note"] = c.Cash["runway_note"].(string) + " No statement of Chase …1234 covers 2026-10-01 to " +
			"2026-10-31."
		c.cover("2026-11-19", "2026-10-01..2026-10-31")
	})
	add("not open", func(c *Company) {
		c.Account["status"], c.Account["balance"], c.Account["synced_at"] = "not_open", nil, nil
		c.Cash = position("not_open", 0, 0, false, false, nil, nil, "")
	})
	add("a short history", func(c *Company) {
		c.Rows = slices.DeleteFunc(c.Rows, func(r Row) bool { return r.Day.Before(civil.New(2026, 10, 10)) })
		c.Cash = position("open", 900_000_00, 0, false, false, 890_000_00, nil, "Not enough history.")
	})
	add("not burning", func(c *Company) {
		for i := range c.Rows {
			if c.Rows[i].Direction == "inflow" {
				c.Rows[i].Cents *= 4
			}
		}
		c.Cash = position("open", 900_000_00, 0, false, true, 890_000_00, nil, "Not burning.")
	})
	add("no spendable cash", func(c *Company) {
		c.Bills = nil
		c.Cash["runway_cash_cents"], c.Cash["runway_months"] = nil, nil
		c.Cash["runway_note"] = "The spendable balance is not known."
	})
	add("the year 1", func(c *Company) {
		c.Account["synced_at"], c.Cash["as_of"], c.Aging["as_of"] = time.Time{}, time.Time{}, time.Time{}
	})
	add("sums near the largest integer", func(c *Company) {
		for i := range c.Rows {
			c.Rows[i].Cents = math.MaxInt64/8 - int64(i)
		}
		for i := range c.Bills {
			c.Bills[i].Cents = math.MaxInt64 / 4
		}
		c.Cash["cash_cents"], c.Cash["runway_cash_cents"] = int64(math.MaxInt64), int64(math.MaxInt64-1)
		c.Aging = aging(12, 0, math.MaxInt64/8, math.MaxInt64/8, math.MaxInt64/8, math.MaxInt64/8, math.MaxInt64/8)
	})
	add("nothing owed", func(c *Company) {
		c.Aging, c.Invoices, c.Bills = aging(0, 0, 0, 0, 0, 0, 0), []any{}, []Bill{}
	})
	add("some customers who are not among the most overdue", func(c *Company) {
		c.Aging["top_overdue_customers"] = c.Aging["top_overdue_customers"].([]any)[:2]
	})
	add("unknown directions", func(c *Company) {
		for i := range c.Rows {
			if i%13 == 4 {
				c.Rows[i].Direction = "sideways"
			}
		}
	})
	add("not burning but for money out without a rate", func(c *Company) {
		c.Rows[slices.IndexFunc(c.Rows, func(r Row) bool {
			return r.Name == "Rent Co" && r.Day == civil.New(2026, 9, 1)
		})].Rated = false
		for i := range c.Rows {
			if c.Rows[i].Direction == "inflow" {
				c.Rows[i].Cents *= 4
			}
		}
		c.Cash = position("open", 900_000_00, 0, false, true, 890_000_00, nil, "Not burning: cash flow was positive.")
	})
	add("unreadable rows", func(c *Company) {
		for i := range c.Rows {
			c.Rows[i].Broken = c.Rows[i].Name != "Hooli"
		}
	})
	add("gaps, and rows without rate, without direction and unreadable", func(c *Company) {
		for i := range c.Rows {
			switch i % 17 {
			case 4:
				c.Rows[i].Rated = false
			case 8:
				c.Rows[i].Direction = "sideways"
			case 12:
				c.Rows[i].Broken = true
			}
		}
		c.Cash["runway_note"] = c.Cash["runway_note"].(string) + " No statement of Chase …1234 covers 2026-10-13 to " +
			"2026-10-20."
		c.cover("2026-11-19", "2024-10-01..2024-12-31", "2026-10-13..2026-10-20")
	})
	return all
}

// extend sets a member of the extension of the cash position (docs/api.md, Facts).
func (c *Company) extend(member string, value any) {
	c.Cash["extension"] = map[string]any{"books_revision": "1", "reporting_currency": "USD", member: value}
}

// cover sets the last day that statements cover and the days that they lack, each written as
// "2026-06-01..2026-06-30".
func (c *Company) cover(to string, gaps ...string) {
	var days []any
	for _, gap := range gaps {
		first, last, _ := strings.Cut(gap, "..")
		days = append(days, map[string]any{"first": first, "last": last})
	}
	c.extend("coverage", map[string]any{"known_to": to, "gaps": days, "accounts": []any{}})
}

func reading(r readings.Reading) map[string]any {
	return map[string]any{
		"monthly_burn_cents": r.BurnMinor, "runway_months": json.Number(apiclient.MonthsOf(r.Tenths).String()),
	}
}

func (c *Company) leaveOut(unrated func(row int) bool) {
	for i := range c.Rows {
		c.Rows[i].Rated = !unrated(i)
	}
}

// whole returns a company of which everything is known.
func whole() Company {
	c := Company{
		Account: map[string]any{"org_id": "org_voices", "status": "open", "synced_at": Now, "balance": map[string]any{
			"available_cents": 890_000_00, "holding_cents": 6_000_00, "locked_cents": 3_000_00, "pending_cents": 1_000_00,
		}},
		Cash: position("open", 900_000_00, 24_500_00, true, true, 890_000_00, "36.3",
			"About 36.3 months at the average net burn of the last 3 full months."),
		Aging:    aging(12, 0, 4_100_00, 3_300_00, 2_700_00, 1_900_00, 800_00),
		Invoices: invoices(), Bills: bills(),
	}
	for month := range 24 {
		c.Rows = append(c.Rows, rowsOf(civil.New(2026, 11, 1).AddMonths(-month), month)...)
	}
	c.Rows = slices.DeleteFunc(c.Rows, func(r Row) bool { return r.Day.After(civil.Of(Now)) })
	slices.SortStableFunc(c.Rows, func(a, b Row) int { return b.Day.Compare(a.Day) })
	return c
}

// rowsOf returns the rows of a month, which is a number of months ago.
func rowsOf(first civil.Date, ago int) []Row {
	day := func(n int) civil.Date { return first.AddDays(n - 1) }
	changing := int64(ago*ago%7) * 111_11
	return []Row{
		{day(1), "outflow", "Rent Co", 9_000_00, true, false},
		{day(3), "inflow", "Hooli", 30_000_00, true, false},
		{day(5), "outflow", "Cloud Inc", 12_000_00 + changing, true, false},
		{day(8), "inflow", "Initech", 4_000_00 + 2*changing, true, false},
		{day(12), "outflow", "Vendor " + strconv.Itoa(ago%4), 2_500_00 + changing, true, false},
		{day(15), "outflow", "Payroll", 20_000_00, true, false},
		{day(18), "outflow", "Payroll", 20_000_00, true, false},
	}
}

func position(status string, cents, burn int64, burning, sufficient bool, spendable, months any, note string,
) map[string]any {
	if text, ok := months.(string); ok {
		months = json.Number(text)
	}
	return map[string]any{
		"org_id": "org_voices", "status": status, "as_of": Now, "cash_cents": cents, "monthly_burn_cents": burn,
		"is_burning": burning, "sufficient": sufficient, "runway_cash_cents": spendable, "runway_months": months,
		"runway_note": note,
	}
}

// aging returns receivables by days past due. Each bucket that is overdue has one customer.
func aging(count, unrated int64, buckets ...int64) map[string]any {
	names := [...]string{"current_cents", "days_1_30_cents", "days_31_60_cents", "days_61_90_cents", "days_90_plus_cents"}
	byName, customers, outstanding := map[string]any{}, []any{}, int64(0)
	for i, name := range names {
		byName[name] = buckets[i]
		outstanding += buckets[i]
		if i > 0 && count > 0 {
			customers = append(customers, map[string]any{
				"customer_name": "Customer " + strconv.Itoa(i), "overdue_cents": buckets[i], "overdue_count": 1,
				"oldest_days_past_due": 30*i - 10,
			})
		}
	}
	return map[string]any{
		"org_id": "org_voices", "as_of": Now, "currency": "USD", "buckets": byName, "top_overdue_customers": customers,
		"totals": map[string]any{
			"outstanding_cents": outstanding, "overdue_cents": outstanding - buckets[0], "invoice_count": count,
			"overdue_count": count / 3, "unconverted_count": unrated,
		},
	}
}

// invoices returns an overdue invoice of each customer, which is larger than what the aging says is
// still owed.
func invoices() (all []any) {
	for i, cents := range [...]int64{3_300_00, 2_700_00, 1_900_00, 800_00} {
		due := Now.AddDate(0, 0, -(30*(i+1) - 10))
		number := strconv.Itoa(i + 1)
		all = append(all, map[string]any{
			"id": "inv_" + number, "number": "INV-" + number, "status": "overdue", "currency": "USD", "description": "",
			"recipient_name": "Customer " + number, "recipient_email": "c" + number + "@example.com",
			"subtotal_cents": cents, "tax_cents": 0, "total_cents": cents, "due_date": due,
			"created_at": due.AddDate(0, 0, -30), "updated_at": due, "sent_at": due.AddDate(0, 0, -30),
		})
	}
	return all
}

// ServeHTTP answers a request.
func (c Company) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var answer any
	switch path := strings.TrimPrefix(r.URL.Path, "/api/ext/v1"); path {
	case "/ping":
		answer = map[string]any{"org_id": "org_voices", "scopes": []string{"account:read"}, "token_expires_at": nil}
	case "/account":
		answer = c.Account
	case "/insights/cash-position":
		if answer = c.Cash; c.Cash["extension"] != nil {
			w.Header().Set("Preference-Applied", "tarmac-extension")
		}
	case "/receivables/aging":
		answer = c.Aging
	case "/invoices":
		answer = c.Invoices
	case "/transactions":
		answer = c.page(r)
	case "/api/books/v1/bills":
		answer = c.billList()
	case "/events":
		answer = map[string]any{"data": []any{}, "next_cursor": ""}
	case "/webhooks":
		answer = []any{}
	default:
		w.WriteHeader(http.StatusNotFound)
		answer = map[string]any{"error": "not found"}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// page returns the page of transactions that a request selects.
func (c Company) page(r *http.Request) map[string]any {
	q := r.URL.Query()
	var rows []Row
	for _, row := range c.Rows {
		day := row.Day.String()
		if q.Get("from") != "" && day < q.Get("from") || q.Get("to") != "" && day > q.Get("to") ||
			q.Get("direction") != "" && row.Direction != q.Get("direction") || q.Get("keyword") != "" {
			continue
		}
		rows = append(rows, row)
	}
	from, _ := strconv.Atoi(q.Get("cursor"))
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		limit = 50
	}
	next, to := "", min(len(rows), from+limit)
	if to < len(rows) {
		next = strconv.Itoa(to)
	}
	data := []any{}
	for i := from; i < to; i++ {
		data = append(data, rows[i].object())
	}
	return map[string]any{"data": data, "next_cursor": next, "summary": summary(rows)}
}

// summary adds rows up as the service does. Sums that are too large end at the largest integer.
func summary(rows []Row) map[string]any {
	in, out, unrated := int64(0), int64(0), 0
	for _, r := range rows {
		sum := &out
		if r.Direction == "inflow" {
			sum = &in
		}
		switch {
		case !r.Rated:
			unrated++
		case r.Direction == "sideways":
		case *sum > math.MaxInt64-r.Cents:
			*sum = math.MaxInt64
		default:
			*sum += r.Cents
		}
	}
	return map[string]any{
		"count": len(rows), "inflow_usd_cents": in, "outflow_usd_cents": out, "net_usd_cents": in - out,
		"unconverted_count": unrated,
	}
}

// ID returns the ID of the row.
func (r Row) ID() string { return "txn_" + r.Day.String() + strings.ReplaceAll(r.Name, " ", "") }

func (r Row) object() map[string]any {
	id := r.ID()
	if r.Broken {
		return map[string]any{"id": id}
	}
	o := map[string]any{
		"id": id, "amount_cents": r.Cents, "amount_known": true, "amount_usd_cents": r.Cents, "usd_known": true,
		"currency": "USD", "direction": r.Direction, "date": r.Day.String(), "counterparty_name": r.Name,
		"has_receipt": true, "source": "svc", "source_label": "Service account",
	}
	if !r.Rated {
		o["amount_usd_cents"], o["usd_known"], o["currency"] = 0, false, "XAF"
	}
	return o
}
