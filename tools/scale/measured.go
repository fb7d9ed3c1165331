package main

import "time"

// What was measured, with docs/scale.md's commands, on the machine of
// docs/performance.md beside other work. Rows and bytes are of 250 organizations of
// 4,000 ledger rows each, after VACUUM.
const (
	organizationRows    = 4000
	organizationDays    = 750
	organizationSums    = 1912 // rows of ledger_daily
	organizationEvents  = 179  // that can be read, so of ninety days
	organizationRecords = 288 + 99

	ledgerBytes   = 430.0 // of a row, PostgreSQL: table 229, keys 86, letters 114
	sumBytes      = 162.0
	eventBytes    = 550.0
	deliveryBytes = 598.0 // settled
	recordBytes   = 513.0 // of an invoice or a payment
	fileBytes     = 604.0 // of a row with all that belongs to it, SQLite

	commitLog   = 2600 // bytes of log: a row, its day's sum and an event
	importLog   = 1794 // a row among 10,000 of one transaction
	deliveryLog = 2040 // queued, claimed and settled

	importRows  = 22_600 // a second
	restoreRows = 30_000 // a second, of pg_restore
	backupBytes = 114e6  // a second, of pg_basebackup
	indexedRows = 60_000 // a second, of its index of letters
	replayBytes = 218e6  // of log a second, of redo after a crash
)

// Assumptions, which a reader may put others in the place of.
const (
	years         = 5
	endpointsEach = 4    // of an organization
	peak          = 10   // times the average
	watched       = 0.05 // of all organizations, those with a dashboard open at the peak
	dashboardAsks = 8    // requests a minute
	busyShare     = 0.5  // of a core, at the peak
	tripBetween   = 300 * time.Microsecond
)

// commitCosts is what a commit costs. Of BenchmarkCommits: two cores made 1,066 a second
// of eight organizations that did not wait for the log (work), one writer made 359 that
// did (flush), and four behind one lock 313 (wake). Trips are counted in the code.
func commitCosts() database {
	return database{
		cores:  2,
		work:   1880 * time.Microsecond,
		flush:  900 * time.Microsecond,
		trips:  11,
		locked: 9,
		wake:   700 * time.Microsecond,
	}
}

// Work of a core, of process and database together.
const (
	pageWork     = 1400 * time.Microsecond // a page with totals, 0.55 of it the process's
	countWork    = 135 * time.Microsecond  // an allowance, or a token's look-up: two cores, 14,800 a second
	httpWork     = 140 * time.Microsecond  // net/http with the same bytes (docs/performance.md)
	requestWork  = pageWork + 2*countWork + httpWork
	deliveryWork = 1370 * time.Microsecond // queue, claim, settle
)

// measuredCommits are medians of seven runs of BenchmarkCommits.
var measuredCommits = []struct {
	writers, organizations int
	rate                   float64
	p50, p99               time.Duration
}{
	{1, 1, 359, 2320 * time.Microsecond, 10100 * time.Microsecond},
	{4, 1, 313, 11000 * time.Microsecond, 42300 * time.Microsecond},
	{8, 1, 288, 25000 * time.Microsecond, 101 * time.Millisecond},
	{16, 1, 278, 46200 * time.Microsecond, 222 * time.Millisecond},
	{4, 4, 686, 4890 * time.Microsecond, 21600 * time.Microsecond},
	{8, 8, 848, 8200 * time.Microsecond, 37 * time.Millisecond},
	{16, 16, 787, 16800 * time.Microsecond, 92 * time.Millisecond},
}

// measuredBeside are medians of three runs of BenchmarkBeside, on a busier machine.
var measuredBeside = []struct {
	crowd int
	p50   time.Duration
}{{0, 4680 * time.Microsecond}, {4, 5040 * time.Microsecond}, {16, 55500 * time.Microsecond}}
