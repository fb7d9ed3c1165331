package bank

import "fmt"

// Error is returned for a file that cannot be read.
type Error struct {
	Place  int // number of the line or record, from 1; 0 if the whole file is meant
	Reason string
}

// Error returns the place and the reason in one line, without the file's name.
func (e *Error) Error() string {
	if e.Place == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Place, e.Reason)
}

// Errorf returns an *Error with a formatted reason. Arguments that come from the file must be
// formatted with %q.
func Errorf(place int, format string, args ...any) error {
	return &Error{Place: place, Reason: fmt.Sprintf(format, args...)}
}

// Question is returned for an ambiguous file, for example one that only has dates like 03/04/2026.
// The user must decide with a flag of the import command.
type Question struct {
	Place  int    // number of an ambiguous line, from 1; 0 if none is
	Reason string // what is ambiguous, such as "03/04/2026 may be 3 April or March 4"
	Flag   string // flag that decides, such as "--date-format"
	// Choices lists the possible values of the flag, the likeliest first. It is nil if any text may
	// be given.
	Choices []string
	// Samples shows the first rows that the question is about, each as a text.
	Samples []string
}

// Error returns the place, the reason and the flag in one line, without the file's name.
func (q *Question) Error() string {
	return (&Error{q.Place, q.Reason + "; say which with " + q.Flag}).Error()
}
