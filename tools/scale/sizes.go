package main

import (
	"fmt"
	"io"
	"math"
)

// ledgerSizes lists the numbers of ledger rows for which the tables are computed. A ledger holds
// five years.
var ledgerSizes = [...]float64{1e6, 1e7, 1e8, 1e9, 1e10}

// mostOrganizations is the largest number of organizations in a database. It follows from the key
// of a transaction, which has twenty bits for the organization (store.maxOrg).
const mostOrganizations = 1<<20 - 1

// ledgerSize holds the sizes of a database with a given number of ledger rows. Its organizations
// are as large as those that measured.go describes.
type ledgerSize struct {
	rows, organizations             float64
	ledger, sums, events, all, file float64 // in bytes; events include their deliveries
	quarter                         float64 // bytes of everything that is younger than 90 days
	databases                       float64
}

func ledgerSizeOf(rows float64) (x ledgerSize) {
	x.rows = rows
	x.organizations = rows / (organizationRows * years * 365.25 / organizationDays)
	part := func(each float64) float64 { return rows * each / organizationRows }
	x.ledger = rows * ledgerBytes
	x.sums = part(organizationSums) * sumBytes
	// Events and deliveries are deleted after 90 days, however old the ledger is.
	kept := x.organizations * organizationEvents
	x.events = kept*eventBytes + kept*endpointsEach*deliveryBytes
	x.all = x.ledger + x.sums + x.events + part(organizationRecords)*recordBytes
	x.file = rows * fileBytes
	x.quarter = (x.all-x.events)*90/(years*365.25) + x.events
	x.databases = math.Ceil(x.organizations / mostOrganizations)
	return x
}

// peakLoad holds the numbers per second at the peak.
type peakLoad struct {
	commits, deliveries, requests float64
	log                           float64 // bytes of write-ahead log
	databaseCores, serverCores    float64
	logDay                        float64 // bytes of write-ahead log on an average day
}

func peakLoadOf(x ledgerSize) (p peakLoad) {
	perSecond := func(each, days float64) float64 { return x.organizations * each / days / 86400 }
	rows, events := perSecond(organizationRows, organizationDays), perSecond(organizationEvents, 90)
	p.commits = peak * (rows + events)
	p.deliveries = peak * events * endpointsEach
	p.requests = x.organizations * watched * dashboardAsks / 60
	p.log = p.commits*commitLog + p.deliveries*deliveryLog
	p.logDay = p.log / peak * 86400
	db := commitCosts()
	p.databaseCores = (p.commits*db.work.Seconds() + p.deliveries*deliveryWork.Seconds()) / busyShare
	p.serverCores = p.requests * requestWork.Seconds() / busyShare
	return p
}

func printSizes(w io.Writer, _ uint64) {
	head(w, "rows", "organizations", "SQLite, one file", "PostgreSQL", "of it ledger", "sums of days",
		"events and deliveries", "last 90 days", "databases by key")
	for _, rows := range ledgerSizes {
		x := ledgerSizeOf(rows)
		row(w, count(x.rows), count(x.organizations), size(x.file), size(x.all), size(x.ledger), size(x.sums), size(x.events),
			size(x.quarter), count(x.databases))
	}
}

func printRates(w io.Writer, _ uint64) {
	head(w, "rows", "commits/s", "deliveries/s", "requests/s", "log at the peak", "log a day",
		"cores for commits and deliveries", "cores for requests")
	for _, rows := range ledgerSizes {
		p := peakLoadOf(ledgerSizeOf(rows))
		row(w, count(rows), count(p.commits), count(p.deliveries), count(p.requests), size(p.log)+"/s", size(p.logDay),
			count(p.databaseCores), count(p.serverCores))
	}
}

// printRestores prints how long it takes to restore a database of each size.
func printRestores(w io.Writer, _ uint64) {
	head(w, "rows", "bytes", "base backup back", "and a day of log", "from a dump", "one index of letters anew")
	for _, rows := range ledgerSizes {
		x := ledgerSizeOf(rows)
		row(w, count(rows), size(x.all), hours(x.all/backupBytes), hours(x.all/backupBytes+peakLoadOf(x).logDay/replayBytes),
			hours(rows/restoreRows), hours(rows/indexedRows))
	}
}

// hours formats a duration given in seconds, with a unit from seconds to hours.
func hours(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 90*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}
