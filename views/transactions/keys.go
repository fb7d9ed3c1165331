package transactions

import (
	"sync"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/position"
	"tarmac/client/resource"
	"tarmac/client/rowfilter"
	"tarmac/views"
)

// keys returns the keys, and the one that jumps to a percentage.
func (s *Screen) keys() (keys, share views.Actions) {
	do := func(change func()) func() tea.Cmd {
		return func() tea.Cmd { change(); return nil }
	}
	filtered := func() bool { return !s.filter.empty() }
	percent := views.Action{Key: "%", Help: "go to %", When: s.canSeek, Do: do(func() {
		s.input.ask(toPercent, "0 is the newest, 100 the oldest", 8, "")
	})}
	keys = views.Actions{
		views.Back(s.isOpen, s.Back),
		views.Open(func() bool { return s.listed() && !s.list.Opened }, do(func() { s.list.Opened = true })),
		{Key: "/", Help: "filter", When: s.allowed, Do: do(func() {
			s.input.ask(byKeyword, "text · >5k · 1k..2k · =1240 · acct:4821 · cat:travel", 200, s.filter.typed())
			known := sync.OnceValue(func() []string { return append(s.categories(), rowfilter.NoCategory) })
			s.input.CompleteWith(func(typed string) (text, word string, ok bool) {
				return rowfilter.CompleteCategory(typed, known)
			})
		})},
		{Key: "f", Help: "dates", When: s.allowed, Do: do(func() {
			s.input.ask(byPeriod, "last month, oct, q3, ytd, 2026-03, 2026-01-01..2026-03-31", 60, s.filter.period.String())
		})},
		{Key: "a", Help: "read all", When: s.canReadAll, Do: do(s.readRest)},
		views.Export(s.Env, func() bool { return s.listed() && s.exports.running == nil }, s.askExport),
	}
	keys = append(keys, s.annotate.Actions(s.selected)...)
	hidden := percent
	hidden.Hidden = true
	return append(append(keys, hidden), views.Actions{
		{Key: "t", Help: "go to", When: s.canSeek, Do: do(func() {
			s.input.ask(toPosition, "2024-03, last year, 50%, row 1200", 60, "")
		})},
		{Key: "y", Help: "copy", When: s.canCopy, Do: do(func() { s.input.copying, _ = s.row(s.list.Table.Cursor()) })},
		{Key: "d", Help: "direction", When: s.allowed, Do: do(func() { s.setFilter(s.filter.nextDirection()) })},
		{Key: "S", Help: "sort", When: s.listed, Do: do(s.nextOrder)},
		{Key: "x", Also: []string{"backspace"}, Help: "remove last filter", When: filtered,
			Do: do(func() { s.setFilter(s.filter.withoutLast()) })},
		{Key: "X", Help: "remove all filters", When: filtered, Do: do(func() { s.setFilter(filter{}) })},
		{Key: "G", Also: []string{"end"}, Hidden: true, When: s.seeksEnds,
			Do: do(func() { s.seekTo(target{Position: position.Oldest}) })},
		{Key: "g", Also: []string{"home"}, Hidden: true, When: func() bool { return s.seeksEnds() && s.store.belowHead() },
			Do: do(func() { s.seekTo(target{}) })},
	}...), views.Actions{percent}
}

func (s *Screen) askExport() tea.Cmd {
	if s.Env.Places.Remote {
		return views.NotOverSSH("tarmac transactions list --all --csv")
	}
	if !s.filter.local.Empty() {
		return views.Warn("rows found by amount, account or category cannot be exported: remove that filter with x")
	}
	return s.Question.Ask(s.Theme, "Export", "the file", func() tea.Cmd {
		s.input.ask(toFile, "a name that ends in .csv or .json", 4096, s.exportName())
		return nil
	})
}

func (s *Screen) copyActions() (actions views.Actions) {
	for _, item := range copies() {
		actions = append(actions, views.Action{Key: item.key, Help: item.name, Do: func() tea.Cmd { return s.copy(item) }})
	}
	return append(actions, views.Action{Key: "esc", Help: "cancel", Do: func() tea.Cmd { return nil }})
}

// copy copies an item of the chosen transaction.
func (s *Screen) copy(item copyItem) tea.Cmd {
	text := item.text(s.copied(s.input.copying))
	if text == "" {
		return views.Warn(item.what + " is unknown: nothing was copied")
	}
	return s.Question.Copy(s.Theme, item.what, text)
}

func (s *Screen) allowed() bool { return s.state.State().Status != resource.NotAllowed }

// listed reports whether the list has a row.
func (s *Screen) listed() bool { return s.allowed() && s.list.Table.Reach() > 0 }

// seeksEnds reports whether the first and the last row may have to be fetched.
func (s *Screen) seeksEnds() bool { return s.listed() && s.isListing() }

func (s *Screen) canSeek() bool { return s.seeksEnds() && !s.sorting.reading }

func (s *Screen) canCopy() bool {
	_, one := s.selected()
	return one
}

// isOpen reports whether there is something that esc closes.
func (s *Screen) isOpen() bool {
	return s.list.Opened || s.seekingByUser() || s.sorting.reading || s.exports.running != nil
}
