package sample

import (
	"errors"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
)

// States returns snapshots by name. There is one for each state of a panel, and one for each kind
// of figures that a server may send.
func States(t testing.TB) map[string]*snapshot.Snapshot {
	t.Helper()
	broken := errors.New("broken pipe")
	failed := New()
	failed.Break(broken)
	forbidden := New()
	forbidden.Break(&apiclient.Error{Status: 403, Scope: "account:read", Message: "missing scope"})
	stale := New()
	staleSnapshot := stale.Snapshot(t)
	stale.Break(broken)
	stale.Load(staleSnapshot)

	return map[string]*snapshot.Snapshot{
		"loading":            New().Unfetched(t),
		"ready":              New().Snapshot(t),
		"stale":              staleSnapshot,
		"failed":             failed.Snapshot(t),
		"not allowed":        forbidden.Snapshot(t),
		"empty":              Empty().Snapshot(t),
		"hostile":            New().Hostile().Snapshot(t),
		"not burning":        NotBurning().Snapshot(t),
		"no history":         NoHistory().Snapshot(t),
		"no basis":           NoBasis().Snapshot(t),
		"runway of decades":  Decades().Snapshot(t),
		"buckets and no sum": BucketsOnly().Snapshot(t),
	}
}

// Empty returns an organization without an account, transactions, receivables and events.
func Empty() *Organization {
	o := New()
	o.Account = apiclient.Account{Currency: "USD", OrgID: "org_1", Status: apiclient.AccountNotOpen}
	o.Cash = apiclient.CashPosition{
		Currency: "USD", OrgID: "org_1",
		Status:     apiclient.AccountNotOpen,
		AsOf:       Now,
		RunwayNote: "No account is open yet.",
	}
	o.Aging = apiclient.ReceivablesAging{Currency: "USD", OrgID: "org_1"}
	clear(o.Months)
	o.Latest, o.Feed = nil, nil
	return o
}

// NotBurning returns an organization that earns more than it spends.
func NotBurning() *Organization {
	o := New()
	o.Cash.IsBurning, o.Cash.MonthlyBurnCents, o.Cash.RunwayMonths = false, 0, nil
	o.Cash.RunwayNote = "Not burning: cash flow was positive over the last 3 full months."
	return o
}

// NoHistory returns an organization with too little history for an estimate.
func NoHistory() *Organization {
	o := New()
	o.Cash.IsBurning, o.Cash.Sufficient, o.Cash.MonthlyBurnCents, o.Cash.RunwayMonths = false, false, 0, nil
	o.Cash.RunwayNote = "Not enough history: 1 of 3 full months."
	return o
}

// NoBasis returns an organization that burns cash but has no spendable cash from which a runway can
// be computed.
func NoBasis() *Organization {
	o := New()
	o.Cash.RunwayCashCents, o.Cash.RunwayMonths = nil, nil
	o.Cash.RunwayNote = "No feed has both its cash and a full history."
	return o
}

// Decades returns an organization whose cash lasts 61.5 years.
func Decades() *Organization {
	o := New()
	runway := apiclient.MonthsOf(7380)
	o.Cash.RunwayMonths, o.Cash.MonthlyBurnCents = &runway, 321_000
	o.Cash.RunwayNote = "About 738.0 months at the average net burn of the last 3 full months."
	return o
}

// BucketsOnly returns an organization whose server sends the five aging buckets, but neither totals
// nor customers.
func BucketsOnly() *Organization {
	o := New()
	o.Aging.Totals, o.Aging.TopOverdue, o.Aging.AsOf = apiclient.AgingTotals{}, nil, nil
	return o
}
