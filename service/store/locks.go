package store

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tarmac/service/store/database"
)

// On PostgreSQL transactions run side by side, each statement sees what others have
// committed before it, and locks make that as safe as one writer is:
//
//   - What reads records of an organization in order to write, or takes its next
//     number, holds the lock of the organization's row first. Numbers are therefore
//     gapless, and an event can be seen only after all before it: the lock is let go
//     when the transaction is visible, not before.
//   - What judges an endpoint by an attempt, or changes one, holds the lock of the
//     endpoint's row. Whoever queues for it holds it shared, so that nothing is
//     queued for an endpoint that is being switched off.
//   - Deliveries are claimed without waiting: what somebody else works on is left
//     to him.
//
// Serializable transactions would need none of this, but would be refused and run
// again whenever two of one organization meet, which is when it is busiest.
//
// Organizations come before endpoints, and both in ascending order. What cannot
// keep to that, because deletions cascade, is found by the server and run again
// (Store.Write).

// lock makes other transactions that write in these organizations wait for the end
// of this one.
func (tx *Tx) lock(orgs ...OrgKey) error {
	if tx.db.Dialect == database.SQLite {
		return nil
	}
	slices.Sort(orgs)
	for _, org := range orgs {
		if err := tx.lockRow(org, "SELECT id FROM organizations WHERE id = ? FOR NO KEY UPDATE"); err != nil {
			return fmt.Errorf("waiting for the organization's turn to write: %w", err)
		}
	}
	return nil
}

// lockEndpoint makes other transactions that judge or change an endpoint, or queue
// for it, wait for the end of this one.
func (tx *Tx) lockEndpoint(endpoint EndpointKey) error {
	if tx.db.Dialect == database.SQLite {
		return nil
	}
	if err := tx.lockRow(endpoint, "SELECT id FROM webhook_endpoints WHERE id = ? FOR NO KEY UPDATE"); err != nil {
		return fmt.Errorf("waiting for the endpoint: %w", err)
	}
	return nil
}

// lockEndpointOf is lock, and lockEndpoint by an endpoint's public id.
func (tx *Tx) lockEndpointOf(org OrgKey, publicID string) error {
	if err := tx.lock(org); err != nil || tx.db.Dialect == database.SQLite || tx.locked[publicID] {
		return err
	}
	var endpoint EndpointKey
	err := tx.db.QueryRow("SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?", publicID, org).Scan(&endpoint)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // which what comes next finds
	}
	if err != nil {
		return notFound(err, "the webhook endpoint")
	}
	err = tx.lockEndpoint(endpoint)
	tx.locked[publicID] = err == nil
	return err
}

func (tx *Tx) lockRow(key any, query string) error {
	if tx.locked[key] {
		return nil
	}
	// A row that is not there is found missing by what comes next.
	if err := tx.db.LockRow(query, key); err != nil {
		return err
	}
	tx.locked[key] = true
	return nil
}

// upkeepLock is the number of PostgreSQL's advisory lock that one process holds
// while it keeps the records up.
const upkeepLock = 0x7461726d6163 // "tarmac"

// TryUpkeepLock reports whether this transaction is the only one that keeps the records
// up. Until it ends, others that ask are told no; with SQLite nobody is, because
// none runs beside it.
func (tx *Tx) TryUpkeepLock() (alone bool, err error) {
	if tx.db.Dialect == database.SQLite {
		return true, nil
	}
	if err := tx.db.QueryRow("SELECT pg_try_advisory_xact_lock(?)", int64(upkeepLock)).Scan(&alone); err != nil {
		return false, fmt.Errorf("asking whether another process keeps the records up: %w", err)
	}
	return alone, nil
}
