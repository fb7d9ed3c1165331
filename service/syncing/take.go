package syncing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/jsonlines"
	"tarmac/service/store"
)

// take takes an answer of the provider into the books. Everything that changes is stored in one
// transaction.
func (r *reading) take(ctx context.Context, answer providers.Reading, q providers.Request) error {
	statements := r.compare(answer, q)
	if q.Until.IsZero() {
		r.succeed(answer)
	}
	if len(statements) == 0 && answer.Invoices == nil {
		return r.record(ctx)
	}
	text, err := r.text(statements, answer.Invoices)
	if err != nil {
		return err
	}
	written := false
	report, err := r.Books(r.c.Org).Import(ctx,
		[]bookkeeping.Source{{Name: r.c.Label, Content: bytes.NewReader(text)}},
		bookkeeping.Options{AcceptResidual: true, Feed: &bookkeeping.Feed{
			Connection: r.c.ID, Provider: r.kind.Name, Title: r.kind.Title, OwnFeed: r.kind.OwnFeed,
			AcceptRemoved: r.options.AcceptRemoved, Invoices: answer.Invoices, History: !q.Until.IsZero(),
			Finish: func(tx *store.Tx, report *ownbooks.Report) error {
				written = true
				if report.Feed != nil && report.Feed.Gap && r.kind.Window > 0 {
					r.c.History = store.ConnectionHistory{First: firstOfAll(answer, q)} // the windows are read again
				}
				return r.finishImport(tx, report)
			},
		}})
	if err != nil {
		return err
	}
	for _, f := range report.Files {
		if f.Error != "" {
			return &providers.Failure{Cause: providers.Malformed, Text: f.Error}
		}
	}
	if feed := report.Feed; feed != nil {
		r.outcome.Added += feed.Added
		r.outcome.Changed += feed.Changed
		r.outcome.Removed += feed.Removed
		r.outcome.Paid = append(r.outcome.Paid, report.PaidInvoices...)
	}
	if written {
		r.keep()
		return nil
	}
	return r.record(ctx)
}

// compare updates what is known of the accounts by an answer, and returns the statements that can
// be imported.
func (r *reading) compare(answer providers.Reading, q providers.Request) (complete []jsonlines.Statement) {
	now, latest := r.Now(), q.Until.IsZero()
	if latest {
		r.outcome.Pending = 0
	}
	for n := range r.accounts {
		a := &r.accounts[n]
		st := statementIn(answer, a.RemoteID)
		if st == nil {
			if a.MissingSince.IsZero() {
				a.MissingSince = now
			}
			continue
		}
		a.LastSeen, a.MissingSince = now, time.Time{}
		if balance := balanceOf(st.Present, now); balance != nil && latest {
			a.Balance = balance
		}
		if st.Incomplete != "" {
			continue
		}
		if latest {
			a.PendingDay = r.pending(st.Lines)
		}
		if st.First.IsZero() { // the provider has no history of these days
			continue
		}
		complete = append(complete, statementOf(*a, *st))
	}
	return complete
}

// incompleteIn says why an answer lacks accounts, each reason once.
func (r *reading) incompleteIn(answer providers.Reading) (texts []string) {
	var missing []string
	for _, a := range r.accounts {
		st := statementIn(answer, a.RemoteID)
		switch {
		case st == nil:
			missing = append(missing, bookkeeping.ShortNumber(a.BooksNumber))
		case st.Incomplete != "" && !slices.Contains(texts, st.Incomplete):
			texts = append(texts, st.Incomplete)
		}
	}
	if len(missing) > 0 {
		texts = append(texts, fmt.Sprintf("%s does not list %s any more; if the bank was linked again, choose the "+
			"accounts again (connect with --choose)", r.kind.Title, strings.Join(missing, " and ")))
	}
	return texts
}

// lacking returns the number of accounts that an answer lacks.
func (r *reading) lacking(answer providers.Reading) (n int) {
	for _, a := range r.accounts {
		if st := statementIn(answer, a.RemoteID); st == nil || st.Incomplete != "" {
			n++
		}
	}
	return n
}

// statementIn returns the statement of an account in an answer; nil if there is none.
func statementIn(answer providers.Reading, remoteID string) *providers.Statement {
	at := slices.IndexFunc(answer.Statements, func(st providers.Statement) bool { return st.Account == remoteID })
	if at < 0 {
		return nil
	}
	return &answer.Statements[at]
}

// pending counts the pending lines and returns the day of the oldest; 0 if there is none.
func (r *reading) pending(lines []bank.Line) (oldest bookrules.Day) {
	for _, l := range lines {
		if !l.Pending {
			continue
		}
		r.outcome.Pending++
		if day := bookrules.DayOf(l.Booked); oldest == 0 || day < oldest {
			oldest = day
		}
	}
	return oldest
}

// succeed sets the state of the connection after an answer. An answer that lacks accounts counts as
// a failure, but it is not repeated early: the other accounts were read.
func (r *reading) succeed(answer providers.Reading) {
	r.c.NextTry, r.c.WaitUntil, r.c.Notices = r.next(nil), time.Time{}, answer.Notices
	r.c.SignIn = answer.SignIn
	if incomplete := r.incompleteIn(answer); len(incomplete) > 0 {
		r.c.State, r.c.Failures, r.c.Problem = store.ConnectionFailing, r.c.Failures+1, strings.Join(incomplete, "; ")
		if r.lacking(answer) < len(r.accounts) {
			r.c.Problem += "; all other accounts were read"
		}
		return
	}
	r.c.State, r.c.Failures, r.c.Problem, r.c.LastSuccess = store.ConnectionReady, 0, "", r.Now()
}

// text returns an answer as JSON lines.
func (r *reading) text(statements []jsonlines.Statement, invoices *providers.Invoices) ([]byte, error) {
	var lists []jsonlines.List
	if invoices != nil {
		r.openNow = append([]string{}, invoices.Later...)
		list := jsonlines.List{OpenItems: bank.OpenItems{Source: r.kind.Name, AsOf: civil.Of(r.Now())}}
		for _, i := range invoices.Open {
			list.Items = append(list.Items, i.OpenItem)
			r.openNow = append(r.openNow, i.ID)
		}
		r.outcome.Invoices = len(list.Items)
		lists = append(lists, list)
	}
	var b bytes.Buffer
	err := jsonlines.Write(&b, statements, lists)
	return b.Bytes(), err
}

// statementOf returns a provider's statement under the number that its account has in the books.
func statementOf(a store.ConnectionAccount, st providers.Statement) jsonlines.Statement {
	account := a.Account
	account.Number = a.BooksNumber
	return jsonlines.Statement{
		Statement: bank.Statement{
			Account: account, Currency: a.Currency, First: st.First, Last: st.Last, Closing: st.Closing,
		},
		Lines: st.Lines,
	}
}

// finishImport stores the state of the connection in the transaction of an import.
func (r *reading) finishImport(tx *store.Tx, report *ownbooks.Report) error {
	if report.Feed == nil {
		return errors.New("the reading has no report")
	}
	r.c.Residual = strings.Join(report.Feed.Residuals, "; ")
	return r.finish(tx)
}
