package ledger

import (
	"strings"

	"tarmac/internal/fold"
)

// fieldSeparator separates the searched fields. Keywords cannot contain it, so no match spans
// two fields.
const fieldSeparator = '\x1f'

// Folder folds the texts of transactions and keywords in the same way (package fold), so that
// they can be compared. It is not safe for concurrent use.
type Folder struct {
	fold.Folder
	text strings.Builder
}

// NewFolder returns a folder, for use by one goroutine.
func NewFolder() *Folder { return &Folder{Folder: *fold.New()} }

// SearchText returns the text that keywords are searched in: the folded counterparty, memo,
// reference and category (docs/api.md, Keyword search), with fieldSeparator between them.
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
