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

// DueText returns typed text in its standard form: net 30 becomes a date, which stays the
// same tomorrow. Standard and unreadable text is returned unchanged.
func DueText(text string, today civil.Date) string {
	if day, err := civil.ParseDue(text, today); err == nil {
		return day.String()
	}
	return text
}

// QuantityText is like DueText for quantities: 12.5 hours becomes 12.5.
func QuantityText(text string) string {
	quantity, err := ParseQuantity(text)
	if _, bare := apiclient.ParseQuantity(text); err == nil && bare != nil {
		return quantity.String()
	}
	return text
}

// PriceText is like DueText for prices in US dollars: 1.5k becomes 1,500.00.
func PriceText(text string) string {
	if cents, err := money.Parse(text, "USD"); err == nil && strings.ContainsFunc(text, unicode.IsLetter) {
		return money.Format(cents, "USD")
	}
	return text
}
