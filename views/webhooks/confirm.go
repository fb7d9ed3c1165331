package webhooks

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/theme"
	"tarmac/views/parts/field"
)

// confirmLength is how many characters at the end of an id must be typed to confirm.
const confirmLength = 6

// confirm is the prompt before a delete or a secret rotation, which cannot be undone. The user
// confirms by typing the end of the endpoint's id.
type confirm struct {
	operation operation
	webhook   apiclient.Webhook
	in        field.Text
}

func (s *Screen) openConfirm(op operation, w *apiclient.Webhook) {
	s.mode = confirming
	s.confirm = confirm{operation: op, webhook: *w, in: field.NewText("", confirmLength)}
	s.confirm.in.Focus()
}

func (c *confirm) requiredText() string {
	id := []rune(c.webhook.ID)
	return string(id[max(0, len(id)-confirmLength):])
}

// matches reports whether the typed text equals the end of the id, ignoring case.
func (c *confirm) matches() bool {
	return c.webhook.ID != "" && strings.EqualFold(strings.TrimSpace(c.in.Value()), c.requiredText())
}

func (s *Screen) keyInConfirm(press tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.leave()
	case press.Code == tea.KeyEnter:
		if !s.confirm.matches() || s.writes.pending.operation != none {
			return nil
		}
		d, w := s.confirm.operation, s.confirm.webhook
		s.leave()
		if d == rotate {
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
	if c.operation == remove {
		add("Pending deliveries are abandoned and the delivery history is deleted. This cannot be undone.")
	} else {
		add("Creates a new signing secret and shows it once. Deliveries carry signatures of both secrets for a while, so the receiver can switch over.")
		if until := w.PreviousSecretExpiresAt; until != nil && now.Before(*until) {
			lines = append(lines, "")
			for _, line := range wrap("! An earlier secret is still valid until "+formatUTC(*until)+". It stops working at once: a receiver that knows only that secret will reject deliveries.", width) {
				lines = append(lines, t.Warning.Render(line))
			}
		}
	}
	lines = append(lines, "")
	add("Type " + c.requiredText() + " (the last characters of " + w.ID + ") and press enter to " + c.operation.verb() + ".")
	lines = append(lines, "> "+c.in.Draw(t, min(width-2, 3*confirmLength)))
	return lines, len(lines) - 1
}
