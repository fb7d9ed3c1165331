package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"tarmac/client/draft"
	"tarmac/client/state"
)

// Store keeps the text of a plan. It is safe for concurrent use.
type Store interface {
	// Read returns the plan and its text. It returns fs.ErrNotExist if there is none yet, and a
	// *FileError if the text is no plan.
	Read() (p *Plan, text string, err error)
	// Replace writes a text in the place of the one that was read; "" is none. It refuses a text
	// that is no plan, and returns ErrChanged if the store has another text by now.
	Replace(was, text string) error
	// Place says where the text is.
	Place() string
	// IsKept reports whether the text outlives the program.
	IsKept() bool
}

// Document keeps a plan in a folder.
type Document struct {
	Folder state.Folder
	Name   string
}

// DocumentOf returns the document with the plan for the server with an origin.
func DocumentOf(folder state.Folder, origin string) Document {
	return Document{folder, "plan-" + draft.FileName(draft.OrgKey(origin, "")) + ".plan"}
}

// Read implements Store.
func (d Document) Read() (p *Plan, text string, err error) {
	if text, err = d.text(); err != nil {
		return nil, "", err
	}
	return read(d.Place(), text)
}

func (d Document) text() (string, error) {
	text, err := d.Folder.Read(d.Name, MaxBytes)
	return string(text), err
}

// Replace implements Store.
func (d Document) Replace(was, text string) error {
	release, err := d.Folder.Claim(d.Name)
	if err != nil {
		return err
	}
	return errors.Join(replace(d.Place(), d.text, was, text, func() error {
		return d.Folder.Write(d.Name, []byte(text))
	}), release())
}

// Place implements Store.
func (d Document) Place() string { return d.Folder.Path(d.Name) }

// IsKept implements Store.
func (Document) IsKept() bool { return true }

// Memory keeps a plan until the program ends.
type Memory struct {
	mu   sync.Mutex
	text string
}

// InMemory returns a store that has a text.
func InMemory(text string) *Memory { return &Memory{text: text} }

// Read implements Store.
func (m *Memory) Read() (p *Plan, text string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.text == "" {
		return nil, "", fs.ErrNotExist
	}
	return read(m.Place(), m.text)
}

// Replace implements Store.
func (m *Memory) Replace(was, text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return replace(m.Place(), func() (string, error) { return m.text, nil }, was, text, func() error {
		m.text = text
		return nil
	})
}

// Place implements Store.
func (*Memory) Place() string { return "kept until you quit" }

// IsKept implements Store.
func (*Memory) IsKept() bool { return false }

func read(place, text string) (*Plan, string, error) {
	p, err := Parse(text)
	if err != nil {
		return nil, text, &FileError{place, err}
	}
	return p, text, nil
}

// replace calls write if the text is a plan and what is stored is still what was read.
func replace(place string, stored func() (string, error), was, text string, write func() error) error {
	if _, err := Parse(text); err != nil {
		return err
	}
	now, err := stored()
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case now != was:
		return fmt.Errorf("%s: %w", place, ErrChanged)
	}
	return write()
}
