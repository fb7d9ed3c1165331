package plain

import "tarmac/client/alerts"

// listAlerts prints the alerts with their state, and their channels.
func (s *session) listAlerts(string) error {
	if s.server.Alerts == nil {
		return s.answer("Nothing is watched here: alerts are of a profile or of own books.")
	}
	of, err := s.server.Alerts(s.ctx)
	switch {
	case err != nil:
		return s.answer("The alerts could not be read: %s", errorSentence(err))
	case len(of.Alerts) == 0:
		return s.answer("%s", alerts.NothingWatched)
	}
	for i := range of.Alerts {
		e := &of.Alerts[i]
		switch {
		case e.Tells == "":
			s.say("  %d: %s %s.", e.Number, e.Rule, e.Problem)
			continue
		case e.Open:
			s.say("  %d: crossed: %s, %s: %s, %s.", e.Number, e.Rule, e.Tells, e.State, e.Told())
		default:
			s.say("  %d: %s, %s: %s, %s.", e.Number, e.Rule, e.Tells, e.State, e.Told())
		}
		if e.Problem != "" {
			s.say("     %s.", e.Problem)
		}
	}
	for _, c := range of.Channels {
		s.say("Channel %s: %s.", c.Name, c.Status())
	}
	return s.answer("%s Commands change them: tarmac alerts add, remove, test.", of.Looked())
}
