// Package plural formats counts with their nouns, such as "2 days", rounds durations to such
// counts, and lists words.
package plural

import (
	"strings"
	"time"

	"tarmac/internal/money"
)

// Count returns a number with its noun, such as "1 day", "1,200 days" or "2 deliveries".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return money.Count(int64(n)) + " " + of(noun)
}

// List returns words as a list in a sentence, with a conjunction before the last word: "a, b or c".
func List(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// Span rounds a duration down to whole seconds, minutes, hours or days. It returns, for example, 3
// and "minute". From 48 hours, it returns days. For a negative duration it returns 0 seconds.
func Span(d time.Duration) (n int, unit string) {
	switch {
	case d < time.Minute:
		return max(0, int(d/time.Second)), "second"
	case d < time.Hour:
		return int(d / time.Minute), "minute"
	case d < 48*time.Hour:
		return int(d / time.Hour), "hour"
	}
	return int(d / (24 * time.Hour)), "day"
}

// of returns the plural of a regular noun.
func of(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.ContainsAny(stem[max(0, len(stem)-1):], "aeiou") {
		return stem + "ies"
	}
	return noun + "s"
}
