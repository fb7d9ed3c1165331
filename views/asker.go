package views

import "tarmac/client/resource"

// Asker is a screen that fetches what it shows by itself, by Refresh.
type Asker interface {
	// Asked returns the state of that, and whether an answer is awaited.
	Asked() (state resource.State, waiting bool)
}

// Failer is a screen that reads more than what Asked tells, or than the snapshot holds.
type Failer interface {
	// Failure returns the state of that; without an error where nothing is wrong.
	Failure() resource.State
}
