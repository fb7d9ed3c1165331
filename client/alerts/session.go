package alerts

import (
	"context"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/payables"
	"tarmac/client/problem"
	"tarmac/client/settings"
	"tarmac/internal/civil"
)

// sessionEvery is the time after which a session looks again.
const sessionEvery = 5 * time.Minute

// sessionAlerts are the alerts of a session. They need few requests and no knowledge of the
// company.
func sessionAlerts() []settings.Alert {
	return []settings.Alert{{Rule: "runway-below", Limit: "6"}, {Rule: "bill-due"}, {Rule: "silent-bank"}}
}

// SessionSource is what the alerts of a session are read from. *apiclient.Client implements it.
type SessionSource interface {
	cash.Source
	payables.Source
	Account(ctx context.Context) (*apiclient.Account, error)
}

// session looks at the alerts of a dashboard that has no settings of its person, and remembers
// nothing beyond its end.
type session struct {
	source SessionSource
	now    func() time.Time

	mu     sync.Mutex
	alerts []*Alert
	state  *State
}

// OfSession returns what reads the alerts of a dashboard without settings of its person: a demo, or
// one over SSH. They are the same for everybody, and told on its screen alone. Unlike other
// overviewers it looks itself, every few minutes.
func OfSession(source SessionSource, now func() time.Time) (Overviewer, error) {
	s := &session{source: source, now: now, state: &State{Version: version, Alerts: map[string]*Watched{}}}
	for _, of := range sessionAlerts() {
		a, err := Parse(of)
		if err != nil {
			return nil, err
		}
		s.alerts = append(s.alerts, a)
	}
	return s.overview, nil
}

func (s *session) overview(ctx context.Context) (*Overview, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if since := s.now().Sub(s.state.Round); since < 0 || since >= sessionEvery {
		r := s.read(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.state.Observe(s.alerts, r, "", nil)
	}
	o := OverviewOf(&settings.Settings{Alerts: sessionAlerts()}, []string{"this screen"}, s.state, nil)
	o.IsSession = true
	return o, nil
}

// read reads what the alerts of a session need.
func (s *session) read(ctx context.Context) *Reading {
	r := &Reading{Now: s.now(), Failures: map[Need]string{}}
	failed := func(need Need, err error) {
		if err != nil {
			r.Failures[need] = problem.Line(err)
		}
	}
	var err error
	r.Account, err = s.source.Account(ctx)
	failed(Balance, err)
	position, err := cash.Read(ctx, s.source)
	if failed(Cash, err); err == nil {
		r.Cash = &position
	}
	r.Bills, err = payables.Read(ctx, s.source, civil.Of(s.now()))
	failed(Bills, err)
	return r
}
