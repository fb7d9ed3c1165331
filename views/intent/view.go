package intent

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/mask"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
	"tarmac/views/parts/timeline"
)

// SetVisible redraws the ages and countdowns, which change while the page is hidden.
func (s *Screen) SetVisible(bool) { s.arrange() }

// SetSize sets the size of the screen in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.arrange()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	s.detail.SetTheme(t)
	s.prompt.SetTheme(t)
	s.arrange()
}

func (s *Screen) arrange() {
	s.prompt.SetWidth(s.width)
	s.detail.SetSize(s.width, s.height-s.above())
	intent, _ := s.state.Value()
	s.shown = intent != nil && s.figures().HasFigures()
	if s.shown {
		s.detail.Show("Payment intent", masked.Fields(s.theme, s.fields(intent)))
	}
}

// above returns the number of lines, 0 or 1, that the prompt or notice takes above the payment
// intent.
func (s *Screen) above() int {
	if s.prompt.Open() || s.height >= 4 && panel.Notice(s.figures(), s.env.Now()) != "" {
		return min(1, s.height)
	}
	return 0
}

// figures returns the fetch state of the payment intent. The status is Empty if none was chosen.
func (s *Screen) figures() resource.State {
	if s.id == "" {
		return resource.State{Status: resource.Empty}
	}
	return s.state.State()
}

// View draws the screen.
func (s *Screen) View() string {
	if s.width <= 0 || s.height <= 0 {
		return strings.Repeat("\n", max(0, s.height-1))
	}
	state, now := s.figures(), s.env.Now()
	lines := make([]string, 0, s.height)
	if s.above() > 0 {
		line := s.theme.Caution.Render("◌ " + panel.Notice(state, now) + " · r now")
		if s.prompt.Open() {
			line = s.prompt.Draw()
		}
		lines = append(lines, panel.Box([]string{line}, s.width, 1)...)
	}
	if state.HasFigures() {
		return strings.Join(append(lines, s.detail.Lines()...), "\n")
	}
	empty := "No payment intent selected. Press i to enter an id, or open one from a payment event."
	if s.id != "" {
		empty = "No payment intent " + termtext.Line(s.id) + "."
	}
	frame := panel.Frame{Title: "Payment intent", EmptyText: empty, Width: s.width, Height: s.height - len(lines)}
	return strings.Join(append(lines, panel.Draw(s.theme, frame, state, now)...), "\n")
}

func (s *Screen) ink(status apiclient.PaymentStatus) table.Ink {
	switch status {
	case apiclient.PaymentHeld:
		return table.NewInk(s.theme.Caution)
	case apiclient.PaymentCompleted:
		return table.NewInk(s.theme.Good)
	case apiclient.PaymentFailed:
		return table.NewInk(s.theme.Critical)
	case apiclient.PaymentCanceled:
		return table.NewInk(s.theme.Faint)
	}
	return table.Ink{}
}

// fields returns the lines of the detail: the fields defined by the API, the timeline, and then all
// other fields as the server sent them.
func (s *Screen) fields(p *apiclient.PaymentIntent) []table.Field {
	o := record.PaymentIntent(p)
	o.SetDetail("id", termtext.Line(s.id))
	ink := func(f record.Field) table.Ink {
		switch f.Name {
		case "status":
			return s.ink(p.Status)
		case "id":
			return table.NewInk(s.theme.Faint)
		}
		return table.Ink{}
	}
	step := func(f record.Field) table.Ink {
		return s.ink(apiclient.PaymentStatus(strings.TrimSuffix(f.Name, "_at")))
	}
	unknown := table.NewInk(s.theme.Unknown)
	fields := table.Fields(o.Pick(
		"status", "status_reason", "direction", "amount_cents", "counterparty_name", "description", "id",
	), unknown, ink)
	if steps := timeline.Of(o.Without("updated_at"), step); len(steps) > 0 {
		fields = append(fields, table.Field{Text: "\nTimeline (UTC)"})
		fields = append(fields, timeline.Fields(steps, s.env.Now())...)
	}
	if p.UpdatedAt != nil {
		fields = append(append(fields, table.Field{}), table.Fields(o.Pick("updated_at"), unknown, ink)...)
	}
	if extra := o.Extra(); len(extra) > 0 {
		for i := range extra {
			if f := &extra[i]; s.theme.Masked {
				extra.SetDetail(f.Name, mask.Field(f.Name, f.Text()))
			}
		}
		fields = append(fields, table.Field{Text: "\nOther fields"})
		fields = append(fields, table.Fields(extra, unknown, ink)...)
	}
	return fields
}
