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
	WayLocal = "local" // by the owner of own books, on the machine that has them
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
	in      string // name of the database that has the line
	id      int64  // 0 before the first write
	act     bool   // true after BeginAudit
	changed bool
}

type auditKey struct{}

// WithAudit returns a context whose write transactions are parts of the change a. If a is nil, they
// are nobody's change.
func WithAudit(ctx context.Context, a *Audit) context.Context {
	return context.WithValue(ctx, auditKey{}, a)
}

// WithAnotherAudit returns a context for another change by the same actor with the same action, in
// another database. target is the ID of the organization or record, or "".
func WithAnotherAudit(ctx context.Context, target string) context.Context {
	a := auditOf(ctx)
	if a == nil {
		return ctx
	}
	entry := a.AuditEntry
	entry.OrgPublicID, entry.Target = "", target
	return WithAudit(ctx, &Audit{AuditEntry: entry})
}

func auditOf(ctx context.Context) *Audit {
	a, _ := ctx.Value(auditKey{}).(*Audit)
	return a
}

// Changed reports whether a write transaction of the change of ctx was committed.
func Changed(ctx context.Context) bool {
	a := auditOf(ctx)
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.changed
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
		return tx.finishAudit(a, AuditDone)
	}))
	a.changed = a.changed || err == nil
	return err
}

// writeFunc runs a write transaction, as Write of a database does.
type writeFunc func(context.Context, func(*database.Tx) error) error

// beginAudit writes the line of a change. It does not wait for the disk: the commit of the change,
// which comes later in the log, does.
func (s *Store) beginAudit(ctx context.Context, a *Audit) error {
	if a.in != s.name { // a command may write to several databases, which have a line each
		a.in, a.id, a.changed = s.name, 0, false
	}
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

// BeginAudit writes the line of the change of ctx, which is no write transaction of this store,
// such as a backup. EndAudit says whether it was done.
func (s *Store) BeginAudit(ctx context.Context) error {
	a := auditOf(ctx)
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.act = true
	return s.beginAudit(ctx, a)
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
			id = record // of the organization itself
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

// finishAudit writes the outcome of a change.
func (tx *Tx) finishAudit(a *Audit, outcome string) error {
	target := a.Target
	if target == "" {
		target = tx.firstCreated
	}
	org, err := tx.auditedOrg(a.OrgPublicID, target)
	if err != nil {
		return err
	}
	_, err = tx.db.Exec(`UPDATE audit SET outcome = ?, org_id = coalesce(org_id, ?),
		target = CASE WHEN target = '' THEN ? ELSE target END WHERE id = ?`, outcome, org, target, a.id)
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
	if a.in != s.name || a.id == 0 || failure == nil && a.changed {
		return nil
	}
	outcome := AuditUnchanged
	switch {
	case a.changed:
		outcome = AuditPartly
	case failure != nil:
		outcome = AuditFailed
	case a.act:
		outcome = AuditDone
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endAuditTimeout)
	defer cancel()
	return s.db.Write(ctx, inTx(func(tx *Tx) error { return tx.finishAudit(a, outcome) }))
}

// DropAudit deletes the line of the change of ctx, which was refused, unless a part of the change
// was committed. Callers that are refused again and again would fill the audit.
func (s *Store) DropAudit(ctx context.Context) error {
	a := auditOf(ctx)
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.in != s.name || a.id == 0 || a.changed {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endAuditTimeout)
	defer cancel()
	return s.db.WriteUnsynced(ctx, inTx(func(tx *Tx) error {
		if _, err := tx.db.Exec("DELETE FROM audit WHERE id = ?", a.id); err != nil {
			return fmt.Errorf("deleting a line of the audit: %w", err)
		}
		return nil
	}))
}

const endAuditTimeout = 5 * time.Second

// AuditEntries returns lines of the audit that come after a line and have times from since on, the
// oldest first, at most limit of them. orgPublicID is "" for all organizations. The zero AuditEntry
// comes before all lines.
func (s *Store) AuditEntries(
	ctx context.Context, orgPublicID string, since time.Time, after AuditEntry, limit int,
) (entries []AuditEntry, err error) {
	query := `SELECT a.id, coalesce(o.public_id, ''), a.at, a.actor, a.way, a.action, a.target, a.address, a.outcome
		FROM audit a LEFT JOIN organizations o ON o.id = a.org_id WHERE (a.at, a.id) > (?, ?) AND a.at >= ?`
	args := []any{micros(after.At), after.ID, micros(since)}
	if orgPublicID != "" {
		query += " AND a.org_id = (SELECT id FROM organizations WHERE public_id = ?)"
		args = append(args, orgPublicID)
	}
	err = s.Read(ctx, func(snap *Snapshot) error {
		rows, err := snap.db.Query(query+" ORDER BY a.at, a.id LIMIT ?", append(args, limit)...)
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
