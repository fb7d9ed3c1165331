package chart

import "time"

// Kept caches a chart, which is expensive to draw and changes less often than its page. The zero
// value is an empty cache.
type Kept struct {
	of    Of
	lines []string
}

// Of is the cache key: the chart's size and when its figures were loaded.
type Of struct {
	Width, Height int
	Loaded        [2]time.Time
}

// Lines returns the cached chart if of has not changed, or draws it.
func (k *Kept) Lines(of Of, draw func() []string) []string {
	if k.lines == nil || k.of != of {
		k.of, k.lines = of, draw()
	}
	return k.lines
}
