package camt

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// parseAmount parses an amount without a sign, as in all Amt elements.
func parseAmount(text, currency string, line int) (int64, error) {
	if strings.Trim(text, "0123456789.") != "" {
		return 0, bank.Errorf(line, "the amount %q %v", bank.Short(text), bank.ErrAmount)
	}
	minor, err := bank.ParseAmount(text, '.', currency)
	if err != nil {
		return 0, bank.Errorf(line, "the amount %q %v", bank.Short(text), err)
	}
	return minor, nil
}

// signedAmount parses an amount and makes it negative for debits (DBIT).
func signedAmount(text, currency, direction string, line int) (int64, error) {
	minor, err := parseAmount(text, currency, line)
	switch {
	case err != nil:
		return 0, err
	case direction == "CRDT":
		return minor, nil
	case direction == "DBIT":
		return -minor, nil
	case minor == 0:
		return 0, nil
	}
	return 0, bank.Errorf(line, "the amount %q is neither credited nor debited (CdtDbtInd is %q)", bank.Short(text),
		bank.Short(direction))
}

// parseMoment parses a date with or without a time. Time zones are ignored. It returns the zero
// moment for an empty text.
func parseMoment(text string, line int) (moment, error) {
	if text == "" {
		return moment{}, nil
	}
	if len(text) < len("2006-01-02") || strings.Trim(text[:10], "0123456789-") != "" {
		return moment{}, bank.Errorf(line, "%q is not a date", bank.Short(text))
	}
	date, err := civil.Parse(text[:10])
	day, ok := bank.Day(date.Year(), int(date.Month()), date.Day())
	if err != nil || !ok {
		return moment{}, bank.Errorf(line, "the date %q does not exist", bank.Short(text))
	}
	clock, timed := strings.CutPrefix(strings.Replace(text[10:], " ", "T", 1), "T")
	if !timed && clock != "" && strings.IndexByte("Z+-", clock[0]) < 0 {
		return moment{}, bank.Errorf(line, "%q is not a date", bank.Short(text))
	}
	return moment{
		day: day, midnight: timed && strings.HasPrefix(clock, "00:00"),
		wholeDay: !timed || strings.HasPrefix(clock, "23:59") || strings.HasPrefix(clock, "24:00"),
	}, nil
}
