package page

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/saveas"
)

// BackKey closes the details.
func (l *List[T]) BackKey() views.Action {
	return views.Back(func() bool { return l.ShowsSingle() || l.Opened }, l.page.Back)
}

// OpenKey opens the details.
func (l *List[T]) OpenKey() views.Action {
	l.opens = true
	closed := func() bool { return l.HasCurrent() && !l.ShowsSingle() && !l.Opened }
	return views.Open(closed, views.Do(func() { l.Opened = true }))
}

// FilterKey opens the prompt of the text filter.
func (l *List[T]) FilterKey(when func() bool) views.Action {
	l.filters = true
	return views.Action{Key: "/", Help: "filter", When: when, Do: views.Do(l.Search.Ask)}
}

// RemoveTextKey removes the text filter. A page with several filters uses Page.RemoveKey instead.
func (l *List[T]) RemoveTextKey() views.Action {
	return views.Action{Key: "x", Help: "remove filter", When: func() bool { return l.Text != "" },
		Do: views.Do(func() { l.SetText("") })}
}

// CopyKey copies a text of the current record. The notice calls it what, such as "the invoice's
// id".
func (l *List[T]) CopyKey(key, help, what string, text func(*T) string) views.Action {
	return views.Action{Key: key, Help: help, When: func() bool { return l.HasCurrent() && text(l.Current()) != "" },
		Do: func() tea.Cmd { return views.PutOnClipboard(what, text(l.Current())) }}
}

// ExportKey asks for a file and exports a table to it. Over SSH it names the command that prints
// the table instead. The words make up the name of the file.
func (l *List[T]) ExportKey(of func() saveas.Table, command string, words func() []string) views.Action {
	return views.Export(l.page.Env, func() bool { return l.HasCurrent() && !l.ShowsSingle() }, func() tea.Cmd {
		return l.page.File.Ask(of, command, words()...)
	})
}

// Chip is the chip of the text filter.
func (l *List[T]) Chip() Chip {
	return Chip{func() string { return quoted(l.Text) }, func() { l.SetText("") }}
}

// ChipOf is the chip of the text filter on a page with several lists, with the name of this one.
func (l *List[T]) ChipOf(name string) Chip {
	c := l.Chip()
	return Chip{func() string {
		if l.Text == "" {
			return ""
		}
		return name + ": " + c.Label()
	}, c.Off}
}

// Help returns the keys that move the cursor.
func (l *List[T]) Help() []views.HelpGroup {
	return []views.HelpGroup{l.page.Nav.Help("List", l.canMove())}
}

func (l *List[T]) canMove() bool {
	if l.CanMove != nil {
		return l.CanMove()
	}
	return l.HasCurrent()
}

func (l *List[T]) prompt() views.Layer { return l.Search }

func (l *List[T]) places() []views.Place {
	if item := l.Current(); item != nil && l.Places != nil {
		return l.Places(item)
	}
	return nil
}
