package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"tarmac/service/ids"
	"tarmac/service/store/database"
)

// The ways in which changes are made.
const (
	WayAdmin = "admin" // by a command on the database
	WaySSH   = "ssh"   // by a session over SSH
	WayAPI   = "api"   // by a token
)

// The outcomes of audited changes. A change whose process ended in between stays AuditAttempted.
const (
	AuditAttempted = "attempted"
	AuditDone      = "done"
	AuditFailed    = "failed"    // and changed nothing
	AuditPartly    = "partly"    // it failed after a part of it was committed
	AuditUnchanged = "unchanged" // nothing was committed, as in a dry run
)

// AuditEntry is a line of the audit: who changed what. It contains neither secrets nor amounts.
type AuditEntry struct {
	ID          int64
	OrgPublicID string // "" if it concerns no organization or all of them
	At          time.Time
	Actor       string
	Way         string
	Action      string
	Target      string // id of the changed record, or ""
	Address     string // of the caller, or ""
	Outcome     string
}

// Audit is a change in progress, of one command or request. Its first write transaction commits its
// line beforehand, and each of them its outcome.
type Audit struct {
	AuditEntry

	mu      sync.Mutex
	id      int64 // 0 before the first write
	changed bool
}

type auditKey struct{}

// WithAudit returns a context whose write transactions are parts of the change a. If a is nil, they
// are nobody's change.
func WithAudit(ctx context.Context, a *Audit) context.Context {
	return context.WithValue(ctx, auditKey{}, a)
}

func auditOf(ctx context.Context) *Audit {
	a, _ := ctx.Value(auditKey{}).(*Audit)
	return a
}

// errNotAudited is the error of a write without WithAudit to a store that requires it.
var errNotAudited = errors.New("a change without a line in the audit was refused; this is a defect of the program")

// RequireAudit makes the store refuse write transactions whose context has no WithAudit.
func (s *Store) RequireAudit() { s.auditRequired = true }

// audited runs a write transaction as a part of the change of ctx, if there is one.
func (s *Store) audited(ctx context.Context, write writeFunc, fn func(*Tx) error) error {
	a := auditOf(ctx)
	if a == nil {
		if s.auditRequired {
			return errNotAudited
		}
		return write(ctx, inTx(fn))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := s.beginAudit(ctx, a); err != nil {
		return err
	}
	err := write(ctx, inTx(func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.finishAudit(a)
	}))
	a.changed = a.changed || err == nil
	return err
}

// writeFunc runs a write transaction, as Write of a database does.
type writeFunc func(context.Context, func(*database.Tx) error) error

