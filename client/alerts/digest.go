package alerts

import (
	"errors"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // not every machine has it
)

// Schedule says when a digest is sent: a time of a day of the week in a zone.
type Schedule struct {
	day          time.Weekday
	hour, minute int
	zone         *time.Location
}

// ParseSchedule parses a time such as "monday 08:00" and the name of a time zone; "" is UTC.
func ParseSchedule(when, zone string) (s Schedule, err error) {
	day, clock, _ := strings.Cut(strings.ToLower(strings.TrimSpace(when)), " ")
	found := false
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := strings.ToLower(d.String()); day == name || len(day) == 3 && day == name[:3] {
			s.day, found = d, true
		}
	}
	at, wrong := time.Parse("15:04", strings.TrimSpace(clock))
	if !found || wrong != nil {
		return s, errors.New(`digest.when must be a day and a time, such as "monday 08:00"`)
	}
	s.hour, s.minute = at.Hour(), at.Minute()
	if s.zone, err = time.LoadLocation(zone); err != nil || zone == "Local" {
		return s, fmt.Errorf("digest.zone must be the name of a time zone, such as Europe/Berlin, not %q", zone)
	}
	return s, nil
}

// Last returns the last time at or before now at which the digest was due.
func (s Schedule) Last(now time.Time) time.Time {
	local := now.In(s.zone)
	back := (int(local.Weekday()) - int(s.day) + 7) % 7
	at := time.Date(local.Year(), local.Month(), local.Day()-back, s.hour, s.minute, 0, 0, s.zone)
	if at.After(now) {
		at = time.Date(local.Year(), local.Month(), local.Day()-back-7, s.hour, s.minute, 0, 0, s.zone)
	}
	return at
}

// Next returns the first time after now at which the digest is due.
func (s Schedule) Next(now time.Time) time.Time {
	last := s.Last(now).In(s.zone)
	return time.Date(last.Year(), last.Month(), last.Day()+7, s.hour, s.minute, 0, 0, s.zone)
}

// DigestDue reports whether a digest is to be sent. The first look only remembers that it was
// there, so that the first digest is that of the next due time. One that is late by more than a
// day is not sent: the next one says the same.
func (s *State) DigestDue(schedule Schedule, now time.Time) bool {
	last := schedule.Last(now)
	if s.Digest.IsZero() || s.Digest.After(now) {
		s.Digest = last
		return false
	}
	return last.After(s.Digest)
}
