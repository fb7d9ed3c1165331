// Package intent is the page of one payment intent: its status, purpose, timeline and all other
// fields that the server sends (docs/api.md, Payment intent).
package intent

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/mask"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/page"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
	"tarmac/views/parts/timeline"
)

// Source is the part of *apiclient.Client that the screen uses.
type Source interface {
	PaymentIntent(ctx context.Context, id string) (*apiclient.PaymentIntent, error)
}

// Page returns the page's name, title and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Intent, Title: "Payment", Action: "Payment by id",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Screen is the page of one payment intent, which the user chooses at the prompt, or another page.
type Screen struct {
	*page.Page

	state  page.Data[*apiclient.PaymentIntent]
	list   *page.List[apiclient.PaymentIntent] // shows only its Single, without rows
	prompt *listdetail.Asked
}

// New returns the screen without a payment intent.
func New(env views.Env, source Source) *Screen {
	s := &Screen{Page: page.New(env)}
	s.state = page.Data[*apiclient.PaymentIntent]{
		Read: source.PaymentIntent, Optional: true,
		When: func() bool { return s.state.Key != "" },
		Changes: func(e apiclient.Event) bool {
			d, ok := e.PaymentData()
			return ok && d.PaymentIntentID == s.state.Key
		},
		OnValue: func() tea.Cmd {
			if p, _ := s.state.Value(); p != nil {
				s.Snapshot.SetCounterparty(s.state.Key, p.CounterpartyName)
			}
			return nil
		},
	}
	s.list = page.NewList(s.Page, page.Listing[apiclient.PaymentIntent]{
		Title: "Payment intent", Noun: "Payment intent", Single: &s.state, Detail: s.fields, Ticks: true, Framed: true,
		Items: func() []apiclient.PaymentIntent { return nil },
		State: func() resource.State { return resource.State{Status: resource.Empty} },
		ID:    func(p *apiclient.PaymentIntent) string { return p.ID },
		Empty: func() string {
			return "No payment intent selected. Press i to enter an id, or open one from a payment event."
		},
	})
	s.prompt = listdetail.NewAsked(listdetail.Wanted{
		Title: "Id", Label: "Id  ", Hint: "pi_…", Enter: "look up", Limit: 200,
		Use: func(id string) (tea.Cmd, error) {
			if id == "" {
				return nil, nil
			}
			return s.Show(views.IntentTarget{ID: id}), nil
		},
	})
	keys := s.keys()
	s.Declare(page.Spec{
		Title: "Payment intent", Keys: func() views.Actions { return keys }, Data: []page.Source{&s.state}, FetchHidden: true,
		Lists: []page.Lister{s.list}, Layers: views.Layers{s.prompt}, Head: s.head, Show: s.show,
		Back:  func() bool { return false },
		State: func(is *views.State) { is.Fetched = []resource.State{s.list.State()} },
	})
	return s
}

func (s *Screen) keys() views.Actions {
	chosen := func() bool { return s.state.Key != "" }
	return views.Actions{
		{Key: "esc", Help: "back", Do: func() tea.Cmd { return nil }}, // the dashboard handles it
		{Key: "i", Do: views.Do(func() { s.prompt.Ask("") }), Says: func() string {
			if chosen() {
				return "another id"
			}
			return "enter an id"
		}},
		{Key: "y", Help: "copy id", When: chosen, Do: func() tea.Cmd {
			return views.PutOnClipboard("the payment intent's id", s.state.Key)
		}},
	}
}

// show opens the payment intent that a views.IntentTarget names.
func (s *Screen) show(target any) (tea.Cmd, bool) {
	to, ok := target.(views.IntentTarget)
	if ok {
		s.list.ShowSingle(to.ID)
		s.Outdate()
	}
	return nil, ok
}

// head returns the prompt or why the payment intent is stale.
func (s *Screen) head() []page.Line {
	notice := panel.Notice(s.list.State(), s.Now())
	switch {
	case s.prompt.Open() && s.Height > 0:
		return []page.Line{{Text: s.prompt.Draw()}}
	case s.Height >= 4 && notice != "":
		return []page.Line{{Text: s.Theme.Caution.Render("◌ " + notice + " · r now")}}
	}
	return nil
}

func (s *Screen) ink(status apiclient.PaymentStatus) table.Ink {
	switch status {
	case apiclient.PaymentHeld:
		return table.NewInk(s.Theme.Caution)
	case apiclient.PaymentCompleted:
		return table.NewInk(s.Theme.Good)
	case apiclient.PaymentFailed:
		return table.NewInk(s.Theme.Critical)
	case apiclient.PaymentCanceled:
		return table.NewInk(s.Theme.Faint)
	}
	return table.Ink{}
}

// fields returns the lines of the detail: the fields defined by the API, the timeline, and then all
// other fields as the server sent them.
func (s *Screen) fields(p *apiclient.PaymentIntent) []table.Field {
	o := record.PaymentIntent(p)
	o.SetDetail("id", termtext.Line(s.state.Key))
	ink := func(f record.Field) table.Ink {
		switch f.Name {
		case "status":
			return s.ink(p.Status)
		case "id":
			return table.NewInk(s.Theme.Faint)
		}
		return table.Ink{}
	}
	step := func(f record.Field) table.Ink {
		return s.ink(apiclient.PaymentStatus(strings.TrimSuffix(f.Name, "_at")))
	}
	unknown := table.NewInk(s.Theme.Unknown)
	fields := table.Fields(o.Pick(
		"status", "status_reason", "direction", "amount_cents", "counterparty_name", "description", "id",
	), unknown, ink)
	if steps := timeline.Of(o.Without("updated_at"), step); len(steps) > 0 {
		fields = append(fields, table.Field{Text: "\nTimeline (UTC)"})
		fields = append(fields, timeline.Fields(steps, s.Now())...)
	}
	if p.UpdatedAt != nil {
		fields = append(append(fields, table.Field{}), table.Fields(o.Pick("updated_at"), unknown, ink)...)
	}
	if extra := o.Extra(); len(extra) > 0 {
		for i := range extra {
			if f := &extra[i]; s.Theme.Masked {
				extra.SetDetail(f.Name, mask.Field(f.Name, f.Text()))
			}
		}
		fields = append(fields, table.Field{Text: "\nOther fields"})
		fields = append(fields, table.Fields(extra, unknown, ink)...)
	}
	return fields
}
