package store

import (
	"strings"

	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// TransactionsByID returns those of the organization's transactions that have one of the ids, in no
// particular order, with the fields ID, Date, Direction, AmountMinor, Currency and Category.
func (s *Snapshot) TransactionsByID(org OrgKey, publicIDs []string) ([]ledger.Transaction, error) {
	l, err := s.ledger(org)
	if err != nil {
		return nil, err
	}
	first, last := l.rows()
	q := selectQuery{from: "transactions t"}
	q.where("+t.id BETWEEN ? AND ?", first, last) // the plus keeps SQLite from reading all these rows
	var marks []string
	for _, id := range publicIDs {
		if bare, ok := strings.CutPrefix(id, ids.Transaction); ok {
			marks = append(marks, "?")
			q.args = append(q.args, l.storedID(s.db.Dialect, bare))
		}
	}
	if len(marks) == 0 {
		return nil, nil
	}
	q.conditions = append(q.conditions, "t.public_id IN ("+strings.Join(marks, ",")+")")
	rows, err := s.db.Query(q.sql("t.id, t.public_id, t.direction, t.amount_minor, t.currency, t.category"), q.args...)
	return database.Collect(rows, err, "transactions by their ids",
		func(row database.Row) (t ledger.Transaction, err error) {
			var key int64
			err = row.Scan(&key, &t.ID, &t.Direction, &t.AmountMinor, &t.Currency, &t.Category)
			day, _ := splitKey(key)
			t.ID, t.Date = ids.Transaction+bareID(t.ID), dateOf(day)
			return t, err
		})
}
