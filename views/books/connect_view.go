package books

import (
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/views/parts/masked"
)

// offerLines returns the providers and the index of the line of the selected one.
func (s *Screen) offerLines(width int) (lines []string, at int) {
	wide := 0
	for _, o := range s.connect.offers {
		wide = max(wide, termtext.Width(o.title))
	}
	wide = min(wide, max(1, width-2))
	for n, o := range s.connect.offers {
		name := "  " + fit(o.title, wide)
		if n == s.connect.cursor {
			at = len(lines)
			name = s.theme.Selected.Render("> " + fit(o.title, wide))
		}
		room := width - wide - 4
		if room < termtext.Width(o.text) {
			lines = append(lines, name)
			for _, line := range styled(s.theme.Faint, o.text, max(1, width-4)) {
				lines = append(lines, "    "+line)
			}
			continue
		}
		lines = append(lines, name+"  "+s.theme.Faint.Render(o.text))
	}
	lines = append(lines, "")
	return append(lines, styled(s.theme.Faint, "A connected provider is read by itself while this dashboard or "+
		"tarmac serve runs. Nothing is ever sent or paid: use tokens that can only read.", width)...), at
}

// tokenLines returns the prompt for the token.
func (s *Screen) tokenLines(width int) (lines []string) {
	const label = "Token  "
	c := &s.connect
	lines = append(lines, s.theme.Faint.Render(label)+c.token.Draw(s.theme, max(1, width-len(label))))
	lines = append(lines, alarm(s.theme, c.problem, width)...)
	lines = append(lines, "")
	lines = append(lines, styled(s.theme.Text, c.offer.kind.TokenHelp, width)...)
	lines = append(lines, "")
	return append(lines, styled(s.theme.Faint, "It is not shown while you type or paste it. It is stored "+
		"encrypted on this machine and never shown again.", width)...)
}

// accountLines returns the choice of accounts and the index of the last line of the selected one.
func (s *Screen) accountLines(width int) (lines []string, at int) {
	c := &s.connect
	if c.connection.Company != "" {
		lines = append(lines, styled(s.theme.Strong, c.connection.Company, width)...)
	}
	for _, notice := range c.connection.Notices {
		lines = append(lines, styled(s.theme.Caution, "! "+masked.Text(s.theme, notice), width)...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	for n := range c.connection.Accounts {
		lines = append(lines, s.accountChoice(n, width)...)
		if n == c.cursor {
			at = len(lines) - 1
		}
	}
	return append(lines, alarm(s.theme, c.problem, width)...), at
}

// accountChoice returns the lines of an account that can be chosen.
func (s *Screen) accountChoice(n, width int) []string {
	c := &s.connect
	a := &c.connection.Accounts[n]
	box := "[ ] "
	if c.chosen[n] {
		box = "[x] "
	}
	balance := ""
	if a.Balance != nil {
		balance = "  " + s.amount(*a.Balance, a.Currency)
	}
	name := "  " + box + a.Label()
	if n == c.cursor {
		name = "> " + box + a.Label()
	}
	name = fit(name, max(1, width-termtext.Width(balance)))
	switch {
	case n == c.cursor:
		name = s.theme.Selected.Render(name)
	case !c.chosen[n]:
		name = s.theme.Faint.Render(name)
	}
	lines := []string{name + balance}
	if termtext.Width(balance) >= width {
		lines = []string{name}
	}
	for _, line := range styled(s.theme.Faint, s.targetText(n, a), max(1, width-6)) {
		lines = append(lines, "      "+line)
	}
	return lines
}

// targetText returns which account of the books an account is read into, or why it isn't read.
func (s *Screen) targetText(n int, a *ownbooks.ConnectedAccount) string {
	c := &s.connect
	targets := c.connection.Targets(a)
	target := targets[c.targets[n]]
	text := "→ " + ownbooks.AccountText(target) + " of your books"
	switch {
	case a.Refused != "":
		return "cannot be read: " + string(a.Refused)
	case a.Missing:
		return "the provider does not list it any more"
	case !c.chosen[n]:
		return "is not read"
	case a.IsNew(target):
		text = "→ a new account, " + ownbooks.AccountText(target)
	}
	if len(targets) > 1 {
		text += "  (←→ for others)"
	}
	return text
}

// removedLines returns the question whether lines may be removed.
func (s *Screen) removedLines(width int) (lines []string) {
	c := &s.connect.connection
	lines = append(lines, styled(s.theme.Warning, masked.Text(s.theme, string(c.Problem)), width)...)
	lines = append(lines, "")
	lines = append(lines, styled(s.theme.Text, "Nothing has changed in the books. If "+c.Title+" really took these lines "+
		"back, accept it: they are removed. If it may be a mistake at the provider, read it again later.", width)...)
	lines = append(lines, "")
	return append(lines, s.keyLines(width, "a", "accept: remove the lines", "s", "read again", "esc", "leave it open")...)
}

// disconnectLines returns the question whether a provider is disconnected.
func (s *Screen) disconnectLines(width int) (lines []string) {
	c := &s.connect.connection
	lines = append(lines, styled(s.theme.Strong, "Disconnect "+c.Label+"?", width)...)
	lines = append(lines, "")
	lines = append(lines, styled(s.theme.Text, c.Disconnects(), width)...)
	lines = append(lines, "")
	return append(lines, s.keyLines(width, "y", "disconnect; its lines stay in the books", "f",
		"disconnect and remove its lines from the books", "n", "stay connected")...)
}

// keyLines returns a line for each key and what it does.
func (s *Screen) keyLines(width int, pairs ...string) (lines []string) {
	const wide = 5
	for n := 0; n+1 < len(pairs); n += 2 {
		text := styled(s.theme.KeyDesc, pairs[n+1], max(1, width-wide))
		lines = append(lines, s.theme.KeyName.Render(fit(pairs[n], wide))+text[0])
		for _, line := range text[1:] {
			lines = append(lines, strings.Repeat(" ", wide)+line)
		}
	}
	return lines
}
