package main

import "time"

// stream describes the write-ahead log that a database replica replays: that of regular commits,
// and that of an import that starts after ten seconds.
type stream struct {
	every    time.Duration // mean time between regular commits
	bytes    int           // bytes of log of a regular commit
	imported int           // number of imported rows
	rowBytes int
	rowEvery time.Duration
	batch    int           // rows in each transaction of the import
	trip     time.Duration // network time from the primary to the replica
	replay   float64       // bytes of log that the replica replays per second
	// blocked is how long replay waits, once a minute, for a query that needs the old rows.
	blocked   time.Duration
	readDelay time.Duration // time from a commit until its writer reads the data
	// maxWait is how long a read waits for the replica before it uses the primary.
	maxWait time.Duration
	length  time.Duration
}

// replicaResult is the result of simulateReplica.
type replicaResult struct {
	lag          []time.Duration // times from a commit until the replica shows its data
	reads, stale int             // numbers of reads right after a commit, and of reads that do not see its data
	// If reads wait for the replica, waited counts the reads that had to wait, and primary counts
	// the reads that used the primary in the end.
	waited, primary int
}

// simulateReplica simulates how a replica replays a log. Like PostgreSQL, it replays one commit at
// a time, in order.
func simulateReplica(seed uint64, of stream) (l replicaResult) {
	s := newAgenda(seed)
	var until time.Duration // time at which all log received so far is replayed
	replay := func(bytes int) (lag time.Duration) {
		began := max(until, s.now+of.trip)
		if minute := began % time.Minute; minute < of.blocked {
			began += of.blocked - minute
		}
		until = began + time.Duration(float64(bytes)/of.replay*float64(time.Second))
		return until - s.now
	}
	var commit, load func()
	commit = func() {
		lag := replay(of.bytes)
		l.lag = append(l.lag, lag)
		l.reads++
		if missing := lag - of.readDelay; missing > 0 {
			l.stale++
			l.waited++
			if missing > of.maxWait {
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
