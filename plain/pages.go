package plain

import (
	"context"
	"slices"
	"strconv"

	"tarmac/apiclient"
	"tarmac/client/answer"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/internal/plural"
)

func newOverviewPage() *answerPage {
	return &answerPage{title: "overview", more: []command{monthsCommand},
		ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
			whose, live := "", "Live, updated now."
			if ping, err := s.ping.renew(s, s.server.Client.Ping); err == nil {
				whose = " Organization " + ping.OrgID + "."
			} else {
				live = "Not live: " + errorInWords(err)
			}
			s.say("%s.%s %s", s.title(), whose, live)
			return answer.Overview(ctx, s.source(), answer.OverviewParams{Past: s.past})
		}}
}

var monthsCommand = command{"months", "", "money in and out, by month", func(s *session, _ string) error {
	return s.open(&answerPage{title: "months", ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
		return answer.Months(ctx, s.source())
	}})
}}

func newReceivablesPage() *answerPage {
	p := &answerPage{title: "receivables", ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
		s.say("%s.", s.title())
		return answer.Receivables(ctx, s.source())
	}}
	p.more = []command{
		{"overdue", "", "all overdue invoices", func(s *session, _ string) error {
			var owed figures.Total
			if p.doc.known() {
				totals := p.doc.value.Whole.Get("totals")
				o, _ := totals.Object()
				overdue := o.Get("overdue_cents")
				owed, _ = overdue.Total()
			}
			return s.openInvoices(apiclient.InvoiceOverdue, "", owed)
		}},
		customersCommand("remind", "whom to remind of overdue invoices", true),
		customersCommand("customers", "all customers, how late they usually pay and when they will pay next", false),
	}
	return p
}

func customersCommand(name, does string, onlyOverdue bool) command {
	return command{name, "", does, func(s *session, args string) error {
		if args != "" {
			return s.answer("Type %s first: it lists them with their numbers.", name)
		}
		page := &answerPage{title: "customers", hint: "Type remind and a number for the text of a reminder.",
			ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
				return answer.Customers(ctx, s.source(), onlyOverdue)
			}}
		page.more = []command{{"remind", "NUMBER", "the text of a reminder, by list number", page.open}}
		return s.open(page)
	}}
}

func newBillsPage() *answerPage {
	var more []command
	ask := func(in answer.BillsParams) *answerPage {
		return &answerPage{title: "bills", more: more, ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
			return answer.Bills(ctx, s.source(), in)
		}}
	}
	more = []command{
		{"due", "", "bills that are past due or due within a week", func(s *session, _ string) error {
			return s.open(ask(answer.BillsParams{OnlyDue: true}))
		}},
		{"list", "VENDOR", "bills of a vendor, by part of its name, or of all", func(s *session, args string) error {
			return s.open(ask(answer.BillsParams{Vendor: args, All: args == ""}))
		}},
	}
	p := ask(answer.BillsParams{ByVendor: true})
	p.hint = "Type open and a vendor's number for its bills."
	return p
}

func newSpendPage() *answerPage {
	var in answer.SpendParams
	set := func(name string) func(string) error { return func(text string) error { return in.Set(name, text) } }
	return &answerPage{title: "spend",
		ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
			in.Category = func(t *apiclient.Transaction) string { return s.annotations().Of(t).Category }
			return answer.Spend(ctx, s.source(), in)
		},
		options: []option{
			{"filter", "in or out", "money in or money out", set("direction")},
			{"months", "a number from 1 to " + strconv.Itoa(answer.MaxMonths), "number of full months", set("months")},
			{"sort", "amount, change or name", "change the order", set("sort")},
			{"by", "counterparty or category", "what is summed", set("by")},
		}}
}

func newRecurringPage() *answerPage {
	var in answer.RecurringParams
	set := func(name string) func(string) error { return func(text string) error { return in.Set(name, text) } }
	return &answerPage{title: "recurring",
		ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
			return answer.Recurring(ctx, s.source(), in)
		},
		options: []option{
			{"filter", "in or out", "money in or money out", set("direction")},
			{"sort", "amount, change, next or name", "change the order", set("sort")},
		}}
}

// bridge shows the changes between two months such as 2026-09..2026-10, or the last two full ones.
func (s *session) bridge(args string) error {
	in, err := answer.ParseBridge(args, s.today())
	if err != nil {
		return s.answer("%s.", upperFirst(err.Error()))
	}
	return s.open(&answerPage{title: "bridge", ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
		return answer.Bridge(ctx, s.source(), in)
	}})
}

// runwayPage shows the runway, and what the plan comes to.
type runwayPage struct {
	answerPage
	cash   cached[figures.Cash]
	aging  cached[*apiclient.ReceivablesAging]
	memory plan.Memory // the plan, if nothing is saved
}

func newRunwayPage() *runwayPage {
	p := &runwayPage{}
	p.answerPage = answerPage{title: "runway", more: []command{
		{"forecast", "[plan]", "the next thirteen weeks, an estimate; with plan, or the name of a case of it, their effect",
			p.forecast},
		{"suppose", "WORDS", "add a case to the plan: suppose " + plan.WhatIfExample, p.suppose},
		{"forget", "[CASE]", "remove a case of the plan, or all", p.forget},
		{"plan", "[MONTH]", "what the plan comes to, and by when money must be there; with a month, against what came",
			p.plan},
		monthsCommand,
	}}
	p.ask = func(ctx context.Context, s *session) (*answer.Doc, error) {
		s.say("%s.", s.title())
		p.hint = "Type forecast for the next thirteen weeks and whether the company is default alive."
		if c, ok := p.knownCash(s); ok {
			if of, _, _, err := p.loadPlan(s, c); err == nil && of != nil && len(of.Lines) > 0 {
				p.hint = "There is a plan of " + plural.Count(len(of.Lines), "line") + ". Type plan for what it comes to."
			}
		}
		return answer.Runway(ctx, s.source(), s.past)
	}
	return p
}

// forecast prints the next thirteen weeks. args is "", the word plan, or the name or the number of
// a case of the plan.
func (p *runwayPage) forecast(s *session, args string) error {
	in := answer.ForecastParams{With: args}
	if args != "" {
		of, ok := p.readPlan(s)
		if !ok {
			return nil
		}
		if n, err := strconv.Atoi(args); err == nil && n >= 1 && n <= len(of.Cases) {
			in.With = of.Cases[n-1]
		}
		if in.With != plan.WholePlan && !slices.Contains(of.Cases, in.With) {
			return s.answer("The plan has no case %q. Type plan to list them.", args)
		}
		in.Plan = func(string) (*plan.Plan, error) { return of, nil }
	}
	page := &answerPage{title: "forecast", hint: "Type week and its number for what is expected in a week.",
		ask: func(ctx context.Context, s *session) (*answer.Doc, error) {
			return answer.Forecast(ctx, s.source(), in)
		}}
	page.more = []command{{"week", "NUMBER", "what the forecast expects in a week", page.open}}
	return s.open(page)
}

// readCash reads the cash position.
func (s *session) readCash(ctx context.Context) (figures.Cash, error) {
	return cash.Read(ctx, s.server.Client)
}

// knownCash returns the cash position, which it reads unless it is known. It returns false if that
// fails.
func (p *runwayPage) knownCash(s *session) (figures.Cash, bool) {
	if p.cash.known() {
		return p.cash.value, true
	}
	return p.cash.get(s, "Runway", s.readCash)
}
