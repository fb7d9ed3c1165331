package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// TakeAllowance counts a request against the rate limit of a token or an organization, of which
// holder is the ID. All processes share it. The holder's debt is the time until its whole allowance
// is available again. Each request adds period to it. A request that would make the debt exceed
// window is not counted. TakeAllowance returns the debt including this request, whether or not it
// was counted.
//
// It needs PostgreSQL, whose server forgets all debts in a crash. If the server changes meanwhile,
// a request may count twice.
//
// now is the time of this process's clock. If that clock is late by a time d, this process allows
// bursts that are shorter by d. A debt that ends later than window plus maxClockSkew after now was
// written by a process whose clock was ahead, and is overwritten.
func (s *Store) TakeAllowance(
	ctx context.Context, holder string, now time.Time, period, window time.Duration,
) (debt time.Duration, err error) {
	at, step := micros(now), period.Microseconds()
	var paidAt int64 // time at which the debt is 0, in microseconds since 1970
	scan := func(row database.Row) error { return row.Scan(&paidAt) }
	err = s.db.Lookup.QuickRow(ctx, scan, `INSERT INTO allowances AS a (token, whole_at) VALUES (?, ?)
		ON CONFLICT (token) DO UPDATE SET whole_at = greatest(a.whole_at, ?) + ? WHERE greatest(a.whole_at, ?) + ? <= ?
		RETURNING whole_at`, holder, at+step, at, step, at, step, at+window.Microseconds())
	if errors.Is(err, sql.ErrNoRows) {
		err = s.db.Lookup.QuickRow(ctx, scan, "SELECT whole_at FROM allowances WHERE token = ?", holder)
		if latest := at + (window + maxClockSkew).Microseconds(); err == nil && paidAt > latest {
			// A process whose clock was ahead wrote this debt. Other processes would refuse all
			// requests until it ends, so it is replaced by the debt of this request alone.
			_, err = s.db.Lookup.ExecContext(ctx, "UPDATE allowances SET whole_at = ? WHERE token = ? AND whole_at > ?",
				at+step, holder, latest)
			if err == nil {
				return period, nil
			}
		}
		// The first statement did not count the request. Even if the stored debt has decreased
		// since, the returned debt must exceed window, so that the caller refuses the request.
		paidAt = max(paidAt+step, at+window.Microseconds()+1)
	}
	if err != nil {
		return 0, fmt.Errorf("counting a request: %w", database.DeadlineAsBusy(err))
	}
	return time.Duration(paidAt-at) * time.Microsecond, nil
}

// maxClockSkew is the largest difference between the clocks of two machines. Synchronized clocks
// differ by less.
const maxClockSkew = 5 * time.Second
