package propose

import (
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/proposal"
	"tarmac/internal/termtext"
	"tarmac/views/parts/panel"
)

// reviewRows draws the proposal that the user reviews or that is being sent.
func (s *Screen) reviewRows(width int) []string {
	width = min(width, maxWidth)
	p := s.attempt.sent.proposal
	if s.step == reviewing {
		p = s.form.parse(s.today()).proposal
	}
	rows := wrap("This creates a draft. Nothing goes to the customer and nothing is charged.", width)
	rows = append(rows, "")
	due, notes := p.DueDate.String(), p.Notes
	if due == "" {
		due = "none"
	}
	if notes == "" {
		notes = "none"
	}
	for _, fact := range [][2]string{
		{"Recipient", p.RecipientName}, {"E-mail", p.RecipientEmail}, {"For", p.Description}, {"Due date", due},
		{"Notes", notes}, {"Currency", apiclient.InvoiceCurrency},
	} {
		rows = append(rows, s.labelledLines(fact[0], fact[1], width)...)
	}
	rows = append(rows, "")
	for i, item := range p.LineItems {
		rows = append(rows, s.itemRows(i, item, width)...)
	}
	total := s.theme.Strong.Render(proposal.Total(p).String())
	return append(rows, right(s.theme.Faint.Render("Total ")+total, width))
}

// itemRows draws a line item with its quantity, price and amount, on two lines if the page is
// narrow.
func (s *Screen) itemRows(i int, item apiclient.LineItem, width int) []string {
	sum := item.Quantity.String() + " × " + proposal.Price(item).String() + " = " +
		right(proposal.LineAmount(item).String(), amountWidth)
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

// explanationRows draws why the outcome of the proposal is unknown and what was sent.
func (s *Screen) explanationRows(width int) []string {
	sent := s.unanswered()
	var rows []string
	for _, line := range wrap(sent.UnknownText(), width) {
		rows = append(rows, s.theme.Critical.Render(line))
	}
	rows = append(rows, wrap(sent.SentText(), width)...)
	for _, line := range wrap(sent.DuplicateWarning(s.env.Now()), width) {
		rows = append(rows, s.theme.Caution.Render(line))
	}
	if s.search.found.State().HasFigures() {
		rows = append(rows, wrap(s.search.candidates.Text(), width)...)
	}
	return append(rows, "")
}

// searchRows draws the explanation and, below it, the drafts found or the state of the search.
func (s *Screen) searchRows(width, room int) []string {
	rows := s.explanationRows(width)
	state := s.search.found.State()
	if state.HasFigures() {
		found := s.search.table.Lines()
		return append(rows[:min(len(rows), max(0, room-len(found)))], found...)
	}
	for _, line := range panel.Lines(state, s.search.candidates.Text(), s.env.Now()) {
		rows = append(rows, wrap(line, width)...)
	}
	return rows
}

// finishedRows draws the created invoice, the line items that were sent, and the keys for what can
// be done with the invoice.
func (s *Screen) finishedRows(width int) []string {
	invoice := s.invoice
	due := "none"
	if invoice.DueDate != nil {
		due = invoice.DueDate.UTC().Format(time.DateOnly)
	}
	title := "Draft " + invoice.Number + " created"
	what := "Nothing was sent to " + invoice.RecipientName + " and nothing was charged."
	if invoice.Status != apiclient.InvoiceDraft {
		title, what = "Invoice "+invoice.Number+" created", "Its status is "+string(invoice.Status)+"."
	}
	rows := []string{s.theme.Good.Render("✓ ") + s.theme.Strong.Render(termtext.Fit(title, max(0, width-2))), ""}
	rows = append(rows, wrap(what, width)...)
	rows = append(rows, "")
	for _, fact := range [][2]string{
		{"Number", invoice.Number}, {"Status", string(invoice.Status)}, {"Total", invoice.Total.String()},
		{"Recipient", strings.TrimSpace(invoice.RecipientName + " <" + invoice.RecipientEmail + ">")},
		{"For", invoice.Description}, {"Due date", due},
	} {
		rows = append(rows, s.labelledLines(fact[0], fact[1], width)...)
	}
	rows = append(append(rows, ""), s.createdLines(min(width, maxWidth))...)
	rows = append(rows, "")
	for _, b := range []struct{ key, does string }{{"enter", "open invoice"}, {"n", "new invoice"}, {"y", "copy number"}} {
		rows = append(rows, s.theme.KeyName.Render(termtext.Fit(b.key, 7))+s.theme.KeyDesc.Render(b.does))
	}
	return rows
}

// createdLines draws the line items that were sent, and the sums that the server returned.
func (s *Screen) createdLines(width int) []string {
	rows := []string{s.theme.Faint.Render(termtext.Fit(proposal.LinesLabel, width))}
	for i, item := range s.sent.LineItems {
		rows = append(rows, s.itemRows(i, item, width)...)
	}
	for _, sum := range proposal.Sums(s.invoice) {
		rows = append(rows, right(s.theme.Faint.Render(sum.Label+" ")+s.theme.Strong.Render(sum.Amount.String()), width))
	}
	for _, line := range wrap(proposal.Difference(s.sent, s.invoice), width) {
		rows = append(rows, s.theme.Caution.Render(line))
	}
	return rows
}
