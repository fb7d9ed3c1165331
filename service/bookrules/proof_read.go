package bookrules

import "slices"

// withoutOutliers removes balances in readings of connections that do not fit the lines, if the
// balances before and after them do. A bank may list lines later than its balance includes them, or
// date them otherwise than the files of the account. The newest balance of each connection is never
// removed, nor is one that a file states. The points are ordered by day.
func withoutOutliers(points []point) []point {
	if !slices.ContainsFunc(points, func(p point) bool { return p.passing }) {
		return points
	}
	kept := make([]point, 0, len(points))
	fixed := -1 // index in kept of the newest point so far that is never removed; -1 before it
	for i := range points {
		if !points[i].passing && fixed >= 0 {
			kept = append(kept[:fixed+1], fitting(&kept[fixed], &points[i], kept[fixed+1:])...)
		}
		kept = append(kept, points[i])
		if !points[i].passing {
			fixed = len(kept) - 1
		}
	}
	return kept
}

// fitting returns the points between two others that fit the lines as these do. It returns all
// points if the two do not fit each other.
func fitting(from, to *point, between []point) []point {
	for _, sum := range from.possible() {
		if offset := from.Minor - sum; to.fits(offset) {
			return slices.DeleteFunc(slices.Clone(between), func(p point) bool { return !p.fits(offset) })
		}
	}
	return between
}

// lastRead returns the day of the newest balance of a connection in the content; 0 if there is
// none.
func (c *Content) lastRead() (day Day) {
	for _, b := range c.Balances {
		if b.Read {
			day = max(day, b.Day)
		}
	}
	return day
}
