package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// TakeAllowance counts a request against a token's rate limit, which all processes share. It
// adds period to the token's debt, unless the debt would then exceed window, and returns what
// the debt is or would have become. PostgreSQL only; the server forgets debts in a crash.
//
// Each process uses its own clock. One that is d behind another allows bursts shorter by d.
// Clocks further apart than window and maxClockSkew do not limit each other.
func (s *Store) TakeAllowance(
	ctx context.Context, token string, now time.Time, period, window time.Duration,
) (debt time.Duration, err error) {
	at, step := micros(now), period.Microseconds()
	var paidAt int64 // when the debt is paid off
	err = s.db.Lookup.QueryRowContext(ctx, `INSERT INTO allowances AS a (token, whole_at) VALUES (?, ?)
		ON CONFLICT (token) DO UPDATE SET whole_at = greatest(a.whole_at, ?) + ? WHERE greatest(a.whole_at, ?) + ? <= ?
		RETURNING whole_at`, token, at+step, at, step, at, step, at+window.Microseconds()).Scan(&paidAt)
	if errors.Is(err, sql.ErrNoRows) {
		err = s.db.Lookup.QueryRowContext(ctx, "SELECT whole_at FROM allowances WHERE token = ?", token).Scan(&paidAt)
		if latest := at + (window + maxClockSkew).Microseconds(); err == nil && paidAt > latest {
			// A process whose clock was ahead wrote this. It is overwritten, so that processes
			// whose clocks are right need not wait for it; each also limits by itself.
			_, err = s.db.Lookup.ExecContext(ctx, "UPDATE allowances SET whole_at = ? WHERE token = ? AND whole_at > ?",
				at+step, token, latest)
			if err == nil {
				return period, nil
			}
		}
		// It may have been paid off between the two statements.
		paidAt = max(paidAt+step, at+window.Microseconds()+1)
	}
	if err != nil {
		return 0, fmt.Errorf("counting a request: %w", database.DeadlineAsBusy(err))
	}
	return time.Duration(paidAt-at) * time.Microsecond, nil
}

// maxClockSkew is more than the clocks of synchronized machines differ by.
const maxClockSkew = 5 * time.Second
