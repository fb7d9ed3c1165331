package webhooks

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/field"
)

// confirm is the prompt before an action that cannot be undone: deleting an endpoint or rotating
// its signing secret. The user confirms by typing the end of the endpoint's id. It is a
// views.Layer.
type confirm struct {
	views.BaseLayer
	screen    *Screen
	operation endpoint.Operation // endpoint.None if the prompt is closed
	webhook   apiclient.Webhook
	in        field.Text
	actions   views.Actions
}

func newConfirm(s *Screen) *confirm {
	c := &confirm{screen: s}
	c.actions = views.PromptActions("", c.confirmed, c.Cancel)
	c.actions[0].Says = func() string { return c.operation.Verb() }
	c.actions[0].When = func() bool { return c.matches() && s.idle() }
	return c
}

func (c *confirm) ask(op endpoint.Operation, w *apiclient.Webhook) {
	c.operation, c.webhook, c.in = op, *w, field.NewText("", endpoint.ConfirmationLength)
	c.in.Focus()
}

func (c *confirm) Open() bool { return c.operation != endpoint.None }

func (c *confirm) Cancel() {
	c.operation, c.webhook, c.in = endpoint.None, apiclient.Webhook{}, field.Text{}
}

func (c *confirm) Paste(paste tea.PasteMsg) { c.in.Update(paste) }

func (c *confirm) Help() []views.HelpGroup { return []views.HelpGroup{c.actions.Help("Sure?")} }

func (c *confirm) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, taken := c.actions.Press(press)
	if !taken {
		c.in.Update(press)
	}
	return cmd
}

// confirmed closes the prompt and returns the command that sends the write.
func (c *confirm) confirmed() tea.Cmd {
	op, w := c.operation, c.webhook
	c.Cancel()
	if op == endpoint.Rotate {
		return c.screen.rotate(&w)
	}
	return c.screen.remove(&w)
}

func (c *confirm) Draw() string {
	title := "Delete this endpoint?"
	if c.operation == endpoint.Rotate {
		title = "Rotate the signing secret?"
	}
	return c.screen.dialog(title, func(width int) ([]string, int) {
		return c.lines(c.screen.Theme, width, c.screen.Now())
	})
}

func (c *confirm) requiredText() string { return endpoint.Confirmation(c.webhook.ID) }

// matches reports whether the typed text equals the end of the endpoint's id, ignoring case.
func (c *confirm) matches() bool {
	return c.webhook.ID != "" && strings.EqualFold(strings.TrimSpace(c.in.Value()), c.requiredText())
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
