// Package billlist fetches the bills to pay, which several pages derive figures from.
package billlist

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/payables"
	"tarmac/internal/civil"
	"tarmac/views"
	"tarmac/views/parts/page"
)

// maxAge is how old the bills may get: more become past due each day.
const maxAge = 10 * time.Minute

// Data returns the bills as data of a page. took is called when they have been stored.
func Data(env views.Env, source payables.Source, took func() tea.Cmd) *page.Data[*payables.Payables] {
	var changes uint64 // value of Revision.Changes at the last request
	d := &page.Data[*payables.Payables]{OnValue: took}
	d.Read = func(ctx context.Context, _ string) (*payables.Payables, error) {
		return payables.Read(ctx, source, civil.Of(env.Now()))
	}
	d.OnRequest = func() { changes = env.Snapshot.Books.Changes() }
	d.Stale = func() bool { return changes != env.Snapshot.Books.Changes() }
	d.MaxAge = func() time.Duration {
		if p, known := d.Value(); known && p.Reason() == payables.NotKept {
			return 0 // asked only once
		}
		return maxAge
	}
	return d
}
