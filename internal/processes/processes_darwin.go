package processes

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// identify returns the identity of a process of this machine. It returns false if the system does
// not tell it.
func identify(pid int) (id identity, ok bool) {
	host, err := os.Hostname()
	if err != nil || strings.Contains(host, separator) {
		return identity{}, false
	}
	boot, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return identity{}, false
	}
	process, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return identity{}, false
	}
	began := process.Proc.P_starttime
	return identity{
		system: "darwin", host: host, boot: boot, pid: pid, began: fmt.Sprintf("%d.%06d", began.Sec, began.Usec),
	}, true
}

// exists reports whether there is a process with a number, also one of another user.
func exists(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }
