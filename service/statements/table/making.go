package table

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// hash returns a short hash of the column names, which is the same for all files of one kind of
// export. For a file without a header, it hashes the roles of the columns.
func (l *layout) hash(columns []column) string {
	text := strings.Join(l.names, "|")
	if l.headerLine == 0 {
		for _, one := range columns {
			text += "|" + strconv.Itoa(int(one.role))
		}
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
