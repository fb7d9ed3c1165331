package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// OrgKey is the internal key of an organization. It never leaves the service.
type OrgKey int64

// A ledger row's key is organization | day | number within the day, which keeps
// the table in the order that it is listed in.
const (
	sequenceBits = 26
	dayBits      = 17
	maxSequence  = 1<<sequenceBits - 1
	maxDay       = 1<<dayBits - 1
	maxOrg       = 1<<20 - 1
)

var errTooEarlyOrLate = errors.New("the date is outside of 1900 to 2258")

// epochDays is 1900-01-01 as days since 1970-01-01.
const epochDays = -25567

func dayOf(d civil.Date) int64 {
	return d.Time().Unix()/86400 - epochDays
}

func dateOf(day int64) civil.Date {
	return civil.Of(time.Unix((day+epochDays)*86400, 0))
}

func rowKey(org OrgKey, day, sequence int64) int64 {
	return int64(org)<<(dayBits+sequenceBits) | day<<sequenceBits | sequence
}

func positionOf(key int64) ledger.Position {
	return ledger.Position{Date: dateOf(key >> sequenceBits & maxDay), Seq: key & maxSequence}
}

// days is an inclusive range of days, cut to what keys can hold. It is empty
// when first is after last.
type days struct{ first, last int64 }

func daysOf(from, to civil.Date) days {
	r := days{0, maxDay}
	if !from.IsZero() {
		r.first = max(dayOf(from), 0)
	}
	if !to.IsZero() {
		r.last = min(dayOf(to), maxDay)
	}
	return r
}

func (r days) keys(org OrgKey) (first, last int64) {
	if r.first > r.last {
		return 1, 0
	}
	return rowKey(org, r.first, 0), rowKey(org, r.last, maxSequence)
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

func nullMicros(t *time.Time) sql.NullInt64 {
	if t == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: true}
}

func timePointer(us sql.NullInt64) *time.Time {
	if !us.Valid {
		return nil
	}
	t := fromMicros(us.Int64)
	return &t
}

func nullDay(d civil.Date) sql.NullInt64 {
	if d.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: dayOf(d), Valid: true}
}

func dateOrZero(day sql.NullInt64) civil.Date {
	if !day.Valid {
		return civil.Date{}
	}
	return dateOf(day.Int64)
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func notFound(err error, what string) error {
	if database.IsNotFound(err) {
		return ErrNotFound
	}
	return fmt.Errorf("reading %s: %w", what, err)
}

// RowRange returns the first and the last key that a ledger row of the organization can
// have.
func (org OrgKey) RowRange() (first, last int64) { return days{0, maxDay}.keys(org) }

// OwnRow returns the key that a row of another organization's ledger has in this one's.
func (org OrgKey) OwnRow(key int64) int64 {
	return rowKey(org, 0, 0) | key&(1<<(dayBits+sequenceBits)-1)
}

// Valid reports whether ledger keys have room for the organization's.
func (org OrgKey) Valid() bool { return org <= maxOrg }

// prefixed returns a list of columns with a table's name before each.
func prefixed(table, columns string) string {
	names := strings.Split(columns, ",")
	for i, name := range names {
		names[i] = table + "." + strings.TrimSpace(name)
	}
	return strings.Join(names, ", ")
}
