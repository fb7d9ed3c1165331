package transactions

import (
	"cmp"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/internal/money"
	"tarmac/views"
	"tarmac/views/parts/amount"
)

// copied is a thing of a transaction that can be copied.
type copied struct {
	key, name string
	what      string // in the notice
	text      func(*apiclient.Transaction) string
}

func copies() []copied {
	return []copied{
		{"y", "id", "the transaction's id", func(t *apiclient.Transaction) string { return t.ID }},
		{"t", "row as text", "the transaction", asText},
		{"a", "amount", "the amount", func(t *apiclient.Transaction) string {
			if !t.Amount.Known() {
				return ""
			}
			return amount.Text(t.Amount, t.Direction)
		}},
		{"c", "counterparty", "the counterparty", func(t *apiclient.Transaction) string { return t.CounterpartyName }},
		{"m", "memo", "the memo", func(t *apiclient.Transaction) string { return t.Memo }},
		{"f", "reference", "the reference", func(t *apiclient.Transaction) string { return t.Reference }},
	}
}

// asText is a transaction on one line, its parts divided by tabs as a spreadsheet
// takes them, which computes none of them.
func asText(t *apiclient.Transaction) string {
	parts := []string{t.Date.String(), inSpreadsheet(t.Amount, t.Direction), inSpreadsheet(t.USD, t.Direction)}
	for _, text := range []string{t.CounterpartyName, t.Memo, t.Method, t.Reference, t.SourceLabel, t.ID} {
		parts = append(parts, export.Cell(cmp.Or(text, money.Dash)))
	}
	return strings.Join(parts, "\t")
}

// inSpreadsheet is a signed amount. A spreadsheet reads -$5.00 as a number and +5.00 EUR as a
// formula.
func inSpreadsheet(a apiclient.Amount, d apiclient.Direction) string {
	text := strings.TrimPrefix(amount.Text(a, d), "+")
	if strings.HasPrefix(text, "-$") {
		return text
	}
	return export.Cell(text)
}

// choose takes the key that says what to copy of the transaction that the cursor was
// on when that was asked; any other key copies nothing.
func (s *Screen) choose(press tea.KeyPressMsg) tea.Cmd {
	t := s.choosing
	s.choosing = nil
	for i, b := range s.keys.Copies {
		if key.Matches(press, b) {
			c := copies()[i]
			text := c.text(t)
			if text == "" {
				return views.Warn(c.what + " is not known: nothing was copied")
			}
			return s.question.Copy(s.theme, c.what, text)
		}
	}
	return nil
}

// copyLine is what can be chosen.
func (s *Screen) copyLine() string {
	line := s.theme.KeyName.Render("Copy")
	for _, b := range s.keys.Copies {
		line += "  " + s.theme.KeyName.Render(b.Help().Key) + " " + s.theme.KeyDesc.Render(b.Help().Desc)
	}
	return line + "  " + s.theme.KeyName.Render("esc")
}
