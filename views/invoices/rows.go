package invoices

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/theme"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/table"
	"tarmac/views/parts/timeline"
)

func columns() []table.Column {
	return table.Titled(record.Invoice(apiclient.Invoice{}), []table.Column{
		{Field: "number", Min: 10, Whole: table.WidestNumber, Tight: 8, Ideal: 11},
		{Field: "status", Min: 7, Ideal: 8},
		{Field: "recipient_name", Min: 12, Tight: 8, Ideal: 26, Flex: 2},
		{Field: "total_cents", Title: "Total     ", Min: amount.Width, Whole: amount.Widest, Tight: 15,
			Ideal: amount.Width, Align: table.Right},
		{Title: "Due", Min: 16, Ideal: 18, Priority: 1}, // relative to today, such as "in 3 days"
		{Field: "due_date", Title: "Due date", Min: 10, Ideal: 10, Priority: 2},
		{Field: "created_at", Min: 10, Ideal: 10, Priority: 3},
		{Field: "description", Min: 40, Ideal: 40, Flex: 3, Priority: 4},
	})
}

// Indices of columns.
const (
	numberColumn = 0
	totalColumn  = 3
)

type inks struct {
	plain, faint, good, problem, unknown table.Ink

	aging [len(figures.BucketNames)]table.Ink
}

func newInks(t theme.Theme) inks {
	k := inks{
		faint: table.NewInk(t.Faint), good: table.NewInk(t.Good),
		problem: table.NewInk(t.Warning), unknown: table.NewInk(t.Unknown),
	}
	for bucket, style := range t.Aging {
		k.aging[bucket] = table.NewInk(style)
	}
	return k
}

// of returns the color of an invoice's status on the day today. Open invoices have the color of
// their aging bucket.
func (k inks) of(i *apiclient.Invoice, today civil.Date) table.Ink {
	switch i.Status {
	case apiclient.InvoicePaid:
		return k.good
	case apiclient.InvoiceDraft, apiclient.InvoiceVoided:
		return k.faint
	case apiclient.InvoiceOverdue:
		return k.late(max(1, daysPastDue(i, today)))
	}
	if i.DueDate == nil {
		return k.plain
	}
	return k.late(daysPastDue(i, today))
}

// ofDue returns the color of the text that says when an invoice is due or how late it was paid.
func (k inks) ofDue(i *apiclient.Invoice, today civil.Date) table.Ink {
	if i.Status == apiclient.InvoicePaid && i.PaidAt != nil {
		if late := daysPastDue(i, civil.Of(*i.PaidAt)); late > 0 {
			return k.late(late)
		}
	}
	return k.of(i, today)
}

func (k inks) late(days int) table.Ink { return k.aging[figures.BucketOf(days)] }

// daysPastDue returns by how many days an invoice is past due on a day. It returns 0 without a due
// date, and a negative number before that date.
func daysPastDue(i *apiclient.Invoice, on civil.Date) int {
	if i.DueDate == nil {
		return 0
	}
	return figures.DaysPastDue(civil.Of(*i.DueDate), on)
}

// unreadable returns the cells of an invoice that could not be decoded.
func (s *Screen) unreadable(_ int, i *apiclient.Invoice, dst []table.Cell) ([]table.Cell, bool) {
	if i.Unreadable == nil {
		return dst, false
	}
	return append(
		dst,
		table.Cell{Text: numberOf(i), KeepEnd: true},
		table.Cell{Text: money.Dash, Ink: s.inks.unknown},
		table.Cell{Text: "unreadable", Ink: s.inks.problem},
		table.Cell{Text: amount.InOwnCurrency(i.Total, ""), Ink: s.inks.unknown},
	), true
}

func (s *Screen) cell(i *apiclient.Invoice, f record.Field) table.Cell {
	switch f.Name {
	case "number":
		return table.Cell{Text: numberOf(i), KeepEnd: true}
	case "status":
		return table.Cell{Text: f.Text(), Ink: s.inks.of(i, s.Today)}
	case "recipient_name":
		return table.Cell{Text: f.Text()}
	case "total_cents":
		return table.Cell{Text: amount.InOwnCurrency(f.Amount, ""), Ink: s.moneyInk(f.Amount)}
	case "due_date":
		return table.Cell{Text: f.TextOrDash(), Ink: s.inks.faint}
	case "created_at":
		return table.Cell{Text: day(i.CreatedAt), Ink: s.inks.faint}
	case "":
		return table.Cell{Text: dueText(i, s.Today), Ink: s.inks.ofDue(i, s.Today)}
	}
	return table.Cell{Text: f.Text(), Ink: s.inks.faint}
}

func (s *Screen) moneyInk(a apiclient.Amount) table.Ink {
	if !a.Known() {
		return s.inks.unknown
	}
	return s.inks.plain
}

// numberOf returns an invoice's number, or its ID if it has none.
func numberOf(i *apiclient.Invoice) string { return cmp.Or(i.Number, i.ID) }

func day(at time.Time) string {
	if at.IsZero() {
		return money.Dash
	}
	return civil.Of(at).String()
}

