package main

import "time"

// stream is the log that a replica reads: commits of an ordinary kind, and at one
// time an import beside them.
type stream struct {
	every    time.Duration // between commits
	bytes    int           // of log, of a commit
	imported int           // rows
	rowBytes int
	rowEvery time.Duration
	batch    int           // rows of one of its transactions
	trip     time.Duration // from the primary to the replica
	replay   float64       // bytes a second
	held     time.Duration // replay waits so long, once a minute, for a query that it would pull rows from under
	looked   time.Duration // after its commit, when somebody reads what it wrote
	waits    time.Duration // how long a read waits for the replica before it goes to the primary
	length   time.Duration
}

// lagged is what came of it.
type lagged struct {
	lag             []time.Duration // from commit to being readable
	reads, stale    int             // readings of what was just written, and those that do not see it
	waited, primary int             // with waiting: those that had to, and those that went to the primary all the same
}

// simulateReplica replays a stream, in order and one at a time, as PostgreSQL does.
func simulateReplica(seed uint64, of stream) (l lagged) {
	s := newAgenda(seed)
	var until time.Duration // when what came so far is replayed
	replay := func(bytes int) (lag time.Duration) {
		began := max(until, s.now+of.trip)
		if minute := began % time.Minute; minute < of.held {
			began += of.held - minute
		}
		until = began + time.Duration(float64(bytes)/of.replay*float64(time.Second))
		return until - s.now
	}
	var commit, load func()
	commit = func() {
		lag := replay(of.bytes)
		l.lag = append(l.lag, lag)
		l.reads++
		if missing := lag - of.looked; missing > 0 {
			l.stale++
			l.waited++
			if missing > of.waits {
				l.primary++
			}
		}
		s.after(s.exponential(of.every), commit)
	}
	load = func() {
		replay(of.batch * of.rowBytes)
		if of.imported -= of.batch; of.imported > 0 {
			s.after(time.Duration(of.batch)*of.rowEvery, load)
		}
	}
	s.after(0, commit)
	if of.imported > 0 {
		s.after(10*time.Second, load)
	}
	s.run(of.length)
	return l
}
