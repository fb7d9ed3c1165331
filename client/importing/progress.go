package importing

import (
	"fmt"
	"path/filepath"
	"sync/atomic"

	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
)

// Progress says which file a preview or an import is reading. It is safe for concurrent use. Create
// it with NewProgress.
type Progress struct {
	files []string
	at    atomic.Int64 // index of the file that is being read; len(files) while the books are updated
}

// NewProgress returns the progress of a batch before its first file.
func NewProgress(batch ownbooks.Batch) *Progress { return &Progress{files: batch.Files} }

// SetFile stores the index of the file that is being read; len(files) means that all are read.
func (p *Progress) SetFile(file int) { p.at.Store(int64(file)) }

// SyncProgress says what a reading of connections does. It is safe for concurrent use.
type SyncProgress struct {
	Name    string // what is read, for the user
	waiting atomic.Pointer[string]
}

// Waiting stores for what the reading waits. The empty text means that it goes on.
func (p *SyncProgress) Waiting(text string) { p.waiting.Store(&text) }

// Text describes the current step for the user.
func (p *SyncProgress) Text() string {
	if waiting := p.waiting.Load(); waiting != nil && *waiting != "" {
		return *waiting
	}
	return "Reading " + p.Name
}

// Text describes the current step for the user.
func (p *Progress) Text() string {
	at := int(p.at.Load())
	if at >= len(p.files) {
		return "Comparing with the books"
	}
	name := termtext.Line(filepath.Base(p.files[at]))
	if len(p.files) == 1 {
		return "Reading " + name
	}
	return fmt.Sprintf("Reading file %d of %d: %s", at+1, len(p.files), name)
}
