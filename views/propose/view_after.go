package propose

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/amount"
)

// keyLife is how long a server remembers an idempotency key (decision 1.9).
const keyLife = 24 * time.Hour

// reviewRows draws exactly what will be sent.
func (s *Screen) reviewRows(width int) []string {
	width = min(width, widest)
	p := s.attempt.sent.proposal
	if s.stage == reviewing {
		p = s.form.read(s.today()).proposal
	}
	rows := wrap("This is sent, and nothing else. It makes a draft: nothing goes to the recipient, nothing is charged.", width)
	rows = append(rows, "")
	due, notes := p.DueDate.String(), p.Notes
	if due == "" {
		due = "none"
	}
	if notes == "" {
		notes = "none"
	}
	for _, fact := range [][2]string{
		{"Recipient", p.RecipientName}, {"E-mail", p.RecipientEmail}, {"For", p.Description}, {"Due date", due}, {"Notes", notes}, {"Currency", "USD"},
	} {
		rows = append(rows, s.labelled(fact[0], fact[1], width)...)
	}
	rows = append(rows, "")
	for i, item := range p.LineItems {
		rows = append(rows, s.itemRows(i, item, width)...)
	}
	total := money.Dash
	if cents, err := p.Total(); err == nil {
		total = money.USD(cents)
	}
	return append(rows, right(s.theme.Faint.Render("Total ")+s.theme.Strong.Render(total), width))
}

// itemRows draws a line item: its description, and what it comes to.
func (s *Screen) itemRows(i int, item apiclient.LineItem, width int) []string {
	sum := money.Dash
	if cents, err := item.Amount(); err == nil {
		sum = money.USD(cents)
	}
	sum = item.Quantity.String() + " × " + money.USD(item.UnitPriceCents) + " = " + right(sum, amountWidth)
	number := strconv.Itoa(i+1) + ". "
	if room := width - len(sum) - columnGap; room >= 20 {
		var rows []string
		for n, line := range wrap(number+item.Description, room) {
			if n == 0 {
				line = ends(line, sum, width)
			}
			rows = append(rows, line)
		}
		return rows
	}
	return append(wrap(number+item.Description, width), right(sum, width))
}

// doubtRows says what is not known.
func (s *Screen) doubtRows(width int) []string {
	p, sent := s.attempt.sent.proposal, s.keeping.draft.SentAt
	total := money.Dash
	if cents, err := p.Total(); err == nil {
		total = money.USD(cents)
	}
	var rows []string
	for _, line := range wrap("Whether the invoice was made is not known: "+s.attempt.doubt+".", width) {
		rows = append(rows, s.theme.Critical.Render(line))
	}
	rows = append(rows, wrap(fmt.Sprintf("It was sent %s UTC: %s to %s <%s>. It is not sent again by itself.",
		sent.Format("2006-01-02 15:04"), total, p.RecipientName, p.RecipientEmail), width)...)
	if s.now().Sub(sent) > keyLife {
		for _, line := range wrap("That is more than a day ago: the server may have forgotten its key, and make a second invoice if it is sent again.", width) {
			rows = append(rows, s.theme.Caution.Render(line))
		}
	}
	if state := s.search.found.State(); state.HasFigures() {
		rows = append(rows, wrap(s.likelyText(), width)...)
	}
	return append(rows, "")
}

func (s *Screen) likelyText() string {
	switch n := s.search.likely; n {
	case 0:
		return "None of the newest drafts has its recipient and total. It may still be on its way."
	case 1:
		return "One of the newest drafts has its recipient and total, and was made since."
	default:
		return fmt.Sprintf("%d of the newest drafts have its recipient and total, and were made since.", n)
	}
}

// searchRows draws the doubt with the drafts below it, or why they are not there.
func (s *Screen) searchRows(width, room int) []string {
	rows := s.doubtRows(width)
	state := s.search.found.State()
	if state.HasFigures() {
		found := s.search.table.Lines()
		return append(rows[:min(len(rows), max(0, room-len(found)))], found...)
	}
	for _, line := range state.Lines("The organization has no drafts. It may still be on its way.", s.now()) {
		rows = append(rows, wrap(line, width)...)
	}
	return rows
}

// finishedRows says that the invoice is there, and what was not done with it.
func (s *Screen) finishedRows(width int) []string {
	invoice := s.invoice
	due := "none"
	if invoice.DueDate != nil {
		due = invoice.DueDate.UTC().Format(time.DateOnly)
	}
	rows := []string{s.theme.Good.Render("✓ ") + s.theme.Strong.Render(termtext.Fit("The invoice is there: "+invoice.Number, max(0, width-2))), ""}
	what := "It is a draft. Nothing was sent to " + invoice.RecipientName + ", and nothing is charged."
	if invoice.Status != apiclient.InvoiceDraft {
		what = "Its status is " + string(invoice.Status) + "."
	}
	rows = append(rows, wrap(what, width)...)
	rows = append(rows, "")
	for _, fact := range [][2]string{
		{"Number", invoice.Number}, {"Status", string(invoice.Status)}, {"Total", amount.Text(invoice.Total, "")},
		{"Recipient", strings.TrimSpace(invoice.RecipientName + " <" + invoice.RecipientEmail + ">")}, {"For", invoice.Description}, {"Due date", due},
	} {
		rows = append(rows, s.labelled(fact[0], fact[1], width)...)
	}
	rows = append(rows, "")
	for _, b := range []struct{ key, does string }{{"enter", "open the invoice"}, {"n", "propose another"}, {"y", "copy its number"}} {
		rows = append(rows, s.theme.KeyName.Render(termtext.Fit(b.key, 7))+s.theme.KeyDesc.Render(b.does))
	}
	return rows
}
