package store

import (
	"context"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// Listing returns a page of the filter's rows and the totals of the whole
// filter, both of one moment, as Snapshot.Listing does.
//
// A keyword may take looking through the whole ledger. Keywords whose totals are
// not known yet, and those too short for the search index, go through the small
// pool for that, and an organization searches one thing at a time, so that it
// never has more than one connection for it: what another request of it is
// computing is waited for and not computed again. Waiting ends with ctx. What takes
// long is done in parts, between which other organizations have their turn; who runs
// out of time is told ErrBusy and goes on from there when asking again.
func (s *Store) Listing(ctx context.Context, org OrgKey, f ledger.Filter, after *ledger.Position, limit int) (page Page, sum ledger.Summary, err error) {
	list := func(snap *Snapshot) (err error) {
		page, sum, err = snap.Listing(org, f, after, limit)
		return err
	}
	if f.Keyword == "" {
		err = s.Read(ctx, list)
		return page, sum, err
	}
	done, err := s.searches.take(ctx, org)
	if err != nil {
		return Page{}, ledger.Summary{}, err
	}
	defer done()
	listed := false
	err = s.Read(ctx, func(snap *Snapshot) error {
		light, err := snap.light(org, f)
		if err != nil || !light {
			return err
		}
		listed = true
		return list(snap)
	})
	for reached := int64(0); err == nil && !listed; {
		err = s.readFrom(ctx, s.db.Scans, func(snap *Snapshot) error {
			known, _, err := snap.known(org, f)
			if err != nil {
				return err
			}
			// Where nothing is gained from turn to turn, as with writes of many rows in
			// between, the rest is done in one.
			if stuck := reached > 0 && known.rest < reached; !known.whole() && !stuck {
				if known, err = snap.further(org, f, known); err != nil || !known.whole() {
					reached = known.rest
					return err
				}
			}
			listed = true
			return list(snap)
		})
	}
	return page, sum, database.DeadlineAsBusy(err)
}

// light reports whether a keyword's page is found without looking through the
// ledger.
func (s *Snapshot) light(org OrgKey, f ledger.Filter) (bool, error) {
	known, ok, err := s.known(org, f)
	return ok && known.whole() && (indexed(f) || known.Count == 0), err
}
