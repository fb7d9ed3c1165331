package store

import (
	"context"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// Listing returns a page of the filter's transactions and the totals of the whole filter, both
// of one moment, as Snapshot.Listing does.
//
// A keyword whose totals are not known yet, or which is too short for the search index, may
// have to scan the whole ledger. Such searches use the small Scans pool, one at a time for
// each organization, so that an organization never occupies more than one of its connections
// and never computes the same totals twice. A long search runs in batches, and between them
// other organizations get their turn. If ctx ends first the error is ErrBusy; the next call
// continues where this one stopped.
func (s *Store) Listing(
	ctx context.Context, org OrgKey, f ledger.Filter, after *ledger.Position, limit int,
) (page Page, summary ledger.Summary, err error) {
	list := func(snap *Snapshot) (err error) {
		page, summary, err = snap.Listing(org, f, after, limit)
		return err
	}
	if f.Keyword == "" {
		err = s.Read(ctx, list)
		return page, summary, err
	}
	unlock, err := s.searching.lock(ctx, org)
	if err != nil {
		return Page{}, ledger.Summary{}, err
	}
	defer unlock()
	listed := false
	err = s.Read(ctx, func(snap *Snapshot) error {
		quick, err := snap.isQuick(org, f)
		if err != nil || !quick {
			return err
		}
		listed = true
		return list(snap)
	})
	for reached := int64(0); err == nil && !listed; {
		err = s.readFrom(ctx, s.db.Scans, func(snap *Snapshot) error {
			summary, _, err := snap.cachedSummary(org, f)
			if err != nil {
				return err
			}
			// If a batch got no further than the one before, as with many rows written in
			// between, list does the rest at once.
			stuck := reached > 0 && summary.nextKey < reached
			if !summary.complete() && !stuck {
				if summary, err = snap.extendSummary(org, f, summary); err != nil || !summary.complete() {
					reached = summary.nextKey
					return err
				}
			}
			listed = true
			return list(snap)
		})
	}
	return page, summary, database.DeadlineAsBusy(err)
}

// isQuick reports whether a keyword's page is found without scanning the ledger.
func (s *Snapshot) isQuick(org OrgKey, f ledger.Filter) (bool, error) {
	summary, ok, err := s.cachedSummary(org, f)
	return ok && summary.complete() && (usesIndex(f) || summary.Count == 0), err
}
