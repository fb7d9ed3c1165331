package chart

import "time"

// Cache is a cache for one drawn chart. Charts are expensive to draw and change less often than the
// page around them. The zero value is an empty cache.
type Cache struct {
	key   CacheKey
	lines []string
}

// CacheKey identifies a drawn chart in the cache: its size, and when its figures were loaded.
type CacheKey struct {
	Width, Height int
	Loaded        [2]time.Time
}

// Lines returns the cached chart if key equals that of the last call. Otherwise it calls draw and
// caches the result.
func (k *Cache) Lines(key CacheKey, draw func() []string) []string {
	if k.lines == nil || k.key != key {
		k.key, k.lines = key, draw()
	}
	return k.lines
}
