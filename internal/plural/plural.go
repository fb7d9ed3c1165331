// Package plural prints counts with nouns.
package plural

import (
	"strings"

	"tarmac/internal/money"
)

// Count returns a number with its noun: "1 day", "1,200 days", "2 deliveries".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return money.Count(int64(n)) + " " + of(noun)
}

// of returns the plural of a regular noun.
func of(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.ContainsAny(stem[max(0, len(stem)-1):], "aeiou") {
		return stem + "ies"
	}
	return noun + "s"
}
