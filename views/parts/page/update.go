package page

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
	"tarmac/views/parts/saveas"
)

// Init returns the command that fetches the page's data.
func (p *Page) Init() tea.Cmd {
	p.opened = true
	return p.fetch()
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (cmd tea.Cmd) {
	changed := true
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = p.press(msg)
	case tea.PasteMsg:
		p.layers.Paste(msg)
	case views.Click:
		cmd = p.Click(msg.X, msg.Y)
	case views.Refresh:
		cmd = p.Refresh()
	case views.Restore:
		if p.spec.Restore != nil {
			p.spec.Restore(views.Kept(msg))
		}
	case views.Visible:
		p.Visible, p.hidden, p.opened = bool(msg), !bool(msg), p.opened || bool(msg)
	case Answer:
		cmd = msg.store()
	case saveas.Written:
		cmd = p.File.Take(msg)
	case snapshot.Result:
		p.follow(msg)
	case views.Tick:
		p.tick()
	default:
		changed = false
	}
	if p.spec.On != nil {
		more, known := p.spec.On(msg)
		cmd, changed = batch(cmd, more), changed || known
	}
	if !changed {
		return nil
	}
	cmd = batch(cmd, p.arrange())
	if _, turned := msg.(views.Visible); turned {
		return cmd // the next tick fetches what is due
	}
	return batch(cmd, p.due())
}

// batch is tea.Batch for two commands that are usually nil.
func batch(a, b tea.Cmd) tea.Cmd {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return tea.Batch(a, b)
}

func (p *Page) press(press tea.KeyPressMsg) tea.Cmd {
	if cmd, handled := p.layers.Press(press); handled {
		return cmd
	}
	if p.spec.Before != nil {
		if cmd, handled := p.spec.Before(press); handled {
			return cmd
		}
	}
	if cmd, handled := p.spec.Keys().Press(press); handled {
		return cmd
	}
	if p.spec.Body.Move(press) {
		return p.moved()
	}
	return nil
}

func (p *Page) moved() tea.Cmd {
	if p.spec.Moved == nil {
		return nil
	}
	return p.spec.Moved()
}

// tick redraws lists that depend on the time, and lets held data be fetched.
func (p *Page) tick() {
	for _, l := range p.lists {
		l.tick()
	}
	for _, d := range p.spec.Data {
		d.tick()
	}
}

// follow applies an outage of the server and new events to the page's data.
func (p *Page) follow(msg snapshot.Result) {
	var fresh []apiclient.Event
	if msg.Part == snapshot.Events {
		fresh = p.Snapshot.Feed.ReceivedSince(p.checked)
		p.checked = p.Snapshot.Feed.TotalReceived()
	}
	for _, d := range p.spec.Data {
		d.follow(fresh)
	}
}

// due returns the command that fetches what is due, if the page has been opened and isn't hidden.
func (p *Page) due() tea.Cmd {
	if !p.opened || p.hidden && !p.spec.FetchHidden {
		return nil
	}
	return p.fetch()
}

func (p *Page) fetch() (cmd tea.Cmd) {
	for _, d := range p.spec.Data {
		cmd = batch(cmd, d.due())
	}
	if p.spec.Due != nil {
		cmd = batch(cmd, p.spec.Due())
	}
	return cmd
}

// Refresh returns the command that fetches what the page shows.
func (p *Page) Refresh() (cmd tea.Cmd) {
	if p.spec.Refresh != nil {
		cmd = p.spec.Refresh()
	}
	for _, d := range p.spec.Data {
		if d.isShown() && !d.isSecondary() {
			cmd = batch(cmd, d.Refresh())
		}
	}
	return cmd
}

// Fetched returns the fetch states of what Refresh fetches.
func (p *Page) Fetched() (states []resource.State) {
	for _, d := range p.spec.Data {
		if d.isShown() && !d.isSecondary() {
			states = append(states, d.State())
		}
	}
	return states
}

// Outdate marks all Data as outdated, so that it is fetched again.
func (p *Page) Outdate() {
	for _, d := range p.spec.Data {
		d.Outdate()
	}
}

// Show opens a target. It closes what is open above the page.
func (p *Page) Show(target any) (cmd tea.Cmd) {
	p.opened = true
	p.Question.Cancel()
	p.File.Cancel()
	if p.spec.Show != nil {
		var known bool
		if cmd, known = p.spec.Show(target); known {
			p.layers.Cancel()
		}
	}
	cmd = batch(cmd, p.arrange())
	return batch(cmd, p.fetch())
}

// Back closes what was opened last. It returns false if everything was closed already.
func (p *Page) Back() bool {
	closed := p.layers.Cancel() || p.spec.Back()
	p.arrange()
	return closed
}

// Click handles a click at column x and line y.
func (p *Page) Click(x, y int) (cmd tea.Cmd) {
	switch {
	case p.Typing() || y < 0:
		return nil
	case y >= len(p.head):
		cmd = p.spec.Body.Click(x, y-len(p.head))
	case p.head[y].Click != nil:
		cmd = p.head[y].Click(x)
	}
	cmd = batch(cmd, p.arrange())
	return batch(cmd, p.due())
}

// Enter presses the enter key, as a click on what is selected does.
func (p *Page) Enter() tea.Cmd { return p.press(views.Enter()) }
