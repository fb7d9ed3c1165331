package store

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tarmac/service/store/database"
)

// On PostgreSQL, transactions run at the same time, and each statement sees what others have
// committed before it. Locks make that as safe as on SQLite, which has one writer at a time:
//
//   - A transaction that reads records of an organization in order to change them, or uses its next
//     invoice or event number, first locks the organization's row until it commits. Numbers
//     therefore have no gaps, and an event becomes visible only after all events before it.
//   - A transaction that changes a webhook endpoint, or records the outcome of an attempt to
//     deliver to it, locks the endpoint's row. A transaction that queues deliveries for an endpoint
//     takes a shared lock, so that nothing is queued for an endpoint that is being disabled.
//   - A transaction that changes documents of an SSH key locks the key's row, so that the key's
//     documents stay within their limits. One that adds a public key again locks the rows of the
//     earlier keys, so that no document stays with them.
//   - A transaction that claims deliveries skips rows that others have locked.
//
// Serializable transactions would need no locks. But of two that conflict, one would have to run
// again, most often in the busiest organizations.
//
// Organizations are locked before endpoints, and both in ascending order of their keys. Cascading
// deletions cannot follow that order. If they cause a deadlock, PostgreSQL aborts one of the two
// transactions, and database.DB.Write runs it again.

// lock makes other transactions that write to these organizations wait until this transaction ends.
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

// lockEndpoint makes other transactions that change a webhook endpoint, or queue deliveries for it,
// wait until this transaction ends.
func (tx *Tx) lockEndpoint(endpoint EndpointKey) error {
	if tx.db.Dialect == database.SQLite {
		return nil
	}
	if err := tx.lockRow(endpoint, "SELECT id FROM webhook_endpoints WHERE id = ? FOR NO KEY UPDATE"); err != nil {
		return fmt.Errorf("waiting for the endpoint: %w", err)
	}
	return nil
}

// lockEndpointOf locks an organization and then its webhook endpoint with the given public id.
func (tx *Tx) lockEndpointOf(org OrgKey, publicID string) error {
	if err := tx.lock(org); err != nil || tx.db.Dialect == database.SQLite || tx.locked[publicID] {
		return err
	}
	var endpoint EndpointKey
	query := "SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?"
	err := tx.db.QueryRow(query, publicID, org).Scan(&endpoint)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // the caller's next statement reports that there is no such endpoint
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
	// If the row does not exist, the caller's next statement reports that.
	if err := tx.db.LockRow(query, key); err != nil {
		return err
	}
	tx.locked[key] = true
	return nil
}

// upkeepLock is the key of the PostgreSQL advisory lock that a process holds while it runs periodic
// tasks (service/upkeep.go).
const upkeepLock = 0x7461726d6163 // the letters of "tarmac" in ASCII

// TryUpkeepLock makes this transaction the only one that runs periodic tasks, until it ends. It
// returns false if another process holds the lock. On SQLite it always returns true, because write
// transactions do not overlap.
func (tx *Tx) TryUpkeepLock() (locked bool, err error) {
	if tx.db.Dialect == database.SQLite {
		return true, nil
	}
	if err := tx.db.QueryRow("SELECT pg_try_advisory_xact_lock(?)", int64(upkeepLock)).Scan(&locked); err != nil {
		return false, fmt.Errorf("taking the lock for periodic upkeep: %w", err)
	}
	return locked, nil
}
