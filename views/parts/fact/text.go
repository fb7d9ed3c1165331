package fact

import (
	"strings"
	"time"

	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/views/parts/panel"
)

// Section returns a panel as plain text for the clipboard: its title and date, then the indented
// result of lines. For stale figures it adds their age and the reason. If there are no figures, it
// says why instead of calling lines; empty is the text for a resource whose status is Empty.
func Section(title, date string, state resource.State, empty string, now time.Time, lines func() []string) string {
	if date != "" && state.HasFigures() {
		title += ", " + date
	}
	said := []string{title}
	switch {
	case state.Status == resource.Failed:
		said = append(said, "could not be loaded: "+problem.Reason(state.Err))
	case !state.HasFigures():
		said = append(said, strings.Join(panel.Lines(state, empty, now), " "))
	default:
		if state.Status == resource.Stale {
			said = append(said, "stale, "+panel.Age(now.Sub(state.LoadedAt))+" old: "+problem.Reason(state.Err))
		}
		said = append(said, lines()...)
	}
	return strings.Join(said, "\n  ") + "\n"
}

// WithDate returns the word followed by the full date and time. Copied text may be read days later,
// when a time alone would mislead.
func WithDate(word string, at *time.Time) string { return figures.WithTime(word, at, time.Time{}) }

// TextLines returns one line of text per fact, such as "Runway: 14.1 months (comfortable)".
func TextLines(facts []Fact) []string {
	lines := make([]string, len(facts))
	for i, f := range facts {
		lines[i] = f.Label + ": " + f.Sign + f.Value
		if after := strings.TrimSpace(f.After); after != "" {
			lines[i] += " (" + after + ")"
		}
	}
	return lines
}
