// Package unrated tests how front ends show transactions without a USD rate. It provides companies
// in which all, some or no transactions have a rate, a server for them, and a check of what a front
// end shows.
package unrated

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarmac/internal/civil"
)

// Rated says which of a company's transactions have a USD rate.
type Rated int

const (
	All    Rated = iota
	Some         // of every four months before the estimate, two have all rates, one none, one half
	Latest       // only transactions of the current month lack rates
	None
)

// Companies returns a map with one company for each value of the type Rated. The keys of the map
// are names for subtests.
func Companies(now time.Time) map[string]Company {
	return map[string]Company{
		"all":                {Rated: All, Now: now},
		"some":               {Rated: Some, Now: now},
		"all but the latest": {Rated: Latest, Now: now},
		"none":               {Rated: None, Now: now},
	}
}

// Amounts in USD cents that do not depend on missing rates: the balances of the account and the
// cash position.
const (
	available, holding, locked, pending = 181_422_567, 4_237_911, 2_548_133, 1_875_057
	cash, spendable, burn               = 243_918_842, 237_218_849, 16_701_311
	runwayMonths                        = "14.2"
)

// Company responds to the read requests of the API with its data as of the time Now. InflowsShown
// says that the front end shows inflows only, so that FalseStatements treats all sums of outflows
// as complete.
type Company struct {
	Rated        Rated
	Now          time.Time
	InflowsShown bool
}

// Each of the last monthsBack months has transactions. In a company with all rates, the month that
// was emptyMonth months ago has none.
const (
	monthsBack = 14
	emptyMonth = 5
)

type row struct {
	date   civil.Date
	inflow bool
	cents  int64
	rated  bool
	id     string
}

// rows returns four transactions per month, newest first: two inflows and two outflows.
func (c Company) rows() (all []row) {
	first := civil.Of(c.Now).FirstOfMonth()
	for m := range monthsBack {
		if m == emptyMonth && c.Rated == All {
			continue
		}
		for k := range int64(4) {
			all = append(all, row{
				date: first.AddMonths(-m).AddDays(4 - int(k)), inflow: k%2 == 0, cents: 3_731_357 + int64(m)*131_353 + k*777_119,
				rated: c.Rated.hasRate(m, k), id: fmt.Sprintf("txn_%02d%d", m, k),
			})
		}
	}
	return all
}

// hasRate reports whether transaction k of a month has a USD rate.
func (r Rated) hasRate(monthsAgo int, k int64) bool {
	switch r {
	case All:
		return true
	case Some:
		return monthsAgo < 4 || monthsAgo%4 < 2 || monthsAgo%4 == 3 && k < 2
	case Latest:
		return monthsAgo > 0 || k < 2
	}
	return false
}

type sums struct{ count, in, out, unrated int64 }

func sumOf(rows []row) (s sums) {
	for _, r := range rows {
		s.count++
		switch {
		case !r.rated:
			s.unrated++
		case r.inflow:
			s.in += r.cents
		default:
			s.out += r.cents
		}
	}
	return s
}

func (s sums) object() map[string]any {
	return map[string]any{
		"count": s.count, "inflow_usd_cents": s.in, "outflow_usd_cents": s.out, "net_usd_cents": s.in - s.out,
		"unconverted_count": s.unrated,
	}
}

func (r row) object() map[string]any {
	o := map[string]any{
		"id": r.id, "amount_cents": r.cents, "amount_known": true, "amount_usd_cents": r.cents, "usd_known": true,
		"currency":  "USD",
		"direction": "outflow", "date": r.date.String(), "counterparty_name": "Ironwood", "has_receipt": true,
		"source":       "svc",
		"source_label": "Service account",
	}
	if r.inflow {
		o["direction"] = "inflow"
	}
	if !r.rated {
		o["amount_usd_cents"], o["usd_known"], o["currency"] = 0, false, "XAF"
	}
	return o
}

// ServeHTTP responds to the read requests of the API. For other paths it responds with status 404.
func (c Company) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var answer any
	switch path := strings.TrimPrefix(r.URL.Path, "/api/ext/v1"); path {
	case "/ping":
		answer = map[string]any{"org_id": "org_unrated", "scopes": []string{"account:read"}, "token_expires_at": nil}
	case "/account":
		answer = map[string]any{"org_id": "org_unrated", "status": "open", "synced_at": c.Now, "balance": map[string]any{
			"available_cents": available, "holding_cents": holding, "locked_cents": locked, "pending_cents": pending,
		}}
	case "/insights/cash-position":
		answer = map[string]any{
			"org_id": "org_unrated", "status": "open", "as_of": c.Now, "cash_cents": cash, "monthly_burn_cents": burn,
			"is_burning": true,
			"sufficient": true, "runway_cash_cents": spendable, "runway_months": json.Number(runwayMonths),
			"runway_note": c.note(),
		}
	case "/receivables/aging":
		answer = c.aging()
	case "/transactions":
		answer = c.page(r)
	case "/events":
		answer = map[string]any{"data": []any{}, "next_cursor": ""}
	case "/invoices", "/webhooks":
		answer = []any{}
	default:
		w.WriteHeader(http.StatusNotFound)
		answer = map[string]any{"error": "not found"}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// Caveat returns the sentence in the server's runway note that names what is excluded. If Rated is
// All, it returns "".
func (c Company) Caveat() string {
	if c.Rated == All {
		return ""
	}
	return "1 linked balance has no USD rate and is excluded."
}

func (c Company) note() string {
	return strings.TrimSpace(
		"About " + runwayMonths + " months at the average net burn of the last 3 full months. " + c.Caveat(),
	)
}

// page returns the page of transactions that a request selects.
func (c Company) page(r *http.Request) map[string]any {
	q := r.URL.Query()
	rows := slices.DeleteFunc(c.rows(), func(one row) bool {
		day := one.date.String()
		direction := map[bool]string{true: "inflow", false: "outflow"}[one.inflow]
		return q.Get("from") != "" && day < q.Get("from") || q.Get("to") != "" && day > q.Get("to") ||
			q.Get("direction") != "" && direction != q.Get("direction")
	})
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
	for _, one := range rows[from:to] {
		data = append(data, one.object())
	}
	return map[string]any{"data": data, "next_cursor": next, "summary": sumOf(rows).object()}
}

// aging returns receivables in five buckets. Each bucket except the first has one overdue customer.
func (c Company) aging() map[string]any {
	count, unrated := int64(12), map[Rated]int64{Some: 3, Latest: 3, None: 12}[c.Rated]
	names := [...]string{"current_cents", "days_1_30_cents", "days_31_60_cents", "days_61_90_cents", "days_90_plus_cents"}
	buckets, customers, outstanding, overdue := map[string]any{}, []any{}, int64(0), int64(0)
	for i, name := range names {
		cents := c.bucket(i)
		buckets[name] = cents
		outstanding += cents
		if i > 0 {
			overdue += cents
			customers = append(customers, map[string]any{
				"customer_name": fmt.Sprintf("Customer %d", i), "overdue_cents": cents, "overdue_count": 1,
				"oldest_days_past_due": 30 * i,
			})
		}
	}
	return map[string]any{
		"org_id": "org_unrated", "as_of": c.Now, "currency": "USD", "buckets": buckets, "top_overdue_customers": customers,
		"totals": map[string]any{
			"outstanding_cents": outstanding, "overdue_cents": overdue, "invoice_count": count, "overdue_count": count - 4,
			"unconverted_count": unrated,
		},
	}
}

func (c Company) bucket(i int) int64 {
	if c.Rated == None {
		return 0
	}
	return 4_125_437 - int64(i)*731_119
}
