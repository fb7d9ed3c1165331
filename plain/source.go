package plain

import (
	"context"

	"tarmac/apiclient"
	"tarmac/client/answer"
	"tarmac/client/history"
	"tarmac/internal/money"
)

// source returns where answers come from. Ctrl+c cancels its requests, and they are sent again if
// the server limits the request rate.
func (s *session) source() answer.Source {
	return answer.Source{Client: sessionClient{s}, History: s.readPast, Now: s.Now()}
}

// readPast returns the transactions of the last 40 months. It reads all of them once for each
// connection, and later only the last two months again. Above history.LargeHistory transactions, it
// asks before it reads more than the newest ones.
func (s *session) readPast(ctx context.Context, _ int) (*answer.Past, error) {
	if s.reading == nil {
		s.reading = &answer.Reading{Reader: history.NewReader(), Large: s.askForHistory}
		s.say("Reading the transactions of %d months.", history.Months)
	}
	past, err := s.reading.Read(ctx, sessionClient{s}, s.today(), history.Months)
	if err == nil {
		s.past = past
	}
	return past, err
}

func (s *session) askForHistory(q history.Question) (bool, error) {
	return s.confirm("There are "+money.Count(q.Rows)+" transactions. Reading all of them takes about "+
		spanInWords(q.Takes)+"; otherwise only the newest are read.", "yes")
}

// sessionClient sends requests for a session.
type sessionClient struct{ s *session }

func (c sessionClient) Account(context.Context) (*apiclient.Account, error) {
	return requestWithRetry(c.s, c.s.server.Client.Account)
}

func (c sessionClient) CashPosition(context.Context) (*apiclient.CashPosition, error) {
	return requestWithRetry(c.s, c.s.server.Client.CashPosition)
}

func (c sessionClient) ReceivablesAging(context.Context) (*apiclient.ReceivablesAging, error) {
	return requestWithRetry(c.s, c.s.server.Client.ReceivablesAging)
}

func (c sessionClient) Bills(context.Context) (*apiclient.Bills, error) {
	return requestWithRetry(c.s, c.s.server.Client.Bills)
}

func (c sessionClient) TransactionPage(
	_ context.Context, q apiclient.TransactionQuery,
) (*apiclient.TransactionPage, error) {
	return requestWithRetry(c.s, func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return c.s.server.Client.TransactionPage(ctx, q)
	})
}

func (c sessionClient) Invoices(_ context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error) {
	return requestWithRetry(c.s, func(ctx context.Context) ([]apiclient.Invoice, error) {
		return c.s.server.Client.Invoices(ctx, filter)
	})
}

func (c sessionClient) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	return requestWithRetry(c.s, func(ctx context.Context) (*apiclient.EventPage, error) {
		return c.s.server.Client.EventPage(ctx, q)
	})
}
