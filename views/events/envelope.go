package events

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

// envelope returns an event as the API sends it (docs/api.md, Event envelope), as
// indented JSON of clean text, and false for one that is too large for that.
func envelope(e *apiclient.Event) (string, bool) {
	if e.Omitted > 0 {
		return "", false
	}
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	err := to.Encode(struct {
		ID         string              `json:"id"`
		Type       apiclient.EventType `json:"type"`
		Version    int                 `json:"version"`
		OccurredAt time.Time           `json:"occurred_at"`
		Data       json.RawMessage     `json:"data"`
	}{e.ID, e.Type, e.Version, e.OccurredAt.UTC(), e.Data})
	clean := termtext.Block(strings.TrimSuffix(text.String(), "\n"))
	return clean, err == nil && json.Valid([]byte(clean))
}

// inFull says everything about an event: what matters in words, then the envelope.
func (s *Screen) inFull(e *apiclient.Event) []line {
	var lines []line
	add := func(name, text string, ink table.Ink, whole bool) {
		lines = append(lines, line{name: name, text: text, label: s.inks.faint, ink: ink, whole: whole})
	}
	if e.Unreadable != nil {
		add("Id        ", first(termtext.Line(e.ID), money.Dash), table.Ink{}, false)
		add("Type      ", first(termtext.Line(string(e.Type)), money.Dash), table.Ink{}, false)
		add("Occurred  ", moment(e)+either(e.OccurredAt.IsZero(), "", " UTC"), table.Ink{}, false)
		add("Problem   ", "could not be read: "+problem.OfRecord(e.Unreadable), s.inks.caution, false)
		return lines
	}
	add("Type      ", termtext.Line(string(e.Type)), s.ink(e.Type), false)
	add("Occurred  ", e.OccurredAt.UTC().Format(time.DateTime)+" UTC", table.Ink{}, false)
	if what := s.about(e); what != "" && what != money.Dash {
		add("About     ", what, table.Ink{}, false)
	}
	if d, ok := e.InvoiceData(); ok {
		add("Amount    ", masked.Text(s.theme, amount.Text(d.Total, "")), table.Ink{}, true)
	} else if d, ok := e.PaymentData(); ok {
		add("Amount    ", masked.Text(s.theme, amount.Text(d.Amount, "")), table.Ink{}, true)
	}
	text, ok := envelope(e)
	if !ok {
		add("Id        ", termtext.Line(e.ID), table.Ink{}, false)
		return append(lines, line{}, line{text: masked.Text(s.theme, e.PrettyData()), ink: s.inks.faint})
	}
	lines = append(lines, line{})
	for l := range strings.SplitSeq(masked.Text(s.theme, text), "\n") {
		m := member(l)
		m.label = s.inks.key
		lines = append(lines, m)
	}
	return lines
}

// member splits a line of indented JSON behind its key. A line of an array or a
// bracket has none.
func member(text string) line {
	start := len(text) - len(strings.TrimLeft(text, " "))
	name := start + quoted(text[start:])
	if name == start || !strings.HasPrefix(text[name:], ": ") {
		return line{name: text[:start], text: text[start:], whole: quoted(text[start:]) == 0}
	}
	name += len(": ")
	return line{name: text[:name], text: text[name:], whole: quoted(text[name:]) == 0}
}

// quoted returns the length of the JSON string that a text begins with, and 0 where
// it does not begin with one.
func quoted(text string) int {
	if !strings.HasPrefix(text, `"`) {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
