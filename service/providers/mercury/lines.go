package mercury

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

// transaction is a transaction in an answer.
type transaction struct {
	ID                   string          `json:"id"`
	AccountID            string          `json:"accountId"`
	Amount               json.RawMessage `json:"amount"`
	Status               string          `json:"status"`
	CreatedAt            string          `json:"createdAt"`
	PostedAt             string          `json:"postedAt"`
	Kind                 string          `json:"kind"`
	CounterpartyName     string          `json:"counterpartyName"`
	CounterpartyNickname string          `json:"counterpartyNickname"`
	BankDescription      string          `json:"bankDescription"`
	ExternalMemo         string          `json:"externalMemo"`
	CheckNumber          string          `json:"checkNumber"`
	TrackingNumber       string          `json:"trackingNumber"`
}

// treasuryLine is a transaction of a treasury account in an answer.
type treasuryLine struct {
	ID           string          `json:"id"`
	Amount       json.RawMessage `json:"amount"`
	CanonicalDay string          `json:"canonicalDay"`
	Description  string          `json:"description"`
	Type         string          `json:"type"`
}

// readLines adds the lines of all accounts to their statements.
func (p *provider) readLines(
	ctx context.Context, request providers.Request, statements map[string]*providers.Statement,
) error {
	var deposits []string
	for id, s := range statements {
		switch {
		case s.Incomplete != "":
		case isTreasury(id):
			if err := p.readTreasury(ctx, s, civil.Of(request.Now)); err != nil {
				return err
			}
		default:
			deposits = append(deposits, id)
		}
	}
	if len(deposits) == 0 {
		return nil
	}
	slices.Sort(deposits)
	found, err := p.transactions(ctx, request, deposits)
	if err != nil {
		return providers.FailureOf(title, err)
	}
	for i := range found {
		t := &found[i]
		s := statements[t.AccountID]
		if s == nil {
			continue // of an account that was not asked for
		}
		line, ok, err := t.line(s, civil.Of(request.Now))
		if err != nil {
			return err
		}
		if ok {
			s.Lines = append(s.Lines, line)
		}
	}
	return nil
}

// transactions returns the transactions that were created or posted in the period of a request. A
// hold may be posted weeks after it was created, and the parameter start selects by creation, so
// both listings are needed. The second is read last and has the newer state.
func (p *provider) transactions(
	ctx context.Context, request providers.Request, accounts []string,
) ([]transaction, error) {
	created := request.Since
	if pending := request.PendingSince; !pending.IsZero() && pending.Before(created) {
		created = pending
	}
	listings := []url.Values{{"postedStart": {request.Since.String()}}}
	if request.Until.IsZero() {
		listings = slices.Insert(listings, 0, url.Values{"start": {created.String()}})
	} else {
		listings[0].Set("postedEnd", request.Until.String())
	}
	all, at := []transaction(nil), map[string]int{}
	for _, listing := range listings {
		found, err := p.pagesOfTransactions(ctx, listing, accounts)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			if before, known := at[t.ID]; known {
				all[before] = t
				continue
			}
			at[t.ID] = len(all)
			all = append(all, t)
		}
	}
	return all, nil
}

// pagesOfTransactions returns the transactions of accounts on all pages of a listing.
func (p *provider) pagesOfTransactions(
	ctx context.Context, listing url.Values, accounts []string,
) ([]transaction, error) {
	return pages(func(after string) ([]transaction, error) {
		query := pageQuery(after)
		query["accountId"] = accounts
		for name, values := range listing {
			query[name] = values
		}
		var answer struct {
			Transactions *[]transaction `json:"transactions"`
		}
		if err := p.get(ctx, "/transactions", query, answerTimeout, &answer); err != nil {
			return nil, err
		}
		if answer.Transactions == nil {
			return nil, missing("transactions")
		}
		return *answer.Transactions, nil
	}, func(t *transaction) string { return t.ID })
}

