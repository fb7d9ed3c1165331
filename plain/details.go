package plain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// details prints the fields of a record, one per line.
func (s *session) details(o record.Object) {
	for i := range o {
		value, stop := s.value(&o[i]), "."
		if strings.Contains(value, "://") {
			stop = "" // a URL must be easy to copy, so no full stop follows it
		}
		s.say("  %s: %s%s", o[i].Label, value, stop)
	}
}

// value returns a field's value in words: an amount with its direction, a date with the number of
// days from or until today.
func (s *session) value(f *record.Field) string {
	if !f.Known() && !f.Extra {
		return unknown
	}
	if f.Kind == record.KindAmount && f.Direction != "" {
		return amountWithDirection(f.Amount, f.Direction)
	}
	if f.Mark() != figures.NoMark || f.Kind == record.KindAmount {
		return markedInWords(f.Text(), f.Mark())
	}
	if day, err := civil.Parse(f.Text()); err == nil && f.Kind == record.KindDate {
		return s.day(day)
	}
	if at, ok := f.At(); ok {
		return record.Minute(at)
	}
	text := strings.TrimPrefix(strings.Replace(f.Detail(), money.Dash, unknown, 1), "✓ ")
	if text == "" && f.Extra {
		return "nothing"
	}
	return cmp.Or(text, unknown)
}

// timeline prints what happened to a record, earliest first.
func (s *session) timeline(o record.Object) {
	type step struct {
		at   time.Time
		what string
	}
	var steps []step
	for i := range o {
		if at, ok := o[i].At(); ok {
			steps = append(steps, step{at, strings.ToLower(o[i].Label)})
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	if len(steps) > 0 {
		s.say("Timeline:")
	}
	for _, step := range steps {
		s.say("  %s, %s: %s.", record.Minute(step.at), civil.Of(step.at).Relative(s.today()), step.what)
	}
}
