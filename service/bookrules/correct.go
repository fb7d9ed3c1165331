package bookrules

import "slices"

// Correct returns contents in which lines that the bank has corrected have the amount of the later
// file: two files of one layout have the same bank id on the same day with different amounts, and
// neither file has the other's amount on that day. Their ids must be comparable: at least as many
// other lines agree in id, day and amount. The later file is the one that covers the later day, or
// else the one that was imported later. Balances of the earlier file that counted the old amount
// are left out if the later file has newer ones.
func Correct(contents []Content) []Content {
	corrected := false
	for _, pair := range overlapping(contents) {
		older, newer := pair[0], pair[1]
		fixes := corrections(&contents[older], &contents[newer])
		if len(fixes) == 0 {
			continue
		}
		if !corrected {
			contents, corrected = slices.Clone(contents), true
		}
		contents[older].correct(fixes, &contents[newer])
	}
	return contents
}

// overlapping returns the pairs of contents of one layout that cover common days: the earlier file
// first. The pairs are ordered so that the amount of the latest file is applied last.
func overlapping(contents []Content) (pairs [][2]int) {
	order := byFirstDay(contents)
	lastDay := func(i int) Day { return contents[i].Entries[len(contents[i].Entries)-1].Day }
	for n, i := range order {
		for _, j := range order[n+1:] {
			if contents[j].Entries[0].Day > lastDay(i) {
				break
			}
			a, b := &contents[i], &contents[j]
			switch {
			case a.Making != b.Making || a.Key == b.Key:
			case a.before(b):
				pairs = append(pairs, [2]int{i, j})
			default:
				pairs = append(pairs, [2]int{j, i})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y [2]int) int {
		switch a, b := &contents[x[1]], &contents[y[1]]; {
		case a.before(b):
			return -1
		case b.before(a):
			return 1
		}
		return 0
	})
	return pairs
}

// before reports whether c is an earlier file than other.
func (c *Content) before(other *Content) bool {
	if a, b := c.LastDay(), other.LastDay(); a != b {
		return a < b
	}
	return c.Imported < other.Imported
}

// correction is a line of an earlier file with its amount in the later one.
type correction struct {
	line  int64
	day   Day
	minor int64
}

// corrections returns the lines of older whose amounts newer corrects.
func corrections(older, newer *Content) (fixes []correction) {
	agree := 0
	for rest := newer.Entries; len(rest) > 0; {
		day := rest[0].Day
		here := newer.On(day)
		rest = rest[len(here):]
		there := older.On(day)
		if len(there) == 0 {
			continue
		}
		onlyThere, onlyHere := unequal(there, here)
		agree += agreeing(there, here)
		corrected := map[uint64]int64{}
		for _, e := range onlyHere {
			if _, repeated := corrected[e.ID]; e.ID != 0 && !repeated {
				corrected[e.ID] = e.Minor
			}
		}
		for _, o := range onlyThere {
			if minor, found := corrected[o.ID]; found {
				fixes = append(fixes, correction{o.Line, day, minor})
			}
		}
	}
	if agree < len(fixes) {
		return nil
	}
	return fixes
}

// unequal returns the entries of each list without an entry of the same amount in the other one.
// Both lists are of one day and ordered by amount.
func unequal(a, b []Entry) (onlyA, onlyB []Entry) {
	for len(a) > 0 || len(b) > 0 {
		switch order := compareHeads(a, b); {
		case order == 0:
			a, b = a[1:], b[1:]
		case order < 0:
			onlyA, a = append(onlyA, a[0]), a[1:]
		default:
			onlyB, b = append(onlyB, b[0]), b[1:]
		}
	}
	return onlyA, onlyB
}

// agreeing returns the number of pairs of entries of two lists that have the same id and amount.
func agreeing(a, b []Entry) (n int) {
	type line struct {
		id    uint64
		minor int64
	}
	count := map[line]int{}
	for _, e := range a {
		count[line{e.ID, e.Minor}]++
	}
	for _, e := range b {
		if e.ID != 0 {
			n += count[line{e.ID, e.Minor}]
		}
	}
	return n
}

// correct applies corrections by a later file.
func (c *Content) correct(fixes []correction, later *Content) {
	c.Entries = slices.Clone(c.Entries)
	first := fixes[0].day
	corrected := make(map[int64]int64, len(fixes)) // amounts by line
	for _, fix := range fixes {
		corrected[fix.line] = fix.minor
		first = min(first, fix.day)
	}
	for n := range c.Entries {
		if minor, found := corrected[c.Entries[n].Line]; found {
			c.Entries[n].Minor = minor
		}
	}
	c.SortEntries()
	counts := func(b Balance) bool { return b.Day > first || b.Day == first && !b.Opening }
	if slices.ContainsFunc(later.Balances, counts) {
		c.Balances = slices.DeleteFunc(slices.Clone(c.Balances), counts)
	}
}
