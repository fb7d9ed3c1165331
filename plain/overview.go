package plain

import (
	"cmp"
	"context"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/client/record"
	reasons "tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// overviewRows is the number of transactions, and of events, that the overview lists.
const overviewRows = 5

// overviewPage shows the main figures of the other pages, and the latest records.
type overviewPage struct {
	account cached[*apiclient.Account]
	cash    cached[figures.Cash]
	aging   cached[*apiclient.ReceivablesAging]
	rows    cached[*apiclient.TransactionPage]
	events  cached[*apiclient.EventPage]
}

func (p *overviewPage) name() string { return "overview" }

func (p *overviewPage) commands(*session) []command {
	return []command{{"months", "", "money in and out of the last twelve months", (*session).months}}
}

func (p *overviewPage) show(s *session) error {
	whose, live := "", "Live, updated now."
	if ping, err := s.ping.renew(s, s.server.Client.Ping); err == nil {
		whose = " Organization " + ping.OrgID + "."
	} else {
		live = "Not live: " + errorInWords(err)
	}
	s.say("%s.%s %s", s.title(), whose, live)
	client := s.server.Client
	c, knowsCash := p.cash.get(s, "Runway", s.readCash)
	a, knowsAging := p.aging.get(s, "Receivables", client.ReceivablesAging)
	var basis reasons.Basis
	if knowsCash {
		basis.Cash = &c
	}
	if knowsAging {
		sums := figures.AgingOf(a)
		basis.Aging = &sums
	}
	s.sayAnswers(basis)
	if account, ok := p.account.get(s, "Balance", client.Account); ok {
		s.sayBalance(account)
	}
	if knowsCash {
		s.sayRunway(c)
	}
	if knowsAging {
		s.sayReceivables(a)
	}
	page, ok := p.rows.get(s, "Latest transactions", func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return client.TransactionPage(ctx, apiclient.TransactionQuery{Limit: overviewRows})
	})
	if ok {
		sayLatest(s, "transaction", page.Data, transactionLine)
	}
	events, ok := p.events.get(s, "Latest events", func(ctx context.Context) (*apiclient.EventPage, error) {
		return client.EventPage(ctx, apiclient.EventQuery{Limit: overviewRows})
	})
	if ok {
		sayLatest(s, "event", events.Data, eventLine)
	}
	return nil
}

// sayAnswers prints how long the cash lasts, what customers owe and, once the transactions have
// been read, why the runway and the net of the last full month changed. Where amounts are hidden it
// prints nothing: the sentences consist of them.
func (s *session) sayAnswers(of reasons.Basis) {
	if s.masked {
		return
	}
	of.Today = s.today()
	if s.past != nil && s.past.Progress().Complete {
		of.Ledger = s.past.Ledger()
		of.Begins, of.Today = of.Ledger.Begins(), of.Ledger.Coverage.KnownTo(of.Today)
	}
	for _, sentence := range reasons.Sentences(of) {
		s.saySentence(sentence.Text)
	}
}

// sayLatest prints the latest records. They have no numbers, because this page cannot open them.
func sayLatest[T apiclient.Record](s *session, noun string, rows []T, line func(row *T) string) {
	if len(rows) == 0 {
		s.say("Latest %ss: none yet.", noun)
		return
	}
	s.say("Latest %ss:", noun)
	for i := range rows {
		s.say("  %s.", line(&rows[i]))
	}
	sayUnreadableCount(s, noun, rows)
}

// sayBalance prints the parts of the balance, or why it is missing.
func (s *session) sayBalance(a *apiclient.Account) {
	switch {
	case a.Status == apiclient.AccountNotOpen:
		s.say("Balance: no account is open yet. Figures appear once an account is open.")
	case a.Balance == nil:
		s.say("Balance: %s.", unknown)
	default:
		var parts []string
		for _, f := range record.Balance(a) {
			parts = append(parts, strings.ToLower(f.Label)+" "+s.value(&f))
		}
		s.say("Balance: %s. %s", strings.Join(parts, ", "),
			problem.Sentence(cmp.Or(figures.WithTime("synced", a.SyncedAt, s.Now()), "sync time unknown")))
		s.say("Available is %s.", figures.AvailableMeaning)
	}
}

// sayExcluded prints how many transactions and receivables are left out of the sums printed before.
// It prints nothing if there are none.
func (s *session) sayExcluded(transactions, receivables int64, currency string) {
	if text := figures.Excluded(transactions, receivables, currency); text != "" {
		s.say("%s", text)
	}
}

// sayWhy prints why a sum is unknown or what it leaves out. It prints nothing for a complete sum.
func (s *session) sayWhy(sum figures.Total) {
	if text := sum.Why(); text != "" {
		s.say("%s", text)
	}
}

// monthsListed is the number of months that the command months prints.
const monthsListed = 12

// months prints money in and out by calendar month, latest month first.
func (s *session) months(string) error {
	first := civil.Of(s.Now()).FirstOfMonth()
	coverage, err := requestWithRetry(s, func(ctx context.Context) (figures.Coverage, error) {
		return cash.Coverage(ctx, s.server.Client, s.today())
	})
	if err != nil {
		return s.failed("Months", err)
	}
	var said []figures.Month
	for i := range monthsListed {
		from := first.AddMonths(-i)
		page, err := s.transactions(apiclient.TransactionQuery{From: from, To: from.LastOfMonth(), Limit: 1})
		if err != nil {
			return s.failed("Months", err)
		}
		m := coverage.Cover([]figures.Month{{First: from, Summary: page.Summary}})[0]
		if i == 0 {
			s.say("Money in and out by month, in %s, the latest first:", money.Name(page.Summary.Currency))
		}
		said = append(said, m)
		s.say("  %s: %s.", m.Name(s.Now()), flowsInWords(m.Flows()))
	}
	s.sayExcluded(figures.Unconverted(said), 0, figures.CurrencyOf(said))
	if text := figures.WhyMissing(said); text != "" {
		s.say("%s", text)
	}
	return nil
}
