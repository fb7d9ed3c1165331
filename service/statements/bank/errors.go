package bank

import "fmt"

// Error says what is wrong with a file, and where.
type Error struct {
	Place  int // number of the line or record, from 1; 0 for the file as a whole
	Reason string
}

// Error returns place and reason in one line, without the file's name.
func (e *Error) Error() string {
	if e.Place == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Place, e.Reason)
}

// Errorf returns an *Error. Arguments from the file must be quoted by %q.
func Errorf(place int, format string, args ...any) error {
	return &Error{Place: place, Reason: fmt.Sprintf(format, args...)}
}

// Question is the error of a file that can be read in several ways, such as one with dates
// like 03/04/2026 only. A person or a flag must choose.
type Question struct {
	Place  int    // a line that can be read in several ways, or 0
	Reason string // what is undecided: "03/04/2026 may be 3 April or March 4"
	Flag   string // the flag that answers it: "--date-format"
	// Choices are the possible values of the flag, the likeliest first, or nil if any text may
	// be the answer.
	Choices []string
}

// Error returns place, reason and flag in one line, without the file's name.
func (q *Question) Error() string {
	return (&Error{q.Place, q.Reason + "; say which with " + q.Flag}).Error()
}
