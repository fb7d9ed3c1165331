package sshd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"tarmac/client/state"
	"tarmac/internal/termtext"
	"tarmac/service/store"
)

// sshDocumentTimeout is the longest time for reading or writing a document. The dashboard must not
// wait longer for a busy database.
const sshDocumentTimeout = 10 * time.Second

// sshDocuments is a state.Folder for a session over SSH. It stores drafts, plans and filters in
// the service's database, for each SSH key apart.
type sshDocuments struct {
	store   *store.Store
	key     store.SSHKeyKey
	session string // id of the session, which holds claims
	now     func() time.Time
}

var _ state.Folder = sshDocuments{}

// Read implements state.Folder.
func (d sshDocuments) Read(name string, limit int) (content []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), sshDocumentTimeout)
	defer cancel()
	content, err = d.store.SSHDocument(ctx, d.key, name)
	if err == nil && len(content) > limit {
		return nil, fmt.Errorf("%s is larger than %d KiB", d.Path(name), limit>>10)
	}
	return content, missing(err)
}

// Write implements state.Folder.
func (d sshDocuments) Write(name string, content []byte) error {
	return d.change(func(tx *store.Tx) error { return tx.PutSSHDocument(d.key, name, content, d.now()) })
}

// Remove implements state.Folder.
func (d sshDocuments) Remove(name string) error {
	return d.change(func(tx *store.Tx) error { return tx.RemoveSSHDocument(d.key, name, d.now()) })
}

// Rename implements state.Folder.
func (d sshDocuments) Rename(from, to string) error {
	return missing(d.change(func(tx *store.Tx) error { return tx.RenameSSHDocument(d.key, from, to, d.now()) }))
}

// List implements state.Folder.
func (d sshDocuments) List(prefix string) (names []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), sshDocumentTimeout)
	defer cancel()
	all, err := d.store.SSHDocumentNames(ctx, d.key)
	for _, name := range all {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, err
}

// Claim implements state.Folder. A claim also ends with the session.
func (d sshDocuments) Claim(name string) (release func() error, err error) {
	err = d.change(func(tx *store.Tx) error { return tx.ClaimSSHDocument(d.key, name, d.session, d.now()) })
	if errors.Is(err, store.ErrSSHDocumentClaimed) {
		return nil, state.ErrClaimed
	}
	if err != nil {
		return nil, err
	}
	return func() error {
		return d.change(func(tx *store.Tx) error { return tx.ReleaseSSHDocument(name, d.session) })
	}, nil
}

// Path implements state.Folder. It does not name the database.
func (d sshDocuments) Path(name string) string { return "the server's " + termtext.Line(name) }

func (d sshDocuments) change(fn func(*store.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), sshDocumentTimeout)
	defer cancel()
	return d.store.Write(ctx, fn)
}

// missing returns fs.ErrNotExist in place of store.ErrNotFound.
func missing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return fs.ErrNotExist
	}
	return err
}
