package main

import "time"

// stream is the log that a replica replays: regular commits, and an import that starts after ten
// seconds.
type stream struct {
	every     time.Duration // between commits
	bytes     int           // of log per commit
	imported  int           // rows
	rowBytes  int
	rowEvery  time.Duration
	batch     int           // rows per transaction of the import
	trip      time.Duration // from the primary to the replica
	replay    float64       // bytes per second
	blocked   time.Duration // once a minute replay waits this long for a query that needs the old rows
	readDelay time.Duration // time from a commit until its writer reads the data
	maxWait   time.Duration // how long a read waits for the replica before it uses the primary
	length    time.Duration
}

// replicaResult is the result of simulateReplica.
type replicaResult struct {
	lag             []time.Duration // from the commit until the data is readable
	reads, stale    int             // reads of just written data, and those that miss it
	waited, primary int             // if reads wait: those that waited, and those that used the primary after all
}

// simulateReplica replays a stream in order, one commit at a time, as PostgreSQL does.
func simulateReplica(seed uint64, of stream) (l replicaResult) {
	s := newAgenda(seed)
	var until time.Duration // when the log received so far is replayed
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
