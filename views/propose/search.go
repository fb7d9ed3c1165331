package propose

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/amount"
	"tarmac/views/panel"
	"tarmac/views/snapshot"
	"tarmac/views/table"
)

// searchRows is how many of the newest drafts are looked through: as many as the
// API gives.
const searchRows = 200

// clocksApart is how much earlier than it was sent a proposal may seem to have been
// made: two machines have two clocks.
const clocksApart = 10 * time.Minute

// search is the look for an invoice that may be there: the newest drafts, those that
// may be the one first.
type search struct {
	found  panel.Resource[[]apiclient.Invoice]
	rows   []apiclient.Invoice
	likely int // how many of the rows may be the one
	table  *table.Table
	good   table.Ink
}

// looked is the newest drafts.
type looked struct {
	to      *Screen
	request uint64
	drafts  []apiclient.Invoice
	err     error
}

// look returns the command that asks for the newest drafts.
func (s *Screen) look() tea.Cmd {
	request := s.search.found.Begin()
	source, parent, timeout := s.source, s.ctx, s.timeout
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		drafts, err := source.Invoices(ctx, apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: searchRows})
		return looked{s, request, drafts, err}
	}
}

func (s *Screen) looked(msg looked) {
	now, condition := s.now(), panel.Ready
	if len(msg.drafts) == 0 {
		condition = panel.Empty
	}
	if !s.search.found.Settle(msg.request, msg.drafts, condition, msg.err, now, snapshot.RetryAt(now, msg.err, s.search.found.Failures())) ||
		msg.err != nil {
		return
	}
	s.trigger.release() // it was aimed at a list that has changed
	s.search.rows, s.search.likely = sorted(msg.drafts, s.attempt.sent.proposal, s.keeping.draft.SentAt)
	s.search.table.Invalidate()
	s.search.table.Widen(numberColumn, widestNumber(s.search.rows))
	s.search.table.SetRows(len(s.search.rows), len(s.search.rows))
	s.search.table.SetCursor(0)
}

// sorted puts the drafts first that a proposal may have become, and says how many
// those are.
func sorted(drafts []apiclient.Invoice, p apiclient.InvoiceProposal, sentAt time.Time) (rows []apiclient.Invoice, likely int) {
	var others []apiclient.Invoice
	for _, invoice := range drafts {
		if Matches(invoice, p, sentAt) {
			rows = append(rows, invoice)
		} else {
			others = append(others, invoice)
		}
	}
	return slices.Concat(rows, others), len(rows)
}

// Matches reports whether an invoice may be what a proposal that was sent at a time
// has become: the same recipient and total, made since.
func Matches(invoice apiclient.Invoice, p apiclient.InvoiceProposal, sentAt time.Time) bool {
	total, err := p.Total()
	minor, known := invoice.Total.Minor()
	return err == nil && known && minor == total &&
		strings.TrimSpace(invoice.RecipientName) == strings.TrimSpace(p.RecipientName) &&
		strings.EqualFold(strings.TrimSpace(invoice.RecipientEmail), strings.TrimSpace(p.RecipientEmail)) &&
		!invoice.CreatedAt.Before(sentAt.Add(-clocksApart))
}

// chosen returns the invoice under the cursor.
func (s *search) chosen() (apiclient.Invoice, bool) {
	if i := s.table.Cursor(); s.found.State().HasFigures() && i < len(s.rows) {
		return s.rows[i], true
	}
	return apiclient.Invoice{}, false
}

func (s *search) clear() {
	s.found.Forget()
	s.rows, s.likely = nil, 0
	s.table.SetRows(0, 0)
	s.table.Invalidate()
}

func (s *search) setTheme(t theme.Theme) {
	s.good = table.NewInk(t.Accent)
	s.table.SetTheme(t)
}

// numberColumn is which of the columns has the numbers.
const numberColumn = 1

func widestNumber(drafts []apiclient.Invoice) (cells int) {
	for i := range drafts {
		cells = max(cells, termtext.Width(drafts[i].Number))
	}
	return cells
}

func searchColumns() []table.Column {
	return []table.Column{
		{Title: "", Min: 6, Ideal: 6},
		{Title: "Number", Min: 10, Whole: table.WidestNumber, Tight: 8, Ideal: 12},
		{Title: "Made, UTC", Min: 16, Ideal: 16, Priority: 1},
		{Title: "Recipient", Min: 14, Tight: 6, Ideal: 24, Flex: 1},
		{Title: "Total", Min: 12, Ideal: 14, Align: table.Right},
		{Title: "For", Min: 12, Ideal: 20, Flex: 2, Priority: 2},
	}
}

// Row returns the cells of a draft.
func (s *search) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	if i >= len(s.rows) {
		return dst, false
	}
	invoice, mark := s.rows[i], ""
	if i < s.likely {
		mark = "likely"
	}
	return append(dst,
		table.Cell{Text: mark, Ink: s.good},
		table.Cell{Text: invoice.Number, KeepEnd: true},
		table.Cell{Text: invoice.CreatedAt.UTC().Format("2006-01-02 15:04")},
		table.Cell{Text: invoice.RecipientName},
		table.Cell{Text: amount.Text(invoice.Total, "")},
		table.Cell{Text: invoice.Description},
	), true
}
