package plain

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/answer"
	"tarmac/client/figures"
	"tarmac/client/problem"
)

// question is a question about the company that can be asked on every page.
type question struct {
	name, args, does string
	hint             string // what to type after the answer; may be ""
	// parse returns the question for the words that follow its name. An error means that it doesn't
	// take these words.
	parse func(s *session, args string) (answer.Question, error)
}

// always returns a parse function for a question that takes no words.
func always(ask answer.Question) func(*session, string) (answer.Question, error) {
	return func(*session, string) (answer.Question, error) { return ask, nil }
}

// questions returns all questions. The first ones have numbers, too.
func questions() []question {
	spendWords := "[in | out] [MONTHS] [category] [change | name]"
	return []question{
		{name: "overview", does: "cash, runway, receivables, latest transactions and events", parse: overview},
		{name: "runway", does: "cash, net burn and how long the cash lasts", parse: runway,
			hint: "Type forecast for the next thirteen weeks, or plan for the plan."},
		{name: "receivables", does: "what customers owe, by days past due", parse: always(answer.Receivables),
			hint: "Type overdue for the invoices, or remind for the customers to remind."},
		{name: "spend", args: spendWords, does: "where the money goes, or comes from", parse: spend},
		{name: "forecast", args: "[plan | CASE]", does: "the next thirteen weeks, an estimate", parse: forecast,
			hint: "Type open and the number of a week for what is expected then."},
		{name: "plan", args: "[MONTH]", does: "the plan, or a month compared with it", parse: planned,
			hint: "Type plan and a month to compare it with the plan."},
		{name: "months", does: "money in and out, by month", parse: always(answer.Months)},
		{name: "remind", does: "customers to remind of overdue invoices", parse: always(customers(true)),
			hint: "Type open and a number for the text of a reminder."},
		{name: "customers", does: "all customers, and how late they pay", parse: always(customers(false)),
			hint: "Type open and a number for the text of a reminder."},
		{name: "bills", args: "[due | all | VENDOR]", does: "bills to pay", parse: bills},
		{name: "recurring", args: "[in | out] [change | next | name]", does: "payments that recur", parse: recurring},
		{name: "bridge", args: "[MONTHS]", does: "why the net changed between two months, such as 2026-09..2026-10",
			parse: bridge},
	}
}

// ask opens the answer to a question.
func (q *question) ask(s *session, args string) error {
	page, err := q.page(s, args)
	if input := new(answer.InputError); errors.As(err, &input) {
		return s.answer("%s: %s", upperFirst(q.name), problem.Sentence(input.Text+"; type "+q.name+" "+q.args))
	}
	return s.open(page)
}

// page returns the page of the answer. There is one for each question and its words, so that it can
// show its last answer after a failure.
func (q *question) page(s *session, args string) (*answerPage, error) {
	args = strings.Join(strings.Fields(args), " ")
	key := q.name + " " + args
	if s.answers[key] == nil {
		ask, err := q.parse(s, args)
		if err != nil {
			return nil, err
		}
		s.answers[key] = &answerPage{title: q.name, hint: q.hint, ask: ask}
	}
	return s.answers[key], nil
}

func overview(s *session, _ string) (answer.Question, error) {
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
		organization, live := "", "Live, updated now."
		if ping, err := s.ping.renew(s, s.server.Client.Ping); err == nil {
			organization = " Organization " + ping.OrgID + "."
		} else {
			live = "Not live: " + errorInWords(err)
		}
		s.say("%s.%s %s", s.title(), organization, live)
		return answer.Overview(ctx, from, answer.OverviewParams{Past: s.past})
	}, nil
}

func runway(s *session, _ string) (answer.Question, error) {
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
		past := func(context.Context) (*answer.Past, error) { return s.past, nil }
		return answer.Cash(ctx, from, answer.CashParams{Past: past})
	}, nil
}

func customers(onlyOverdue bool) answer.Question {
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
		return answer.Customers(ctx, from, answer.CustomersParams{OnlyOverdue: onlyOverdue})
	}
}

func bills(_ *session, args string) (answer.Question, error) {
	in := answer.BillsParams{ByVendor: args == "", OnlyDue: args == "due", All: args == "all"}
	if !in.ByVendor && !in.OnlyDue && !in.All {
		in.Vendor = args
	}
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) { return answer.Bills(ctx, from, in) }, nil
}

func spend(s *session, args string) (answer.Question, error) {
	var in answer.SpendParams
	err := setWords(args, in.Set, "direction", "months", "by", "sort")
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
		in.Categories = func() func(*apiclient.Transaction) string {
			return func(t *apiclient.Transaction) string { return s.annotations().Of(t).Category }
		}
		return answer.Spend(ctx, from, in)
	}, err
}

func recurring(_ *session, args string) (answer.Question, error) {
	var in answer.RecurringParams
	err := setWords(args, in.Set, "direction", "sort")
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
		return answer.Recurring(ctx, from, in)
	}, err
}

// setWords sets the parameters with the given names to words, each to the first word that it takes.
// It skips the names themselves, so that "by category" is the same as "category".
func setWords(args string, set func(name, text string) error, names ...string) error {
	for _, word := range strings.Fields(strings.ToLower(args)) {
		takes := func(name string) bool { return set(name, word) == nil }
		if !slices.Contains(names, word) && !slices.ContainsFunc(names, takes) {
			return &answer.InputError{Text: "unknown word " + strconv.Quote(word)}
		}
	}
	return nil
}

func bridge(s *session, args string) (answer.Question, error) {
	in, err := answer.ParseBridge(args, s.today())
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
		return answer.Bridge(ctx, from, in)
	}, err
}

func forecast(s *session, args string) (answer.Question, error) {
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
		in := answer.ForecastParams{With: args}
		if args != "" {
			in.Plan = s.readPlan
		}
		return answer.Forecast(ctx, from, in)
	}, nil
}

// maxUnplanned is how many counterparties without a line of the plan are listed, so that a month
// fits in the rows that are printed at once.
const maxUnplanned = 10

func planned(s *session, args string) (answer.Question, error) {
	in := answer.PlanParams{Read: s.readPlan}
	if args == "" {
		return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
			return answer.Plan(ctx, from, in)
		}, nil
	}
	month, err := answer.ParseMonth("plan", args, s.today())
	return func(ctx context.Context, from answer.Source) (*answer.Doc, error) {
		return answer.PlanMonth(ctx, from, answer.PlanMonthParams{PlanParams: in, Month: month, MaxUnplanned: maxUnplanned})
	}, err
}

// listOverdue lists the overdue invoices of all customers.
func (s *session) listOverdue(string) error {
	var owed figures.Total
	if page := s.answers["receivables "]; page != nil && page.doc.known() {
		totals := page.doc.value.Object.Get("totals")
		o, _ := totals.Object()
		overdue := o.Get("overdue_cents")
		owed, _ = overdue.Total()
	}
	return s.openInvoices(apiclient.InvoiceOverdue, "", owed)
}
