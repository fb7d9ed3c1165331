package store

import "tarmac/service/store/database"

// Backlog is what waits to be delivered to an endpoint.
type Backlog struct {
	Pending int // due now or later
	Held    int // until the endpoint is active again
}

// Backlogs returns what waits for each endpoint of the organization, by its public
// id; endpoints that nothing waits for are not in it.
func (s *Snapshot) Backlogs(org OrgKey) (map[string]Backlog, error) {
	rows, err := s.db.Query(`SELECT e.public_id,
			(SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = e.id AND status = 'pending' AND held = 0),
			(SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = e.id AND status = 'pending' AND held = 1)
		FROM webhook_endpoints e WHERE e.org_id = ?`, org)
	backlogs := map[string]Backlog{}
	_, err = database.Collect(rows, err, "what waits to be delivered", func(row database.Row) (id string, err error) {
		var b Backlog
		if err = row.Scan(&id, &b.Pending, &b.Held); err == nil && b != (Backlog{}) {
			backlogs[id] = b
		}
		return id, err
	})
	return backlogs, err
}
