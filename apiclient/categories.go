package apiclient

import (
	"context"
	"fmt"
	"strings"

	"tarmac/internal/termtext"
)

// Categories looks up the categories of transactions by their IDs. Those without one are left out.
type Categories func(ctx context.Context, ids []string) (map[string]string, error)

// WithCategories gives the transactions of a server in this program their categories, which the API
// does not have (docs/api.md, Transaction list). It cannot be combined with WithSharedPages.
func WithCategories(look Categories) Option {
	return func(c *Client) error {
		c.categories = look
		return nil
	}
}

// HasCategories reports whether transactions get categories.
func (c *Client) HasCategories() bool { return c.categories != nil }

// categorize sets the categories of transactions that this client alone has decoded.
func (c *Client) categorize(ctx context.Context, transactions []Transaction) error {
	ids := make([]string, len(transactions))
	for i := range transactions {
		ids[i] = transactions[i].ID
	}
	known, err := c.categories(ctx, ids)
	if err != nil {
		return fmt.Errorf("looking up categories: %w", err)
	}
	if len(known) == 0 {
		return nil
	}
	for i := range transactions {
		if category := known[transactions[i].ID]; category != "" && transactions[i].Unreadable == nil {
			transactions[i].Category = strings.TrimSpace(termtext.Line(category))
		}
	}
	return nil
}
