// Package processes recognizes processes of this machine that have ended, so that what they held
// can be released without waiting for a lease to expire.
package processes

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// identity names a process so that no other one is taken for it.
type identity struct {
	system string // operating system
	host   string // name of the machine
	boot   string // what the system tells of this start of the machine; "" if it tells nothing
	booted int64  // when the machine was started, in Unix seconds; 0 if boot says it
	space  string // space of process numbers, because containers have their own
	pid    int
	began  string // when the process was started, in the system's own units
}

// Describe names the process with an identity for people, such as "process 4711 on finance-1".
func Describe(text string) string {
	id, ok := parse(text)
	if !ok {
		return "another process"
	}
	return fmt.Sprintf("process %d on %s", id.pid, id.host)
}

// clockDrift is how far the clock may have been set since an identity was made, so that the
// identity still counts as one of this start of the machine.
const clockDrift = 10 * time.Second

// Self returns the identity of this process, a text without a form that callers may rely on. It
// returns "" on systems on which Ended cannot recognize it.
func Self() string {
	id, ok := identify(os.Getpid())
	if !ok {
		return ""
	}
	return id.String()
}

// Ended reports whether the process with an identity has certainly ended. It returns false for a
// process of another machine or container, for one that ran before the machine was started anew,
// and for "".
func Ended(text string) bool {
	that, ok := parse(text)
	if !ok {
		return false
	}
	self, ok := identify(os.Getpid())
	if !ok || !self.sees(that) {
		return false
	}
	if !exists(that.pid) {
		return true
	}
	now, ok := identify(that.pid)
	return ok && now.began != that.began
}

// sees reports whether the numbers of processes mean the same in both identities.
func (id identity) sees(o identity) bool {
	drift := time.Duration(id.booted-o.booted) * time.Second
	return id.system == o.system && id.host == o.host && id.boot == o.boot && id.space == o.space &&
		drift.Abs() <= clockDrift
}

const separator = "|"

func (id identity) String() string {
	return strings.Join([]string{
		id.system, id.host, id.boot, fmt.Sprint(id.booted), id.space, fmt.Sprint(id.pid), id.began,
	}, separator)
}

func parse(text string) (id identity, ok bool) {
	parts := strings.Split(text, separator)
	if len(parts) != 7 {
		return identity{}, false
	}
	id = identity{system: parts[0], host: parts[1], boot: parts[2], space: parts[4], began: parts[6]}
	_, err := fmt.Sscan(parts[3]+" "+parts[5], &id.booted, &id.pid)
	return id, err == nil && id.pid > 0
}
