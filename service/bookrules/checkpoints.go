package bookrules

import (
	"cmp"
	"slices"
)

// Checkpoint is a known balance of an account at the end of a day.
type Checkpoint struct {
	Day   Day
	Minor int64
	// Missing is the amount that the lines since the previous checkpoint lack: Minor, less the
	// previous balance, less the sum of the lines in between. It is 0 if the lines add up.
	Missing int64
	// Covered is false if no statement covers some of the days since the previous checkpoint, so
	// that lines may be missing.
	Covered bool
}

// Running holds an account's balances over time. The balance at the end of a day is Opening, plus
// the lines and the Missing amounts of checkpoints up to and including that day.
type Running struct {
	Opening     int64 // balance before the first line; 0 if unknown
	Known       bool  // false if no statement has a balance
	Checkpoints []Checkpoint
}

// RunningBalance returns an account's balances over time. Its checkpoints are the balances in the
// statements and the result of BookedBalance. A balance that a bank took in the middle of a day is
// left out if it fits the lines of that day. merged must be ordered by day.
func RunningBalance(merged []Merged, contents []Content) Running {
	p, points := newProver(merged, contents)
	if len(points) == 0 {
		return Running{}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.endOfDay(), b.endOfDay()) })
	// offset is the balance less the sum of all lines so far.
	offset := points[0].Minor - points[0].between
	if len(points) > 1 && !points[1].fits(offset) {
		for _, sum := range points[0].possible() {
			if points[1].fits(points[0].Minor - sum) {
				offset = points[0].Minor - sum
				break
			}
		}
	}
	r := Running{Opening: offset, Known: true}
	for i := range points {
		to := &points[i]
		if to.Minor-to.between != offset && to.fits(offset) {
			continue
		}
		c := Checkpoint{Day: to.endOfDay(), Minor: to.Minor, Missing: to.Minor - to.between - offset, Covered: true}
		if i > 0 {
			c.Covered = len(p.uncovered(&points[i-1], to)) == 0
		}
		offset += c.Missing
		r.add(c)
	}
	booked, known := BookedBalance(merged, contents)
	if last := r.lastDay(); known && booked.Day > last && offset+p.sums[p.index(booked.Day+1)] == booked.Minor {
		r.add(Checkpoint{Day: booked.Day, Minor: booked.Minor, Covered: true})
	}
	return r
}

// add adds a checkpoint. If the last checkpoint is of the same day, add merges the two.
func (r *Running) add(c Checkpoint) {
	if last := len(r.Checkpoints) - 1; last >= 0 && r.Checkpoints[last].Day == c.Day {
		c.Missing += r.Checkpoints[last].Missing
		c.Covered = c.Covered && r.Checkpoints[last].Covered
		r.Checkpoints = r.Checkpoints[:last]
	}
	r.Checkpoints = append(r.Checkpoints, c)
}

func (r *Running) lastDay() Day {
	if len(r.Checkpoints) == 0 {
		return 0
	}
	return r.Checkpoints[len(r.Checkpoints)-1].Day
}

// fits reports whether the balance is offset plus one of the possible sums of the lines before it.
func (p *point) fits(offset int64) bool {
	sum := p.Minor - offset
	return sum == p.between || sum == p.within || sum == p.chained
}

// endOfDay returns the day at whose end the account had the balance, if the bank took the balance
// between two days.
func (p *point) endOfDay() Day {
	if p.Opening {
		return p.Day - 1
	}
	return p.Day
}
