package main

import "time"

// Measured figures. The commands in docs/scale.md measured them on the machine of
// docs/performance.md, which was doing other work meanwhile. Numbers of rows and bytes are averages
// of 250 organizations with 4,000 ledger rows each, after VACUUM.
const (
	organizationRows    = 4000
	organizationDays    = 750
	organizationSums    = 1912 // rows in the table ledger_daily
	organizationEvents  = 179  // events of the last 90 days
	organizationRecords = 288 + 99

	ledgerBytes   = 430.0 // for each ledger row in PostgreSQL: table 229, keys 86, search index 114
	sumBytes      = 162.0
	eventBytes    = 550.0
	deliveryBytes = 598.0 // for each completed delivery
	recordBytes   = 513.0 // for each invoice or payment
	fileBytes     = 604.0 // for each ledger row with all its related data, in SQLite

	commitLog   = 2600 // bytes of write-ahead log for a commit of a row, its daily sum and an event
	importLog   = 1794 // bytes of log for a row in an import transaction of 10,000 rows
	deliveryLog = 2040 // bytes of log to queue, claim and complete a delivery

	importRows  = 22_600 // rows imported per second
	restoreRows = 30_000 // rows restored per second by pg_restore
	backupBytes = 114e6  // bytes copied per second by pg_basebackup
	indexedRows = 60_000 // rows added per second while the search index is built
	replayBytes = 218e6  // bytes of log replayed per second in recovery after a crash
)

// Assumed figures, which readers of docs/scale.md may replace with their own.
const (
	years         = 5
	endpointsEach = 4    // webhook endpoints of each organization
	peak          = 10   // load at the peak, as a multiple of the average
	watched       = 0.05 // share of organizations that have a dashboard open at the peak
	dashboardAsks = 8    // requests per minute of an open dashboard
	busyShare     = 0.5  // share of each core's time that is used at the peak
	tripBetween   = 300 * time.Microsecond
)

// commitCosts returns the costs of a commit. work, flush and wake are derived from
// BenchmarkCommits: two cores made 1,066 commits per second for eight organizations without waiting
// for the log (work), one writer that waited for the log made 359 (flush), and four writers behind
// one lock made 313 (wake). trips and locked are counted in the code.
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

// CPU times of the process and the database together.
const (
	// pageWork is for a page of transactions with its summary. The process spends 0.55 ms of it.
	pageWork = 1400 * time.Microsecond
	// countWork is for a rate limit check or a token look-up: two cores make 14,800 per second.
	countWork = 135 * time.Microsecond
	// httpWork is for net/http with a response of the same size (docs/performance.md).
	httpWork     = 140 * time.Microsecond
	requestWork  = pageWork + 2*countWork + httpWork
	deliveryWork = 1370 * time.Microsecond // to queue, claim and complete a delivery
)

// measuredCommits holds medians of seven runs of BenchmarkCommits.
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

// measuredBeside holds medians of three runs of BenchmarkBeside, measured while the machine was
// busier.
var measuredBeside = []struct {
	crowd int
	p50   time.Duration
}{{0, 4680 * time.Microsecond}, {4, 5040 * time.Microsecond}, {16, 55500 * time.Microsecond}}
