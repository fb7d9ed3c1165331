//go:build !unix

package privatefile

import "io/fs"

// noFollow is nothing where there is no such flag.
const noFollow = 0

// ownerOf knows no owners where user ids are no numbers.
func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }
