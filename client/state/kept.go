package state

import (
	"encoding/json"
	"maps"
)

// Kept is what the dashboard keeps of a session for the next one, whatever the organization.
type Kept struct {
	Theme  string           `json:"theme,omitempty"` // "" if the user has not chosen one
	Mouse  bool             `json:"mouse,omitempty"`
	Masked bool             `json:"masked,omitempty"` // amounts are hidden
	Pages  map[string]Shown `json:"pages,omitempty"`  // by the names of the pages
}

// Shown is what a page shows: one of its parts and an order, by names that the page knows. Empty
// names are the page's defaults. A page ignores names that it does not know.
type Shown struct {
	Part  string `json:"part,omitempty"`
	Order string `json:"order,omitempty"`
}

// Equal reports whether two sessions would keep the same.
func (k Kept) Equal(o Kept) bool {
	return k.Theme == o.Theme && k.Mouse == o.Mouse && k.Masked == o.Masked && maps.Equal(k.Pages, o.Pages)
}

// keptName is the name of the content, and keptLimit its maximum length in bytes.
const (
	keptName  = "dashboard.json"
	keptLimit = 16 << 10
)

// ReadKept returns what the folder keeps. It is zero if the folder is nil or has nothing that can
// be read.
func ReadKept(folder Folder) (k Kept) {
	if folder == nil {
		return k
	}
	content, err := folder.Read(keptName, keptLimit)
	if err != nil || json.Unmarshal(content, &k) != nil {
		return Kept{}
	}
	return k
}

// WriteKept replaces what the folder keeps.
func WriteKept(folder Folder, k Kept) error {
	content, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return folder.Write(keptName, append(content, '\n'))
}
