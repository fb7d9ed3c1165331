package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// TakeAllowance counts a request against a token's rate limit, which all processes share. A
// token's debt is the time until its whole allowance is available again. Each request adds
// period to it; a request that would make it exceed window is not counted. In both cases the
// debt including this request is returned. It needs PostgreSQL, whose server forgets all debts
// in a crash.
//
// Each process passes the time of its own clock. If that is late by d, its bursts are shorter by
// d. A debt that would end later than window and maxClockSkew from now is overwritten, because a
// clock that was ahead has written it.
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
			// A process whose clock was ahead wrote this. Other processes would refuse requests
			// until then, so the debt is replaced by that of this request alone.
			_, err = s.db.Lookup.ExecContext(ctx, "UPDATE allowances SET whole_at = ? WHERE token = ? AND whole_at > ?",
				at+step, token, latest)
			if err == nil {
				return period, nil
			}
		}
		// The first statement refused the request. Even if the debt has been paid off since
		// then, the result must exceed window, because the request was not counted.
		paidAt = max(paidAt+step, at+window.Microseconds()+1)
	}
	if err != nil {
		return 0, fmt.Errorf("counting a request: %w", database.DeadlineAsBusy(err))
	}
	return time.Duration(paidAt-at) * time.Microsecond, nil
}

// maxClockSkew is more than the clocks of synchronized machines differ.
const maxClockSkew = 5 * time.Second
