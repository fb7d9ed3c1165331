package ledger

import (
	"strings"

	"tarmac/internal/fold"
)

// fieldSeparator stands between the searched fields of a row. A keyword cannot
// hold it, so a match never spans two fields.
const fieldSeparator = '\x1f'

// Folder makes what keywords are looked for in. Rows and keywords must pass the same
// form (fold.Folder), so it is the only one. It is not safe for concurrent use.
type Folder struct {
	fold.Folder
	text strings.Builder
}

// NewFolder returns a folder.
func NewFolder() *Folder { return &Folder{Folder: *fold.New()} }

// SearchText returns what keywords are looked for in: counterparty, memo,
// reference and category (docs/api.md, Keyword search), folded, with a character
// between them that no keyword has.
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
