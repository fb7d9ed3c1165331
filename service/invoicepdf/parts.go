package invoicepdf

import (
	"time"
	"unicode/utf8"

	"tarmac/internal/termtext"
	"tarmac/service/invoicing"
)

// nameLines is how many lines a name or an address may take: more than the
// longest allowed need, few enough for one page.
const nameLines = 12

// letterhead draws who bills on the left and what this is on the right.
func (s *sheet) letterhead() {
	const column = 270.0
	title := style{"B", 22, black}
	s.textRight(title, right, baseline(title, top), "INVOICE")
	s.textRight(body, right, baseline(body, top+32), s.Invoice.Number())
	y := top + 32 + body.leading()
	if word, c := mark(s.Invoice.Status); word != "" {
		y = s.stamp(word, c, y+8)
	}

	size := 15.0
	if utf8.RuneCountInString(s.Seller.Name) > 60 {
		size = 11
	}
	end := s.name(style{"B", size, black}, left, top+2, column, s.Seller.Name)
	end = s.name(quiet, left, end+2, column, s.Seller.Email)
	s.y = max(y, end) + 22
	s.rule(faint, left, right)
	s.y += 20
}

// name draws a name or an address at y and returns where it ends.
func (s *sheet) name(t style, x, y, width float64, text string) float64 {
	lines := wrap(s.drawable(t, termtext.Line(text)), width, s.in(t))
	return s.column(t, x, y, atMost(nameLines, lines))
}

// stamp draws a word in a frame, at the right, and returns where it ends.
func (s *sheet) stamp(word string, c ink, y float64) float64 {
	t := style{"B", 11, c}
	const h, pad = 22.0, 10.0
	w := s.measure(t, word) + 2*pad
	s.pdf.SetDrawColor(c.r, c.g, c.b)
	s.pdf.SetLineWidth(1.25)
	s.pdf.RoundedRect(right-w, y, w, h, 3, "1234", "D")
	s.textRight(t, right-pad, y+15, word)
	return y + h
}

// parties draws who is billed and the dates.
func (s *sheet) parties() {
	const dates, column = 350.0, 250.0
	s.text(label, left, baseline(label, s.y), "BILL TO")
	end := s.name(style{"B", 11, black}, left, s.y+15, column, s.Invoice.RecipientName)
	end = s.name(quiet, left, end+2, column, s.Invoice.RecipientEmail)

	y := s.y
	for _, d := range milestones(s.Invoice) {
		s.text(label, dates, baseline(label, y+1.5), d.label)
		s.textRight(body, right, baseline(body, y), d.day)
		y += 18
	}
	s.y = max(end, y) + 20
}

// milestone is a date of an invoice's life.
type milestone struct{ label, day string }

// milestones lists the dates that a recipient looks for, in their order.
func milestones(inv invoicing.Invoice) []milestone {
	issued := milestone{"ISSUED", day(inv.CreatedAt)}
	switch {
	case inv.SentAt != nil:
		issued.day = day(*inv.SentAt)
	case inv.Status == invoicing.Draft:
		issued.label = "DRAFTED"
	}
	all := []milestone{issued, {"DUE", "No due date"}}
	if !inv.DueDate.IsZero() {
		all[1].day = day(inv.DueDate.Time())
	}
	if inv.Status == invoicing.Paid && inv.PaidAt != nil {
		all = append(all, milestone{"PAID", day(*inv.PaidAt)})
	}
	if inv.Status == invoicing.Voided && inv.VoidedAt != nil {
		all = append(all, milestone{"VOIDED", day(*inv.VoidedAt)})
	}
	return all
}

// day writes the day of t in UTC as the United States do, with the month in
// letters so that nobody else takes it for a day.
func day(t time.Time) string { return t.UTC().Format("January 2, 2006") }

// standing draws in one line what is asked of the recipient.
func (s *sheet) standing() {
	sum, rest := demand(s.Invoice)
	_, c := mark(s.Invoice.Status)
	if s.Invoice.Status != invoicing.Overdue {
		c = black
	}
	t := style{"B", 16, c}
	s.need(30)
	s.text(t, left, baseline(t, s.y), sum)
	if x := left + s.measure(t, sum+" "); rest != "" {
		s.text(style{"", 11, c}, x+2, baseline(t, s.y), rest)
	}
	s.y += 34
}

// description draws what the invoice as a whole is for.
func (s *sheet) description() {
	lines := wrap(s.drawable(body, termtext.Block(s.Invoice.Description)), width, s.in(body))
	for _, line := range lines {
		s.need(body.leading())
		s.y = s.column(body, left, s.y, []string{line})
	}
	if len(lines) > 0 {
		s.y += 18
	}
}
