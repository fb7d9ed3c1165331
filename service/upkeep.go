package service

import (
	"context"
	"log/slog"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// upkeepInterval is the time between two runs of the periodic tasks. An invoice that becomes
// overdue may keep the status sent for that long (docs/api.md, Invoice status).
const upkeepInterval = time.Minute

// sumInterval is the time between two runs of sumTexts. Totals of keywords take longer for
// transactions that it has not added up yet.
const sumInterval = time.Hour

// eventRetention is the age at which events are deleted. Clients can read events until they are a
// day younger, so an event that is being delivered or read is not deleted.
const eventRetention = (events.RetentionDays + 1) * 24 * time.Hour

// sshDocumentRetention is the time after the end of an SSH key at which its drafts, plans and
// filters are deleted.
const sshDocumentRetention = 30 * 24 * time.Hour

// auditRetention is the age at which lines of the audit are deleted.
const auditRetention = 400 * 24 * time.Hour

// sshClaimRetention is the time after which the claims of a killed process's sessions are deleted.
// Others may take them over long before.
const sshClaimRetention = 24 * time.Hour

// Records are deleted only after the system clock has run for steadyPeriod without a jump of more
// than maxClockStep. A clock that is years ahead must not delete records that are still in use.
const (
	steadyPeriod = time.Hour
	maxClockStep = 10 * upkeepInterval
)

// Largest numbers of records that a task changes in one transaction. They are small because other
// writers wait for the transaction. Deleting an event also deletes up to twenty deliveries.
const (
	overdueBatch   = 100
	resetBatch     = 1000
	eventsBatch    = 200
	responsesBatch = 1000
	sessionsBatch  = 1000
	documentsBatch = 20 // of up to four megabytes each
)

// upkeep runs periodic tasks: it marks invoices overdue, corrects due times of deliveries that a
// wrong clock set, and deletes records after their retention. Several processes that share a
// database may run it.
type upkeep struct {
	store   *store.Store
	ids     *ids.Source
	logger  *slog.Logger
	now     func() time.Time
	failing map[string]bool // log messages (task.failed) of the tasks whose last run failed

	lastRun     time.Time
	steadySince time.Time // time of the first run or of the last jump of the clock
}

func newUpkeep(st *store.Store, source *ids.Source, logger *slog.Logger, now func() time.Time) *upkeep {
	return &upkeep{store: st, ids: source, logger: logger, now: now, failing: map[string]bool{}}
}

// run runs the tasks immediately and then every upkeepInterval, until ctx ends.
func (u *upkeep) run(ctx context.Context) {
	ticker := time.NewTicker(upkeepInterval)
	defer ticker.Stop()
	u.loop(ctx, ticker.C)
}

// sumTexts adds up the ledger by text, and removes what killed imports have left, immediately and
// then every sumInterval, until ctx ends.
func (u *upkeep) sumTexts(ctx context.Context) {
	ticker := time.NewTicker(sumInterval)
	defer ticker.Stop()
	for {
		if err := u.store.SumTexts(ctx, true); err != nil && ctx.Err() == nil {
			u.logger.Warn("totals of keywords could not be prepared; retrying every hour", "error", err)
		}
		if err := u.store.CleanAllBooks(ctx); err != nil && ctx.Err() == nil {
			u.logger.Warn("what killed imports have left could not be removed; retrying every hour", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (u *upkeep) loop(ctx context.Context, tick <-chan time.Time) {
	for {
		u.runTasks(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// task is a periodic task. Its function run changes at most limit records and returns how many
// it changed.
type task struct {
	done, failed string // log messages for a run that changed records and for one that failed
	deletes      bool
	batch        int
	run          func(tx *store.Tx, now time.Time, limit int) (int, error)
}

// runTasks runs all tasks once. A task that fails does not stop the others. Only the first of its
// consecutive failures is logged.
func (u *upkeep) runTasks(ctx context.Context) {
	steady := u.clockSteady()
	for _, t := range [...]task{
		{"invoices marked overdue", "invoices could not be marked overdue", false, overdueBatch, u.markOverdue},
		{"due times in the far future corrected", "due times in the far future could not be corrected",
			false, resetBatch, resetDueTimes},
		{"old events deleted", "old events could not be deleted", true, eventsBatch, pruneEvents},
		{"old idempotency keys deleted", "old idempotency keys could not be deleted",
			true, responsesBatch, pruneResponses},
		{"old sessions over SSH deleted", "old sessions over SSH could not be deleted",
			true, sessionsBatch, pruneSSHSessions},
		{"old processes of sessions over SSH deleted", "old processes of sessions over SSH could not be deleted",
			true, sessionsBatch, pruneSSHProcesses},
		{"claims of lost sessions over SSH deleted", "claims of lost sessions over SSH could not be deleted",
			true, sessionsBatch, pruneSSHClaims},
		{"drafts of ended SSH keys deleted", "drafts of ended SSH keys could not be deleted",
			true, documentsBatch, pruneSSHDocuments},
		{"old lines of the audit deleted", "old lines of the audit could not be deleted", true, sessionsBatch, pruneAudit},
	} {
		if t.deletes && !steady {
			continue
		}
		n, err := u.runBatches(ctx, t)
		if n > 0 {
			u.logger.Info(t.done, "count", n)
		}
		if ctx.Err() == nil {
			u.logChange(t.failed, err)
		}
	}
}

// clockSteady reports whether the system clock has run without a jump for long enough to delete
// records.
func (u *upkeep) clockSteady() bool {
	now := u.now().Round(0) // Round drops the monotonic clock reading, which shows no jumps
	if step := now.Sub(u.lastRun); u.lastRun.IsZero() || step < 0 || step > maxClockStep {
		u.steadySince = now
	}
	u.lastRun = now
	return now.Sub(u.steadySince) >= steadyPeriod
}

// logChange logs the failure of a task if its previous run succeeded, and the success if its
// previous run failed.
func (u *upkeep) logChange(failed string, err error) {
	switch failedBefore := u.failing[failed]; {
	case err != nil && !failedBefore:
		u.logger.Warn(failed+"; retrying every minute", "error", err)
	case err == nil && failedBefore:
		u.logger.Info("resolved: " + failed)
	}
	u.failing[failed] = err != nil
}

// runBatches runs a task repeatedly until it changes fewer records than its limit. It returns how
// many records were changed in total.
func (u *upkeep) runBatches(ctx context.Context, t task) (total int, err error) {
	for {
		n, started := 0, time.Now()
		err := u.store.Write(ctx, func(tx *store.Tx) (err error) {
			n = 0
			if alone, err := tx.TryUpkeepLock(); err != nil || !alone {
				return err
			}
			n, err = t.run(tx, u.now(), t.batch)
			return err
		})
		if err != nil {
			return total, err
		}
		total += n
		if n < t.batch {
			return total, nil
		}
		// Writers in other processes poll for SQLite's lock instead of queuing for it. The pause
		// leaves the lock free for as long as it was held.
		select {
		case <-ctx.Done():
			return total, ctx.Err()
		case <-time.After(time.Since(started)):
		}
	}
}

func (u *upkeep) markOverdue(tx *store.Tx, now time.Time, limit int) (int, error) {
	return lifecycle.New(tx, u.ids, now).MarkOverdue(limit)
}

// resetDueTimes makes deliveries due now whose due time is later than any retry can be. They were
// scheduled while the system clock was ahead.
func resetDueTimes(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.ResetDueTimes(now, now.Add(webhooks.MaxRetryWait), limit)
	return int(n), err
}

func pruneEvents(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneEvents(now.Add(-eventRetention), limit)
	return int(n), err
}

func pruneResponses(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneResponses(now.Add(-invoicing.ResponseRetention), limit)
	return int(n), err
}

// pruneSSHSessions deletes sessions over SSH as old as the events that may tell of their proposals.
func pruneSSHSessions(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneSSHSessions(now.Add(-eventRetention), limit)
	return int(n), err
}

func pruneSSHProcesses(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneSSHProcesses(now.Add(-eventRetention), limit)
	return int(n), err
}

func pruneAudit(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneAudit(now.Add(-auditRetention), limit)
	return int(n), err
}

func pruneSSHClaims(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneSSHClaims(now.Add(-sshClaimRetention), limit)
	return int(n), err
}

func pruneSSHDocuments(tx *store.Tx, now time.Time, limit int) (int, error) {
	n, err := tx.PruneSSHDocuments(now.Add(-sshDocumentRetention), limit)
	return int(n), err
}
