package views

import tea "charm.land/bubbletea/v2"

// Clicker is a screen that the mouse works in. Click takes a place in it, from 0, 0
// at its top left: a click on a row or a panel goes there, one on where one is opens
// it. It does nothing while something is typed or asked.
type Clicker interface {
	Click(x, y int) tea.Cmd
}

// Enter returns the key that opens, for a click that does the same.
func Enter() tea.KeyPressMsg { return tea.KeyPressMsg{Code: tea.KeyEnter} }
