//go:build long && unix

package e2e_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"
)

// trade books lines at the bank, and has them read: by commands, and by the service, for which
// readings become due. At times the bank is down.
func (l *ownLedger) trade(rng *rand.Rand) {
	for l.s.rest(rng, 50*time.Millisecond, l.s.pace()) {
		l.bookLine(rng)
		switch rng.IntN(8) {
		case 0:
			l.bank.Fail(503, "")
		case 1, 2:
			l.bank.Fail(0, "")
		case 3, 4:
			l.makeDue()
		default:
			l.sync(rng)
		}
	}
}

// makeDue plans the service's next reading for now.
func (l *ownLedger) makeDue() {
	db, err := sql.Open("sqlite", "file:"+l.s.database+"?_pragma=busy_timeout(5000)")
	if err != nil {
		l.s.t.Error(err)
		return
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE connections SET next_try = 1 WHERE lease_until = 0"); err != nil {
		l.s.tally.add("readings of a bank", "not made due, since the database was busy")
		return
	}
	l.s.tally.add("readings of a bank", "due for the service")
}

func (l *ownLedger) bookLine(rng *rand.Rand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	cents := 2*(rng.Int64N(2_000_000)-900_000) + 1
	at := time.Now().Add(-time.Duration(rng.IntN(72)) * time.Hour)
	l.bank.Book(l.account, at, cents, fmt.Sprintf("Soak line %d", len(l.booked)))
	l.booked = append(l.booked, cents)
}

// sync reads the bank by a command, and reports whether it did. One command in twelve is killed
// during a long soak. A short one has no time for a killed process's lease to expire.
func (l *ownLedger) sync(rng *rand.Rand) bool {
	oneIn := 12
	if !l.s.long() {
		oneIn = 0
	}
	r := l.s.run(rng, oneIn, again(l.template, nil, "admin", "--db", l.s.database, "sync", "--json", "--org", l.org))
	switch {
	case r.killed:
		l.s.tally.add("readings of a bank", "by a command that was killed")
	case r.code == 0 && json.Valid(r.out):
		l.s.tally.add("readings of a bank", "done by a command")
		return true
	case r.code == 1 && r.said != "":
		l.s.tally.add("readings of a bank", "refused with the reason")
	default:
		l.s.t.Errorf("sync: exit %d, %s %s", r.code, r.out, r.said)
	}
	return false
}
