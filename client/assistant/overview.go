package assistant

import (
	"context"
	"slices"

	"tarmac/client/answer"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
)

// MaxSentenceRows is the largest length of Sentence.Rows.
const MaxSentenceRows = 10

// Overview says how a company is doing and why that changed. It has no sentences with unknown
// parts; Notes say what could not be read.
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

// NamedAmount is an amount with its name, which may be a counterparty's.
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
// what customers owe. today is the current day in UTC. If only the transactions can be read,
// GetOverview returns the error of the cash position.
func GetOverview(ctx context.Context, source Source, today civil.Date) (*Overview, error) {
	d, err := answer.Changes(ctx, sourceOf(source, today))
	if err != nil {
		return nil, err
	}
	out := &Overview{Sentences: []Sentence{}, Notes: append([]string{}, d.Notes...)}
	for _, part := range d.Sections {
		if part.Err != nil {
			out.Notes = append(out.Notes, part.Title+": "+ReasonOf(part.Err))
		}
		for _, s := range part.Reasons {
			out.Sentences = append(out.Sentences, sentenceOf(s, d.Ledger))
		}
	}
	return out, nil
}

func sentenceOf(s why.Sentence, l *spending.Ledger) Sentence {
	out := Sentence{
		About: subjects[s.Subject], Text: untrustedUpTo(s.Text, maxSentence), Figures: []NamedAmount{}, Count: len(s.Rows),
		Rows: []Transaction{},
	}
	for _, f := range s.Figures {
		out.Figures = append(out.Figures, NamedAmount{untrusted(f.Name), totalOf(f.Total)})
	}
	rows := slices.Clone(s.Rows)
	slices.SortStableFunc(rows, func(a, b int) int {
		return figures.BySize(l.Rows[b].Reporting, l.Rows[a].Reporting)
	})
	for _, i := range rows[:min(len(rows), MaxSentenceRows)] {
		out.Rows = append(out.Rows, transactionOf(*l.Rows[i].Transaction))
	}
	return out
}
