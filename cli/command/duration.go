package command

import (
	"strconv"
	"strings"
	"time"
)

// ParseDuration parses the value of a flag as a duration, such as "90d" or "12h".
func ParseDuration(flag, text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n <= 36500 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	} else if d, err := time.ParseDuration(text); err == nil {
		return d, nil
	}
	return 0, Usagef("%s must be like 90d or 12h, not %q", flag, text)
}
