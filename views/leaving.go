package views

// Keeper is a screen that may hold what is lost when it is left for good: when the
// program ends, or another organization is shown.
type Keeper interface {
	// Unfinished says what would be lost now, as a part of a sentence; "" is nothing.
	Unfinished() string
}

// Saver is a screen that keeps what was typed into it for the next time.
type Saver interface {
	// Flush saves what was typed since it was last saved. It returns when the disk
	// has it.
	Flush() error
	// Release lets go of where it is kept, for whoever opens it next. The screen is
	// not used after it.
	Release() error
}

// Filterer is a screen that can leave out a part of what there is.
type Filterer interface {
	// Filtered reports whether it does so now.
	Filtered() bool
}
