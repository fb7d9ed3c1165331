package receivables

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/payables"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
)

// marking asks how a bill is marked, asks for confirmation, and marks it in own books. It is a
// layer of the page until it was confirmed.
type marking struct {
	views.BaseLayer
	side    *billSide
	bill    *payables.Bill      // nil if the layer is closed
	state   apiclient.BillState // chosen state; "" while it is asked
	running bool
	number  uint64 // of the change that is waited for
	looks   theme.Theme
	choices views.Actions
	confirm views.Actions
}

func newMarking(b *billSide) *marking {
	m := &marking{side: b}
	choose := func(key string, state apiclient.BillState) views.Action {
		return views.Action{Key: key, Help: string(state),
			When: func() bool { return m.bill != nil && m.bill.State != state },
			Do:   views.Do(func() { m.state = state })}
	}
	m.choices = views.Actions{
		choose("p", apiclient.BillPaid), choose("d", apiclient.BillDisputed), choose("o", apiclient.BillOpen),
		{Key: "esc", Also: []string{"n"}, Help: "cancel", Do: views.Do(m.Cancel)},
	}
	m.confirm = views.Actions{
		{Key: "y", Help: "mark it", Do: m.send},
		{Key: "n", Also: []string{"esc"}, Help: "cancel", Do: views.Do(m.Cancel)},
	}
	return m
}

// can reports whether own books are behind the server and may be changed.
func (m *marking) can() bool {
	env := &m.side.screen.Env
	return env.Books != nil && !env.ReadOnly && !m.running
}

// ask opens the layer for the bill under the cursor.
func (m *marking) ask() tea.Cmd {
	if one := m.side.bill(); one != nil {
		bill := *one
		m.bill, m.state = &bill, ""
	}
	return nil
}

// Open reports whether a state or a confirmation is asked for.
func (m *marking) Open() bool { return m.bill != nil }

// Cancel closes the layer.
func (m *marking) Cancel() { m.bill = nil }

// SetTheme sets the colours and styles.
func (m *marking) SetTheme(t theme.Theme) { m.looks = t }

func (m *marking) actions() views.Actions {
	if m.state == "" {
		return m.choices
	}
	return m.confirm
}

// Press handles a key press. Keys without a meaning have no effect.
func (m *marking) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, _ := m.actions().Press(press)
	return cmd
}

// Help returns the keys of the question.
func (m *marking) Help() []views.HelpGroup { return []views.HelpGroup{m.actions().Help("Mark a bill")} }

// Draw draws the question in one line.
func (m *marking) Draw() string {
	name := termtext.Line(cmp.Or(m.bill.Number, "the bill") + " of " + cmp.Or(m.bill.VendorName, "no name"))
	if m.state != "" {
		effect := map[apiclient.BillState]string{
			apiclient.BillPaid: "nothing is to be paid", apiclient.BillDisputed: "it is in no sum",
			apiclient.BillOpen: "payments decide",
		}[m.state]
		return m.looks.Caution.Render("Mark "+name+" "+string(m.state)+", so that "+effect+"?") + "  " +
			m.looks.KeyName.Render("y") + m.looks.KeyDesc.Render("/") + m.looks.KeyName.Render("n")
	}
	var keys []string
	for _, one := range m.choices.Bindings("p", "d", "o", "esc") {
		if one.Enabled() {
			keys = append(keys, m.looks.KeyName.Render(one.Help().Key)+m.looks.KeyDesc.Render(" "+one.Help().Desc))
		}
	}
	return m.looks.Text.Render("Mark "+name+":  ") + strings.Join(keys, "  ")
}

// billMarked is the result of marking a bill.
type billMarked struct {
	number uint64
	done   ownbooks.MarkedBill
	err    error
}

// send closes the layer and returns the command that marks the bill.
func (m *marking) send() tea.Cmd {
	m.running = true
	m.number++
	ctx, books, number := m.side.screen.Context, m.side.screen.Books, m.number
	text, state := m.bill.Number+" "+m.bill.VendorName, string(m.state)
	m.Cancel()
	return func() tea.Msg {
		done, err := books.MarkBill(ctx, text, state)
		return billMarked{number, done, err}
	}
}

// finish says how the bill is marked. It returns the command after which all pages fetch their
// figures again.
func (m *marking) finish(msg billMarked) tea.Cmd {
	if msg.number != m.number {
		return nil
	}
	m.running = false
	if msg.err != nil {
		return views.Warn("The bill was not marked: " + termtext.Line(msg.err.Error()))
	}
	changed := func() tea.Msg { return views.LedgerChanged{} }
	return tea.Batch(views.Tell(msg.done.Sentence()), changed)
}
