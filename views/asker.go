package views

import "tarmac/views/panel"

// Asker is a screen that fetches what it shows by itself, by Refresh.
type Asker interface {
	// Asked returns the state of that, and whether an answer is awaited.
	Asked() (state panel.State, waiting bool)
}
