package processes

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// identify returns the identity of a process of this machine. It returns false if the system does
// not tell it, for example of a process of another user.
func identify(pid int) (id identity, ok bool) {
	host, err := os.Hostname()
	if err != nil || strings.Contains(host, separator) {
		return identity{}, false
	}
	// Hardened units hide the number of this boot in /proc/sys, so the time since then serves.
	machine, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		machine = nil // a container may have none; its space of process numbers is still its own
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return identity{}, false
	}
	var sinceBoot unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &sinceBoot); err != nil {
		return identity{}, false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return identity{}, false
	}
	// The second field is the program's name in parentheses, which may contain anything. The state
	// is field 3, and the time of the start field 22.
	_, rest, found := strings.Cut(string(stat[max(0, strings.LastIndexByte(string(stat), ')')):]), " ")
	fields := strings.Fields(rest)
	if !found || len(fields) < 20 {
		return identity{}, false
	}
	began := fields[19]
	if state := fields[0]; state == "Z" || state == "X" {
		began = "" // it was killed, and its parent has not asked for its exit code yet
	}
	return identity{
		system: "linux", host: host, boot: strings.TrimSpace(string(machine)),
		booted: time.Now().Add(-time.Duration(sinceBoot.Nano())).Unix(), space: space, pid: pid, began: began,
	}, true
}

// exists reports whether there is a process with a number, also one of another user.
func exists(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }
