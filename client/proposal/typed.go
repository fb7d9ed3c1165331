package proposal

import (
	"slices"
	"strings"
	"unicode"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// units are the words that may follow a quantity. They are ignored, because the description of the
// line item names the unit. The letter m is not among them, because it may mean minutes, months or
// a million.
var units = []string{
	"", "h", "hr", "hrs", "hour", "hours", "min", "minute", "minutes",
	"d", "day", "days", "week", "weeks", "month", "months",
	"unit", "units", "item", "items", "pc", "pcs", "piece", "pieces",
}

// ParseQuantity parses a quantity as users type it: 12.5, 1,500, 12.5 hours, 3 pcs. It never
// rounds. If text is not a quantity, it returns apiclient.ErrQuantity.
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

// DueText returns a typed due date in the form YYYY-MM-DD, because "net 30" would mean another date
// tomorrow. Text that is not a due date is returned unchanged.
func DueText(text string, today civil.Date) string {
	if day, err := civil.ParseDue(text, today); err == nil {
		return day.String()
	}
	return text
}

// QuantityText returns a typed quantity as a plain number, for example "12.5 hours" as "12.5". Text
// that is not a quantity is returned unchanged.
func QuantityText(text string) string {
	quantity, err := ParseQuantity(text)
	if _, bare := apiclient.ParseQuantity(text); err == nil && bare != nil {
		return quantity.String()
	}
	return text
}

// PriceText returns a typed price in US dollars without a suffix, for example "1.5k" as "1,500.00".
// Text without letters, and text that is not a price, is returned unchanged.
func PriceText(text string) string {
	cents, err := money.Parse(text, apiclient.InvoiceCurrency)
	if err == nil && strings.ContainsFunc(text, unicode.IsLetter) {
		return money.Format(cents, apiclient.InvoiceCurrency)
	}
	return text
}
