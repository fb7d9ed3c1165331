// Package answers draws the sentences with which a page begins: how long the cash lasts, and why
// that changed (package client/why).
package answers

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/fact"
)

// Answers computes the sentences whenever their figures have changed.
type Answers struct {
	env       views.Env
	subjects  []why.Subject
	basis     basis
	computing bool
	sentences []why.Sentence
}

// New returns the sentences about the given subjects.
func New(env views.Env, subjects ...why.Subject) *Answers {
	return &Answers{env: env, subjects: subjects}
}

// basis identifies the figures from which the sentences are computed.
type basis struct {
	cash, months, aging time.Time // when they were loaded; zero if there are none
	ledger              *spending.Ledger
	today               civil.Date
}

// Computed holds the computed sentences.
type Computed struct {
	basis     basis
	sentences []why.Sentence
}

// Due returns the command that computes the sentences. It returns nil if their figures have not
// changed, and while they are being computed.
func (a *Answers) Due() tea.Cmd {
	now := a.newBasis()
	if a.computing || now == a.basis {
		return nil
	}
	a.computing = true
	of := why.Basis{Ledger: now.ledger, Today: now.today}
	if cash, ok := a.env.Snapshot.CashFigures(); ok {
		of.Cash = &cash
	}
	if aging, ok := a.env.Snapshot.Aging.Value(); ok && a.env.Snapshot.Aging.State().HasFigures() {
		all := figures.AgingOf(aging)
		of.Aging = &all
	}
	if now.ledger != nil {
		of.Today = now.ledger.Coverage.KnownTo(now.today)
		of.Begins = now.ledger.Begins()
		if progress := a.env.Snapshot.History.Progress(); !progress.Complete {
			of.Begins = progress.Since
		}
	}
	return func() tea.Msg { return Computed{now, why.Sentences(of)} }
}

func (a *Answers) newBasis() basis {
	d := a.env.Snapshot
	b := basis{today: civil.Of(a.env.Now())}
	for _, part := range []struct {
		at     *time.Time
		loaded time.Time
		known  bool
	}{
		{&b.cash, d.Cash.LoadedAt(), d.Cash.State().HasFigures()},
		{&b.months, d.Months.LoadedAt(), d.Months.State().HasFigures()},
		{&b.aging, d.Aging.LoadedAt(), d.Aging.State().HasFigures()},
	} {
		if part.known {
			*part.at = part.loaded
		}
	}
	// While the history is read month by month, the sentences are computed once for the months that
	// they need, and again at the end.
	switch progress := d.History.Progress(); {
	case progress.Complete || d.History.IsLimited():
		b.ledger = d.History.Ledger()
	case a.basis.ledger != nil:
		b.ledger = a.basis.ledger
	case !progress.Since.IsZero() && !progress.Since.After(b.today.FirstOfMonth().AddMonths(-why.MonthsNeeded)):
		b.ledger = d.History.Ledger()
	}
	return b
}

// Store keeps computed sentences. It returns false if they are those that are already known.
func (a *Answers) Store(msg Computed) (changed bool) {
	a.computing, a.basis = false, msg.basis
	kept := slices.DeleteFunc(msg.sentences, func(s why.Sentence) bool { return !slices.Contains(a.subjects, s.Subject) })
	changed = !slices.EqualFunc(a.sentences, kept, func(a, b why.Sentence) bool { return a.Text == b.Text })
	a.sentences = kept
	return changed
}

// Lines draws as many whole sentences as fit into the given number of lines. The first sentence is
// drawn strong. Where amounts are hidden there are none, because a sentence consists of them.
func (a *Answers) Lines(t theme.Theme, width, most int) (lines []string) {
	if t.Masked {
		return nil
	}
	for i, s := range a.sentences {
		style := t.Text
		if i == 0 {
			style = t.Strong
		}
		drawn := fact.WrapIn(t, style, s.Text, width)
		if len(lines)+len(drawn) > most {
			continue
		}
		lines = append(lines, drawn...)
	}
	return lines
}
