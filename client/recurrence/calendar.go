package recurrence

// calendar counts payments by the days of weeks and months on which they were made. These counts
// rule out nearly all schedules without a look at the payments.
type calendar struct {
	fortnight [14]int // by the days since every second Monday
	upTo      [32]int // by the day of the month: payments of this day and those before it
}

func newCalendar(payments []Payment) (c calendar) {
	for i := range payments {
		c.fortnight[(payments[i].day-firstMonday)%14]++
		c.upTo[payments[i].Date.Day()]++
	}
	for day := 1; day < len(c.upTo); day++ {
		c.upTo[day] += c.upTo[day-1]
	}
	return c
}

// most returns a number of payments that is not exceeded by those which belong to a schedule.
func (c *calendar) most(s schedule) int {
	switch s.Rhythm {
	case Weekly:
		return c.mostOfWeeks(s, 7)
	case EveryTwoWeeks:
		return c.mostOfWeeks(s, 14)
	case TwiceAMonth:
		return c.mostOfMonths(s.Rhythm, s.day) + c.mostOfMonths(s.Rhythm, s.second)
	case Monthly:
		return c.mostOfMonths(s.Rhythm, s.day)
	}
	return c.upTo[31] // of a quarter or a year, too many days are on time
}

func (c *calendar) mostOfWeeks(s schedule, days int) (n int) {
	for offset := -rules[s.Rhythm].early; offset <= rules[s.Rhythm].late; offset++ {
		for day := (s.day + offset + days) % days; day < len(c.fortnight); day += days {
			n += c.fortnight[day]
		}
	}
	return n
}

// mostOfMonths counts the payments that may be on time if one is expected on a day of each month,
// or on the last one of a shorter month.
func (c *calendar) mostOfMonths(r Rhythm, expected int) int {
	const shortest = 28
	early, late := rules[r].early, rules[r].late
	n := c.upTo[min(expected+late, 31)] - c.upTo[max(min(expected, shortest)-early-1, 0)]
	if inNext := late - max(0, shortest-expected); inNext > 0 {
		n += c.upTo[inNext]
	}
	if before := early - expected; before >= 0 {
		n += c.upTo[31] - c.upTo[shortest-before-1]
	}
	return n
}
