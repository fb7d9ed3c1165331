package proposal

import (
	"slices"
	"strings"
	"unicode"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// units are what may be typed after a quantity. They are no part of it: the description of a line
// says what is counted. A single m is not among them: minutes, months or a million.
var units = []string{
	"", "h", "hr", "hrs", "hour", "hours", "min", "minute", "minutes",
	"d", "day", "days", "week", "weeks", "month", "months",
	"unit", "units", "item", "items", "pc", "pcs", "piece", "pieces",
}

// ParseQuantity reads the quantity of a line as people type it: 12.5, 1,500, 12.5 hours, 3 pcs. It
// is exact; the error is apiclient.ErrQuantity.
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

// DueText, QuantityText and PriceText return what was typed as it is understood: the day that net
// 30 means, which stays the same tomorrow, 12.5 for 12.5 hours, 1,500.00 for 1.5k. What needs no
// reading, and what cannot be read, stays as it is.
func DueText(text string, today civil.Date) string {
	if day, err := civil.ParseDue(text, today); err == nil {
		return day.String()
	}
	return text
}

// QuantityText is for quantities.
func QuantityText(text string) string {
	quantity, err := ParseQuantity(text)
	if _, bare := apiclient.ParseQuantity(text); err == nil && bare != nil {
		return quantity.String()
	}
	return text
}

// PriceText is for prices in US dollars.
func PriceText(text string) string {
	if cents, err := money.Parse(text, "USD"); err == nil && strings.ContainsFunc(text, unicode.IsLetter) {
		return money.Format(cents, "USD")
	}
	return text
}
