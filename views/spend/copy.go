package spend

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/annotations"
	"tarmac/client/export"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/plural"
	"tarmac/views/parts/saveas"
)

// describe returns the record of an item of the shown list.
func (s *Screen) describe(item int) record.Object {
	f := &s.figures
	switch {
	case s.rows != nil:
		return s.described(rowList{s}.row(item))
	case s.tab == counterparties:
		c := &f.counterparties[item]
		return record.Counterparty(c, record.RowsOf(f.ledger, f.suspected, c.Rows), s.choice.direction)
	case s.tab == recurring:
		r := &f.recurring[item]
		return record.Recurring(r, record.RowsOf(s.search.ledger, s.search.suspected, r.Rows()), s.begins(), s.search.today)
	}
	p := &f.parts[item]
	return record.BridgePart(p, p.Name, string(p.Kind), record.RowsOf(f.ledger, f.suspected, p.RowsBefore),
		record.RowsOf(f.ledger, f.suspected, p.RowsAfter))
}

// copy returns the command that copies the selected figure with its labels, or the selected row as
// tab-separated text.
func (s *Screen) copy() tea.Cmd {
	item, ok := s.list().selected()
	if !ok {
		return nil
	}
	o := s.describe(item)
	if s.rows != nil {
		row := o.Pick("date", "amount_cents", o.TotalsField(), "counterparty_name", "memo", "method", "reference",
			"source_label", "id", "category", "note")
		return s.Question.Copy(s.Theme, "the transaction", export.Row(row))
	}
	lines := []string{s.tabNames()[s.tab] + ", " + s.monthsShown()}
	for i := range o {
		if f := &o[i]; f.Label != "" {
			lines = append(lines, f.Label+": "+f.TextOrDash())
		}
	}
	return s.Question.Copy(s.Theme, "the figure", strings.Join(lines, "\n"))
}

// monthsShown returns the months that the shown figures are derived from.
func (s *Screen) monthsShown() string {
	switch s.tab {
	case recurring:
		return "since " + figures.YearMonth(s.begins())
	case changes:
		return monthsText(s.compared())
	}
	return monthsText(s.period())
}

// export asks for the name of a file and exports the shown list to it.
func (s *Screen) export() tea.Cmd {
	words := []string{[...]string{counterparties: "spend", recurring: "recurring", changes: "bridge"}[s.tab]}
	if s.tab != recurring {
		words = append(words, strings.ReplaceAll(s.monthsShown(), "..", "-"))
	}
	command := "tarmac " + words[0]
	if s.tab == counterparties && s.byCategory() {
		words, command = append(words, "by category"), command+" --by category"
	}
	if s.rows != nil {
		words = append(words, "transactions")
		command = "tarmac transactions list --all"
	}
	return s.File.Ask(s.exported, command, words...)
}

// exported returns the records of the shown list, as in the output of the commands.
func (s *Screen) exported() saveas.Table {
	l := s.list()
	t := saveas.Table{Sample: s.sample()}
	for _, item := range l.All() {
		t.Records = append(t.Records, s.describe(item))
	}
	noun := [...]string{
		counterparties: s.groupName("counterparty", "category"), recurring: "recurring payment", changes: "change",
	}[s.tab]
	if s.rows != nil {
		noun = "transaction"
	}
	t.What = plural.Count(len(t.Records), noun)
	return t
}

func (s *Screen) sample() record.Object {
	switch {
	case s.rows != nil:
		sample := record.TransactionIn(s.figures.ledger.Currency)
		if s.isAnnotated() {
			sample = sample.Annotated(annotations.Known{})
		}
		return sample
	case s.tab == counterparties:
		return record.Counterparty(&spending.Counterparty{IsCategory: s.byCategory()}, record.Rows{}, s.choice.direction)
	}
	if item, ok := s.list().selected(); ok {
		return s.describe(item)
	}
	return nil
}
