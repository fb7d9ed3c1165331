package sshserver

// Sessions returns the grants of the clients that have a session.
func (s *Server) Sessions() (grants []any) {
	s.clients.mu.Lock()
	defer s.clients.mu.Unlock()
	for o := range s.clients.all {
		if o.hasSession {
			grants = append(grants, o.granted.grant)
		}
	}
	return grants
}
