package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// TakeAllowance counts a request of a token for all processes: it adds period to
// what the token owes, unless that would become more than window, and returns what
// it is or would have become. Processes count by their own clocks: the burst of one
// that is d behind another is smaller by d, and those that are farther apart than
// window and clocksApart count for themselves. The server keeps none of it over a
// crash. Of PostgreSQL alone.
func (s *Store) TakeAllowance(ctx context.Context, token string, now time.Time, period, window time.Duration) (debt time.Duration, err error) {
	at, step := micros(now), period.Microseconds()
	var whole int64
	err = s.db.Lookup.QueryRowContext(ctx, `INSERT INTO allowances AS a (token, whole_at) VALUES (?, ?)
		ON CONFLICT (token) DO UPDATE SET whole_at = greatest(a.whole_at, ?) + ? WHERE greatest(a.whole_at, ?) + ? <= ?
		RETURNING whole_at`, token, at+step, at, step, at, step, at+window.Microseconds()).Scan(&whole)
	if errors.Is(err, sql.ErrNoRows) {
		err = s.db.Lookup.QueryRowContext(ctx, "SELECT whole_at FROM allowances WHERE token = ?", token).Scan(&whole)
		if farthest := at + (window + clocksApart).Microseconds(); err == nil && whole > farthest {
			// That is what a clock leaves that was ahead. It is forgotten: each process
			// limits by itself too, and one whose clock is right must not wait for it.
			_, err = s.db.Lookup.ExecContext(ctx, "UPDATE allowances SET whole_at = ? WHERE token = ? AND whole_at > ?", at+step, token, farthest)
			if err == nil {
				return period, nil
			}
		}
		// It may have been paid off between the two.
		whole = max(whole+step, at+window.Microseconds()+1)
	}
	if err != nil {
		return 0, fmt.Errorf("counting a request: %w", database.DeadlineAsBusy(err))
	}
	return time.Duration(whole-at) * time.Microsecond, nil
}

// clocksApart is more than clocks of machines differ by that are kept right.
const clocksApart = 5 * time.Second
