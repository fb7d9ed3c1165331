package store

import (
	"context"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// Listing returns a page of the transactions that match the filter f, and the summary of all of
// them, read at the same moment (Snapshot.Listing).
//
// A keyword may require a scan of the whole ledger if its summary is not cached, or if it is too
// short for the search index. Such a search uses a connection of the small pool Scans. Each
// organization has one search at a time, so that it uses at most one of these connections and
// computes no summary twice. A long search runs in batches; between batches other organizations can
// use the connection. If ctx ends first, the error is ErrBusy, and the next call continues where
// this one stopped.
func (s *Store) Listing(
	ctx context.Context, org OrgKey, f ledger.Filter, after *ledger.Position, limit int,
) (page Page, summary ledger.Summary, err error) {
	list := func(snap *Snapshot) (err error) {
		page, summary, err = snap.Listing(org, f, after, limit)
		return err
	}
	if f.Keyword == "" {
		page, summary, err = s.cachedListing(ctx, org, f, after, limit)
		if len(page.Rows) == 0 && err == nil {
			err = s.Read(ctx, list)
		}
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
			// If too many rows were added since the last batch, the summary starts from the
			// beginning again. list then computes it without batches, so that the search ends.
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

// cachedListing is Listing for a filter without a keyword whose summary is cached. It reads the
// page with one query that also compares the ledger's revision, and so needs no transaction. The
// page has no rows if the summary is not cached, or is not that of the present revision.
func (s *Store) cachedListing(
	ctx context.Context, org OrgKey, f ledger.Filter, after *ledger.Position, limit int,
) (page Page, _ ledger.Summary, err error) {
	summary, _ := s.summaries.get(summaryKeyOf(org, f))
	last := keyAfter(ledgerOfKey(summary.newest), after, summary.newest)
	if summary.Count == 0 || last < summary.oldest || !summary.complete() {
		return Page{}, ledger.Summary{}, nil
	}
	q := selectQuery{}
	q.where("EXISTS (SELECT 1 FROM organizations WHERE id = ? AND ledger_revision = ?)", org, summary.revision)
	err = s.db.Query(ctx, s.db.Reader, func(db *database.Snapshot) (err error) {
		snap := &Snapshot{db: db, summaries: &s.summaries, history: &s.history}
		page, err = snap.readRows(q, f, false, last, summary.oldest, limit, min(int64(limit)+1, summary.Count))
		return err
	})
	page.Revision = summary.revision
	return page, summary.Summary, err
}

// isQuick reports whether a page for the filter's keyword can be read without scanning the ledger.
func (s *Snapshot) isQuick(org OrgKey, f ledger.Filter) (bool, error) {
	summary, ok, err := s.cachedSummary(org, f)
	return ok && summary.complete() && (usesIndex(f) || summary.Count == 0), err
}
