package panel

import "strings"

// Cache holds the drawn text of a page until the page changes. The zero value is an empty cache.
type Cache struct {
	text  string
	valid bool
}

// Invalidate empties the cache, so that the next call of Text draws the page.
func (c *Cache) Invalidate() { c.valid = false }

// Text returns the cached text. If the cache is empty, Text calls draw, joins its lines and stores
// the result.
func (c *Cache) Text(draw func() []string) string {
	if !c.valid {
		c.text, c.valid = strings.Join(draw(), "\n"), true
	}
	return c.text
}
