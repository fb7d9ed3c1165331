package assistant

import (
	"context"
	"slices"

	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/client/why"
	"tarmac/internal/civil"
)

// MaxSentenceRows is the largest length of Sentence.Rows.
const MaxSentenceRows = 10

// Overview says how a company stands and why that changed. Sentences of which a part is unknown are
// left out; Notes say what could not be read.
type Overview struct {
	Sentences []Sentence `json:"sentences"`
	Notes     []string   `json:"notes"`
}

// Sentence is an answer with the figures and transactions that it comes from.
type Sentence struct {
	About   string        `json:"about" jsonschema:"lasts, past_due, used, changed, month or owed"`
	Text    Untrusted     `json:"text" jsonschema:"may have names of counterparties"`
	Figures []NamedAmount `json:"figures" jsonschema:"amounts to the cent; the text has three digits"`
	Count   int           `json:"transaction_count" jsonschema:"transactions of these months; 0 if from figures alone"`
	Rows    []Transaction `json:"transactions" jsonschema:"the largest of them"`
}

// NamedAmount is an amount with its name, which may be that of a counterparty.
type NamedAmount struct {
	Name   Untrusted `json:"name"`
	Amount Amount    `json:"amount"`
}

// subjects are the values of Sentence.About.
var subjects = map[why.Subject]string{
	why.Lasts: "lasts", why.PastDue: "past_due", why.Used: "used", why.Changed: "changed", why.Worse: "month",
	why.Owed: "owed",
}

// GetOverview says how long the cash lasts, why that and the last full month's net changed, and
// what customers owe. today is the current day in UTC. If nothing but the transactions can be read,
// GetOverview returns the error of the cash position.
func GetOverview(ctx context.Context, source Source, today civil.Date) (*Overview, error) {
	past, err := readPast(ctx, source, today, why.MonthsRead)
	if err != nil {
		return nil, err
	}
	out := &Overview{Sentences: []Sentence{}, Notes: append([]string{}, past.notes...)}
	basis := why.Basis{Ledger: past.Ledger, Begins: past.Begins(), Today: past.Coverage.KnownTo(today)}
	position, cashErr := cash.Read(ctx, source)
	if cashErr == nil {
		basis.Cash = &position
	}
	aging, agingErr := source.ReceivablesAging(ctx)
	if agingErr == nil {
		sums := figures.AgingOf(aging)
		basis.Aging = &sums
	}
	if cashErr != nil && agingErr != nil {
		return nil, cashErr
	}
	bills, billsErr := payables.Read(ctx, source, today)
	if billsErr == nil {
		basis.PastDue = &bills.PastDue
	}
	for _, one := range [...]struct {
		what string
		err  error
	}{{"Cash", cashErr}, {"Receivables", agingErr}, {"Bills", billsErr}} {
		if one.err != nil {
			out.Notes = append(out.Notes, one.what+": "+ReasonOf(one.err))
		}
	}
	for _, s := range why.Sentences(basis) {
		out.Sentences = append(out.Sentences, past.sentence(s))
	}
	return out, nil
}

func (p *past) sentence(s why.Sentence) Sentence {
	out := Sentence{
		About: subjects[s.Subject], Text: untrustedUpTo(s.Text, 4*MaxText), Figures: []NamedAmount{}, Count: len(s.Rows),
		Rows: []Transaction{},
	}
	for _, f := range s.Figures {
		out.Figures = append(out.Figures, NamedAmount{untrusted(f.Name), totalOf(f.Total)})
	}
	rows := slices.Clone(s.Rows)
	slices.SortStableFunc(rows, func(a, b int) int {
		return figures.BySize(p.Rows[b].Reporting, p.Rows[a].Reporting)
	})
	for _, i := range rows[:min(len(rows), MaxSentenceRows)] {
		out.Rows = append(out.Rows, transactionOf(*p.Rows[i].Transaction))
	}
	return out
}
