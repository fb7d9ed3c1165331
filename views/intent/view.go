package intent

import (
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/mask"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
	"tarmac/views/parts/timeline"
)

// SetSize sets the room for the screen.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.arrange()
}

// SetTheme sets the looks.
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
	shown := intent != nil && s.figures().HasFigures()
	if shown {
		s.detail.Show("Payment intent", masked.Fields(s.theme, s.fields(intent)))
	}
	s.keys.enable(s.id != "", shown)
}

// above is how many lines stand above the payment intent: the id being typed, or
// why the figures are old.
func (s *Screen) above() int {
	if s.prompt.Typing() || s.height >= 4 && panel.Notice(s.figures(), s.now()) != "" {
		return min(1, s.height)
	}
	return 0
}

// figures is the state of what is shown; without an id there is nothing.
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
	state, now := s.figures(), s.now()
	lines := make([]string, 0, s.height)
	if s.above() > 0 {
		line := s.theme.Caution.Render("◌ " + panel.Notice(state, now) + " · r now")
		if s.prompt.Typing() {
			line = s.prompt.Line()
		}
		lines = append(lines, panel.Box([]string{line}, s.width, 1)...)
	}
	if state.HasFigures() {
		return strings.Join(append(lines, s.detail.Lines()...), "\n")
	}
	empty := "No payment intent is chosen. i takes its id; the event of a payment leads here too."
	if s.id != "" {
		empty = "There is no payment intent " + termtext.Line(s.id) + "."
	}
	frame := panel.Frame{Title: "Payment intent", EmptyText: empty, Width: s.width, Height: s.height - len(lines)}
	return strings.Join(append(lines, panel.Draw(s.theme, frame, state, now)...), "\n")
}

// words says what a status means; "" for one that is not known.
func words(status apiclient.PaymentStatus) string {
	switch status {
	case apiclient.PaymentProcessing:
		return "on its way"
	case apiclient.PaymentHeld:
		return "waits until somebody lets it go on"
	case apiclient.PaymentCompleted:
		return "the money has moved"
	case apiclient.PaymentFailed:
		return "the money has not moved"
	case apiclient.PaymentCanceled:
		return "called off, the money has not moved"
	}
	return ""
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

// fields says everything about a payment intent: what is known by name, its
// timeline, and what else the server sent, as it sent it.
func (s *Screen) fields(p *apiclient.PaymentIntent) []table.Field {
	status := string(p.Status)
	if w := words(p.Status); w != "" {
		status += ": " + w
	}
	out := []table.Field{
		{Label: "Status", Text: status, Ink: s.ink(p.Status)},
		s.maybe("Reason", strings.ReplaceAll(p.StatusReason, "_", " ")),
		s.maybe("Direction", direction(p.Direction)),
		s.maybe("Amount", sum(p)),
		s.maybe("Counterparty", p.CounterpartyName),
		s.maybe("Description", p.Description),
		{Label: "Id", Text: termtext.Line(s.id), Ink: table.NewInk(s.theme.Faint)},
	}
	if steps := s.steps(p); len(steps) > 0 {
		out = append(out, table.Field{Text: "\nTimeline (UTC)"})
		out = append(out, timeline.Fields(steps, s.now())...)
	}
	if p.UpdatedAt != nil {
		out = append(out, table.Field{Text: ""}, table.Field{Label: "Last changed", Text: moment(*p.UpdatedAt)})
	}
	if len(p.Extra) > 0 {
		out = append(out, table.Field{Text: "\nAlso sent by the server"})
		for _, f := range p.Extra {
			value := f.Value
			if s.theme.Masked {
				value = mask.Field(f.Name, value)
			}
			out = append(out, s.maybe(f.Name, value))
		}
	}
	return out
}

func sum(p *apiclient.PaymentIntent) string {
	if !p.Amount.Known() {
		return ""
	}
	return amount.Text(p.Amount, p.Direction)
}

func direction(d apiclient.Direction) string {
	switch d {
	case apiclient.Inflow:
		return "money in"
	case apiclient.Outflow:
		return "money out"
	}
	return string(d)
}

func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") }

func (s *Screen) maybe(label, text string) table.Field {
	if text == "" {
		return table.Field{Label: label, Text: money.Dash, Ink: table.NewInk(s.theme.Unknown)}
	}
	return table.Field{Label: label, Text: text}
}

func (s *Screen) steps(p *apiclient.PaymentIntent) []timeline.Step {
	var steps []timeline.Step
	steps = timeline.Add(steps, p.CreatedAt, "created", table.Ink{})
	steps = timeline.Add(steps, p.HeldAt, "held", s.ink(apiclient.PaymentHeld))
	steps = timeline.Add(steps, p.CompletedAt, "completed", s.ink(apiclient.PaymentCompleted))
	steps = timeline.Add(steps, p.FailedAt, "failed", s.ink(apiclient.PaymentFailed))
	return timeline.Add(steps, p.CanceledAt, "canceled", s.ink(apiclient.PaymentCanceled))
}
