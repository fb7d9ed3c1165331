package runway

import (
	"errors"
	"strconv"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/money"
)

// errPercent is what is wrong with a change of the burn.
var errPercent = errors.New("must be a whole number of percent from -100 to 1000, such as +10 or -25")

// parsePercent reads a change in percent: +10, -25 %. Nothing typed is no change.
func parsePercent(text string) (int64, error) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < figures.LeastBurnPercent || n > figures.MostBurnPercent {
		return 0, errPercent
	}
	return n, nil
}

// parseChange reads US dollars with a sign into cents. Nothing typed is none.
func parseChange(text string) (int64, error) {
	if strings.TrimSpace(text) == "" {
		return 0, nil
	}
	return money.ParseSigned(text, "USD")
}

// parsePays reads what a customer pays, in cents. Nothing typed is nothing.
func parsePays(text string) (int64, error) {
	if strings.TrimSpace(text) == "" {
		return 0, nil
	}
	return money.Parse(text, "USD")
}