// dueText returns the cell of the due date relative to today, such as "3 days overdue". For a paid
// invoice it says how late it was paid. It returns "" for other closed invoices.
func dueText(i *apiclient.Invoice, today civil.Date) string {
	late, dated := daysPastDue(i, today), i.DueDate != nil
	switch {
	case i.Status == apiclient.InvoiceDraft:
		return "not sent"
	case i.Status == apiclient.InvoicePaid && dated && i.PaidAt != nil:
		return paidText(daysPastDue(i, civil.Of(*i.PaidAt)))
	case i.Status == apiclient.InvoiceOverdue && late > 0:
		return plural.Count(late, "day") + " overdue"
	case i.Status == apiclient.InvoiceSent && dated && late > 0:
		return plural.Count(late, "day") + " past due"
	case i.Status == apiclient.InvoiceSent && dated:
		return civil.Of(*i.DueDate).Relative(today)
	case i.Status == apiclient.InvoiceSent:
		return "no due date"
	}
	return ""
}

func paidText(late int) string {
	switch {
	case late > 0:
		return plural.Count(late, "day") + " late"
	case late < 0:
		return plural.Count(-late, "day") + " early"
	}
	return "on the due date"
}

// fields returns all fields of an invoice and its timeline for the detail pane.
func (s *Screen) fields(i *apiclient.Invoice) []table.Field {
	o := record.Invoice(*i)
	o.SetDetail("status", statusText(i, s.Today))
	ink := func(f record.Field) table.Ink {
		switch f.Name {
		case "status":
			return s.inks.ofDue(i, s.Today)
		case "id", "updated_at":
			return s.inks.faint
		}
		return s.inks.plain
	}
	if i.Unreadable != nil {
		fields := table.Fields(o.Pick("number", "id"), s.inks.unknown, ink)
		return append(fields, table.Problem(i.Unreadable, s.inks.problem))
	}
	last := []string{"description", "subtotal_cents", "tax_cents", "total_cents", "due_date", "id"}
	inTimeline := []string{"created_at", "updated_at", "sent_at", "paid_at", "voided_at"}
	facts := append(o.Without(slices.Concat(inTimeline, last)...), o.Pick(last...)...)
	lines := table.Field{Label: "Lines", Text: "in the PDF: s", Ink: s.inks.faint} // the API does not list them
	return slices.Concat(
		table.Fields(facts, s.inks.unknown, ink),
		[]table.Field{lines, {Text: "\nTimeline (UTC)"}},
		timeline.Fields(s.timelineSteps(i, o), s.Now()),
		[]table.Field{{}},
		table.Fields(o.Pick("updated_at"), s.inks.unknown, ink),
	)
}

// statusText returns an invoice's status with its due date relative to today, such as "overdue by 3
// days".
func statusText(i *apiclient.Invoice, today civil.Date) string {
	status, words := string(i.Status), dueText(i, today)
	days, late := strings.CutSuffix(words, " overdue")
	switch {
	case words == "":
		return status
	case late:
		return status + " by " + days
	case i.Status == apiclient.InvoiceSent && i.DueDate != nil && !strings.HasSuffix(words, "past due"):
		return status + ", due " + words
	}
	return status + ", " + words
}

// timelineSteps returns the steps of the invoice's timeline. The API doesn't say when an invoice
// becomes overdue, so that step is dated to the day after the due date (docs/api.md, Invoice
// status).
func (s *Screen) timelineSteps(i *apiclient.Invoice, o record.Object) []timeline.Step {
	ink := func(f record.Field) table.Ink {
		switch f.Name {
		case "created_at", "voided_at":
			return s.inks.faint
		case "paid_at":
			return s.inks.good
		}
		return s.inks.plain
	}
	steps := timeline.Of(o.Pick("created_at", "sent_at"), ink)
	if i.DueDate != nil && !closedBefore(i, civil.Of(*i.DueDate)) {
		due := civil.Of(*i.DueDate)
		end := due.AddDays(1).Time()
		steps = append(
			steps,
			timeline.Step{At: onDay(due, &i.CreatedAt, i.SentAt), Day: true, What: "due", Ink: s.inks.plain},
		)
		if wasOverdue(i, end) {
			steps = append(steps, timeline.Step{At: end, Day: true, What: "overdue", Ink: s.inks.late(1)})
		}
	}
	return append(steps, timeline.Of(o.Pick("paid_at", "voided_at"), ink)...)
}

// onDay returns the latest of the times that fall on day, or else the start of day. A timeline
// step at the returned time is sorted after the steps at those times.
func onDay(day civil.Date, times ...*time.Time) time.Time {
	at := day.Time()
	for _, t := range times {
		if t != nil && civil.Of(*t) == day && t.After(at) {
			at = *t
		}
	}
	return at
}

// closedBefore reports whether an invoice was paid or voided before a day.
func closedBefore(i *apiclient.Invoice, day civil.Date) bool {
	for _, at := range [...]*time.Time{i.PaidAt, i.VoidedAt} {
		if at != nil && civil.Of(*at).Before(day) {
			return true
		}
	}
	return false
}

// wasOverdue reports whether an invoice was sent but neither paid nor voided by the end of its due
// day.
func wasOverdue(i *apiclient.Invoice, end time.Time) bool {
	switch {
	case i.Status == apiclient.InvoiceOverdue:
		return true
	case i.SentAt == nil || i.SentAt.After(end):
		return false
	case i.PaidAt != nil:
		return i.PaidAt.After(end)
	case i.VoidedAt != nil:
		return i.VoidedAt.After(end)
	}
	return false
}
