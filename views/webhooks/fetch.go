package webhooks

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
)

// Maximum ages of the lists. Older lists are fetched again while the page is visible.
const (
	endpointsMaxAge  = 15 * time.Second
	deliveriesMaxAge = 5 * time.Second
	dueMaxAge        = 2 * time.Second
	// followTime is how long the page polls faster after a delivery became due or was sent.
	followTime = 30 * time.Second
	// unfocusedAge is the maximum age of the lists while the terminal does not have the focus.
	unfocusedAge = time.Minute
)

// endpointsMsg is the response to a request for the endpoints.
type endpointsMsg struct {
	request uint64
	all     []apiclient.Webhook
	err     error
}

// deliveriesMsg is the response to a request for an endpoint's deliveries.
type deliveriesMsg struct {
	request uint64
	all     []apiclient.WebhookDelivery
	err     error
}

// fetchEndpoints returns the command that fetches the endpoints. Responses to earlier requests are
// ignored, because they may show the state before a change that the user made.
func (s *Screen) fetchEndpoints() tea.Cmd {
	request := s.endpoints.list.Begin()
	parent, timeout, source := s.env.Context, s.env.Timeout, s.source
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		all, err := source.Webhooks(ctx)
		return endpointsMsg{request, all, err}
	}
}

// fetchDeliveries returns the command that fetches the deliveries of the selected endpoint, or nil
// if none is selected. It cancels any earlier request.
func (s *Screen) fetchDeliveries() tea.Cmd {
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
		return deliveriesMsg{request, all, err}
	}
}

// fetchDue returns the command that fetches the endpoints and deliveries that are due. It returns
// nil if none are due or the page is hidden.
func (s *Screen) fetchDue() tea.Cmd {
	if !s.visible {
		return nil
	}
	due := func(state resource.State, every time.Duration) bool {
		return resource.Due(state, s.env.Now(), resource.Policy{MaxAge: max(every, s.minAge)})
	}
	var cmds []tea.Cmd
	if due(s.endpoints.list.State(), endpointsMaxAge) {
		cmds = append(cmds, s.fetchEndpoints())
	}
	if s.endpoints.selected != "" && s.deliveriesShown() && due(s.deliveries.log.State(), s.deliveriesAge()) {
		cmds = append(cmds, s.fetchDeliveries())
	}
	return tea.Batch(cmds...)
}

// deliveriesAge returns the age after which the deliveries are fetched again. The age is lower
// while a delivery is about to change: one second for the test event, dueMaxAge for a retry that is
// due.
func (s *Screen) deliveriesAge() time.Duration {
	now := s.env.Now()
	if s.writes.testEvent.isFor(s.endpoints.selected) && s.writes.testEvent.changesSoon(s, now) {
		return time.Second
	}
	all, _ := s.deliveries.log.Value()
	for i := range all {
		at := all[i].NextRetryAt
		if all[i].Status == apiclient.DeliveryPending && at != nil &&
			!now.Before(*at) && now.Before(at.Add(followTime)) {
			return dueMaxAge
		}
	}
	return deliveriesMaxAge
}

// storeEndpoints stores the fetched endpoints. The cursor moves to the endpoint selectNext if it is
// listed. Otherwise it stays on its endpoint.
func (s *Screen) storeEndpoints(msg endpointsMsg) tea.Cmd {
	condition := resource.Ready
	if len(msg.all) == 0 {
		condition = resource.Empty
	}
	now := s.env.Now()
	retry := resource.NextRetry(now, msg.err, s.endpoints.list.Failures())
	if !s.endpoints.list.Complete(msg.request, msg.all, condition, msg.err, now, retry) || msg.err != nil {
		return nil
	}
	s.endpoints.list.SetPartial(resource.PartialOf("endpoint", msg.all))
	if s.writes.unanswered != nil && !s.writes.unanswered.reloaded {
		s.writes.unanswered.reloaded = true
		if created := s.writes.unanswered.Created(msg.all); created != nil {
			s.endpoints.selectNext = created.ID
			s.writes.created++
		}
	}
	if s.endpoints.selectNext != "" {
		s.filter.texts[onEndpoints] = "" // a filter might hide the new endpoint
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
	return s.selectEndpoint()
}

// storeDeliveries stores the fetched deliveries. The cursor stays on its delivery, unless it is on
// the first row. There it stays on the first row, which shows the newest delivery.
func (s *Screen) storeDeliveries(msg deliveriesMsg) {
	current, _ := s.delivery(s.deliveries.table.Cursor())
	now := s.env.Now()
	condition := resource.Ready
	if len(msg.all) == 0 {
		condition = resource.Empty
	}
	retry := resource.NextRetry(now, msg.err, s.deliveries.log.Failures())
	if !s.deliveries.log.Complete(msg.request, msg.all, condition, msg.err, now, retry) || msg.err != nil {
		return
	}
	s.deliveries.log.SetPartial(resource.PartialOf("delivery", msg.all))
	top := s.deliveries.table.Cursor() == 0 && s.focus != onDelivery
	s.apply()
	s.deliveries.table.SetRows(len(s.filter.deliveries), len(s.filter.deliveries))
	if current == nil || top {
		return
	}
	at := slices.IndexFunc(s.filter.deliveries, func(d *apiclient.WebhookDelivery) bool { return d.ID == current.ID })
	if at < 0 {
		s.focus = min(s.focus, onDeliveries) // the delivery shown in the detail pane is no longer listed
	}
	s.deliveries.table.SetCursor(max(0, at))
}

// selectEndpoint selects the endpoint under the cursor and returns the command that fetches its
// deliveries. If deliveries are already being fetched, it cancels that request and returns nil. The
// next tick then fetches them, so that a held arrow key does not cause a request per row.
func (s *Screen) selectEndpoint() tea.Cmd {
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
	s.focus = min(s.focus, onDeliveries)
	s.deliveries.log.Forget()
	s.apply()
	s.deliveries.table.SetRows(0, 0)
	s.deliveries.table.SetCursor(0)
	if waiting || !s.deliveriesShown() {
		return nil
	}
	return s.fetchDeliveries()
}

// endpoint returns the endpoint in a table row, or nil if there is none.
func (s *Screen) endpoint(row int) *apiclient.Webhook {
	if row < 0 || row >= len(s.filter.endpoints) || !s.endpoints.list.State().HasFigures() {
		return nil
	}
	return s.filter.endpoints[row]
}

// delivery returns the delivery in a table row, or false if there is none.
func (s *Screen) delivery(row int) (*apiclient.WebhookDelivery, bool) {
	if row < 0 || row >= len(s.filter.deliveries) || !s.deliveries.log.State().HasFigures() {
		return nil, false
	}
	return s.filter.deliveries[row], true
}

// withSelected calls fn with the endpoint under the cursor. It does nothing if there is no
// endpoint, or if the endpoint has no id or could not be decoded.
func (s *Screen) withSelected(fn func(*apiclient.Webhook)) {
	if w := s.endpoint(s.endpoints.table.Cursor()); w != nil && w.ID != "" && w.Unreadable == nil {
		fn(w)
	}
}
