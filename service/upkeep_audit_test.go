package service

import (
	"errors"
	"testing"
	"time"

	"tarmac/service/store"
)

func TestUpkeepDeletesLinesOfTheAuditAfter400Days(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	k := newUpkeepFixture(t, now.Add(-2*steadyPeriod))
	for at, action := range map[time.Time]string{
		now.AddDate(0, 0, -400).Add(-time.Minute): "too old", now.AddDate(0, 0, -400).Add(time.Minute): "old",
	} {
		ctx := store.WithAudit(t.Context(), &store.Audit{AuditEntry: store.AuditEntry{At: at, Action: action}})
		if err := errors.Join(k.store.BeginAudit(ctx), k.store.EndAudit(ctx, nil)); err != nil {
			t.Fatal(err)
		}
	}
	for at := now.Add(-2 * steadyPeriod); !at.After(now); at = at.Add(upkeepInterval) {
		k.set(at)
		k.runTasks(t.Context())
	}

	lines, err := k.store.AuditEntries(t.Context(), "", time.Time{}, store.AuditEntry{}, 10)

	if err != nil || len(lines) != 1 || lines[0].Action != "old" || lines[0].Outcome != store.AuditDone {
		t.Errorf("%+v, %v", lines, err)
	}
}
