package syncing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/service/bookrules"
	"tarmac/service/providers"
	"tarmac/service/store"
)

// relist lists the accounts of the connection that r names again.
func (s *Syncer) relist(ctx context.Context, org store.OrgKey, kind providers.Kind, r ConnectRequest) (
	*Connection, providers.Listing, error,
) {
	found, err := s.Find(ctx, org, cmp.Or(r.Label, kind.Name))
	if err != nil {
		return nil, providers.Listing{}, err
	}
	listing, err := s.accounts(ctx, found.Connection, kind)
	if err != nil {
		return nil, listing, err
	}
	return s.useListing(ctx, found.Connection, kind, listing)
}

// useListing stores the accounts of a listing. If the organization has connected these accounts
// before, the older connection gets the credential of c, and c is deleted.
func (s *Syncer) useListing(ctx context.Context, c store.Connection, kind providers.Kind, listing providers.Listing) (
	*Connection, providers.Listing, error,
) {
	var result Connection
	sealed, err := s.moveCredential(ctx, c, listing)
	if err != nil {
		return nil, listing, err
	}
	err = s.Store.WriteOf(ctx, c.Org, func(tx *store.Tx) error {
		return s.useListingIn(tx, c, kind, listing, sealed, &result)
	})
	if err != nil {
		return nil, listing, err
	}
	s.wake()
	return &result, listing, nil
}

// moved is the connection that a credential is moved to, with the credential sealed for it.
type moved struct {
	to     store.Connection
	sealed []byte
}

// moveCredential returns the older connection to the same accounts, if there is one, and the
// credential of c sealed for it.
func (s *Syncer) moveCredential(ctx context.Context, c store.Connection, listing providers.Listing) (*moved, error) {
	var older *store.Connection
	var own []byte
	err := s.Store.Read(ctx, func(snap *store.Snapshot) error {
		all, err := s.list(snap, c.Org)
		if err != nil {
			return err
		}
		older = olderConnection(all, c, listing)
		own, err = snap.ConnectionSecret(c.Key)
		return err
	})
	if err != nil || older == nil {
		return nil, err
	}
	credential, err := s.Unseal(own, SealContext(c.ID))
	if err != nil {
		return nil, err
	}
	sealed, err := s.Seal(ctx, credential, SealContext(older.ID))
	return &moved{to: *older, sealed: sealed}, err
}

// olderConnection returns the other connection with the same provider that has one of the listed
// accounts. For a provider without accounts, it returns the connection that no longer works, if
// there is just one.
func olderConnection(all []Connection, c store.Connection, listing providers.Listing) *store.Connection {
	var ended []*store.Connection
	for n := range all {
		other := &all[n]
		if other.Key == c.Key || other.Provider != c.Provider || other.State == store.ConnectionClaiming {
			continue
		}
		for _, known := range other.Accounts {
			if known.Taken && slices.ContainsFunc(listing.Accounts, func(a providers.Account) bool {
				return a.ID == known.RemoteID || sameAccount(known.ConnectionAccount, a)
			}) {
				return &other.Connection
			}
		}
		if other.State == store.ConnectionDenied || other.State == store.ConnectionRemoved {
			ended = append(ended, &other.Connection)
		}
	}
	if len(listing.Accounts) == 0 && len(ended) == 1 {
		return ended[0]
	}
	return nil
}

// sameAccount reports whether an account with another id at the provider describes the same account
// of the same bank. Only a number or its last digits tell accounts of one bank apart.
func sameAccount(known store.ConnectionAccount, listed providers.Account) bool {
	return bookrules.IsNumber(known.Number) && known.Number == listed.Number && known.Currency == listed.Currency &&
		strings.EqualFold(known.Bank, listed.Bank)
}

// useListingIn is the transaction of useListing.
func (s *Syncer) useListingIn(
	tx *store.Tx, c store.Connection, kind providers.Kind, listing providers.Listing, move *moved, result *Connection,
) error {
	if move != nil {
		err := tx.DeleteConnection(c.Key)
		if err != nil {
			return err
		}
		if c, err = renew(tx, c, move, s.Now()); err != nil {
			return err
		}
	}
	c.Company = cmp.Or(listing.Company, c.Company)
	stored, err := s.storeListing(tx, c, listing)
	if err != nil {
		return err
	}
	if err := tx.DescribeConnection(c); err != nil {
		return err
	}
	inBooks, err := tx.BookAccounts(c.Org)
	if err != nil {
		return err
	}
	*result = Connection{Connection: c, Title: kind.Title, BudgetLeft: -1}
	used := map[string]bool{}
	for _, a := range stored {
		used[a.BooksNumber] = used[a.BooksNumber] || a.Taken
	}
	for _, a := range stored {
		account := ConnectedAccount{ConnectionAccount: a}
		if !a.Taken && a.Refused == "" {
			account.Matches = matches(inBooks, a)
			account.BooksNumber = propose(account.Matches, a, kind.Title, used)
			used[account.BooksNumber] = true
			if err := tx.PutConnectionAccount(c.Org, account.ConnectionAccount); err != nil {
				return err
			}
		}
		result.Accounts = append(result.Accounts, account)
	}
	return nil
}

