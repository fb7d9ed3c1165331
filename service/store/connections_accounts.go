package store

import (
	"database/sql"
	"fmt"
	"time"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store/database"
)

// ConnectionAccount is an account at a provider, as a connection last saw it.
type ConnectionAccount struct {
	Connection ConnectionKey
	RemoteID   string // the provider's id
	bank.Account
	Currency     string
	BooksNumber  string // account number in the books; "" if the account is not taken
	Taken        bool   // true if the account is read into the books
	Refused      string // why the account cannot be taken; "" if it can
	LastSeen     time.Time
	MissingSince time.Time     // when a reading first lacked the account; zero if the last one had it
	PendingDay   bookrules.Day // day of the oldest pending line; 0 if there is none
	Balance      *ConnectionBalance
}

// ConnectionBalance is a balance that a provider stated. Amounts are in minor units.
type ConnectionBalance struct {
	CurrentMinor   int64
	AvailableMinor int64
	At             time.Time // time for which the provider states it; zero if it does not say
	Read           time.Time // time of the reading
}

// PutConnectionAccount adds an account to a connection, or replaces what is stored about it. A nil
// Balance keeps the stored one.
func (tx *Tx) PutConnectionAccount(org OrgKey, a ConnectionAccount) error {
	if err := tx.connectionChanges(a.Connection); err != nil {
		return err
	}
	_, err := tx.db.Exec(`INSERT INTO connection_accounts (org_id, connection_id, remote_id, name, bank, number, kind,
			currency, books_number, taken, refused, last_seen, missing_since, pending_day)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (connection_id, remote_id) DO UPDATE SET name = excluded.name, bank = excluded.bank,
			number = excluded.number, kind = excluded.kind, currency = excluded.currency,
			books_number = excluded.books_number, taken = excluded.taken, refused = excluded.refused,
			last_seen = excluded.last_seen, missing_since = excluded.missing_since, pending_day = excluded.pending_day`,
		org, a.Connection, a.RemoteID, a.Name, a.Bank, a.Number, int64(a.Kind), a.Currency, a.BooksNumber, bit(a.Taken),
		a.Refused, micros(a.LastSeen), microsOrNull(a.MissingSince), a.PendingDay)
	if err != nil {
		return fmt.Errorf("storing an account of the connection: %w", err)
	}
	if a.Balance == nil {
		return nil
	}
	return tx.SetConnectionBalance(a.Connection, a.RemoteID, *a.Balance)
}

// DeleteConnectionAccount deletes what is stored about an account of a connection.
func (tx *Tx) DeleteConnectionAccount(key ConnectionKey, remoteID string) error {
	if err := tx.connectionChanges(key); err != nil {
		return err
	}
	return tx.execOne("DELETE FROM connection_accounts WHERE connection_id = ? AND remote_id = ?", key, remoteID)
}

// SetConnectionBalance stores the balance of an account of a connection.
func (tx *Tx) SetConnectionBalance(key ConnectionKey, remoteID string, b ConnectionBalance) error {
	return tx.execOne(`UPDATE connection_accounts SET current_minor = ?, available_minor = ?, balance_at = ?,
			balance_read = ?
		WHERE connection_id = ? AND remote_id = ?`,
		b.CurrentMinor, b.AvailableMinor, microsOrNull(b.At), micros(b.Read), key, remoteID)
}

// ConnectionAccounts returns the accounts of all connections of the organization, in the order in
// which they were added.
func (tx *Tx) ConnectionAccounts(org OrgKey) ([]ConnectionAccount, error) {
	return readConnectionAccounts(tx.db, org)
}

// ConnectionAccounts returns the accounts of all connections of the organization, in the order in
// which they were added.
func (s *Snapshot) ConnectionAccounts(org OrgKey) ([]ConnectionAccount, error) {
	return readConnectionAccounts(s.db, org)
}

func readConnectionAccounts(r database.Queryer, org OrgKey) ([]ConnectionAccount, error) {
	rows, err := r.Query(`SELECT connection_id, remote_id, name, bank, number, kind, currency, books_number, taken,
			refused, last_seen, missing_since, pending_day, current_minor, available_minor, balance_at, balance_read
		FROM connection_accounts WHERE org_id = ? ORDER BY id`, org)
	return database.Collect(rows, err, "the accounts of connections", scanConnectionAccount)
}

func scanConnectionAccount(row database.Row) (a ConnectionAccount, err error) {
	var (
		taken, seen                    int64
		missing, current, available    sql.NullInt64
		balanceStated, balanceReadTime sql.NullInt64
	)
	err = row.Scan(&a.Connection, &a.RemoteID, &a.Name, &a.Bank, &a.Number, &a.Kind, &a.Currency, &a.BooksNumber, &taken,
		&a.Refused, &seen, &missing, &a.PendingDay, &current, &available, &balanceStated, &balanceReadTime)
	a.Taken, a.LastSeen, a.MissingSince = taken != 0, fromMicros(seen), timeOrZero(missing)
	if current.Valid {
		a.Balance = &ConnectionBalance{
			CurrentMinor: current.Int64, AvailableMinor: available.Int64, At: timeOrZero(balanceStated),
			Read: timeOrZero(balanceReadTime),
		}
	}
	return a, err
}

// ConnectionInvoices returns the provider's ids of the open invoices that a connection last saw.
func (s *Snapshot) ConnectionInvoices(key ConnectionKey) ([]string, error) {
	rows, err := s.db.Query("SELECT remote_id FROM connection_invoices WHERE connection_id = ? ORDER BY remote_id", key)
	return database.Collect(
		rows,
		err,
		"the open invoices of the connection",
		func(row database.Row) (id string, err error) {
			err = row.Scan(&id)
			return id, err
		},
	)
}

// SetConnectionInvoices replaces the provider's ids of the open invoices that a connection saw.
func (tx *Tx) SetConnectionInvoices(c Connection, remoteIDs []string) error {
	if _, err := tx.db.Exec("DELETE FROM connection_invoices WHERE connection_id = ?", c.Key); err != nil {
		return fmt.Errorf("forgetting the open invoices of the connection: %w", err)
	}
	for _, id := range remoteIDs {
		_, err := tx.db.Exec("INSERT INTO connection_invoices (org_id, connection_id, remote_id) VALUES (?, ?, ?)",
			c.Org, c.Key, id)
		if err != nil {
			return fmt.Errorf("storing an open invoice of the connection: %w", err)
		}
	}
	return nil
}
