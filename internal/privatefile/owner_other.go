//go:build !unix

package privatefile

import "io/fs"

// noFollow is 0, because these systems have no O_NOFOLLOW.
const noFollow = 0

// ownerOf returns false, because these systems have no numeric user IDs.
func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }
