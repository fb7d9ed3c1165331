package bookkeeping

import (
	"context"

	"tarmac/service/store"
)

// CompanyChange is a change of the company's name. ChangedRows is the number of transactions that
// changed, because the company's own name is evidence of transfers.
type CompanyChange struct {
	Before      string `json:"before"`
	Name        string `json:"name"`
	ChangedRows int    `json:"changed_rows"`
}

// CompanyName returns the name of the company.
func (b *Books) CompanyName(ctx context.Context) (name string, err error) {
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		name, err = b.companyName(snap)
		return err
	})
	return name, err
}

// SetCompany gives the company another name, and derives the books again. An owner with the old
// name gets the new one too. The name must have been checked.
func (b *Books) SetCompany(ctx context.Context, name string) (done CompanyChange, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	renamed := *b
	renamed.Company = name
	err = renamed.changeBooks(ctx, func(c *change) error {
		err := c.look(func(r reader) error {
			stored, err := r.Organization(b.Org)
			if err != nil {
				return err
			}
			done.Before, done.Name = stored.Name, name
			c.edits.rules, err = b.changedRules(r)
			return err
		})
		if err != nil {
			return err
		}
		c.counting = true
		c.edits.apply = func(tx *store.Tx) error {
			stored, err := tx.Organization(b.Org)
			if err != nil {
				return err
			}
			if stored.OwnerName == stored.Name {
				if err := tx.SetOwner(b.Org, name, stored.OwnerEmail); err != nil {
					return err
				}
			}
			return tx.Rename(b.Org, name)
		}
		err = c.deriveAll(nil)
		done.ChangedRows = c.rows
		return err
	})
	return done, err
}