// renew moves the credential of the connection c to the older connection move.to, which is read at
// once.
func renew(tx *store.Tx, c store.Connection, move *moved, now time.Time) (store.Connection, error) {
	older := move.to
	if older.State == store.ConnectionRemoved { // another connection may have its label now
		older.Label = c.Label
	}
	older.State, older.NextTry, older.WaitUntil = store.ConnectionReady, now, time.Time{}
	older.Failures, older.Problem = 0, ""
	return older, tx.SetConnectionSecret(older.Key, move.sealed)
}

// storeListing stores the accounts of a listing and returns them. An account that the provider has
// given another id keeps its place in the books. Accounts that were taken and are not listed stay,
// and are marked as missing.
func (s *Syncer) storeListing(
	tx *store.Tx, c store.Connection, listing providers.Listing,
) (stored []store.ConnectionAccount, err error) {
	all, err := tx.ConnectionAccounts(c.Org)
	if err != nil {
		return nil, err
	}
	known := slices.DeleteFunc(all, func(a store.ConnectionAccount) bool { return a.Connection != c.Key })
	now := s.Now()
	for _, listed := range listing.Accounts {
		a := store.ConnectionAccount{
			Connection: c.Key, RemoteID: listed.ID, Account: listed.Account, Currency: listed.Currency,
			Refused: listed.Refused, LastSeen: now, Balance: balanceOf(listed.Balance, now),
		}
		if at := indexOfKnown(known, listed, listing); at >= 0 {
			a.BooksNumber, a.Taken, a.PendingDay = known[at].BooksNumber, known[at].Taken, known[at].PendingDay
			if err := tx.DeleteConnectionAccount(c.Key, known[at].RemoteID); err != nil {
				return nil, err
			}
			known = slices.Delete(known, at, at+1)
		}
		stored = append(stored, a)
	}
	for _, gone := range known {
		if gone.MissingSince.IsZero() {
			gone.MissingSince = now
		}
		err = errors.Join(err, tx.DeleteConnectionAccount(c.Key, gone.RemoteID))
		if gone.Taken {
			stored = append(stored, gone)
		}
	}
	for _, a := range stored {
		err = errors.Join(err, tx.PutConnectionAccount(c.Org, a))
	}
	return stored, err
}

// indexOfKnown returns the index of the known account that a listed account is: the one with its
// id, or else the only one that has vanished and describes the same account. It returns -1 if
// there is none.
func indexOfKnown(known []store.ConnectionAccount, listed providers.Account, listing providers.Listing) int {
	at := slices.IndexFunc(known, func(k store.ConnectionAccount) bool { return k.RemoteID == listed.ID })
	if at >= 0 {
		return at
	}
	found := -1
	for n, k := range known {
		vanished := !slices.ContainsFunc(listing.Accounts, func(a providers.Account) bool { return a.ID == k.RemoteID })
		if vanished && sameAccount(k, listed) {
			if found >= 0 {
				return -1
			}
			found = n
		}
	}
	return found
}

// matches returns the numbers of the accounts in the books that an account at a provider may be:
// those with the same last digits, or else with the same name.
func matches(inBooks []bookrules.Account, a store.ConnectionAccount) (numbers []string) {
	for _, b := range inBooks {
		if b.Currency != a.Currency {
			continue
		}
		if bookrules.IsNumber(a.Number) && bookrules.IsNumber(b.Number) {
			if bookrules.NumberEnd(a.Number) == bookrules.NumberEnd(b.Number) {
				numbers = append(numbers, b.Number)
			}
			continue
		}
		if strings.EqualFold(b.Name, a.Name) || strings.EqualFold(b.Number, a.Name) {
			numbers = append(numbers, b.Number)
		}
	}
	return numbers
}

// propose returns the number of the account in the books that an account is read into: its only
// match, or else a new account with its own number, or with the names of its bank and itself.
func propose(matches []string, a store.ConnectionAccount, title string, used map[string]bool) string {
	if len(matches) == 1 && !used[matches[0]] {
		return matches[0]
	}
	named := strings.TrimSpace(cmp.Or(a.Bank, title) + " " + a.Name)
	for _, number := range [...]string{a.Number, a.Name, named} {
		if number != "" && !used[number] && (number != a.Number || len(matches) == 0) {
			return number
		}
	}
	for n := 2; ; n++ {
		if number := fmt.Sprintf("%s %d", named, n); !used[number] {
			return number
		}
	}
}
