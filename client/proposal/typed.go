package proposal

import (
	"slices"
	"strings"
	"unicode"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// units are the words accepted after a quantity and ignored, since the line's description
// names the unit. A single m is missing: it may mean minutes, months or a million.
var units = []string{
	"", "h", "hr", "hrs", "hour", "hours", "min", "minute", "minutes",
	"d", "day", "days", "week", "weeks", "month", "months",
	"unit", "units", "item", "items", "pc", "pcs", "piece", "pieces",
}

// ParseQuantity reads a quantity as people type it: 12.5, 1,500, 12.5 hours, 3 pcs. It
// never rounds. The error is apiclient.ErrQuantity.
func ParseQuantity(text string) (apiclient.Quantity, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	if !slices.Contains(units, text[len(number):]) {
		return apiclient.Quantity{}, apiclient.ErrQuantity
	}
	whole, fraction, pointed := strings.Cut(strings.TrimRight(number, " "), ".")
	digits, grouped := money.Ungrouped(whole)
	if !grouped {
		return apiclient.Quantity{}, apiclient.ErrQuantity
	}
	if pointed {
		digits += "." + fraction
	}
	return apiclient.ParseQuantity(digits)
}

// DueText returns a typed due date as YYYY-MM-DD, because net 30 would mean another date tomorrow.
// It returns text that is not a due date unchanged.
func DueText(text string, today civil.Date) string {
	if day, err := civil.ParseDue(text, today); err == nil {
		return day.String()
	}
	return text
}

// QuantityText returns a typed quantity as a plain number: 12.5 hours becomes 12.5. It returns text
// that is not a quantity unchanged.
func QuantityText(text string) string {
	quantity, err := ParseQuantity(text)
	if _, bare := apiclient.ParseQuantity(text); err == nil && bare != nil {
		return quantity.String()
	}
	return text
}

// PriceText returns a typed price in US dollars without a suffix: 1.5k becomes 1,500.00. It returns
// text without letters, and text that is not a price, unchanged.
func PriceText(text string) string {
	if cents, err := money.Parse(text, "USD"); err == nil && strings.ContainsFunc(text, unicode.IsLetter) {
		return money.Format(cents, "USD")
	}
	return text
}
