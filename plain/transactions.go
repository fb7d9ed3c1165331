package plain

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/position"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/seek"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// transactionRows is the number of transactions printed at a time.
const transactionRows = 20

// transactionsPage lists the transactions that match a filter. Row 1 is always the newest of them,
// wherever the printed rows begin.
type transactionsPage struct {
	filter apiclient.TransactionQuery  // without limit and cursor
	first  int                         // index of the first row to print
	shown  *apiclient.TransactionQuery // filter of the printed rows; nil before the first rows
	page   cached[*apiclient.TransactionPage]
	total  apiclient.Summary // totals of all transactions that match the filter
}

func (p *transactionsPage) name() string { return "transactions" }

func (p *transactionsPage) commands(*session) []command {
	return []command{
		{"filter", "in | out | DATES",
			"filter by direction or dates, such as october, last quarter, ytd, 2026-05, 2026-01-01..2026-03-31", p.setFilter},
		{"search", "WORDS", "search text, and all rows for >5k, 1k..2k, =1240, acct:4821 or cat:travel", p.search},
		{"clear", "", "clear all filters", func(s *session, _ string) error {
			p.filter = apiclient.TransactionQuery{}
			return p.begin(s)
		}},
		{"next", "", "next page (older)", p.next},
		{"previous", "", "previous page (newer)", p.previous},
		{"go", "DATE | 50% | row 1200", "go to a date, percentage or row", p.goTo},
		{"oldest", "", "oldest transactions", func(s *session, _ string) error { return p.showFrom(s, position.Oldest) }},
		{"open", "NUMBER", "show a transaction", p.open},
		{"export", "FILE", "export all matching transactions to a .csv or .json file", p.export},
	}
}

func (p *transactionsPage) show(s *session) error {
	s.say("%s.", s.title())
	at := p.filter
	if p.shown != nil {
		at = *p.shown
	}
	return p.fetch(s, at, p.first)
}

// begin prints the newest transactions after the filter has changed.
func (p *transactionsPage) begin(s *session) error {
	p.shown, p.page = nil, cached[*apiclient.TransactionPage]{}
	return p.fetch(s, p.filter, 0)
}

// fetch requests a page of transactions and prints it. The parameter first is the index of the
// first row on that page.
func (p *transactionsPage) fetch(s *session, q apiclient.TransactionQuery, first int) error {
	q.Limit = transactionRows
	page, err := s.transactions(q)
	if err != nil {
		s.say("Transactions: %s", errorInWords(err))
		if p.shown != nil && *p.shown == q && p.page.known() {
			s.say("Stale: last updated %s ago.", spanInWords(s.Now().Sub(p.page.at)))
			return p.sayRows(s)
		}
		return nil
	}
	p.shown, p.first = &q, first
	p.page = cached[*apiclient.TransactionPage]{page, s.Now()}
	if q.To == p.filter.To {
		p.total = page.Summary
	}
	return p.sayRows(s)
}

// transactions requests one page of transactions.
func (s *session) transactions(q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	return requestWithRetry(s, func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return s.server.Client.TransactionPage(ctx, q)
	})
}

// words describes the filter in words.
func (p *transactionsPage) words() string {
	var parts []string
	switch p.filter.Direction {
	case apiclient.Inflow:
		parts = append(parts, "money in")
	case apiclient.Outflow:
		parts = append(parts, "money out")
	}
	if from := p.filter.From; !from.IsZero() {
		parts = append(parts, "from "+from.String())
	}
	if to := p.filter.To; !to.IsZero() {
		parts = append(parts, "to "+to.String())
	}
	if p.filter.Keyword != "" {
		parts = append(parts, "with "+strconv.Quote(p.filter.Keyword))
	}
	return strings.Join(parts, ", ")
}

// sayRows prints the fetched rows. Before the newest ones, it also prints the totals of the filter.
func (p *transactionsPage) sayRows(s *session) error {
	rows, sum, filter := p.page.value.Data, p.total, p.words()
	switch empty := sum.Count == 0 || len(rows) == 0; {
	case empty && filter == "":
		return s.answer("No transactions yet.")
	case empty:
		return s.answer("No transactions match %s. Type clear to remove the filters.", filter)
	case p.first == 0:
		totals := flowsInWords(figures.FlowsOf(sum, p.filter.Direction))
		s.say("%s, %s: %s.", plural.Count(sum.Count, "transaction"), cmp.Or(filter, "all"), totals)
		s.sayExcluded(sum.UnconvertedCount, 0, sum.Currency)
	}
	first, last := p.shownRows()
	s.say("Rows %s to %s of %s:", first, last, money.Count(sum.Count))
	sayNumbered(s, p.first+1, rows, transactionLine)
	sayUnreadableCount(s, "transaction", rows)
	if p.page.value.NextCursor == "" {
		return s.answer("End of list.")
	}
	return s.answer("Type next for more.")
}

