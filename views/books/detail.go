package books

import (
	"fmt"
	"strings"

	"tarmac/client/ownbooks"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/views/parts/table"
)

// showDetail fills the pane of details with the selected account or import.
func (s *Screen) showDetail() {
	if a := s.selectedAccount(); a != nil {
		s.detail.Show(a.Label(), s.accountFields(a))
	} else if i := s.selectedImport(); i != nil {
		s.detail.Show("Import of "+record.Minute(i.At), s.importFields(i))
	} else {
		s.detail.Show("", nil)
		s.opened = false
	}
	s.detail.SetFocused(s.opened)
}

// accountFields returns the facts about an account. What needs attention comes first.
func (s *Screen) accountFields(a *ownbooks.Account) []table.Field {
	balance := s.balance(a)
	if a.Balance != nil {
		balance += " on " + a.AsOf.String()
	} else {
		balance += ": no file states one, so that the cash of the company is unknown"
	}
	proof, proofInk := s.proof(a)
	if !a.Contradiction && len(a.Proven) == 0 {
		proof = "? " + a.Proof
	}
	fields := []table.Field{{Label: "Balance", Text: balance}, {Label: "Adds up", Text: proof, Ink: proofInk}}
	for _, d := range a.Differences {
		fields = append(fields, table.Field{
			Label: "Difference", Ink: s.inks.bad,
			Text: fmt.Sprintf("%s: the balance goes from %s to %s; the lines lack %s", d.Period,
				s.amount(d.FromMinor, a.Currency), s.amount(d.ToMinor, a.Currency), s.amount(d.ResidualMinor, a.Currency)),
		})
	}
	if len(a.Proven) > 0 {
		fields = append(fields, table.Field{Label: "Proven", Text: periodLines(a.Proven)})
	}
	newest, ink := s.newest(a)
	fields = append(fields,
		table.Field{Label: "Newest", Text: newest, Ink: ink},
		table.Field{Label: "Covered", Text: periodLines(a.Covered)},
	)
	if gaps := a.Gaps(); len(gaps) > 0 {
		fields = append(fields, table.Field{
			Label: plural.Count(len(gaps), "gap"), Ink: s.inks.caution,
			Text: gapLines(gaps) + "\nImport statements of these days to close them.",
		})
	}
	if a.PendingMinor != 0 {
		fields = append(fields, table.Field{Label: "Pending", Text: s.pending(a) + ", not in the balance"})
	}
	fields = append(fields, table.Field{Label: "Lines", Text: money.Count(int64(a.Lines))})
	if a.Name != "" {
		fields = append(fields, table.Field{Label: "Name", Text: a.Name})
	}
	return append(fields, table.Field{Label: "Role", Text: a.Role + roleMeans(a.Role)})
}

// newest says when the newest statement ends, and what to do if it is outdated.
func (s *Screen) newest(a *ownbooks.Account) (string, table.Ink) {
	today := civil.Of(s.env.Now())
	days, known := a.Age(today)
	if !known {
		return money.Dash, s.inks.faint
	}
	text := "statement until " + a.Newest().String() + ", " + plural.Count(days, "day") + " ago"
	if days == 0 {
		text = "statement until today"
	}
	if a.Outdated(today) {
		return "! " + text + ". Download a newer one and press n.", s.inks.caution
	}
	return text, table.Ink{}
}

func roleMeans(role string) string {
	switch role {
	case "card":
		return ": what it owes is taken off cash"
	case "closed", "excluded":
		return ": not in cash"
	}
	return ": counts as cash"
}

// periodLines returns periods on a line each, or a dash.
func periodLines(periods []ownbooks.Period) string {
	if len(periods) == 0 {
		return money.Dash
	}
	lines := make([]string, len(periods))
	for i, p := range periods {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// gapLines returns periods with their lengths on a line each.
func gapLines(gaps []ownbooks.Period) string {
	lines := make([]string, len(gaps))
	for i, p := range gaps {
		lines[i] = p.String() + " (" + plural.Count(p.Days(), "day") + ")"
	}
	return strings.Join(lines, "\n")
}

// importFields returns the facts about an import and the names of its files.
func (s *Screen) importFields(i *ownbooks.Import) []table.Field {
	fields := []table.Field{
		{Label: "New lines", Text: money.Count(int64(i.New))},
		{Label: "Import", Text: i.ID},
		{Label: "When", Text: record.Minute(i.At)},
	}
	names := make([]string, len(i.Files))
	for n, f := range i.Files {
		names[n] = f.Name + " (" + f.Format + ")"
	}
	return append(fields, table.Field{
		Label: plural.Count(len(i.Files), "file"), Text: strings.Join(names, "\n"),
	})
}
