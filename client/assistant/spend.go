package assistant

import (
	"context"
	"fmt"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// MaxSpendMonths is the largest value of SpendInput.Months. These months are compared with the same
// number of months before them, which must be in the history too.
const MaxSpendMonths = (history.Months - 1) / 2

// DefaultSpendMonths is the value of SpendInput.Months if it is 0.
const DefaultSpendMonths = 3

// MaxCounterparties is the largest value of SpendInput.Limit.
const MaxCounterparties = 100

// SpendInput selects the counterparties of the last full months.
type SpendInput struct {
	Months    int    `json:"months,omitempty" jsonschema:"number of full months, compared with as many before"`
	Direction string `json:"direction,omitempty" jsonschema:"outflow for where money goes, inflow for where it comes from"`
	Limit     int    `json:"limit,omitempty" jsonschema:"most counterparties to return, largest first"`
}

// Spend are the counterparties of some full months by amount. Own transfers and financing are left
// out.
type Spend struct {
	FirstMonth     string         `json:"first_month"`
	LastMonth      string         `json:"last_month"`
	Direction      string         `json:"direction"`
	Total          Amount         `json:"total" jsonschema:"of all counterparties"`
	Counterparties []Counterparty `json:"counterparties" jsonschema:"largest total first"`
	Others         Amount         `json:"others" jsonschema:"total of the counterparties that are not listed"`
	OthersCount    int            `json:"others_count"`
	Notes          []string       `json:"notes"`
}

// Counterparty holds the sums of one counterparty.
type Counterparty struct {
	Name           Untrusted `json:"name"`
	Total          Amount    `json:"total"`
	Before         Amount    `json:"before" jsonschema:"total of as many months before"`
	Change         Amount    `json:"change"`
	MonthlyAverage Amount    `json:"monthly_average"`
	SharePercent   *float64  `json:"share_percent"`
	Payments       int       `json:"payments"`
}

// GetSpend returns where the money goes or comes from. today is the current day in UTC.
func GetSpend(ctx context.Context, source Source, today civil.Date, in SpendInput) (*Spend, error) {
	direction, months := apiclient.Direction(in.Direction), in.Months
	if in.Direction == "" {
		direction = apiclient.Outflow
	}
	if months == 0 {
		months = DefaultSpendMonths
	}
	switch {
	case !direction.Known():
		return nil, &InputError{"direction must be inflow or outflow"}
	case months < 1 || months > MaxSpendMonths:
		return nil, &InputError{fmt.Sprintf("months must be 1 to %d", MaxSpendMonths)}
	}
	ledger, err := readPast(ctx, source, today, 2*months+1)
	if err != nil {
		return nil, err
	}
	newest := today.FirstOfMonth().AddMonths(-1)
	if needed := newest.AddMonths(1 - 2*months); ledger.since.After(needed) {
		return nil, &InputError{fmt.Sprintf("there are more transactions than can be read since %s; ask for fewer months",
			figures.YearMonth(needed))}
	}
	return ledger.spend(direction, newest, months, limitOf(in.Limit, MaxCounterparties)), nil
}

func (p *past) spend(direction apiclient.Direction, newest civil.Date, months, limit int) *Spend {
	oldest := newest.AddMonths(1 - months)
	s := &Spend{
		FirstMonth: figures.YearMonth(oldest), LastMonth: figures.YearMonth(newest), Direction: string(direction),
		Counterparties: []Counterparty{},
		Notes:          append([]string{"Own transfers and financing are left out."}, p.notes...),
	}
	total, others, otherRows := p.Totals(direction, oldest, newest).Operating, figures.Total{Currency: p.Currency}, 0
	for i, c := range p.Counterparties(direction, newest, months) {
		if i < limit {
			s.Counterparties = append(s.Counterparties, counterpartyOf(&c))
			continue
		}
		s.OthersCount++
		others.AddPart(c.Total)
		otherRows += len(c.Rows)
	}
	missing := p.Coverage.Missing(oldest, newest.LastOfMonth())
	s.Total, s.Others = totalOf(total), totalOf(missing.Of(others.NothingKnown(otherRows), int64(otherRows)))
	if text := p.Coverage.Missing(oldest.AddMonths(-months), newest.LastOfMonth()).Why(); text != "" {
		s.Notes = append(s.Notes, text)
	}
	inMonths := func(day civil.Date) bool { return !day.Before(oldest) && !day.After(newest.LastOfMonth()) }
	if p.Coverage.Unanswered != "" {
		s.Notes = append(s.Notes, p.Coverage.Unanswered)
	}
	if text := spending.SuspectedText(p.SuspectedTransfers(inMonths)); text != "" {
		s.Notes = append(s.Notes, text)
	}
	return s
}

func counterpartyOf(c *spending.Counterparty) Counterparty {
	out := Counterparty{
		Name: untrusted(c.Name), Total: totalOf(c.Total), Before: totalOf(c.Before),
		MonthlyAverage: totalOf(c.Average()), Payments: len(c.Rows),
		Change: unknown(c.Total.Currency, "one of the totals is unknown or incomplete"),
	}
	if change := c.Change(); !change.Unknown || change.Uncovered {
		out.Change = totalOf(change)
	}
	if c.Share.Known {
		percent := float64(c.Share.Tenths) / 10
		out.SharePercent = &percent
	}
	return out
}
