// Package state stores what a person leaves behind in the dashboard: drafts of invoices, plans
// and filters. They are stored in a directory or, for a session over SSH, in the service's
// database.
package state

import "errors"

// Folder stores named contents of one person. It is safe for concurrent use. A program that is
// killed while it writes leaves either the old or the new content behind. Where a Folder is an
// option, nil means that nothing is saved.
type Folder interface {
	// Read returns the content with the given name. It returns fs.ErrNotExist if there is none, and
	// an error if the content is longer than limit bytes.
	Read(name string, limit int) ([]byte, error)
	// Write replaces the content with the given name. It returns when the content is stored.
	Write(name string, content []byte) error
	// Remove removes a content. A missing one is not an error.
	Remove(name string) error
	// Rename renames a content, for example to set a damaged one aside.
	Rename(from, to string) error
	// List returns the names that begin with prefix, in ascending order.
	List(prefix string) ([]string, error)
	// Claim reserves a name for the caller until release is called or the program ends. It returns
	// ErrClaimed if another session has reserved the name.
	Claim(name string) (release func() error, err error)
	// Path returns where the content with the given name is stored, cleaned for messages.
	Path(name string) string
}

// ErrClaimed means that another session has reserved the name.
var ErrClaimed = errors.New("another tarmac has it open")
