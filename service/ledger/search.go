package ledger

import (
	"strings"

	"tarmac/internal/fold"
)

// fieldSeparator separates the fields in the text that is searched. Keywords cannot contain it, so
// no match extends over two fields.
const fieldSeparator = '\x1f'

// Folder folds texts of transactions and keywords in the same way, for example without letter case,
// so that they can be compared (package fold). It is not safe for concurrent use.
type Folder struct {
	fold.Folder
	text strings.Builder
}

// NewFolder returns a folder, for use by one goroutine.
func NewFolder() *Folder { return &Folder{Folder: *fold.New()} }

// SearchText returns the text of a transaction in which keywords are searched. It consists of the
// folded counterparty, memo, reference and category, separated by fieldSeparator (docs/api.md,
// Keyword search).
func (f *Folder) SearchText(t *Transaction) string {
	f.text.Reset()
	for i, field := range [...]string{t.Counterparty, t.Memo, t.Reference, t.Category} {
		if i > 0 {
			f.text.WriteByte(fieldSeparator)
		}
		f.text.WriteString(f.Fold(field))
	}
	return f.text.String()
}
