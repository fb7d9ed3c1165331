package cutoff

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
)

// nameDay matches a day in a file's name: 2026-09-30, 20260930, 30.09.2026, 30-09-2026 or
// 30Sep2026. Other digits must not touch it.
var nameDay = regexp.MustCompile(`(?i)(?:^|\D)(?:` +
	`((?:19|20)\d\d)[-_. ]?(\d\d)[-_. ]?(\d\d)|(\d\d?)([-_. ])(\d\d?)[-_. ]((?:19|20)\d\d)|` +
	`(\d\d?)[-_. ]?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-_. ]?((?:19|20)\d\d))(?:\D|$)`)

// Named returns the period in a file's name, if it has exactly two days and each can be read in one
// way only. made is the day on which the file was made, at the latest: the period ends
// before it, because lines of that day may have followed. Named returns false if no period is left.
func Named(name string, made Day) (Span, bool) {
	var days []Day
	for at := 0; at < len(name); {
		m := nameDay.FindStringSubmatchIndex(name[at:])
		if m == nil {
			break
		}
		text := func(group int) string {
			if m[2*group] < 0 {
				return ""
			}
			return name[at:][m[2*group]:m[2*group+1]]
		}
		year, month, day := text(1), text(2), text(3)
		switch {
		case text(4) != "":
			year, month, day = text(7), text(6), text(4)
			if number(month) <= 12 && number(day) <= 12 && text(5) != "." && month != day {
				return Span{}, false // the day and the month may be in either order
			}
			if number(month) > 12 {
				month, day = day, month
			}
		case text(8) != "":
			parsed, err := time.Parse("Jan", strings.ToUpper(text(9)[:1])+strings.ToLower(text(9)[1:3]))
			if err != nil {
				return Span{}, false
			}
			year, month, day = text(10), strconv.Itoa(int(parsed.Month())), text(8)
		}
		if d, err := civil.Parse(year + "-" + twoDigits(month) + "-" + twoDigits(day)); err == nil {
			days = append(days, bookrules.DayOf(d))
		}
		at += m[1]
		if at < len(name) {
			at-- // the character after a day may be the one before the next
		}
	}
	const ends = 2
	if len(days) != ends || days[0] > days[1] {
		return Span{}, false
	}
	period := Span{First: days[0], Last: days[1]}
	if made > 0 {
		period.Last = min(period.Last, made-1)
	}
	return period, period.First <= period.Last
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) // of at most two digits
	return n
}

func twoDigits(number string) string {
	if len(number) == 1 {
		return "0" + number
	}
	return number
}
