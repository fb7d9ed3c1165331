package transactions

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/record"
)

// copyItem is a part of a transaction that the user can copy to the clipboard.
type copyItem struct {
	key, name string
	what      string // name of the item in the notice after copying
	text      func(record.Object) string
}

func copies() []copyItem {
	return []copyItem{
		{"y", "id", "the transaction's id", func(o record.Object) string { return text(o, "id") }},
		{"t", "row as text", "the transaction", tabSeparated},
		copyField("a", "amount_cents"), copyField("c", "counterparty_name"), copyField("m", "memo"),
		copyField("f", "reference"),
	}
}

// copyField returns the copyItem for one field of a transaction. The user chooses it by pressing
// key.
func copyField(key, field string) copyItem {
	name := strings.ToLower(record.Transaction(apiclient.Transaction{}).Get(field).Label)
	return copyItem{key, name, "the " + name, func(o record.Object) string { return text(o, field) }}
}

func text(o record.Object, field string) string {
	f := o.Get(field)
	return f.Text()
}

// tabSeparated returns a transaction as one line of tab-separated fields, for pasting into a
// spreadsheet.
func tabSeparated(o record.Object) string {
	return export.Row(o.Pick(
		"date", "amount_cents", o.TotalsField(), "counterparty_name", "memo", "method", "reference", "source_label", "id",
		"category", "note",
	))
}

// copyLine draws the line that lists what can be copied, with the keys.
func (s *Screen) copyLine() string {
	line := s.Theme.KeyName.Render("Copy")
	for _, item := range copies() {
		line += "  " + s.Theme.KeyName.Render(item.key) + " " + s.Theme.KeyDesc.Render(item.name)
	}
	return line + "  " + s.Theme.KeyName.Render("esc")
}
