// Package answers draws the sentences with which a page begins: how long the cash lasts, and why
// that changed (package client/why).
package answers

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
)

// Answers computes the sentences whenever their figures have changed.
type Answers struct {
	env       views.Env
	subjects  []why.Subject
	whole     bool  // sentences say from which figures they are computed
	basis     basis // of all sentences
	refreshed basis // of the sentences that need no transactions
	computing bool
	sentences []why.Sentence
	left      map[civil.Date]apiclient.Months
	pastDue   figures.Total // bills past due
	room      room
	limit     []why.Subject // subjects that are drawn; nil for all
	lines     []string
	shown     []why.Sentence // those of the lines
	focus     int            // number of the focused sentence, from 1; 0 for none
}

// room is what the lines are drawn for.
type room struct {
	theme       theme.Theme
	width, most int
}

// New returns the sentences about the given subjects. If whole is set, they say from which figures
// they are computed.
func New(env views.Env, whole bool, subjects ...why.Subject) *Answers {
	a := &Answers{env: env, whole: whole, subjects: subjects}
	a.merge(why.Sentences(a.ofFigures()))
	return a
}

// basis identifies the figures from which the sentences are computed.
type basis struct {
	cash, months, aging time.Time // when they were loaded; zero if there are none
	ledger              *spending.Ledger
	pastDue             figures.Total
	today               civil.Date
}

// Computed holds the computed sentences.
type Computed struct {
	basis     basis
	sentences []why.Sentence
	left      map[civil.Date]apiclient.Months
}

// Refresh computes the sentences that need no transactions, if their figures have changed. It
// reports whether they have.
func (a *Answers) Refresh() bool {
	now := a.newBasis()
	if now == a.refreshed {
		return false
	}
	a.refreshed = now
	a.merge(why.Sentences(a.ofFigures()))
	return true
}

// Due returns the command that computes all sentences. It returns nil if their figures have not
// changed, and while they are being computed.
func (a *Answers) Due() tea.Cmd {
	now := a.newBasis()
	if a.computing || now == a.basis {
		return nil
	}
	a.computing = true
	of := a.ofFigures()
	of.Ledger = now.ledger
	if now.ledger != nil {
		of.AtEndOf(now.ledger.Coverage, now.today)
		of.Begins = now.ledger.Begins()
		if progress := a.env.Snapshot.History.Progress(); !progress.Complete {
			of.Begins = progress.Since
		}
		of.SoFar = a.soFar(of.Month())
	}
	return func() tea.Msg {
		done := Computed{basis: now, sentences: why.Sentences(of)}
		if of.Ledger != nil && of.Cash != nil {
			done.left = why.MonthsLeft(of)
		}
		return done
	}
}

// soFar returns the net of the month that begins on this, as the page's months have it. It returns
// nil if it is unknown, or if the months could not be renewed.
func (a *Answers) soFar(this civil.Date) *int64 {
	months, known := a.env.Snapshot.Months.Value()
	i := slices.IndexFunc(months, func(m figures.Month) bool { return m.First == this })
	if !known || i < 0 || a.env.Snapshot.Months.State().Err != nil {
		return nil
	}
	net := months[i].Flows().Net
	if net.Unknown {
		return nil
	}
	return &net.Minor
}

// ofFigures returns the basis of the sentences that need no transactions.
func (a *Answers) ofFigures() why.Basis {
	of := why.Basis{Today: civil.Of(a.env.Now())}
	if cash, ok := a.env.Snapshot.CashFigures(); ok {
		of.Cash = &cash
	}
	if aging, ok := a.env.Snapshot.Aging.Value(); ok && a.env.Snapshot.Aging.State().HasFigures() {
		all := figures.AgingOf(aging)
		of.Aging = &all
	}
	of.PastDue = &a.pastDue
	return of
}

// SetPastDue sets the sum of the bills that are past due. Without it, no sentence is about bills.
func (a *Answers) SetPastDue(sum figures.Total) { a.pastDue = sum }

