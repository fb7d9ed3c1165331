package civil

import (
	"errors"
	"strconv"
	"strings"
)

// ErrDue is returned by ParseDue for text that is no day.
var ErrDue = errors.New("must be a calendar date in the form YYYY-MM-DD, or net 30")

// longestNet bounds how many days from today something may be due.
const longestNet = 3650

// ParseDue reads YYYY-MM-DD, and net 30 or +30 as a day from today; nothing but
// blanks is the zero date.
func ParseDue(text string, today Date) (Date, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return Date{}, nil
	}
	rest, net := strings.CutPrefix(text, "net")
	if !net {
		rest, net = strings.CutPrefix(text, "+")
	}
	if !net {
		if day, err := Parse(text); err == nil {
			return day, nil
		}
		return Date{}, ErrDue
	}
	days, err := strconv.ParseUint(strings.TrimSpace(rest), 10, 16)
	if err != nil || days > longestNet {
		return Date{}, ErrDue
	}
	return today.AddDays(int(days)), nil
}
