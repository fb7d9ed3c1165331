package books

import (
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/views/parts/table"
)

// showDetail fills the pane of details with the selected account, connection or import.
func (s *Screen) showDetail() {
	if a := s.selectedAccount(); a != nil {
		fields := s.fields(a.Facts(civil.Of(s.env.Now()), s.amount))
		if _, beside := s.accountBeside(s.heights().detail); !beside {
			fields = append(fields, s.monthFields(a)...)
		}
		s.detail.Show(a.Label(), fields)
	} else if c := s.selectedConnection(); c != nil {
		s.detail.Show(c.Label, s.fields(s.connectionFacts(c)))
	} else if i := s.selectedImport(); i != nil {
		s.detail.Show("Import of "+record.Minute(i.At), s.fields(i.Facts(record.Minute)))
	} else {
		s.detail.Show("", nil)
		s.opened = false
	}
	s.detail.SetFocused(s.opened)
}

// fields returns facts as fields of the details pane. The text of each field has the sign and the
// colour of the fact's level.
func (s *Screen) fields(facts []ownbooks.Fact) []table.Field {
	fields := make([]table.Field, len(facts))
	for n, f := range facts {
		sign, ink := s.levelSign(f.Level)
		fields[n] = table.Field{Label: f.Label, Text: sign + f.Text, Ink: ink}
	}
	return fields
}

// levelSign returns the sign before a fact of the level, and the fact's colour.
func (s *Screen) levelSign(level ownbooks.Level) (sign string, ink table.Ink) {
	switch level {
	case ownbooks.Good:
		return "✓ ", s.inks.good
	case ownbooks.Caution:
		return "! ", s.inks.caution
	case ownbooks.Bad:
		return "✕ ", s.inks.bad
	}
	return "", table.Ink{}
}
