// Package reading shows how much of the history has been read, and asks whether to read a large
// one.
package reading

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/history"
	"tarmac/client/mask"
	"tarmac/client/snapshot"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// History shows the state of the part snapshot.History above figures that are derived from it.
// Create it with New.
type History struct {
	data    *snapshot.Snapshot
	now     func() time.Time
	actions views.Actions
}

// New returns a History of the snapshot in env.
func New(env views.Env) *History {
	h := &History{data: env.Snapshot, now: env.Now}
	answer := func(read func()) func() tea.Cmd {
		return func() tea.Cmd {
			read()
			return views.Fetch(h.data.Load(snapshot.History))
		}
	}
	h.actions = views.Actions{
		{Key: "y", Help: "read all", When: h.Asking, Do: answer(h.data.History.ReadLarge)},
		{Key: "n", Help: "only the newest", When: h.Asking, Do: answer(h.data.History.ReadNewest)},
	}
	return h
}

// Asking reports whether the question about a large history is open.
func (h *History) Asking() bool {
	_, open := h.data.History.Question()
	return open
}

// Answer handles a key press while the question is open: y reads all months, n only the newest.
// It returns false if the key is no answer or the question is not open.
func (h *History) Answer(press tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	return h.actions.Press(press)
}

// Help returns the keys that answer the question, if it is open.
func (h *History) Help() []views.HelpGroup {
	if !h.Asking() {
		return nil
	}
	return []views.HelpGroup{h.actions.Help("Large history")}
}

// mostDifferences is the number of months that Lines names because their rows do not add up.
const mostDifferences = 2

// Lines returns what must be said above the figures: the question about a large history, why its
// rows are old, how much has been read, and which months do not add up to the server's totals. It
// returns nil if all months have been read and add up. The lines may be wider than the screen.
func (h *History) Lines(looks theme.Theme) []string {
	past := &h.data.History
	if q, open := past.Question(); open {
		return []string{
			looks.Caution.Render("! " + questionText(q)),
			"  " + looks.KeyName.Render("y") + looks.KeyDesc.Render(" read all · ") + looks.KeyName.Render("n") +
				looks.KeyDesc.Render(" only the newest "+money.Count(history.LargeHistory)),
		}
	}
	var lines []string
	if line := panel.Line(past.State(), h.now()); line != "" {
		lines = append(lines, looks.Caution.Render(line))
	}
	if p := past.Progress(); !p.Complete && p.AllMonths > 0 {
		lines = append(lines, looks.Faint.Render(progressText(p, past.IsLimited())))
	}
	differences := past.Differences()
	for i := range differences[:min(mostDifferences, len(differences))] {
		text := differences[i].String()
		if looks.Masked {
			text = mask.Text(text)
		}
		lines = append(lines, looks.Caution.Render("! "+text))
	}
	if more := len(differences) - mostDifferences; more > 0 {
		lines = append(lines, looks.Caution.Render("! and "+plural.Count(more, "more month")))
	}
	return lines
}

func questionText(q history.Question) string {
	n, unit := plural.Span(q.Takes)
	takes := "about " + plural.Count(n, unit)
	if n == 0 {
		takes = "a moment"
	}
	return fmt.Sprintf("%s in %d months take %s to read. Read all?", plural.Count(q.Rows, "transaction"),
		history.Months, takes)
}

func progressText(p history.Progress, limited bool) string {
	if limited {
		return fmt.Sprintf("Only the newest %d of %d months are read: %s of %s · r asks again", p.Months, p.AllMonths,
			money.Count(p.Rows), plural.Count(p.AllRows, "transaction"))
	}
	return fmt.Sprintf("Reading: %d of %d months · %s of %s", p.Months, p.AllMonths, money.Count(p.Rows),
		plural.Count(p.AllRows, "transaction"))
}
