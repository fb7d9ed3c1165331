package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"modernc.org/sqlite"
	result "modernc.org/sqlite/lib"

	"tarmac/internal/money"
	"tarmac/service/ledger"
)

// ErrThere is returned for an organization that the database it is to be copied to
// has already.
var ErrThere = errors.New("it is there already; nothing was changed")

// Copying copies organizations from one database to another, of SQLite or of
// PostgreSQL both ways. What is copied is as it was at one moment. It is not safe
// for concurrent use.
type Copying struct {
	from    *source
	to      *Store
	carried Carried
}

// Carried names the server keys that come along with the first organization: Anew
// in place of that of a database which had no organization, because what was
// made with it was made for those that come; Missing where there is none.
type Carried struct{ Anew, Missing string }

// Copied is what was copied of an organization, and read again where it is now.
type Copied struct {
	Organization
	Rows       map[string]int64 // by table
	Days       int              // that have transactions
	Inflow     int64            // cents, of all transactions
	Outflow    int64
	Unsummed   bool // a sum does not fit, and both are 0
	FirstEvent int64
	LastEvent  int64 // places in the feed; 0 without events
}

// Sealed is the secret of an endpoint that deliveries are made to.
type Sealed struct {
	EndpointID string
	Secret     []byte
}

// BeginCopy opens both databases, brings their schemas up to date, and keeps all
// others from changing the first until Close. It refuses a first one that does not
// exist or that other processes use.
func BeginCopy(ctx context.Context, from, to string, carried Carried) (*Copying, error) {
	first, err := openSource(ctx, from)
	if err != nil {
		return nil, err
	}
	second, err := Open(ctx, to, Options{})
	if err != nil {
		return nil, errors.Join(err, first.close())
	}
	return &Copying{first, second, carried}, nil
}

// Close lets go of both databases.
func (c *Copying) Close() error { return errors.Join(c.from.close(), c.to.Close()) }

// Organizations returns those that there are to be copied, the oldest first.
func (c *Copying) Organizations(ctx context.Context) ([]Organization, error) {
	rows, err := c.from.query(ctx, "SELECT "+organizationColumns+" FROM organizations ORDER BY id")
	return collect(rows, err, "the organizations", func(r rowScanner) (Organization, error) {
		o, _, err := scanOrganization(r)
		return o, err
	})
}

// There reports whether the target has an organization already.
func (c *Copying) There(ctx context.Context, orgPublicID string) (bool, error) {
	_, _, err := c.to.Organization(ctx, orgPublicID)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Sealed returns the secrets of the active endpoints of an organization.
func (c *Copying) Sealed(ctx context.Context, orgPublicID string) ([]Sealed, error) {
	rows, err := c.from.query(ctx, `SELECT e.public_id, e.secret FROM webhook_endpoints e JOIN organizations o ON o.id = e.org_id
		WHERE o.public_id = ? AND e.status = 'active' ORDER BY e.id`, orgPublicID)
	return collect(rows, err, "the webhook secrets", func(row rowScanner) (s Sealed, err error) {
		err = row.Scan(&s.EndpointID, &s.Secret)
		return s, err
	})
}

// ServerKeys returns the key of that name on both sides, nil where there is none.
func (c *Copying) ServerKeys(ctx context.Context, name string) (from, to []byte, err error) {
	err = c.from.queryRow(ctx, "SELECT key FROM server_keys WHERE name = ?", name).Scan(&from)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, nil, fmt.Errorf("reading the server key %s: %w", name, err)
	}
	to, err = c.to.KnownServerKey(ctx, name)
	return from, to, err
}

// Copy copies one organization in one transaction: all that is kept of it but what
// is left behind on purpose (leftBehind). Public ids, numbers, times and what is
// sealed stay as they are; internal keys are the target's own. Before the
// transaction ends everything is read again and compared, and the days' sums are
// held against the rows. told hears how many rows of how many are written.
//
// The error is ErrNotFound or ErrThere, or says what could not be kept.
func (c *Copying) Copy(ctx context.Context, orgPublicID string, told func(done, total int64)) (Copied, error) {
	done := Copied{Rows: map[string]int64{}}
	var from OrgKey
	var err error
	done.Organization, from, err = scanOrganization(c.from.queryRow(ctx, "SELECT "+organizationColumns+" FROM organizations WHERE public_id = ?", orgPublicID))
	if err != nil {
		return done, notFound(err, "the organization")
	}
	there, err := c.There(ctx, orgPublicID)
	if err == nil && there {
		err = ErrThere
	}
	if err != nil {
		return done, err
	}
	in, err := c.begin(ctx, from)
	if err != nil {
		return done, err
	}
	defer in.end()
	if in.total, err = c.from.count(ctx, from); err != nil {
		return done, err
	}
	in.told = told
	if err := in.copy(&done); err != nil {
		return done, oneLine{advised(err)}
	}
	if err := in.tx.Commit(); err != nil {
		return done, fmt.Errorf("committing: %w", advised(err))
	}
	return done, nil
}

// Settle brings the target into its best shape after the last organization.
func (c *Copying) Settle(ctx context.Context) error { return c.to.Optimize(ctx) }

