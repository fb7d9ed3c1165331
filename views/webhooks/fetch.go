package webhooks

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
)

// The maximum age of endpoints and deliveries on the visible page. logSoon applies while a delivery
// is due.
const (
	listEvery = 15 * time.Second
	logEvery  = 5 * time.Second
	logSoon   = 2 * time.Second
	// onTheWay is how long the page polls faster after a delivery was due or sent.
	onTheWay = 30 * time.Second
	// unwatched is the maximum age while the terminal does not have the focus.
	unwatched = time.Minute
)

// listed is the response to a request for the endpoints.
type listed struct {
	request uint64
	all     []apiclient.Webhook
	err     error
}

// delivered is the response to a request for an endpoint's deliveries.
type delivered struct {
	request uint64
	all     []apiclient.WebhookDelivery
	err     error
}

// readList returns the command that fetches the endpoints. It supersedes any earlier request, whose
// response may predate a write.
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

// readLog returns the command that fetches the deliveries of the selected endpoint, or nil if none
// is selected.
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

// renew returns the commands that fetch outdated data, or nil on a hidden page.
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

// logPace returns the maximum age of the deliveries, which is lower while one is about to change.
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

// tookList stores the endpoints. The cursor stays on its endpoint.
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
		s.filter.texts[onEndpoints] = "" // a filter must not hide it
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

// tookLog stores the deliveries. The cursor stays on its delivery, or on the newest one.
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
		s.place = min(s.place, onDeliveries) // the open delivery is no longer in the list
	}
	s.deliveries.table.SetCursor(max(0, at))
}

// choose selects the endpoint under the cursor and fetches its deliveries. While another request is
// pending it leaves the fetch to the next tick, so that a held key does not send one request per
// step.
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

// endpoint returns the endpoint in a row, or nil.
func (s *Screen) endpoint(row int) *apiclient.Webhook {
	if row < 0 || row >= len(s.filter.endpoints) || !s.endpoints.list.State().HasFigures() {
		return nil
	}
	return s.filter.endpoints[row]
}

// delivery returns the delivery in a row, or false if the row has none.
func (s *Screen) delivery(row int) (*apiclient.WebhookDelivery, bool) {
	if row < 0 || row >= len(s.filter.deliveries) || !s.deliveries.log.State().HasFigures() {
		return nil, false
	}
	return s.filter.deliveries[row], true
}

// withChosen calls do with the endpoint under the cursor, unless its record is unreadable.
func (s *Screen) withChosen(do func(*apiclient.Webhook)) {
	if w := s.endpoint(s.endpoints.table.Cursor()); w != nil && w.ID != "" && w.Unreadable == nil {
		do(w)
	}
}