// shownRows returns the numbers of the first and the last printed row.
func (p *transactionsPage) shownRows() (first, last string) {
	return money.Count(int64(p.first + 1)), money.Count(int64(p.first + len(p.page.value.Data)))
}

// transactionLine describes a transaction in one line, without a full stop.
func transactionLine(t *apiclient.Transaction) string {
	day := cmp.Or(t.Date.String(), "Date unknown")
	if t.Unreadable != nil {
		return day + ", " + unreadable(t.ID, t.Unreadable)
	}
	line := day + ", " + amountWithDirection(t.Amount, t.Direction) + ", " +
		cmp.Or(counterparty.Display(t.CounterpartyName), "no counterparty")
	if t.Memo != "" {
		line += ", " + strings.TrimRight(t.Memo, ".")
	}
	return line
}

func (p *transactionsPage) setFilter(s *session, args string) error {
	switch word := strings.ToLower(args); word {
	case "":
		return s.answer("Current filter: %s. filter takes in, out, both or dates.", cmp.Or(p.words(), "none"))
	case "in", "out", "both", "inflow", "outflow":
		p.filter.Direction = map[byte]apiclient.Direction{'i': apiclient.Inflow, 'o': apiclient.Outflow}[word[0]]
	default:
		period, err := civil.ParsePeriod(args, s.today())
		if err != nil {
			return s.answer("%s", problem.Sentence(err.Error()))
		}
		p.filter.From, p.filter.To = period.From, period.To
	}
	return p.begin(s)
}

func (p *transactionsPage) next(s *session, _ string) error {
	if !p.page.known() {
		return p.show(s)
	}
	q := *p.shown
	if q.Cursor = p.page.value.NextCursor; q.Cursor == "" {
		return s.answer("End of list: there is nothing older.")
	}
	return p.fetch(s, q, p.first+len(p.page.value.Data))
}

func (p *transactionsPage) previous(s *session, _ string) error {
	if p.first == 0 {
		return s.answer("These are the newest.")
	}
	return p.showFrom(s, position.Position{Kind: position.Row, Row: max(0, p.first-transactionRows)})
}

func (p *transactionsPage) open(s *session, args string) error {
	rows := p.page.value
	if rows == nil || len(rows.Data) == 0 {
		return s.answer("Nothing to open.")
	}
	n, err := strconv.Atoi(strings.ReplaceAll(args, ",", ""))
	if i := n - 1 - p.first; err == nil && i >= 0 && i < len(rows.Data) {
		return s.open(&transactionPage{rows.Data[i]})
	}
	first, last := p.shownRows()
	return s.answer("open takes a row number from the list: %s to %s.", first, last)
}

// transactionPage shows all fields of one transaction.
type transactionPage struct{ row apiclient.Transaction }

func (p *transactionPage) name() string { return "transaction" }

func (p *transactionPage) commands(*session) []command {
	return []command{
		{"category", "TEXT", "write the category; without a text, remove yours", p.annotate(
			func(a *annotations.Annotation) *string { return &a.Category })},
		{"note", "TEXT", "write a note for you alone; without a text, remove it", p.annotate(
			func(a *annotations.Annotation) *string { return &a.Note })},
	}
}

func (p *transactionPage) show(s *session) error {
	t := &p.row
	s.say("Transaction %s.", cmp.Or(t.ID, unknown))
	if t.Unreadable != nil {
		return s.answer("  %s.", transactionLine(t))
	}
	o := record.Transaction(*t).WithOneAmount()
	s.details(o.Pick("date", "amount_cents", o.TotalsField(), "counterparty_name", "memo",
		"method", "reference", "source_label", "has_receipt"))
	known := s.annotations().Of(t)
	o = o.Annotated(known)
	if t.Account != "" {
		s.details(o.Pick("account"))
	}
	if known.Category != "" {
		s.details(o.Pick("category"))
	}
	if known.Note != "" {
		s.details(o.Pick("note"))
	}
	return nil
}

func (p *transactionsPage) goTo(s *session, args string) error {
	to, err := position.Parse(strings.TrimPrefix(args, "to "), s.today())
	if err != nil {
		return s.answer("%s", problem.Sentence(err.Error()))
	}
	return p.showFrom(s, to)
}

// showFrom prints the transactions from a position in the list onwards.
func (p *transactionsPage) showFrom(s *session, to position.Position) error {
	found, err := seek.Locate(to, p.filter, s.transactions)
	if err != nil {
		return s.failed("Transactions", err)
	}
	if p.total = found.Summary; p.total.Count == 0 {
		return s.answer("No transactions to go to.")
	}
	if found.BeforeOldest {
		s.say("No transactions on or before %s; these are the oldest.", to.Day)
	}
	if found.At < found.Row {
		s.say("Row %s reached after %d requests; type next to continue from here.",
			money.Count(int64(found.At+1)), seek.MaxFurther)
	}
	return p.fetch(s, found.Query, found.At)
}
