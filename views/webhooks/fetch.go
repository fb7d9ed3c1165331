package webhooks

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
)

// How old endpoints and deliveries may become while the page is shown, and how
// often deliveries are looked at while one is on its way.
const (
	listEvery = 15 * time.Second
	logEvery  = 5 * time.Second
	logSoon   = 2 * time.Second
	// onTheWay is for how long after it was due, or sent, a delivery is awaited.
	onTheWay = 30 * time.Second
	// unwatched is how old they may become while the terminal has not the focus.
	unwatched = time.Minute
)

// listed is the answer to a request for the endpoints.
type listed struct {
	request uint64
	all     []apiclient.Webhook
	err     error
}

// delivered is the answer to a request for an endpoint's deliveries.
type delivered struct {
	request uint64
	all     []apiclient.WebhookDelivery
	err     error
}

// readList returns the command that reads the endpoints. An answer that is still
// awaited is a late one from here on: it may be from before a write.
func (s *Screen) readList() tea.Cmd {
	request := s.endpoints.list.Begin()
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		all, err := source.Webhooks(ctx)
		return listed{request, all, err}
	}
}

// readLog returns the command that reads the deliveries of the chosen endpoint, nil
// without one.
func (s *Screen) readLog() tea.Cmd {
	if s.endpoints.selected == "" {
		return nil
	}
	request, id, source := s.deliveries.log.Begin(), s.endpoints.selected, s.source
	s.deliveries.cancel()
	ctx, cancel := context.WithTimeout(s.env.Context, s.env.Timeout)
	s.deliveries.cancel = cancel
	return func() tea.Msg {
		defer cancel()
		all, err := source.WebhookDeliveries(ctx, id)
		return delivered{request, all, err}
	}
}

// renew returns the commands for what has become too old. A hidden page reads nothing.
func (s *Screen) renew() tea.Cmd {
	if !s.visible {
		return nil
	}
	due := func(state resource.State, every time.Duration) bool {
		return resource.Due(state, s.env.Now(), resource.Policy{Every: max(every, s.minAge)})
	}
	var cmds []tea.Cmd
	if due(s.endpoints.list.State(), listEvery) {
		cmds = append(cmds, s.readList())
	}
	if s.endpoints.selected != "" && s.logShown() && due(s.deliveries.log.State(), s.logPace()) {
		cmds = append(cmds, s.readLog())
	}
	return tea.Batch(cmds...)
}

// logPace is how old the deliveries may become: less while one of them is about to
// change.
func (s *Screen) logPace() time.Duration {
	now := s.env.Now()
	if s.writes.test.at(s.endpoints.selected) && s.writes.test.awaited(s, now) {
		return time.Second
	}
	all, _ := s.deliveries.log.Value()
	for i := range all {
		if at := all[i].NextRetryAt; all[i].Status == apiclient.DeliveryPending && at != nil && !now.Before(*at) && now.Before(at.Add(onTheWay)) {
			return logSoon
		}
	}
	return logEvery
}

// tookList takes the endpoints. The cursor stays on the one it was on.
func (s *Screen) tookList(msg listed) tea.Cmd {
	condition := resource.Ready
	if len(msg.all) == 0 {
		condition = resource.Empty
	}
	now := s.env.Now()
	if !s.endpoints.list.Complete(msg.request, msg.all, condition, msg.err, now, resource.RetryAt(now, msg.err, s.endpoints.list.Failures())) || msg.err != nil {
		return nil
	}
	s.endpoints.list.SetPartial(resource.PartialOf("endpoint", msg.all))
	if s.writes.doubt != nil && !s.writes.doubt.read {
		s.writes.doubt.read = true
		if made := s.writes.doubt.made(msg.all); made != nil {
			s.endpoints.selectNext = made.ID
		}
	}
	if s.endpoints.selectNext != "" {
		s.filter.texts[onEndpoints] = "" // it is to be seen
	}
	s.apply()
	s.endpoints.table.SetRows(len(s.filter.endpoints), len(s.filter.endpoints))
	for _, id := range [...]string{s.endpoints.selectNext, s.endpoints.selected} {
		at := slices.IndexFunc(s.filter.endpoints, func(w *apiclient.Webhook) bool { return w.ID == id && id != "" })
		if at >= 0 {
			s.endpoints.table.SetCursor(at)
			break
		}
	}
	s.endpoints.selectNext = ""
	return s.choose()
}

// tookLog takes the deliveries. The cursor stays on the one it was on, or on the
// newest.
func (s *Screen) tookLog(msg delivered) {
	current, _ := s.delivery(s.deliveries.table.Cursor())
	now := s.env.Now()
	condition := resource.Ready
	if len(msg.all) == 0 {
		condition = resource.Empty
	}
	if !s.deliveries.log.Complete(msg.request, msg.all, condition, msg.err, now, resource.RetryAt(now, msg.err, s.deliveries.log.Failures())) || msg.err != nil {
		return
	}
	s.deliveries.log.SetPartial(resource.PartialOf("delivery", msg.all))
	top := s.deliveries.table.Cursor() == 0 && s.place != onDelivery
	s.apply()
	s.deliveries.table.SetRows(len(s.filter.deliveries), len(s.filter.deliveries))
	if current == nil || top {
		return
	}
	at := slices.IndexFunc(s.filter.deliveries, func(d *apiclient.WebhookDelivery) bool { return d.ID == current.ID })
	if at < 0 {
		s.place = min(s.place, onDeliveries) // the delivery that was open is no longer among the latest
	}
	s.deliveries.table.SetCursor(max(0, at))
}

// choose notes which endpoint the cursor is on and reads its deliveries. While
// those of another one are awaited that is left to the next second, so that a key
// held down does not ask at every step.
func (s *Screen) choose() tea.Cmd {
	id := ""
	if w := s.endpoint(s.endpoints.table.Cursor()); w != nil {
		id = w.ID
	}
	if id == s.endpoints.selected {
		return nil
	}
	waiting := s.deliveries.log.Waiting()
	s.deliveries.cancel()
	s.endpoints.selected = id
	s.place = min(s.place, onDeliveries)
	s.deliveries.log.Forget()
	s.apply()
	s.deliveries.table.SetRows(0, 0)
	s.deliveries.table.SetCursor(0)
	if waiting || !s.logShown() {
		return nil
	}
	return s.readLog()
}

// endpoint returns the endpoint of a row, or nil.
func (s *Screen) endpoint(row int) *apiclient.Webhook {
	if row < 0 || row >= len(s.filter.endpoints) || !s.endpoints.list.State().HasFigures() {
		return nil
	}
	return s.filter.endpoints[row]
}

// delivery returns the delivery of a row.
func (s *Screen) delivery(row int) (*apiclient.WebhookDelivery, bool) {
	if row < 0 || row >= len(s.filter.deliveries) || !s.deliveries.log.State().HasFigures() {
		return nil, false
	}
	return s.filter.deliveries[row], true
}

// withChosen does something with the endpoint under the cursor: not with one that could
// not be read, of which nobody knows what it would change.
func (s *Screen) withChosen(do func(*apiclient.Webhook)) {
	if w := s.endpoint(s.endpoints.table.Cursor()); w != nil && w.ID != "" && w.Unreadable == nil {
		do(w)
	}
}
