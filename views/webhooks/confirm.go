package webhooks

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/theme"
	"tarmac/views/parts/field"
)

// confirm is the prompt before an action that cannot be undone: deleting an endpoint or rotating
// its signing secret. The user confirms by typing the end of the endpoint's id.
type confirm struct {
	operation endpoint.Operation
	webhook   apiclient.Webhook
	in        field.Text
}

func (s *Screen) openConfirm(op endpoint.Operation, w *apiclient.Webhook) {
	s.mode = confirming
	s.confirm = confirm{operation: op, webhook: *w, in: field.NewText("", endpoint.ConfirmationLength)}
	s.confirm.in.Focus()
}

func (c *confirm) requiredText() string { return endpoint.Confirmation(c.webhook.ID) }

// matches reports whether the typed text equals the end of the endpoint's id, ignoring case.
func (c *confirm) matches() bool {
	return c.webhook.ID != "" && strings.EqualFold(strings.TrimSpace(c.in.Value()), c.requiredText())
}

func (s *Screen) keyInConfirm(press tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.leave()
	case press.Code == tea.KeyEnter:
		if !s.confirm.matches() || s.writes.pending.operation != endpoint.None {
			return nil
		}
		op, w := s.confirm.operation, s.confirm.webhook
		s.leave()
		if op == endpoint.Rotate {
			return s.rotate(&w)
		}
		return s.remove(&w)
	default:
		s.confirm.in.Update(press)
	}
	return nil
}

// lines returns the lines of the prompt and the index of the line with the text cursor.
func (c *confirm) lines(t theme.Theme, width int, now time.Time) (lines []string, at int) {
	w := &c.webhook
	add := func(text string) { lines = append(lines, wrap(text, width)...) }
	lines = append(lines, t.Strong.Render(w.URL))
	if c.operation == endpoint.Delete {
		add(endpoint.DeleteMeans)
	} else {
		add(endpoint.RotateMeans)
		if warning := endpoint.RotateWarning(w, now); warning != "" {
			lines = append(lines, "")
			for _, line := range wrap("! "+warning, width) {
				lines = append(lines, t.Warning.Render(line))
			}
		}
	}
	lines = append(lines, "")
	add("Type " + c.requiredText() + " (the last characters of " + w.ID + ") and press enter to " +
		c.operation.Verb() + ".")
	lines = append(lines, "> "+c.in.Draw(t, min(width-2, 3*endpoint.ConfirmationLength)))
	return lines, len(lines) - 1
}
