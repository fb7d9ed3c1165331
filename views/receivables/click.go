package receivables

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// Click selects the clicked customer or invoice. A click on the selected one opens it.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.paying {
		return s.bills.click(x, y)
	}
	a := s.arrange()
	frame := a.side()
	y -= a.above
	if s.Typing() || !s.data.Aging.State().HasFigures() {
		return nil
	}
	end := a.buckets + a.customers
	if !a.open {
		end--
	}
	if row, ok := s.customers.At(x-frame, y-a.buckets-1); ok && a.customers > 0 && y < end {
		if row == s.customers.Cursor() && s.bucket == 0 && !s.inside {
			return s.Update(views.Enter())
		}
		s.customers.SetCursor(row)
		s.bucket, s.inside = 0, false
		s.selectCustomer()
		return nil
	}
	if a.invoices == 0 || y < a.buckets+a.customers {
		return nil
	}
	was := s.inside
	s.bucket, s.inside = 0, true
	s.selectCustomer()
	row, ok := s.invoiceTable.At(x-frame, y-a.buckets-a.customers-1)
	switch {
	case !ok:
		s.inside = was
	case was && row == s.invoiceTable.Cursor():
		return s.Update(views.Enter())
	default:
		s.invoiceTable.SetCursor(row)
	}
	s.syncView()
	return nil
}
