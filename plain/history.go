package plain

import (
	"context"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// readHistory returns the transactions of the last 40 months. It reads all of them once for each
// connection, and later only the last two months again. Above history.LargeHistory transactions, it
// asks before it reads more than the newest ones. ok is false if they could not be read, which it
// has said then.
func (s *session) readHistory() (l *spending.Ledger, ok bool, err error) {
	span := history.Span(s.today())
	if s.past == nil {
		s.past = history.NewReader()
		s.past.ReadAll(span)
		s.say("Reading the transactions of %d months.", history.Months)
	} else {
		s.past.ReadAgain(span, func(first civil.Date) bool { return !first.Before(span[1]) })
	}
	coverage, err := requestWithRetry(s, func(ctx context.Context) (figures.Coverage, error) {
		return cash.Coverage(ctx, s.server.Client, s.today())
	})
	if err != nil {
		return nil, false, s.failed("Transactions", err)
	}
	s.past.SetCoverage(coverage)
	for {
		if question, open := s.past.Question(apiclient.Rate{}); open {
			if err := s.askForHistory(question); err != nil {
				return nil, false, err
			}
		}
		step := s.past.Next()
		if step == nil {
			break
		}
		outcome := step(s.ctx, retryingSource{s})
		s.past.Apply(outcome)
		if outcome.Err != nil {
			return nil, false, s.failed("Transactions", outcome.Err)
		}
	}
	for _, d := range s.past.Differences() {
		s.say("%s.", d.String())
	}
	l = s.past.Ledger()
	return l, l != nil, nil
}

func (s *session) askForHistory(q history.Question) error {
	yes, err := s.confirm("There are "+money.Count(q.Rows)+" transactions. Reading all of them takes about "+
		spanInWords(q.Takes)+"; otherwise only the newest are read.", "yes")
	switch {
	case err != nil:
		return err
	case yes:
		s.past.ReadLarge()
	default:
		s.past.ReadNewest()
	}
	return nil
}

// retryingSource fetches transactions. It waits and retries if the server limits the request rate.
type retryingSource struct{ *session }

// TransactionPage returns a page of transactions.
func (r retryingSource) TransactionPage(
	_ context.Context, q apiclient.TransactionQuery,
) (*apiclient.TransactionPage, error) {
	return requestWithRetry(r.session, func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return r.server.Client.TransactionPage(ctx, q)
	})
}
