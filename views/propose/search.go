package propose

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/proposal"
	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

// search lists the newest drafts while the outcome of a proposal is unknown, because one of them
// may be the proposed invoice. Drafts that match the proposal come first.
type search struct {
	found      resource.Resource[proposal.Candidates]
	candidates proposal.Candidates // the drafts in the table
	table      *table.Table
	good       table.Ink // style of the word "likely"
}

// searchResult is the response to a request for the newest drafts.
type searchResult struct {
	request    uint64
	candidates proposal.Candidates
	err        error
}

// searchDrafts returns the command that fetches the newest drafts.
func (s *Screen) searchDrafts() tea.Cmd {
	request := s.search.found.Begin()
	source, parent, timeout, sent := s.source, s.env.Context, s.env.Timeout, s.unanswered()
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		candidates, err := sent.Search(ctx, source)
		return searchResult{request, candidates, err}
	}
}

func (s *Screen) showResult(msg searchResult) {
	now, condition := s.env.Now(), resource.Ready
	if len(msg.candidates.Drafts) == 0 {
		condition = resource.Empty
	}
	retryAt := resource.NextRetry(now, msg.err, s.search.found.Failures())
	if !s.search.found.Complete(msg.request, msg.candidates, condition, msg.err, now, retryAt) || msg.err != nil {
		return
	}
	s.confirmation.cancel() // the first press may have been meant for a draft that has moved
	s.search.candidates = msg.candidates
	s.search.table.Invalidate()
	s.search.table.Widen(numberColumn, widestNumber(msg.candidates.Drafts))
	s.search.table.SetRows(len(msg.candidates.Drafts), len(msg.candidates.Drafts))
	s.search.table.SetCursor(0)
}

// chosen returns the draft under the cursor. It returns false if the list is empty.
func (s *search) chosen() (apiclient.Invoice, bool) {
	if i := s.table.Cursor(); s.found.State().HasFigures() && i < len(s.candidates.Drafts) {
		return s.candidates.Drafts[i], true
	}
	return apiclient.Invoice{}, false
}

func (s *search) clear() {
	s.found.Forget()
	s.candidates = proposal.Candidates{}
	s.table.SetRows(0, 0)
	s.table.Invalidate()
}

func (s *search) setTheme(t theme.Theme) {
	s.good = table.NewInk(t.Accent)
	s.table.SetTheme(t)
}

// numberColumn is the index of the table column with invoice numbers.
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
		{Title: "Created, UTC", Min: 16, Ideal: 16, Priority: 1},
		{Title: "Recipient", Min: 14, Tight: 6, Ideal: 24, Flex: 1},
		{Title: "Total", Min: 12, Ideal: 14, Align: table.Right},
		{Title: "For", Min: 12, Ideal: 20, Flex: 2, Priority: 2},
	}
}

// Row appends the cells of draft i to dst.
func (s *search) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	if i >= len(s.candidates.Drafts) {
		return dst, false
	}
	invoice, match := s.candidates.Drafts[i], ""
	if i < s.candidates.Likely {
		match = "likely"
	}
	return append(dst,
		table.Cell{Text: match, Ink: s.good},
		table.Cell{Text: invoice.Number, KeepEnd: true},
		table.Cell{Text: invoice.CreatedAt.UTC().Format("2006-01-02 15:04")},
		table.Cell{Text: invoice.RecipientName},
		table.Cell{Text: invoice.Total.String()},
		table.Cell{Text: invoice.Description},
	), true
}
