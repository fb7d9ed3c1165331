package apiclient

import (
	"context"
	"fmt"
	"strings"

	"tarmac/internal/termtext"
)

// Aside holds what the API does not say about a transaction (docs/api.md, Transaction list).
// Texts that are not known are "".
type Aside struct {
	Category string
	Account  string // name and last digits of the account in the books
}

// Asides looks up transactions by their IDs. Those of which nothing is known may be left out.
type Asides func(ctx context.Context, ids []string) (map[string]Aside, error)

// WithAsides gives the transactions of a server in this program what the API does not say about
// them. It cannot be combined with WithSharedPages.
func WithAsides(look Asides) Option {
	return func(c *Client) error {
		c.asides = look
		return nil
	}
}

// HasCategories reports whether transactions get categories.
func (c *Client) HasCategories() bool { return c.asides != nil }

// addAsides completes transactions that this client alone has decoded.
func (c *Client) addAsides(ctx context.Context, transactions []Transaction) error {
	ids := make([]string, len(transactions))
	for i := range transactions {
		ids[i] = transactions[i].ID
	}
	known, err := c.asides(ctx, ids)
	if err != nil {
		return fmt.Errorf("looking up categories and accounts: %w", err)
	}
	for i := range transactions {
		if t := &transactions[i]; t.Unreadable == nil {
			aside := known[t.ID]
			t.Category = strings.TrimSpace(termtext.Line(aside.Category))
			t.Account = strings.TrimSpace(termtext.Line(aside.Account))
		}
	}
	return nil
}
