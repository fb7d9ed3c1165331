package bank

import (
	"fmt"
	"strings"
)

// Limits of what a file contains.
const (
	maxStatements = 50_000
	maxName       = 500 // bytes of what identifies an account, or the source of a list
	maxText       = 1000
	maxProblems   = 100
)

// Bounded returns a sink that passes on what a reader finds. Its methods return an error for a file
// with too many or too large parts: names that many lines share must not fill the books. Texts of
// lines are cut, and warnings beyond the first hundred are dropped.
func Bounded(b *Budget, sink Sink) Sink { return &bounded{sink: sink, budget: b} }

type bounded struct {
	sink                 Sink
	budget               *Budget
	statements, problems int
}

// Statement implements Sink.
func (s *bounded) Statement(of *Statement) error {
	if s.statements++; s.statements > maxStatements {
		return Errorf(0, "has more than %d statements", maxStatements)
	}
	for _, name := range [...]string{of.Account.Number, of.Account.Bank, of.Account.Name} {
		if len(name) > maxName {
			return Errorf(0, "the name or number of an account has more than %d bytes: %q", maxName, Short(name))
		}
	}
	return s.sink.Statement(of)
}

// Line implements Sink.
func (s *bounded) Line(of *Statement, l Line) error {
	size := len(l.Raw)
	for _, text := range [...]*string{&l.ID, &l.Counterparty, &l.OtherAccount, &l.Reference, &l.Method} {
		*text = cut(*text, maxText)
		size += len(*text)
	}
	l.Description = cut(l.Description, MaxRaw)
	if err := s.budget.Step(size + len(l.Description)); err != nil {
		return err
	}
	return s.sink.Line(of, l)
}

// cut returns a text without what it has beyond most bytes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// OpenList implements Sink.
func (s *bounded) OpenList(list *OpenItems) error {
	if len(list.Source) > maxName {
		return Errorf(0, "the source of a list has more than %d bytes: %q", maxName, Short(list.Source))
	}
	return s.sink.OpenList(list)
}

// OpenItem implements Sink.
func (s *bounded) OpenItem(list *OpenItems, item OpenItem) error {
	item.Number, item.Party = cut(item.Number, maxText), cut(item.Party, maxText)
	if err := s.budget.Step(len(item.Number) + len(item.Party)); err != nil {
		return err
	}
	return s.sink.OpenItem(list, item)
}

// Rate implements Sink.
func (s *bounded) Rate(r Rate) error { return s.sink.Rate(r) }

// Problem implements Sink.
func (s *bounded) Problem(place int, text string) {
	switch s.problems++; {
	case s.problems < maxProblems:
		s.sink.Problem(place, text)
	case s.problems == maxProblems:
		s.sink.Problem(place, fmt.Sprintf("more than %d remarks: the others are left out", maxProblems))
	}
}
