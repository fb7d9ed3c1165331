package store

import (
	"errors"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

// OrgKey is the internal key of an organization. It never leaves the service.
type OrgKey int64

// A transaction's key packs its organization, its day and its number within the day into one
// integer. So the table is stored in the order in which the ledger is listed.
const (
	sequenceBits = 26
	dayBits      = 17
	maxSequence  = 1<<sequenceBits - 1
	maxDay       = 1<<dayBits - 1
	maxOrg       = 1<<20 - 1
)

var errDateOutOfRange = errors.New("the date is outside of 1900 to 2258")

func rowKey(org OrgKey, day, sequence int64) int64 {
	return int64(org)<<(dayBits+sequenceBits) | day<<sequenceBits | sequence
}

// splitKey returns the day and the number within the day of a transaction's key.
func splitKey(key int64) (day, sequence int64) {
	return key >> sequenceBits & maxDay, key & maxSequence
}

func positionOf(key int64) ledger.Position {
	day, sequence := splitKey(key)
	return ledger.Position{Date: dateOf(day), Seq: sequence}
}

// RowRange returns the first and the last key that a transaction of the organization can
// have.
func (org OrgKey) RowRange() (first, last int64) { return dayRange{0, maxDay}.keys(org) }

// OwnRow returns the key in this organization for a copy of another organization's transaction.
func (org OrgKey) OwnRow(key int64) int64 {
	day, sequence := splitKey(key)
	return rowKey(org, day, sequence)
}

// Valid reports whether the organization's key fits into the keys of transactions.
func (org OrgKey) Valid() bool { return org <= maxOrg }

// epochDays is 1900-01-01 as days since 1970-01-01.
const epochDays = -25567

// dayOf returns a date as days since 1900-01-01.
func dayOf(d civil.Date) int64 { return d.Time().Unix()/86400 - epochDays }

func dateOf(day int64) civil.Date { return civil.Of(time.Unix((day+epochDays)*86400, 0)) }

// dayRange is an inclusive range of days. It is empty when first is after last.
type dayRange struct{ first, last int64 }

// dayRangeOf returns the days between two dates, inclusive, limited to the days that keys can
// hold. A zero date means no limit.
func dayRangeOf(from, to civil.Date) dayRange {
	r := dayRange{0, maxDay}
	if !from.IsZero() {
		r.first = max(dayOf(from), 0)
	}
	if !to.IsZero() {
		r.last = min(dayOf(to), maxDay)
	}
	return r
}

// keys returns the first and the last key that the organization's transactions of these
// days can have.
func (r dayRange) keys(org OrgKey) (first, last int64) {
	if r.first > r.last {
		return 1, 0
	}
	return rowKey(org, r.first, 0), rowKey(org, r.last, maxSequence)
}
