package dbcopy

import (
	"errors"
	"fmt"
	"slices"

	"tarmac/internal/money"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// daySum holds the number and the USD cents of a day's transactions in one direction.
type daySum struct{ day, direction, n, cents int64 }

// Queries for an organization's daySums. sumsOfRows adds up the table transactions; sumsOfDays
// reads the stored daily sums. The key of a transaction contains the day, in the 17 bits above the
// lowest 26.
const (
	sumsOfRows = `SELECT (id >> 26) & 131071 AS day, direction, count(*), CAST(sum(usd_cents) AS BIGINT) FROM transactions
		WHERE id BETWEEN ? AND ? GROUP BY 1, 2 ORDER BY 1, 2`
	sumsOfDays = `SELECT day, direction, CAST(sum(n) AS BIGINT), CAST(sum(usd_cents) AS BIGINT) FROM ledger_daily
		WHERE org_id = ? GROUP BY 1, 2 ORDER BY 1, 2`
)

// checkSums compares the daySums of the source's transactions, of the target's transactions, and of
// the target's stored daily sums. It adds their totals to result.
func (o *orgCopy) checkSums(result *Result) error {
	first, last, _ := o.from.CopiedRows(o.side)
	rows, err := o.source.Query(o.ctx, sumsOfRows, first, last)
	source, err := database.Collect(rows, err, "the days", scanDaySum)
	if err != nil {
		return err
	}
	first, last, _ = o.to.CopiedRows(0)
	rows, err = o.Query(sumsOfRows, first, last)
	target, err := database.Collect(rows, err, "the copied days", scanDaySum)
	if err != nil {
		return err
	}
	rows, err = o.Query(sumsOfDays, o.to)
	stored, err := database.Collect(rows, err, "the copied sums of days", scanDaySum)
	if err != nil {
		return err
	}
	if !slices.Equal(source, target) {
		return errors.New("the transactions that were written do not add up to those that were read; " +
			"nothing of the organization was kept")
	}
	if !slices.Equal(target, stored) {
		return errors.New("the transactions do not add up to the sums that are kept of their days, " +
			"which they did not where they come from either: restore a backup of it, and copy that")
	}
	result.addUp(target)
	return nil
}

func (r *Result) addUp(sums []daySum) {
	day := int64(-1)
	for _, sum := range sums {
		if sum.day != day {
			day = sum.day
			r.Days++
		}
		total, fits := &r.Outflow, false
		if ledger.Direction(sum.direction) == ledger.Inflow {
			total = &r.Inflow
		}
		if *total, fits = money.Add(*total, sum.cents); !fits {
			r.Overflow = true
		}
	}
	if r.Overflow {
		r.Inflow, r.Outflow = 0, 0
	}
}

func scanDaySum(row database.Row) (s daySum, err error) {
	err = row.Scan(&s.day, &s.direction, &s.n, &s.cents)
	return s, err
}

// checkFeed reads the first and the last sequence number of the copied events into result. It
// returns an error if the number that the next event would get is already in use.
func (o *orgCopy) checkFeed(result *Result) error {
	var next int64
	err := o.QueryRow(`SELECT (SELECT coalesce(min(sequence), 0) FROM events WHERE org_id = o.id),
			(SELECT coalesce(max(sequence), 0) FROM events WHERE org_id = o.id), o.event_sequence
		FROM organizations o WHERE o.id = ?`, o.to).Scan(&result.FirstEvent, &result.LastEvent, &next)
	if err == nil && next < result.LastEvent {
		err = errors.New("the next number of its events is taken")
	}
	if err != nil {
		return fmt.Errorf("reading the copied feed: %w", err)
	}
	return nil
}
