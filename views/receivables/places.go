package receivables

import (
	"strings"

	"tarmac/views"
)

// Records returns the customers and the vendors.
func (s *Screen) Records() (names []views.Record) {
	for i := range s.all {
		if s.all[i].Name != "" {
			names = append(names, views.NameOf(s.all[i].Name))
		}
	}
	for i := range s.bills.vendors {
		if name := s.bills.vendors[i].Name; name != "" {
			names = append(names, views.NameOf(name))
		}
	}
	return names
}

// Places returns where else the customer or the vendor under the cursor is.
func (s *Screen) Places() []views.Place {
	if s.paying {
		if v, ok := s.bills.vendor(); ok {
			return views.PlacesOf(v.Name)
		}
		return nil
	}
	c, ok := s.customer()
	if !ok {
		return nil
	}
	return views.PlacesOf(c.Name)
}

// findSought moves the cursor to the customer that another page has asked for, once there are
// customers.
func (s *Screen) findSought() {
	if s.sought == "" || len(s.all) == 0 {
		return
	}
	name := s.sought
	s.sought = ""
	for i, c := range s.shown {
		if strings.EqualFold(c.Name, name) {
			s.bucket, s.inside = 0, false
			s.customers.SetCursor(i)
			s.selectCustomer()
			return
		}
	}
}
