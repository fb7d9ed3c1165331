package invoicepdf

import (
	"time"
	"unicode/utf8"

	"tarmac/internal/termtext"
	"tarmac/service/invoicing"
)

// nameLines is the largest number of lines for a name or an address. The longest that the API
// accepts needs fewer lines, and twelve lines fit on a page.
const nameLines = 12

// letterhead draws the seller on the left of the page, and the title, number and status on the
// right.
func (s *sheet) letterhead() {
	const column = 270.0
	title := style{"B", 22, black}
	s.textRight(title, right, baseline(title, top), "INVOICE")
	s.textRight(body, right, baseline(body, top+32), s.Invoice.Number())
	y := top + 32 + body.leading()
	if word, c := statusLabel(s.Invoice.Status); word != "" {
		y = s.statusBadge(word, c, y+8)
	}

	size := 15.0
	if utf8.RuneCountInString(s.Seller.Name) > 60 {
		size = 11
	}
	end := s.name(style{"B", size, black}, left, top+2, column, s.Seller.Name)
	end = s.name(muted, left, end+2, column, s.Seller.Email)
	s.y = max(y, end) + 22
	s.rule(faint, left, right)
	s.y += 20
}

// name draws a name or an address whose upper end is at y, and returns the y of its lower end.
func (s *sheet) name(t style, x, y, width float64, text string) float64 {
	lines := wrap(s.drawable(t, termtext.Line(text)), width, s.measureIn(t))
	return s.column(t, x, y, truncateLines(nameLines, lines))
}

// statusBadge draws a status in a frame at the right margin and returns the y of the frame's lower
// end.
func (s *sheet) statusBadge(word string, c color, y float64) float64 {
	t := style{"B", 11, c}
	const h, pad = 22.0, 10.0
	w := s.measure(t, word) + 2*pad
	s.pdf.SetDrawColor(c.r, c.g, c.b)
	s.pdf.SetLineWidth(1.25)
	s.pdf.RoundedRect(right-w, y, w, h, 3, "1234", "D")
	s.textRight(t, right-pad, y+15, word)
	return y + h
}

// parties draws the invoice's recipient and, beside it, the dates.
func (s *sheet) parties() {
	const dates, column = 350.0, 250.0
	s.text(label, left, baseline(label, s.y), "BILL TO")
	end := s.name(style{"B", 11, black}, left, s.y+15, column, s.Invoice.RecipientName)
	end = s.name(muted, left, end+2, column, s.Invoice.RecipientEmail)

	y := s.y
	for _, d := range dateLines(s.Invoice) {
		s.text(label, dates, baseline(label, y+1.5), d.label)
		s.textRight(body, right, baseline(body, y), d.day)
		y += 18
	}
	s.y = max(end, y) + 20
}

// dateLine is a labeled date of an invoice.
type dateLine struct{ label, day string }

// dateLines returns the dates that an invoice shows, from top to bottom.
func dateLines(inv invoicing.Invoice) []dateLine {
	issued := dateLine{"ISSUED", day(inv.CreatedAt)}
	switch {
	case inv.SentAt != nil:
		issued.day = day(*inv.SentAt)
	case inv.Status == invoicing.Draft:
		issued.label = "DRAFTED"
	}
	all := []dateLine{issued, {"DUE", "No due date"}}
	if !inv.DueDate.IsZero() {
		all[1].day = day(inv.DueDate.Time())
	}
	if inv.Status == invoicing.Paid && inv.PaidAt != nil {
		all = append(all, dateLine{"PAID", day(*inv.PaidAt)})
	}
	if inv.Status == invoicing.Voided && inv.VoidedAt != nil {
		all = append(all, dateLine{"VOIDED", day(*inv.VoidedAt)})
	}
	return all
}

// day formats the day of t in UTC as in "January 2, 2006". The month is a word so that it cannot be
// mistaken for the day.
func day(t time.Time) string { return t.UTC().Format("January 2, 2006") }

// amountLine draws the amount due in large type, and the words after it.
func (s *sheet) amountLine() {
	sum, rest := amountDue(s.Invoice)
	_, c := statusLabel(s.Invoice.Status)
	if s.Invoice.Status != invoicing.Overdue {
		c = black
	}
	t := style{"B", 16, c}
	s.ensureSpace(30)
	s.text(t, left, baseline(t, s.y), sum)
	if x := left + s.measure(t, sum+" "); rest != "" {
		s.text(style{"", 11, c}, x+2, baseline(t, s.y), rest)
	}
	s.y += 34
}

func (s *sheet) description() {
	lines := wrap(s.drawable(body, termtext.Block(s.Invoice.Description)), width, s.measureIn(body))
	for _, line := range lines {
		s.ensureSpace(body.leading())
		s.y = s.column(body, left, s.y, []string{line})
	}
	if len(lines) > 0 {
		s.y += 18
	}
}
