// Package banks tests readers of bank files. It collects what a reader finds in a file and compares
// that with golden files and with the expected content of real bank files. It also generates large
// files.
package banks

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/service/statements/bank"
)

// Statement is a bank statement that a reader found, with its lines.
type Statement struct {
	*bank.Statement
	Lines []bank.Line
}

// Contents collects what a reader finds in a file. It is a bank.Sink that checks the order and form
// of what the reader passes to it.
type Contents struct {
	Statements []*Statement
	Lists      []*bank.OpenItems
	OpenItems  []bank.OpenItem
	Rates      []bank.Rate
	Problems   []string
}

// Read reads a bank file and returns what it contains. It returns the reader's error, or a
// *BrokenRule.
func Read(format bank.Format, file io.ReadSeeker, options bank.Options) (*Contents, error) {
	found := &Contents{}
	err := format.Read(bank.NewBudget(context.Background()), file, options, found)
	return found, err
}

// BrokenRule is the error for a reader that calls bank.Sink in a way that its documentation
// forbids.
type BrokenRule struct{ Text string }

// Error says which rule the reader broke.
func (e *BrokenRule) Error() string { return "broken rule: " + e.Text }

func broken(format string, args ...any) error { return &BrokenRule{fmt.Sprintf(format, args...)} }

// Statement implements bank.Sink.
func (c *Contents) Statement(s *bank.Statement) error {
	if c.find(s) != nil {
		return broken("a statement is announced twice")
	}
	c.Statements = append(c.Statements, &Statement{Statement: s})
	return checkTexts(s.Account.Number, s.Account.Bank, s.Account.Name, s.Currency)
}

func (c *Contents) find(s *bank.Statement) *Statement {
	for i := len(c.Statements) - 1; i >= 0; i-- {
		if c.Statements[i].Statement == s {
			return c.Statements[i]
		}
	}
	return nil
}

// Line implements bank.Sink.
func (c *Contents) Line(s *bank.Statement, l bank.Line) error {
	found := c.find(s)
	switch {
	case found == nil:
		return broken("line %d belongs to no announced statement", l.Place)
	case l.Place < 1:
		return broken("a line has no place")
	case l.Booked.IsZero() || !validDay(l.Booked) || !l.Value.IsZero() && !validDay(l.Value):
		return broken("line %d has dates %v and %v", l.Place, l.Booked, l.Value)
	case len(l.Raw) > bank.MaxRaw || !utf8.ValidString(l.Raw) || strings.ContainsRune(l.Raw, 0):
		return broken("line %d has a raw text of %d bytes that may not be stored", l.Place, len(l.Raw))
	}
	found.Lines = append(found.Lines, l)
	return checkTexts(l.ID, l.Counterparty, l.OtherAccount, l.Description, l.Reference, l.Method)
}

// OpenList implements bank.Sink.
func (c *Contents) OpenList(list *bank.OpenItems) error {
	if len(c.Lists) == 0 || c.Lists[len(c.Lists)-1] != list {
		c.Lists = append(c.Lists, list)
	}
	return checkTexts(list.Source)
}

// OpenItem implements bank.Sink.
func (c *Contents) OpenItem(list *bank.OpenItems, item bank.OpenItem) error {
	if err := c.OpenList(list); err != nil {
		return err
	}
	c.OpenItems = append(c.OpenItems, item)
	return checkTexts(item.Number, item.Party, item.Currency)
}

// Rate implements bank.Sink.
func (c *Contents) Rate(r bank.Rate) error {
	if !validDay(r.Date) || r.Numerator <= 0 || r.Denominator <= 0 || !bank.IsCurrency(r.Currency) {
		return broken("line %d has the rate %+v", r.Place, r)
	}
	c.Rates = append(c.Rates, r)
	return nil
}

// Problem implements bank.Sink. It collects the warnings of the reader.
func (c *Contents) Problem(place int, text string) {
	c.Problems = append(c.Problems, (&bank.Error{Place: place, Reason: text}).Error())
}

func validDay(d civil.Date) bool {
	_, ok := bank.Day(d.Year(), int(d.Month()), d.Day())
	return ok
}

// checkTexts returns an error if a text has control characters or blanks at its ends. Readers must
// remove these with bank.Text.
func checkTexts(texts ...string) error {
	for _, text := range texts {
		if termtext.Line(text) != text {
			return broken("the text %q is not clean", text)
		}
	}
	return nil
}
