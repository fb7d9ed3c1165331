package sshserver

// Sessions returns the sessions that are open.
func (s *Server) Sessions() (all []*Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for session := range s.sessions {
		all = append(all, session)
	}
	return all
}