// line returns the line of a transaction. ok is false for a transaction that moved no money, and
// for one that was booked outside the statement's period.
func (t *transaction) line(s *providers.Statement, today civil.Date) (line bank.Line, ok bool, err error) {
	switch t.Status {
	case "sent", "pending":
	case "cancelled", "failed", "reversed", "blocked":
		return line, false, nil
	case "":
		return line, false, missing("status")
	default:
		return line, false, malformed(
			"a transaction has the status %q, which is not known",
			bank.Short(bank.Text(t.Status)),
		)
	}
	line = bank.Line{
		ID: bank.Text(t.ID), Pending: t.Status == "pending",
		Counterparty: bank.Text(cmp.Or(t.CounterpartyNickname, t.CounterpartyName)),
		Description:  bank.Text(cmp.Or(t.BankDescription, t.ExternalMemo)),
		Reference:    bank.Text(cmp.Or(t.CheckNumber, t.TrackingNumber)), Method: bank.Text(t.Kind),
		Transfer: t.Kind == "internalTransfer" || t.Kind == "treasuryTransfer",
	}
	if line.Minor, err = cents("amount", t.Amount); err != nil {
		return line, false, err
	}
	field, text := "postedAt", t.PostedAt
	if line.Pending {
		field, text = "createdAt", t.CreatedAt
	}
	if line.Booked, err = dayOf(field, text); err != nil {
		return line, false, err
	}
	if line.Pending {
		return line, s.Present != nil, nil
	}
	if happened, err := dayOf("createdAt", t.CreatedAt); err == nil {
		line.Value = happened
	}
	ok, err = covers(s, line.Booked, today)
	return line, ok, err
}

// mostAhead is the largest number of days by which a booked line may be in the future, since clocks
// and time zones differ.
const mostAhead = 3

// covers reports whether a line that was booked on a day belongs to a statement. A statement of the
// present is extended to a day that is a little ahead.
func covers(s *providers.Statement, day, today civil.Date) (bool, error) {
	switch {
	case day.Before(s.First), s.Present == nil && day.After(s.Last):
		return false, nil
	case day.DaysSince(today) > mostAhead:
		return false, malformed("a transaction is dated %s, which is in the future", day)
	case day.After(s.Last):
		s.Last, s.Closing.Date = day, day
	}
	return true, nil
}

// dayOf returns the day in UTC of a time in an answer.
func dayOf(field, text string) (civil.Date, error) {
	if text == "" {
		return civil.Date{}, missing(field)
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return civil.Date{}, malformed("the field %q is no time", field)
	}
	return civil.Of(at.UTC()), nil
}

// readTreasury adds the lines of a treasury account to its statement. Their listing begins with the
// newest, and has a cursor that is missing on the last page.
func (p *provider) readTreasury(ctx context.Context, s *providers.Statement, today civil.Date) error {
	path := "/treasury/" + url.PathEscape(strings.TrimPrefix(s.Account, treasuryStart)) + "/transactions"
	query := url.Values{"limit": {"100"}, "order": {"desc"}}
	last := int64(-1)
	for range maxPages {
		var answer struct {
			Transactions *[]treasuryLine `json:"transactions"`
			Cursor       *int64          `json:"cursor"`
		}
		err := p.get(ctx, path, query, answerTimeout, &answer)
		switch {
		case err != nil:
			return providers.FailureOf(title, err)
		case answer.Transactions == nil:
			return missing("transactions")
		}
		older, err := addTreasury(s, *answer.Transactions, today)
		switch {
		case err != nil || older || answer.Cursor == nil:
			return err
		case *answer.Cursor <= last:
			return malformed("its pages repeat")
		}
		last = *answer.Cursor
		query.Set("cursor", strconv.FormatInt(last, 10))
	}
	return malformed("its list has more than %d pages", maxPages)
}

// addTreasury adds the lines of a page to the statement of a treasury account. older is true if the
// page reaches back before the statement's period.
func addTreasury(s *providers.Statement, page []treasuryLine, today civil.Date) (older bool, err error) {
	for i := range page {
		t := &page[i]
		if t.ID == "" {
			return false, missing("id")
		}
		day, err := civil.Parse(t.CanonicalDay)
		if err != nil {
			return false, malformed("the field %q is no day", "canonicalDay")
		}
		minor, err := cents("amount", t.Amount)
		if err != nil {
			return false, err
		}
		ok, err := covers(s, day, today)
		if err != nil {
			return false, err
		}
		older = older || day.Before(s.First)
		if ok {
			s.Lines = append(s.Lines, bank.Line{
				ID: bank.Text(t.ID), Booked: day, Minor: minor,
				Description: bank.Text(t.Description), Method: bank.Text(t.Type),
			})
		}
	}
	return older, nil
}

// sortLines sorts lines, so that equal answers give equal statements, and removes those that were
// read twice.
func sortLines(lines []bank.Line) []bank.Line {
	slices.SortStableFunc(lines, func(a, b bank.Line) int {
		return cmp.Or(a.Booked.Compare(b.Booked), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.ID, b.ID))
	})
	return slices.CompactFunc(lines, func(a, b bank.Line) bool { return a == b })
}
