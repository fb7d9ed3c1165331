package chart

import "time"

// Kept is a cache for one drawn chart. Charts are expensive to draw and change less often than the
// page around them. The zero value is an empty cache.
type Kept struct {
	of    Of
	lines []string
}

// Of identifies a drawn chart in the cache: its size and when its figures were loaded.
type Of struct {
	Width, Height int
	Loaded        [2]time.Time
}

// Lines returns the cached chart if id equals the id of the last call. Otherwise it calls draw and
// caches the result.
func (k *Kept) Lines(id Of, draw func() []string) []string {
	if k.lines == nil || k.of != id {
		k.of, k.lines = id, draw()
	}
	return k.lines
}
