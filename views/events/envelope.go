package events

import (
	"bytes"
	"encoding/json"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

// envelope returns an event as indented JSON with the fields that the API sends (docs/api.md, Event
// envelope). It returns false if the event is too large to show whole.
func envelope(e *apiclient.Event) (string, bool) {
	if e.Omitted > 0 {
		return "", false
	}
	raw, err := record.Event(*e).AppendJSON(nil)
	var text bytes.Buffer
	if err != nil || json.Indent(&text, raw, "", "  ") != nil {
		return "", false
	}
	clean := termtext.Block(text.String()) // truncates long text, which is then no valid JSON
	return clean, json.Valid([]byte(clean))
}

// fields returns the content of the detail pane: a summary of the event, then its envelope. For an
// unreadable event it returns what could be read and why the rest could not.
func (s *Screen) fields(e *apiclient.Event) []table.Field {
	o := record.Event(*e)
	if e.Unreadable != nil {
		facts := s.facts(e, o.Pick("id", "type", "occurred_at"), table.Ink{})
		return append(facts, table.Problem(e.Unreadable, s.inks.caution))
	}
	facts := o.Pick("type", "occurred_at")
	if what := s.about(e); what != "" && what != money.Dash {
		o.SetDetail("data", what)
		facts = append(facts, o.Get("data"))
	}
	if a, ok := record.EventAmount(e); ok {
		facts = append(facts, record.Field{Label: "Amount", Kind: record.KindAmount, Amount: a})
	}
	text, whole := envelope(e)
	if !whole {
		facts = append(facts, o.Pick("id")...)
	}
	fields := append(s.facts(e, facts, s.ink(e.Type)), table.Field{})
	if !whole {
		return append(fields, table.Field{Text: e.PrettyData(), Ink: s.inks.faint})
	}
	for l := range strings.SplitSeq(masked.Text(s.Theme, text), "\n") {
		fields = append(fields, memberField(l, s.inks.key))
	}
	return fields
}

// facts returns the fields of the summary. The type is drawn in the color ink.
func (s *Screen) facts(e *apiclient.Event, o record.Object, ink table.Ink) []table.Field {
	return table.Fields(o, table.Ink{}, func(f record.Field) table.Ink {
		if f.Name == "type" {
			return ink
		}
		return table.Ink{}
	})
}

// memberField returns a line of indented JSON as a field. Its lead is the key in the style ink, or
// only the indent if the line lacks a key, such as an array element or a bracket.
func memberField(line string, ink table.Ink) table.Field {
	start := len(line) - len(strings.TrimLeft(line, " "))
	if key := start + quotedLength(line[start:]); key > start && strings.HasPrefix(line[key:], ": ") {
		start = key + len(": ")
	}
	field := table.Field{Text: line[start:]}
	if start > 0 {
		field.Lead = &table.Lead{Text: line[:start], Ink: ink, Cut: quotedLength(field.Text) == 0}
	}
	return field
}

// quotedLength returns the length in bytes of the JSON string at the start of a text, or 0 if the
// text does not start with one.
func quotedLength(text string) int {
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
