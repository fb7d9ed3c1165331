//go:build unix

package privatefile

import (
	"io/fs"
	"syscall"
)

// noFollow is the flag that makes the opening of a symbolic link fail.
const noFollow = syscall.O_NOFOLLOW

// ownerOf returns the user ID of a file's owner.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(stat.Uid), true
}
