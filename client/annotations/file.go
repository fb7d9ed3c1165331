package annotations

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/state"
)

// version is the version of the file format. Files with a later version are refused.
const version = 1

// largest is the maximum size of a file, in bytes: some thousand notes.
const largest = 512 << 10

// Reasons why annotations could not be read or written.
var (
	ErrNewer   = errors.New("it was written by a newer version of tarmac")
	ErrDamaged = errors.New("the file is damaged: remove it to write categories and notes again")
	ErrFull    = fmt.Errorf("all categories and notes together have at most %d KiB: remove some", largest>>10)
	ErrUnread  = errors.New("the categories and notes are still being read: try again")
)

// Prefix is the beginning of the names of all files of annotations.
const (
	Prefix = "annotations-"
	suffix = ".json"
)

// File holds the annotations of one organization. It is safe for concurrent use. Several programs
// may change the same file: each keeps what the others have written.
type File struct {
	folder state.Folder // nil keeps annotations until the program ends

	mu    sync.Mutex // guards name and why, and is held while the file is read or written
	name  string     // "" before Open
	why   error      // why nothing can be changed in the folder
	set   atomic.Pointer[Set]
	count atomic.Uint64 // changes of set so far
}

// NewFile returns annotations in a folder, of which none are known before Open. Nil keeps them
// until the program ends and needs no Open.
func NewFile(folder state.Folder) *File {
	f := &File{folder: folder, why: ErrUnread}
	f.set.Store(&Set{})
	return f
}

// InMemory returns annotations that are kept until the program ends.
func InMemory(set Set) *File {
	f := NewFile(nil)
	f.set.Store(&set)
	return f
}

// Set returns the annotations as they were read or written last. Callers must not change it.
func (f *File) Set() Set { return *f.set.Load() }

// Of returns what is known of a transaction.
func (f *File) Of(t *apiclient.Transaction) Known { return f.Set().Of(t) }

// Changes returns how often the annotations have changed in this program.
func (f *File) Changes() uint64 { return f.count.Load() }

// IsKept reports whether annotations outlive the program.
func (f *File) IsKept() bool { return f.folder != nil }

// Open reads the annotations of an organization, whose key is made by draft.OrgKey. After an error
// nothing can be changed, so that a file that cannot be read is never overwritten.
func (f *File) Open(organization string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.folder == nil {
		return nil
	}
	name := Prefix + draft.FileName(organization) + suffix
	set, err := load(f.folder, name)
	if f.why = err; err != nil {
		return err
	}
	f.name = name
	f.store(set)
	return nil
}

// Change changes the annotation of a transaction, and returns what it was before. An annotation
// without texts is removed. Change reads the file again before it writes, so that nothing is lost
// that another program has written.
func (f *File) Change(id string, change func(*Annotation)) (was Annotation, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.folder == nil {
		return f.changeSet(f.Set(), id, change)
	}
	if f.why != nil {
		return was, f.why
	}
	release, err := f.claim()
	if err != nil {
		return was, err
	}
	set, err := load(f.folder, f.name)
	if err == nil {
		was, err = f.changeSet(set, id, change)
	}
	return was, errors.Join(err, release())
}

func (f *File) changeSet(set Set, id string, change func(*Annotation)) (was Annotation, err error) {
	was = set[id]
	now := was
	change(&now)
	if now, err = now.cleaned(id); err != nil {
		return was, err
	}
	set = maps.Clone(set)
	if set[id] = now; now == (Annotation{}) {
		delete(set, id)
	}
	if err := f.write(set); err != nil {
		return was, err
	}
	f.store(set)
	return was, nil
}

func (f *File) store(set Set) {
	f.set.Store(&set)
	f.count.Add(1)
}

// Other programs hold the file only while they write it. claim tries again after pauses that grow
// up to longestPause.
const (
	longestPause = 50 * time.Millisecond
	claims       = 100
)

func (f *File) claim() (release func() error, err error) {
	pause := time.Millisecond
	for range claims {
		if release, err = f.folder.Claim(f.name); !errors.Is(err, state.ErrClaimed) {
			return release, err
		}
		time.Sleep(pause)
		pause = min(2*pause, longestPause)
	}
	return nil, err
}

// content is the content of a file.
type content struct {
	Version      int `json:"version"`
	Transactions Set `json:"transactions"`
}

func (f *File) write(set Set) error {
	switch {
	case !f.IsKept():
		return nil
	case len(set) == 0:
		return f.folder.Remove(f.name)
	}
	data, err := json.Marshal(content{version, set})
	switch {
	case err != nil:
		return err
	case len(data) >= largest:
		return ErrFull
	}
	return f.folder.Write(f.name, append(data, '\n'))
}

// load reads a file. It leaves out texts that cannot have been typed.
func load(folder state.Folder, name string) (Set, error) {
	data, err := folder.Read(name, largest)
	if errors.Is(err, fs.ErrNotExist) {
		return Set{}, nil
	}
	if err != nil {
		return nil, err
	}
	var c content
	switch err := json.Unmarshal(data, &c); {
	case err == nil && c.Version > version:
		return nil, fmt.Errorf("%s: %w", folder.Path(name), ErrNewer)
	case err != nil, c.Version < 1:
		return nil, fmt.Errorf("%s: %w", folder.Path(name), ErrDamaged)
	}
	set := Set{}
	for id, a := range c.Transactions {
		if a, err := a.cleaned(id); err == nil && a != (Annotation{}) {
			set[id] = a
		}
	}
	return set, nil
}

// Check reads all files of annotations in a folder. It returns their number, and the error of the
// first one that cannot be read.
func Check(folder state.Folder) (files int, err error) {
	names, err := folder.List(Prefix)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, suffix) {
			continue
		}
		files++
		if _, unreadable := load(folder, name); unreadable != nil && err == nil {
			err = unreadable
		}
	}
	return files, err
}
