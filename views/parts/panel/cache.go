package panel

import "strings"

// Cache keeps the last drawing of a page. The zero value is an empty cache.
type Cache struct {
	text  string
	valid bool
}

// Invalidate makes the next Text draw again.
func (c *Cache) Invalidate() { c.valid = false }

// Text returns the cached text, or draws it.
func (c *Cache) Text(draw func() []string) string {
	if !c.valid {
		c.text, c.valid = strings.Join(draw(), "\n"), true
	}
	return c.text
}
