package panel

import "strings"

// Cache keeps what a page drew last. The zero value keeps nothing.
type Cache struct {
	text  string
	valid bool
}

// Invalidate makes the next Text draw anew.
func (c *Cache) Invalidate() { c.valid = false }

// Text returns the lines that were drawn last, or draws them.
func (c *Cache) Text(draw func() []string) string {
	if !c.valid {
		c.text, c.valid = strings.Join(draw(), "\n"), true
	}
	return c.text
}
