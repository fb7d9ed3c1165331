package alerts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/internal/plural"
)

// pause is the time without a round after which a message says that nobody has looked.
const pause = 36 * time.Hour

// forget is the time after which an event that is no more found is forgotten.
const forget = 400 * 24 * time.Hour

// round is one look at all alerts.
type round struct {
	state   *State
	reading *Reading
	found   map[string][]Finding // what is to be told, by the names of channels, joined
	after   time.Duration        // after which something unknown is told
}

// Observe looks at all alerts and adds what is to be told to the outbox: one message for each set
// of channels, whatever the number of findings. company names the company, and channels are the
// names of those that alerts without a list of their own are told through.
func (s *State) Observe(all []*Alert, r *Reading, company string, channels []string) {
	one := round{state: s, reading: r, found: map[string][]Finding{}, after: 24 * time.Hour}
	for _, a := range all {
		if a.Rule.Name == unknownRule {
			one.after = a.after
		}
	}
	s.setUnreachable(r)
	targets := map[string][]string{}
	unknown := map[string]map[string]int{} // number of alerts by channels and reason
	for _, a := range all {
		to := a.To
		if to == nil {
			to = channels
		}
		key := strings.Join(to, "\n")
		targets[key] = to
		found, reason := one.alert(a)
		one.found[key] = append(one.found[key], found...)
		if reason != "" {
			if unknown[key] == nil {
				unknown[key] = map[string]int{}
			}
			unknown[key][reason]++
		}
	}
	for key, reasons := range unknown {
		for reason, n := range reasons {
			one.found[key] = append(one.found[key], Finding{
				Text: plural.Count(n, "alert") + " cannot be known: " + sentence(reason), Open: "tarmac alerts",
			})
		}
	}
	note := one.pauseNote()
	for key, found := range one.found {
		if len(found) > 0 {
			s.Post(Message{At: r.Now, Company: company, Title: titleOf(found), Findings: found, Note: note}, targets[key])
		}
	}
	for key := range s.Alerts {
		if !slices.ContainsFunc(all, func(a *Alert) bool { return a.Key() == key }) {
			delete(s.Alerts, key)
		}
	}
	if r.Unreachable == "" {
		s.Round = r.Now
	}
}

// setUnreachable remembers since when the server does not answer.
func (s *State) setUnreachable(r *Reading) {
	switch {
	case r.Unreachable == "":
		s.Unreachable = time.Time{}
	case s.Unreachable.IsZero() || s.Unreachable.After(r.Now):
		s.Unreachable = r.Now
	}
}

// pauseNote says how long nobody has looked, or returns "".
func (o *round) pauseNote() string {
	gap := o.reading.Now.Sub(o.state.Round)
	if o.state.Round.IsZero() || gap < pause {
		return ""
	}
	n, unit := plural.Span(gap)
	return "Nobody has looked for " + plural.Count(n, unit) + "; this is what has come together."
}

// titleOf returns the first finding, and how many there are.
func titleOf(found []Finding) string {
	first := strings.TrimSuffix(found[0].Text, ".")
	if len(found) == 1 {
		return first
	}
	return fmt.Sprintf("%s, and %d more", first, len(found)-1)
}

// alert looks at an alert, remembers its state, and returns what is to be told. reason is not empty
// if that it is unknown is to be told.
func (o *round) alert(a *Alert) (tell []Finding, reason string) {
	now := o.reading.Now
	w, seen := o.state.Alerts[a.Key()]
	if !seen {
		w = &Watched{Since: now}
		o.state.Alerts[a.Key()] = w
	}
	if w.Told == nil {
		w.Told = map[string]time.Time{}
	}
	l := o.look(a)
	w.Words = l.state
	if l.unknown != "" {
		return nil, o.notKnown(w, l.unknown)
	}
	first := a.Rule.event && w.Looked.IsZero()
	w.Looked = now
	w.UnknownSince, w.UnknownTold = time.Time{}, false
	current := map[string]bool{}
	for _, f := range l.found {
		current[f.Subject] = true
		at, told := w.Told[f.Subject]
		switch {
		case first:
			w.Told[f.Subject] = now
		case !told || a.repeat > 0 && !a.Rule.event && now.Sub(at) >= a.repeat:
			w.Told[f.Subject], w.Last = now, now
			tell = append(tell, f)
		}
	}
	for subject, at := range w.Told {
		gone := !current[subject] && !l.between[subject]
		if gone && (!a.Rule.event || now.Sub(at) > forget) {
			delete(w.Told, subject)
		}
	}
	return tell, ""
}

// look looks at an alert, unless something that it needs could not be read.
func (o *round) look(a *Alert) look {
	if a.Rule.Name == "server-unreachable" {
		l := a.Rule.look(a, o.reading)
		if len(l.found) > 0 && o.reading.Now.Sub(o.state.Unreachable) < a.after {
			l.found, l.between = nil, map[string]bool{"": true}
		}
		return l
	}
	if a.Rule.Name == unknownRule {
		return a.Rule.look(a, o.reading)
	}
	if o.reading.Unreachable != "" {
		return unknown(o.reading.Unreachable)
	}
	for _, need := range a.Rule.Needs {
		if reason := o.reading.Failures[need]; reason != "" {
			return unknown(reason)
		}
		if !o.reading.has(need) {
			return unknown("its figures were not read")
		}
	}
	return a.Rule.look(a, o.reading)
}

// notKnown remembers that an alert cannot be known, and returns the reason if it is to be told now.
func (o *round) notKnown(w *Watched, reason string) string {
	now := o.reading.Now
	if w.UnknownSince.IsZero() || w.UnknownSince.After(now) {
		w.UnknownSince = now
	}
	if w.UnknownTold || now.Sub(w.UnknownSince) < o.after {
		return ""
	}
	w.UnknownTold, w.Last = true, now
	return reason
}

// LastTold returns when an alert was told last, and whether it ever was.
func (s *State) LastTold(a *Alert) (at time.Time, ever bool) {
	if w := s.Alerts[a.Key()]; w != nil {
		return w.Last, !w.Last.IsZero()
	}
	return time.Time{}, false
}

// Words returns the state of an alert at the last round, or says that there was none.
func (s *State) Words(a *Alert) string {
	if w := s.Alerts[a.Key()]; w != nil && w.Words != "" {
		return w.Words
	}
	return "not looked at yet"
}