func (a *Answers) newBasis() basis {
	d := a.env.Snapshot
	b := basis{today: civil.Of(a.env.Now()), pastDue: a.pastDue}
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

// needsRows reports whether the sentences about a subject need transactions.
func needsRows(s why.Subject) bool { return s > why.PastDue && s != why.Owed }

// merge replaces the sentences that need no transactions.
func (a *Answers) merge(all []why.Sentence) {
	kept := slices.DeleteFunc(slices.Clone(a.sentences), func(s why.Sentence) bool { return !needsRows(s.Subject) })
	kept = append(kept, all...)
	slices.SortStableFunc(kept, func(a, b why.Sentence) int { return cmp.Compare(a.Subject, b.Subject) })
	a.set(kept)
}

// set keeps those of the sentences that are about the subjects. While there is no runway, the
// reason stands in the place of the first one.
func (a *Answers) set(all []why.Sentence) {
	cash, known := a.env.Snapshot.CashFigures()
	unknown := known && cash.Runway == nil
	a.sentences = why.OfRunway(slices.DeleteFunc(all, func(s why.Sentence) bool {
		return !slices.Contains(a.subjects, s.Subject) || s.Subject == why.Lasts && unknown
	}))
	if unknown && slices.Contains(a.subjects, why.Lasts) {
		a.sentences = slices.Insert(a.sentences, 0, why.Sentence{
			Subject: why.Lasts, Text: cmp.Or(cash.Note(), cash.Reason), Brief: cash.Reason,
		})
	}
	a.arrange()
}

// Store keeps computed sentences. Those that need no transactions are computed again if figures
// were loaded meanwhile.
func (a *Answers) Store(msg Computed) {
	a.computing, a.basis, a.left = false, msg.basis, msg.left
	a.set(msg.sentences)
	if msg.basis != a.newBasis() {
		a.merge(why.Sentences(a.ofFigures()))
	}
}

// Left returns the runway at the end of a past month, which is given by its first day. It returns
// false if that is unknown.
func (a *Answers) Left(month civil.Date) (apiclient.Months, bool) {
	left, ok := a.left[month]
	return left, ok
}

// Limit sets the subjects that are drawn; without any, all are.
func (a *Answers) Limit(subjects ...why.Subject) { a.limit = subjects }

// About returns the sentence about a subject. It returns false if there is none.
func (a *Answers) About(subject why.Subject) (why.Sentence, bool) {
	i := slices.IndexFunc(a.sentences, func(s why.Sentence) bool { return s.Subject == subject })
	if i < 0 {
		return why.Sentence{}, false
	}
	return a.sentences[i], true
}

// SetRoom sets what the sentences are drawn for: as many whole ones as fit into the given number of
// lines.
func (a *Answers) SetRoom(t theme.Theme, width, most int) {
	a.room = room{t, width, most}
	a.arrange()
}

// arrange draws the sentences. Shorter forms make room where one that would be left out says why.
func (a *Answers) arrange() {
	if reasons, all := a.draw(false); !all {
		if more, _ := a.draw(true); more <= reasons {
			a.draw(false)
		}
	}
	if a.focus > len(a.shown) {
		a.focus = 0
	}
}

// draw draws the sentences that fit. One that does not fit is drawn in fewer words; if brief is
// true, all are. The first one has the accent, a focused one like a selected row. Where amounts
// are hidden, only the reason why there is no runway is drawn: all others consist of amounts. draw
// returns whether all are drawn, and how many are before the first one left out, not counting what
// customers owe, which says nothing about why the runway changed.
func (a *Answers) draw(brief bool) (reasons int, all bool) {
	t := a.room.theme
	a.lines, a.shown, all = nil, nil, true
	for _, s := range a.sentences {
		hidden := t.Masked && (s.Subject != why.Lasts || s.Answer != "")
		if t.Styles == nil || hidden || len(a.limit) > 0 && !slices.Contains(a.limit, s.Subject) {
			continue
		}
		style := t.Text
		switch {
		case len(a.shown) == a.focus-1:
			style = t.Selected
		case s.Subject == why.Lasts:
			style = t.Accent
		}
		wrapped := func(text string) []string { return fact.WrapIn(t, style, mark.Sentence(text), a.room.width) }
		drawn := wrapped(a.text(s))
		if (brief || len(a.lines)+len(drawn) > a.room.most) && s.Answer == "" && s.Brief != "" {
			drawn = wrapped(s.Brief)
		}
		if len(a.lines)+len(drawn) > a.room.most {
			all = false
			continue
		}
		if all && s.Subject != why.Owed {
			reasons++
		}
		a.lines, a.shown = append(a.lines, drawn...), append(a.shown, s)
	}
	return reasons, all
}

// text returns a sentence as the page says it: the first one with the rating of the runway, and
// with as much of its rule and of the figures as a line holds.
func (a *Answers) text(s why.Sentence) string {
	cash, known := a.env.Snapshot.CashFigures()
	if s.Answer == "" || !known || cash.Runway == nil {
		return s.Text
	}
	t, tenths := a.room.theme, cash.Runway.Tenths()
	text := s.Answer + " · " + t.RunwayWord(tenths)
	rule := " (" + t.RunwayRule(tenths) + ")"
	ends := []string{rule, ""}
	if a.whole {
		ends = []string{rule + s.Text[len(s.Answer):], s.Text[len(s.Answer):], s.Brief}
	}
	for _, end := range ends {
		if termtext.Width(text+end) <= a.room.width {
			return text + end
		}
	}
	return text + ends[len(ends)-1]
}

// Texts returns the sentences as plain text. The reason why there is no runway is not among them.
func (a *Answers) Texts() (texts []string) {
	for _, s := range a.sentences {
		if s.Subject != why.Lasts || s.Answer != "" {
			texts = append(texts, s.Text)
		}
	}
	return texts
}

// Lines returns the drawn sentences.
func (a *Answers) Lines() []string { return a.lines }

// Height returns the number of lines.
func (a *Answers) Height() int { return len(a.lines) }

// IsFocused reports whether a sentence is focused.
func (a *Answers) IsFocused() bool { return a.focus > 0 }

// Focus focuses the next sentence, or the one before for -1; with none focused, the first or the
// last one. It returns false, with none focused, at the end.
func (a *Answers) Focus(by int) bool {
	n := len(a.shown) + 1
	a.focus = ((a.focus+by)%n + n) % n
	a.arrange()
	return a.focus > 0
}

// Unfocus focuses no sentence.
func (a *Answers) Unfocus() {
	a.focus = 0
	a.arrange()
}

// Open returns the command that opens what the focused sentence comes from: the rows of a month,
// the changes between two months, or a page of figures.
func (a *Answers) Open() tea.Cmd {
	if a.focus == 0 {
		return nil
	}
	return a.open(&a.shown[a.focus-1])
}

// OpenAbout is Open for the sentence about a subject, which need not be drawn.
func (a *Answers) OpenAbout(subject why.Subject) tea.Cmd {
	s, ok := a.About(subject)
	if !ok {
		return nil
	}
	return a.open(&s)
}

func (a *Answers) open(s *why.Sentence) tea.Cmd {
	switch {
	case s.Subject == why.Lasts:
		return views.Go(views.Runway, views.RunwayTarget{Basis: true})
	case s.Subject == why.Owed, s.Subject == why.PastDue:
		return views.Go(views.Receivables, nil)
	case len(s.Rows) == 0 || a.basis.ledger == nil:
		return nil
	}
	first, last := a.months(s.Rows)
	if s.Subject == why.Changed || s.Subject == why.Worse {
		return views.Go(views.Spend, views.SpendTarget{Figures: views.SpendChanges, Month: last, Since: first})
	}
	return views.Go(views.Transactions, views.TransactionsTarget{From: first, To: last.LastOfMonth()})
}

// months returns the first days of the first and the last month of rows.
func (a *Answers) months(rows []int) (first, last civil.Date) {
	for i, row := range rows {
		month := a.basis.ledger.Rows[row].Date.FirstOfMonth()
		if i == 0 || month.Before(first) {
			first = month
		}
		if i == 0 || month.After(last) {
			last = month
		}
	}
	return first, last
}
