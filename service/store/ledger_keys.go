package store

import (
	"errors"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

// OrgKey is the internal key of an organization. It never leaves the service.
type OrgKey int64

// A transaction's key packs its ledger, its day and its number within the day into one integer. The
// table is therefore stored in the order in which transactions are listed.
const (
	sequenceBits = 26
	dayBits      = 17
	maxSequence  = 1<<sequenceBits - 1
	maxDay       = 1<<dayBits - 1
)

var errDateOutOfRange = errors.New("the date is outside of 1900 to 2258")

func rowKey(l ledgerKey, day, sequence int64) int64 {
	return int64(l)<<(dayBits+sequenceBits) | day<<sequenceBits | sequence
}

// splitKey returns the day in a transaction's key and the transaction's number within that day.
func splitKey(key int64) (day, sequence int64) {
	return key >> sequenceBits & maxDay, key & maxSequence
}

func positionOf(key int64) ledger.Position {
	day, sequence := splitKey(key)
	return ledger.Position{Date: dateOf(day), Seq: sequence}
}

// epochDays is 1900-01-01 as days since 1970-01-01.
const epochDays = -25567

// dayOf returns d as a number of days since 1900-01-01.
func dayOf(d civil.Date) int64 { return d.Time().Unix()/86400 - epochDays }

func dateOf(day int64) civil.Date { return civil.Of(time.Unix((day+epochDays)*86400, 0)) }

// dayRange is a range of days that includes first and last. It is empty if first is after last.
type dayRange struct{ first, last int64 }

// dayRangeOf returns the days from firstDate to lastDate, including both. It leaves out days that
// transaction keys cannot represent. A zero date means no limit.
func dayRangeOf(firstDate, lastDate civil.Date) dayRange {
	r := dayRange{0, maxDay}
	if !firstDate.IsZero() {
		r.first = max(dayOf(firstDate), 0)
	}
	if !lastDate.IsZero() {
		r.last = min(dayOf(lastDate), maxDay)
	}
	return r
}

// keys returns the smallest and the greatest key that transactions of a ledger on these days can
// have.
func (r dayRange) keys(l ledgerKey) (first, last int64) {
	if r.first > r.last {
		return 1, 0
	}
	return rowKey(l, r.first, 0), rowKey(l, r.last, maxSequence)
}
