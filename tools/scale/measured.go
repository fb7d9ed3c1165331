package main

import "time"

// Measurements, made with the commands in docs/scale.md on the machine of
// docs/performance.md while it was doing other work. Rows and bytes are averages of 250
// organizations with 4,000 ledger rows each, after VACUUM.
const (
	organizationRows    = 4000
	organizationDays    = 750
	organizationSums    = 1912 // rows of ledger_daily
	organizationEvents  = 179  // readable events, of 90 days
	organizationRecords = 288 + 99

	ledgerBytes   = 430.0 // per row in PostgreSQL: table 229, keys 86, search index 114
	sumBytes      = 162.0
	eventBytes    = 550.0
	deliveryBytes = 598.0 // completed
	recordBytes   = 513.0 // per invoice or payment
	fileBytes     = 604.0 // per row with all its related data, in SQLite

	commitLog   = 2600 // bytes of log: a row, the sum of its day and an event
	importLog   = 1794 // a row within a transaction of 10,000
	deliveryLog = 2040 // queued, claimed and completed

	importRows  = 22_600 // per second
	restoreRows = 30_000 // per second, pg_restore
	backupBytes = 114e6  // per second, pg_basebackup
	indexedRows = 60_000 // per second, building the search index
	replayBytes = 218e6  // of log per second, recovery after a crash
)

// Assumptions, which readers may replace with their own.
const (
	years         = 5
	endpointsEach = 4    // per organization
	peak          = 10   // times the average
	watched       = 0.05 // share of organizations with an open dashboard at the peak
	dashboardAsks = 8    // requests per minute
	busyShare     = 0.5  // part of a core that is in use at the peak
	tripBetween   = 300 * time.Microsecond
)

// commitCosts returns the cost of a commit, derived from BenchmarkCommits: two cores made 1,066
// commits per second for eight organizations without waiting for the log (work), one writer that
// waited for it made 359 (flush), and four writers behind one lock made 313 (wake). The round
// trips are counted in the code.
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

// These are CPU times of the process and the database together.
const (
	pageWork     = 1400 * time.Microsecond // a page with totals, 0.55 of it in the process
	countWork    = 135 * time.Microsecond  // a rate limit check or a token look-up: two cores make 14,800 per second
	httpWork     = 140 * time.Microsecond  // net/http with a response of the same size (docs/performance.md)
	requestWork  = pageWork + 2*countWork + httpWork
	deliveryWork = 1370 * time.Microsecond // queue, claim, complete
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
