// Package annotations keeps what a person writes about transactions: a category and a note each.
// Nothing of it is sent to a server. Each organization on each server has a file of its own in a
// state.Folder. Errors never contain the content of the file.
package annotations

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/internal/fold"
	"tarmac/internal/termtext"
)

// MaxCategory and MaxNote are the maximum lengths of the two texts, in characters.
const (
	MaxCategory = 60
	MaxNote     = 500
)

// maxID is the maximum length of the id of a transaction that can be annotated, in bytes.
const maxID = 200

// Annotation is what a person wrote about a transaction. "" is nothing.
type Annotation struct {
	Category string `json:"category,omitempty"`
	Note     string `json:"note,omitempty"`
}

// Set holds annotations by the ids of transactions. Transactions without one are left out.
type Set map[string]Annotation

// Origin says where the category of a transaction comes from.
type Origin string

// Values of Origin.
const (
	None   Origin = ""     // there is no category
	Rule   Origin = "rule" // from the books behind the server, where rules give categories
	Person Origin = "you"  // written on this machine; it replaces that of a rule
)

// Known is what is known of a transaction besides what the server says.
type Known struct {
	Category string
	Origin   Origin
	Note     string
}

// Of returns what is known of a transaction. The person's category comes before that of a rule.
func (s Set) Of(t *apiclient.Transaction) Known {
	a := s[t.ID]
	switch {
	case a.Category != "":
		return Known{a.Category, Person, a.Note}
	case t.Category != "":
		return Known{t.Category, Rule, a.Note}
	}
	return Known{Note: a.Note}
}

// Categories returns the different ones of some categories and those of the set, from A to Z. Those
// that differ only in case are one.
func (s Set) Categories(others iter.Seq[string]) []string {
	spellings := map[string]string{}
	add := func(category string) {
		key := fold.String(category)
		if was, known := spellings[key]; key != "" && (!known || category < was) {
			spellings[key] = category
		}
	}
	for _, a := range s {
		add(a.Category)
	}
	last := ""
	for category := range others {
		if category != last {
			add(category)
			last = category
		}
	}
	var keys []string
	for key := range spellings {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		keys[i] = spellings[key]
	}
	return keys
}

// Complete returns the first of the categories that begins with what was typed, however that is
// written. It returns false if there is none.
func Complete(categories []string, typed string) (string, bool) {
	begin := fold.String(typed)
	for _, c := range categories {
		if strings.HasPrefix(fold.String(c), begin) {
			return c, true
		}
	}
	return "", false
}

// errTransaction means that a server gave a transaction an id that cannot be kept.
var errTransaction = errors.New("this transaction has no usable id")

// cleaned returns the annotation of a transaction as it is kept: each text is one line without
// invisible characters. The error is for the person who typed the texts.
func (a Annotation) cleaned(id string) (Annotation, error) {
	a.Category, a.Note = strings.TrimSpace(termtext.Line(a.Category)), strings.TrimSpace(termtext.Line(a.Note))
	switch {
	case id == "" || len(id) > maxID || termtext.Line(id) != id:
		return Annotation{}, errTransaction
	case utf8.RuneCountInString(a.Category) > MaxCategory:
		return Annotation{}, fmt.Errorf("a category has at most %d characters", MaxCategory)
	case utf8.RuneCountInString(a.Note) > MaxNote:
		return Annotation{}, fmt.Errorf("a note has at most %d characters", MaxNote)
	}
	return a, nil
}
