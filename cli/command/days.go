package command

import (
	"errors"

	"github.com/spf13/cobra"

	"tarmac/internal/civil"
)

// Days holds the values of the flags --from, --to and --period, which select days.
type Days struct{ From, To, Period string }

// DaysHelp describes the values of the flags of Days for the help text of a command.
const DaysHelp = "Days are dates (2026-05-31, 31 May), months (2026-05, May), quarters (2026-q2, Q2), years, or " +
	"words: today, yesterday, this or last week, month, quarter or year, mtd, qtd, ytd, 90d. Without a year, the most " +
	"recent one that has begun is meant. --from takes the first day of a period, --to the last, --period both."

// Flags adds the flags to a command.
func (d *Days) Flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.From, "from", "", "first day, as a date or in words")
	cmd.Flags().StringVar(&d.To, "to", "", "last day, as a date or in words")
	cmd.Flags().StringVar(&d.Period, "period", "", "first and last day, such as \"last quarter\"")
	for _, flag := range [...]string{"from", "to", "period"} {
		Choices(cmd, flag, "today", "yesterday", "this week", "last week", "this month", "last month", "this quarter",
			"last quarter", "this year", "last year", "q1", "january", "mtd", "qtd", "ytd", "30d", "90d", "12m")
	}
}

// Parse returns the days that the flags select, by the same rules as the dashboard. The error is a
// usage error.
func (d *Days) Parse(today civil.Date) (civil.Period, error) {
	if d.Period != "" {
		if d.From != "" || d.To != "" {
			return civil.Period{}, Usagef("--period cannot be combined with --from or --to")
		}
		return parsePeriod("--period", d.Period, today)
	}
	first, err := parsePeriod("--from", d.From, today)
	if err != nil {
		return civil.Period{}, err
	}
	last, err := parsePeriod("--to", d.To, today)
	if err != nil {
		return civil.Period{}, err
	}
	switch {
	case d.From != "" && first.From.IsZero():
		return civil.Period{}, Usagef("--from %s has no first day", Quoted(d.From))
	case d.To != "" && last.To.IsZero():
		return civil.Period{}, Usagef("--to %s has no last day", Quoted(d.To))
	}
	days := civil.Period{From: first.From, To: last.To}
	if d.From == "" || d.To == "" || !days.To.Before(days.From) {
		return days, nil
	}
	// A month without a year means the latest such month before the end date.
	if days, err = civil.ParsePeriod(d.From+".."+last.To.String(), today); err != nil {
		return days, Usagef("--to is before --from")
	}
	return days, nil
}

// parsePeriod parses the value of a flag as a period. If the flag was not set, it returns the zero
// period.
func parsePeriod(flag, text string, today civil.Date) (civil.Period, error) {
	if text == "" {
		return civil.Period{}, nil
	}
	p, err := civil.ParsePeriod(text, today)
	switch {
	case errors.Is(err, civil.ErrPeriod):
		return p, Usagef("%s must be a date such as 2026-01-31, 2026-05, oct, q3, today, \"last month\", ytd or "+
			"90d, not %s", flag, Quoted(text))
	case errors.Is(err, civil.ErrNumbers):
		return p, Usagef("%s %w", flag, err)
	case err != nil:
		return p, Usagef("%s: %w", flag, err)
	}
	return p, nil
}
