package page

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views/parts/listdetail"
)

// SetSize sets the size in cells.
func (p *Page) SetSize(width, height int) {
	p.Width, p.Height = max(0, width), max(0, height)
	p.layers.SetWidth(p.Width)
	p.arrange()
}

// SetTheme sets the colours and styles.
func (p *Page) SetTheme(t theme.Theme) {
	p.Theme = t
	if p.spec.Themed != nil {
		p.spec.Themed()
	}
	p.spec.Body.SetTheme(t)
	p.layers.SetTheme(t)
	p.arrange()
}

// arrange fills the lists and lays out the page. It is called after every change, and returns the
// commands of lists whose open record is gone.
func (p *Page) arrange() (cmd tea.Cmd) {
	today := civil.Of(p.Now())
	turned := today != p.Today
	p.Today = today
	p.countChips()
	for _, l := range p.lists {
		if turned {
			l.Invalidate()
		}
		cmd = batch(cmd, l.refill())
	}
	if p.spec.Sync != nil {
		p.spec.Sync()
	}
	if p.spec.Head != nil {
		p.head = p.spec.Head()
	}
	p.spec.Body.Arrange(p.Width, p.Height-len(p.head))
	p.drawn.Invalidate()
	return cmd
}

// View draws the page.
func (p *Page) View() string { return p.drawn.Text(p.draw) }

func (p *Page) draw() []string {
	if p.Width <= 0 || p.Height <= 0 {
		return make([]string, max(1, p.Height))
	}
	if top := p.spec.Dialogs.Top(); top != nil {
		return []string{top.Draw()}
	}
	p.lines = p.lines[:0]
	for _, l := range p.head {
		p.lines = append(p.lines, listdetail.Fit(l.Text, p.Width))
	}
	p.lines = append(p.lines, p.spec.Body.Lines(p.Width, p.Height-len(p.lines))...)
	return p.lines
}

// HeadHeight returns the number of lines above the body.
func (p *Page) HeadHeight() int { return len(p.head) }