// beginAudit writes the line of a change. It does not wait for the disk: the commit of the change,
// which comes later in the log, does.
func (s *Store) beginAudit(ctx context.Context, a *Audit) error {
	if a.id != 0 {
		return nil
	}
	return s.db.WriteUnsynced(ctx, inTx(func(tx *Tx) error {
		org, err := tx.auditedOrg(a.OrgPublicID, a.Target)
		if err != nil {
			return err
		}
		err = tx.db.QueryRow(`INSERT INTO audit (org_id, at, actor, way, action, target, address, outcome)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			org, micros(a.At), a.Actor, a.Way, a.Action, a.Target, a.Address, AuditAttempted).Scan(&a.id)
		if err != nil {
			a.id = 0
			return fmt.Errorf("writing the audit: %w", err)
		}
		return nil
	}))
}

// auditedTables are the tables of the records that an ID's prefix names.
var auditedTables = map[string]string{
	ids.Invoice: "invoices", ids.PaymentIntent: "payment_intents", ids.Token: "tokens", ids.Webhook: "webhook_endpoints",
	ids.SSHKey: "ssh_keys", ids.Connection: "connections",
}

// auditedOrg returns the organization with the given ID or, if it is "", that of a record. The
// result is null if there is none.
func (tx *Tx) auditedOrg(publicID, record string) (org sql.NullInt64, err error) {
	query, id := "SELECT id FROM organizations WHERE public_id = ?", publicID
	if id == "" {
		prefix, _, _ := strings.Cut(record, "_")
		if table, ok := auditedTables[prefix+"_"]; ok {
			query, id = "SELECT org_id FROM "+table+" WHERE public_id = ?", record
		} else {
			id = record
		}
	}
	if id == "" {
		return org, nil
	}
	if err = tx.db.QueryRow(query, id).Scan(&org); err != nil && !database.IsNotFound(err) {
		return org, fmt.Errorf("finding the organization for the audit: %w", err)
	}
	return org, nil
}

// created notes the ID of a record that this transaction adds. The first one is the target of a
// change whose target was not known before.
func (tx *Tx) created(publicID string) {
	if tx.firstCreated == "" {
		tx.firstCreated = publicID
	}
}

// finishAudit writes the outcome of a change into its transaction.
func (tx *Tx) finishAudit(a *Audit) error {
	target := a.Target
	if target == "" {
		target = tx.firstCreated
	}
	org, err := tx.auditedOrg(a.OrgPublicID, target)
	if err != nil {
		return err
	}
	_, err = tx.db.Exec(`UPDATE audit SET outcome = ?, org_id = coalesce(org_id, ?),
		target = CASE WHEN target = '' THEN ? ELSE target END WHERE id = ?`, AuditDone, org, target, a.id)
	if err != nil {
		return fmt.Errorf("writing the outcome into the audit: %w", err)
	}
	return nil
}

// EndAudit completes the line of the change of ctx, which ended with failure or nil, unless its
// transaction has done so.
func (s *Store) EndAudit(ctx context.Context, failure error) error {
	a := auditOf(ctx)
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.id == 0 || failure == nil && a.changed {
		return nil
	}
	outcome := AuditUnchanged
	switch {
	case a.changed:
		outcome = AuditPartly
	case failure != nil:
		outcome = AuditFailed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endAuditTimeout)
	defer cancel()
	return s.db.Write(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec("UPDATE audit SET outcome = ? WHERE id = ?", outcome, a.id)
		return err
	})
}

const endAuditTimeout = 5 * time.Second

// AuditEntries returns lines of the audit with IDs above after and times from since on, in the
// order of their IDs, at most limit of them. orgPublicID is "" for all organizations.
func (s *Store) AuditEntries(
	ctx context.Context, orgPublicID string, since time.Time, after int64, limit int,
) (entries []AuditEntry, err error) {
	query := `SELECT a.id, coalesce(o.public_id, ''), a.at, a.actor, a.way, a.action, a.target, a.address, a.outcome
		FROM audit a LEFT JOIN organizations o ON o.id = a.org_id WHERE a.id > ? AND a.at >= ?`
	args := []any{after, micros(since)}
	if orgPublicID != "" {
		query += " AND a.org_id = (SELECT id FROM organizations WHERE public_id = ?)"
		args = append(args, orgPublicID)
	}
	err = s.Read(ctx, func(snap *Snapshot) error {
		rows, err := snap.db.Query(query+" ORDER BY a.id LIMIT ?", append(args, limit)...)
		entries, err = database.Collect(rows, err, "the audit", scanAuditEntry)
		return err
	})
	return entries, err
}

func scanAuditEntry(row database.Row) (e AuditEntry, err error) {
	var at int64
	err = row.Scan(&e.ID, &e.OrgPublicID, &at, &e.Actor, &e.Way, &e.Action, &e.Target, &e.Address, &e.Outcome)
	e.At = fromMicros(at)
	return e, err
}

// PruneAudit deletes lines of the audit from before cutoff. It deletes at most limit lines and
// returns how many it deleted.
func (tx *Tx) PruneAudit(cutoff time.Time, limit int) (int64, error) {
	result, err := tx.db.Exec(`DELETE FROM audit WHERE id IN (
		SELECT id FROM audit WHERE at < ? ORDER BY at LIMIT ?)`, micros(cutoff), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old lines of the audit: %w", err)
	}
	return result.RowsAffected()
}
