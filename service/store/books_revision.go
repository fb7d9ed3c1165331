package store

import (
	"fmt"
	"maps"
	"slices"

	"tarmac/service/store/database"
)

// booksChanges is what a transaction changes of own books. Its commit raises the revision of the
// books of each organization in it (Credential.BooksRevision).
type booksChanges struct {
	orgs map[OrgKey]bool
	// connections holds what the connections that the transaction writes said before.
	connections map[ConnectionKey]shownConnection
}

// shownConnection is what people see of a connection. The times of its readings are not part of it:
// every reading changes them.
type shownConnection struct {
	org  OrgKey
	text string
}

// booksChanged notes that this transaction writes to the organization's books. All methods that
// write to tables book_* call it, except those of tables that follow from the others. What an
// import writes on a stage is no change before the stage is published.
func (tx *Tx) booksChanged(org OrgKey) {
	if tx.view.stage == 0 {
		tx.books.orgs[org] = true
	}
}

// connectionChanges notes that this transaction is about to write to a connection. At its end the
// books have changed if people then see something else of the connection.
func (tx *Tx) connectionChanges(key ConnectionKey) error {
	if _, noted := tx.books.connections[key]; noted {
		return nil
	}
	shown, err := tx.shownConnection(key)
	if err == nil {
		tx.books.connections[key] = shown
	}
	return err
}

// shownConnection returns what people see of a connection; the zero value if it does not exist.
func (tx *Tx) shownConnection(key ConnectionKey) (shownConnection, error) {
	c, err := scanConnection(tx.db.QueryRow("SELECT "+connectionColumns+" FROM connections WHERE id = ?", key))
	if database.IsNotFound(err) {
		return shownConnection{}, nil
	}
	if err != nil {
		return shownConnection{}, fmt.Errorf("reading the connection: %w", err)
	}
	accounts, err := tx.ConnectionAccounts(c.Org)
	if err != nil {
		return shownConnection{}, err
	}
	text := fmt.Appendf(nil, "%q", []any{c.Label, c.Company, c.State, c.Problem, c.Residual, c.Notices, c.SignIn})
	for _, a := range accounts {
		if a.Connection == key {
			text = fmt.Appendf(text, "%q %t %t %v", []string{a.RemoteID, a.Name, a.Bank, a.Number, a.Currency, a.BooksNumber,
				a.Refused}, a.Taken, a.MissingSince.IsZero(), a.Kind)
		}
	}
	return shownConnection{c.Org, string(text)}, nil
}

// raiseBooksRevisions raises the revision of the books that this transaction has changed. It is the
// last thing that a transaction does, because on PostgreSQL it locks the organizations.
func (tx *Tx) raiseBooksRevisions() error {
	for key, before := range tx.books.connections {
		after, err := tx.shownConnection(key)
		if err != nil {
			return err
		}
		if after != before {
			tx.booksChanged(max(before.org, after.org)) // one is 0 if the connection is new or deleted
		}
	}
	for _, org := range slices.Sorted(maps.Keys(tx.books.orgs)) {
		_, err := tx.db.Exec("UPDATE organizations SET books_revision = "+
			nextRevision("books_revision", tx.db.Dialect)+" WHERE id = ?", org)
		if err != nil {
			return fmt.Errorf("raising the revision of the books: %w", err)
		}
	}
	return nil
}
