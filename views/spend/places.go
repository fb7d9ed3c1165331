package spend

import "tarmac/views"

// places returns where else the counterparty under the cursor is, or the months that are compared.
func (s *Screen) places() []views.Place {
	item, ok := s.list().selected()
	if !ok || !s.listed() {
		return nil
	}
	switch {
	case s.rows != nil:
		return views.PlacesOf(s.rows.ledger.Rows[item].CounterpartyName)
	case s.tab == recurring:
		return views.PlacesOf(s.figures.recurring[item].Name)
	case s.tab == counterparties && s.byCategory():
		return nil
	case s.tab == changes:
		_, after := s.compared()
		return views.PlacesOfMonth(after, s.today)
	}
	return views.PlacesOf(s.figures.counterparties[item].Name)
}

// findSought moves the cursor to the counterparty that another page has asked for, once the shown
// list has rows. It looks in the direction that is not shown too.
func (s *Screen) findSought() {
	name := s.sought
	if name == "" || s.rows != nil || s.list().count() == 0 {
		return
	}
	s.sought = ""
	for range 2 {
		l := s.list()
		for at := range l.Len() {
			if l.matches(*l.Item(at), name) {
				l.Table.SetCursor(at)
				l.Following = false
				return
			}
		}
		if s.tab == changes {
			return
		}
		s.setDirection(otherDirection(s.choice.direction))
	}
}
