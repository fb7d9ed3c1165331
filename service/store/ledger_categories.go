package store

import (
	"strings"

	"tarmac/service/ids"
	"tarmac/service/store/database"
)

// Categories returns the categories of those of an organization's transactions that have one, by
// their public IDs. Unknown IDs are left out.
func (s *Snapshot) Categories(org OrgKey, publicIDs []string) (map[string]string, error) {
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
	q.conditions = append(q.conditions, "t.public_id IN ("+strings.Join(marks, ",")+")", "t.category <> ''")
	categories := map[string]string{}
	rows, err := s.db.Query(q.sql("t.public_id, t.category"), q.args...)
	err = database.Each(rows, err, "categories", func(row database.Row) error {
		var id, category string
		err := row.Scan(&id, &category)
		categories[ids.Transaction+bareID(id)] = category
		return err
	})
	return categories, err
}
