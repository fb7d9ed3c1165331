package store

import (
	"tarmac/service/store/database"
)

// ledgerKey numbers a ledger in the keys of transactions and in the table ledger_daily. On SQLite,
// each organization has two ledgers, its sides. One of them counts: organizations.ledger_side says
// which. A large change of own books writes the other side in short transactions, which no reader
// sees, and a last one makes it count (Tx.turnLedger). On PostgreSQL, an organization has one side.
type ledgerKey int64

// otherSide is the distance between the two sides of a ledger.
const otherSide = 1 << 19

// maxOrg is the greatest key of an organization that keys of transactions have room for.
const maxOrg = 2*otherSide - 1

// Valid reports whether org is small enough to be part of transaction keys of such a database.
func (org OrgKey) Valid(d database.Dialect) bool {
	if d == database.SQLite {
		return org < otherSide
	}
	return org <= maxOrg
}

// ledger returns a side of the organization's ledger: 0 or 1.
func (org OrgKey) ledger(side int64) ledgerKey { return ledgerKey(org) + ledgerKey(side)*otherSide }

// ledgerOfKey returns the ledger that the key of a transaction is of.
func ledgerOfKey(key int64) ledgerKey { return ledgerKey(key >> (dayBits + sequenceBits)) }

// other returns the other side of the ledger.
func (l ledgerKey) other() ledgerKey { return l ^ otherSide }

// rows returns the smallest and the greatest key that a transaction of the ledger can have.
func (l ledgerKey) rows() (first, last int64) { return dayRange{0, maxDay}.keys(l) }

// otherSideMark ends the public ids of transactions of the second side, because these ids are
// unique in the table.
const otherSideMark = "~"

// storedID returns the public id of a transaction as the ledger stores it.
func (l ledgerKey) storedID(d database.Dialect, bare string) string {
	if l.first(d) {
		return bare
	}
	return bare + otherSideMark
}

// first reports whether l is the first side of a ledger.
func (l ledgerKey) first(d database.Dialect) bool { return d == database.Postgres || l < otherSide }

// bareID returns a public id without the mark of the second side.
func bareID(stored string) string { return stored[:min(len(stored), publicIDLength)] }

// CopiedRows says where the ledger of an organization is in the database that it is copied from.
// side is organizations.ledger_side. The ledger's transactions have keys from first to last, and
// its sums of days the number daily as their org_id.
func (org OrgKey) CopiedRows(side int64) (first, last, daily int64) {
	l := org.ledger(side)
	first, last = l.rows()
	return first, last, int64(l)
}

// CopiedRow returns the key and the public id of a transaction that is copied to org. Its day and
// its number within the day stay the same.
func (org OrgKey) CopiedRow(key int64, publicID string) (int64, string) {
	day, sequence := splitKey(key)
	return rowKey(org.ledger(0), day, sequence), bareID(publicID)
}

// knownLedger is the side of an organization's ledger that counts in a transaction.
type knownLedger struct {
	org    OrgKey
	ledger ledgerKey
}

// ledger returns the side of the organization's ledger that counts.
func (s *Snapshot) ledger(org OrgKey) (ledgerKey, error) {
	return s.known.find(s.db, s.db.Dialect, org)
}

// ledger returns the side of the organization's ledger that counts.
func (tx *Tx) ledger(org OrgKey) (ledgerKey, error) { return tx.known.find(tx.db, tx.db.Dialect, org) }

func (k *knownLedger) find(r database.Queryer, d database.Dialect, org OrgKey) (ledgerKey, error) {
	if d == database.Postgres {
		return org.ledger(0), nil
	}
	if k.org != org {
		side := int64(0)
		err := r.QueryRow("SELECT ledger_side FROM organizations WHERE id = ?", org).Scan(&side)
		if err != nil {
			return 0, notFound(err, "which side of the ledger counts")
		}
		*k = knownLedger{org, org.ledger(side)}
	}
	return k.ledger, nil
}
