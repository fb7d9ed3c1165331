package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/cash"
	"tarmac/client/collections"
	"tarmac/client/plan"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// lookTimeout is how long a look may take.
const lookTimeout = 5 * time.Minute

// read reads what the alerts need. It returns no reading if nothing has changed since the last one
// that read everything. company is the name of own books or of the profile.
func (w *watcher) read(ctx context.Context, all []*alerts.Alert, state *alerts.State) (r *alerts.Reading,
	company string) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	a := &call{Env: w.Env, flags: w.flags}
	a.Stderr = io.Discard // how far the reading is matters to nobody
	r = &alerts.Reading{Now: w.Now(), Failures: map[alerts.Need]string{}}
	err := a.run(ctx, func(ctx context.Context) error {
		company = a.company
		probe, err := a.probe(ctx, w.file.Settings.Alerts)
		if err != nil {
			return err
		}
		if probe == w.probe && len(all) == len(state.Alerts) && state.Unreachable.IsZero() && !anyUnknown(state) {
			r = nil
			return nil
		}
		a.readAlerts(ctx, alerts.NeedsOf(all), r)
		if len(r.Failures) == 0 {
			w.probe = probe
		}
		return nil
	})
	if err != nil {
		r = &alerts.Reading{Now: w.Now(), Unreachable: withoutSecrets(problem.Line(err))}
	}
	return r, company
}

// anyUnknown reports whether an alert waits to be known again, which is looked at in each round.
func anyUnknown(state *alerts.State) bool {
	for _, w := range state.Alerts {
		if !w.UnknownSince.IsZero() {
			return true
		}
	}
	return false
}

// probe returns a text that changes with what figures are derived from, with the day, and with the
// alerts. It costs three small requests.
func (a *call) probe(ctx context.Context, all any) (string, error) {
	account, err := a.client.Account(ctx)
	if err != nil && !errors.Is(err, apiclient.ErrForbidden) {
		return "", err
	}
	events, err := a.client.EventPage(ctx, apiclient.EventQuery{Limit: 1})
	if err != nil && !errors.Is(err, apiclient.ErrForbidden) {
		return "", err
	}
	rows, err := a.client.TransactionPage(ctx, apiclient.TransactionQuery{Limit: 1})
	if err != nil && !errors.Is(err, apiclient.ErrForbidden) {
		return "", err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s %+v", civil.Of(a.Now()), all)
	if account != nil {
		if err := record.Account(account).WriteJSON(&text); err != nil {
			return "", err
		}
	}
	if events != nil && len(events.Data) > 0 {
		text.WriteString(events.Data[0].ID)
	}
	if rows != nil {
		fmt.Fprintf(&text, " %+v", rows.Summary)
	}
	if a.planFile != "" { // a file that cannot be read is said by the look
		written, _ := plan.File{Path: a.planFile}.Text()
		text.WriteString(written)
	}
	if a.books != nil {
		contents, err := a.books.List(ctx)
		if err != nil {
			return "", err
		}
		if err := json.NewEncoder(&text).Encode(contents); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

// readAlerts reads what is needed. What cannot be read gets its reason.
func (a *call) readAlerts(ctx context.Context, needs []alerts.Need, r *alerts.Reading) {
	for _, need := range needs {
		if err := a.readNeed(ctx, need, r); err != nil {
			r.Failures[need] = withoutSecrets(problem.Line(err))
		}
	}
	if r.Account == nil { // messages say how old the balance is
		r.Account, _ = a.client.Account(ctx)
	}
}

func (a *call) readNeed(ctx context.Context, need alerts.Need, r *alerts.Reading) (err error) {
	switch need {
	case alerts.Balance:
		r.Account, err = a.client.Account(ctx)
	case alerts.Cash:
		position, failed := cash.Read(ctx, a.client)
		if err = failed; err == nil {
			r.Cash = &position
		}
	case alerts.Receivables:
		err = a.readReceivables(ctx, r)
	case alerts.Bills:
		r.Bills, err = a.readBills(ctx)
	case alerts.Latest:
		r.Latest, err = a.readLedger(ctx, 4)
	case alerts.History:
		r.History, err = a.readLedger(ctx, spending.RecurringMonths)
	case alerts.Books:
		if a.books == nil {
			return nil
		}
		contents, failed := a.books.List(ctx)
		r.OwnBooks, r.Accounts, err = true, contents.Accounts, failed
	case alerts.Plan:
		r.Plan, _, err = a.readPlan()
	case alerts.Token:
		r.Token, err = a.client.Ping(ctx)
	}
	return err
}

func (a *call) readReceivables(ctx context.Context, r *alerts.Reading) (err error) {
	if r.Aging, err = a.client.ReceivablesAging(ctx); err != nil {
		return err
	}
	list, err := a.readInvoices(ctx)
	if err != nil {
		r.Aging = nil
		return err
	}
	today := civil.Of(a.Now())
	r.Customers = collections.WithAging(collections.Customers(list.Invoices, today), r.Aging, today)
	return nil
}

func (a *call) readLedger(ctx context.Context, months int) (*spending.Ledger, error) {
	l, err := a.readHistory(ctx, months)
	return l.Ledger, err
}
