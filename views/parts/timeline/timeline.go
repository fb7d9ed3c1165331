// Package timeline lists what happened to an invoice or a payment intent, in chronological order,
// with the time between one event and the next.
package timeline

import (
	"slices"
	"strings"
	"time"

	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/views/parts/table"
)

// Step is something that happened to a record, or will be due, such as its payment.
type Step struct {
	At   time.Time // in UTC
	Day  bool      // the time of day in At is unknown or irrelevant
	What string    // such as "paid"
	Ink  table.Ink
}

// Of returns a step for each field of a record that holds a time. The step's text is the label of
// the field in lower case. ink returns the step's style.
func Of(o record.Object, ink func(record.Field) table.Ink) []Step {
	var steps []Step
	for _, f := range o {
		if at, ok := f.At(); ok {
			steps = append(steps, Step{At: at, What: strings.ToLower(f.Label), Ink: ink(f)})
		}
	}
	return steps
}

// Fields returns the steps as lines of a table.Detail, earliest first, each with the time since the
// previous one. Steps at the same time keep their order. A step after now has an empty circle and
// says in how many days it is due.
func Fields(steps []Step, now time.Time) []table.Field {
	steps = slices.Clone(steps)
	slices.SortStableFunc(steps, func(a, b Step) int { return a.At.Compare(b.At) })
	fields := make([]table.Field, 0, len(steps))
	for i, s := range steps {
		mark, label := "● ", s.At.UTC().Format("2006-01-02 15:04")
		ahead := s.At.After(now)
		if s.Day {
			label = civil.Of(s.At).String()
			ahead = civil.Of(s.At).After(civil.Of(now))
		}
		text := s.What
		switch {
		case ahead:
			mark = "○ "
			text += ", " + civil.Of(s.At).Relative(civil.Of(now))
		case i > 0:
			text += ", " + gap(steps[i-1], s)
		}
		fields = append(fields, table.Field{Label: label, Text: mark + text, Ink: s.Ink})
	}
	return fields
}

// gap says how much time passes between two steps, such as "2 days later". For steps on different
// days it counts the days.
func gap(from, to Step) string {
	if days := civil.Of(to.At).DaysSince(civil.Of(from.At)); days > 0 {
		return plural.Count(days, "day") + " later"
	}
	if from.Day || to.Day {
		return "same day"
	}
	switch d := to.At.Sub(from.At); {
	case d < time.Minute:
		return "immediately"
	case d < time.Hour:
		return plural.Count(int(d/time.Minute), "minute") + " later"
	default:
		return plural.Count(int(d/time.Hour), "hour") + " later"
	}
}