// copy writes all tables, and checks what was written.
func (in *intake) copy(done *Copied) error {
	err := in.insertOrganization()
	if taken(err) {
		return ErrThere // another copy was quicker
	}
	if err != nil {
		return fmt.Errorf("copying the organization: %w", err)
	}
	for _, t := range copied {
		n, err := in.copyTable(t)
		if taken(err) {
			return fmt.Errorf("an id of its %s is another organization's there, as where both were generated with one seed; copy to a database of its own", t.name)
		}
		if err != nil {
			return fmt.Errorf("copying %s: %w", t.name, err)
		}
		done.Rows[t.name] = n
	}
	if err := in.carryKeys(); err != nil {
		return err
	}
	if err := in.reconcile(done); err != nil {
		return err
	}
	return in.checkFeed(done)
}

// taken reports whether a row was refused because there is one of its id.
func taken(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() == result.SQLITE_CONSTRAINT_UNIQUE || e.Code() == result.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	return sqlState(err) == notUnique
}

// notUnique is PostgreSQL's code of such an error.
const notUnique = "23505"

// carryKeys takes the server keys along that are to be.
func (in *intake) carryKeys() error {
	var others int
	if err := in.queryRow("SELECT count(*) FROM organizations WHERE id <> ?", in.org).Scan(&others); err != nil {
		return err
	}
	anew := "NOTHING"
	if others == 0 {
		anew = "UPDATE SET key = excluded.key"
	}
	return errors.Join(in.carryKey(in.carried.Anew, anew), in.carryKey(in.carried.Missing, "NOTHING"))
}

func (in *intake) carryKey(name, otherwise string) error {
	var key []byte
	err := in.from.queryRow(in.ctx, "SELECT key FROM server_keys WHERE name = ?", name).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = in.exec("INSERT INTO server_keys (name, key) VALUES (?, ?) ON CONFLICT (name) DO "+otherwise, name, key)
	}
	if err != nil {
		return fmt.Errorf("copying the server key %s: %w", name, err)
	}
	return nil
}

// daySum is what a day's rows of one direction add up to.
type daySum struct{ day, direction, n, cents int64 }

const (
	sumsOfRows = `SELECT (id >> 26) & 131071 AS day, direction, count(*), CAST(sum(usd_cents) AS BIGINT) FROM transactions
		WHERE id BETWEEN ? AND ? GROUP BY 1, 2 ORDER BY 1, 2`
	sumsOfDays = `SELECT day, direction, CAST(sum(n) AS BIGINT), CAST(sum(usd_cents) AS BIGINT) FROM ledger_daily
		WHERE org_id = ? GROUP BY 1, 2 ORDER BY 1, 2`
)

// reconcile adds up the rows of each day on both sides and holds them against each
// other, and against the sums that are kept of days.
func (in *intake) reconcile(done *Copied) error {
	first, last := days{0, maxDay}.keys(in.was)
	rows, err := in.from.query(in.ctx, sumsOfRows, first, last)
	there, err := collect(rows, err, "the days", scanDaySum)
	if err != nil {
		return err
	}
	first, last = days{0, maxDay}.keys(in.org)
	rows, err = in.query(sumsOfRows, first, last)
	here, err := collect(rows, err, "the copied days", scanDaySum)
	if err != nil {
		return err
	}
	rows, err = in.query(sumsOfDays, in.org)
	kept, err := collect(rows, err, "the copied sums of days", scanDaySum)
	if err != nil {
		return err
	}
	if !slices.Equal(there, here) {
		return errors.New("the transactions that were written do not add up to those that were read; nothing of the organization was kept")
	}
	if !slices.Equal(here, kept) {
		return errors.New("the transactions do not add up to the sums that are kept of their days, which they did not where they come from either: restore a backup of it, and copy that")
	}
	day := int64(-1)
	for _, sum := range here {
		if sum.day != day {
			day = sum.day
			done.Days++
		}
		total, fits := &done.Outflow, false
		if ledger.Direction(sum.direction) == ledger.Inflow {
			total = &done.Inflow
		}
		if *total, fits = money.Add(*total, sum.cents); !fits {
			done.Unsummed = true
		}
	}
	if done.Unsummed {
		done.Inflow, done.Outflow = 0, 0
	}
	return nil
}

func scanDaySum(row rowScanner) (s daySum, err error) {
	err = row.Scan(&s.day, &s.direction, &s.n, &s.cents)
	return s, err
}

// checkFeed looks where the feed begins and ends, and whether it goes on from there.
func (in *intake) checkFeed(done *Copied) error {
	var next int64
	err := in.queryRow(`SELECT (SELECT coalesce(min(sequence), 0) FROM events WHERE org_id = o.id),
			(SELECT coalesce(max(sequence), 0) FROM events WHERE org_id = o.id), o.event_sequence
		FROM organizations o WHERE o.id = ?`, in.org).Scan(&done.FirstEvent, &done.LastEvent, &next)
	if err == nil && next < done.LastEvent {
		err = errors.New("the next number of its events is taken")
	}
	if err != nil {
		return fmt.Errorf("reading the copied feed: %w", err)
	}
	return nil
}
