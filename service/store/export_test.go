package store

// ForgetTotals makes the next keyword totals be computed.
func (s *Store) ForgetTotals() {
	s.totals.mu.Lock()
	defer s.totals.mu.Unlock()
	s.totals.known = nil
}
