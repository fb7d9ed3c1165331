// Package mark draws the one mark of the screens. It says that a figure leaves something out, or
// depends on questions that nobody has answered yet. A line at the bottom of the page says what.
package mark

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/theme"
)

// Sign is the mark. Behind a figure it has a cell of its own.
const Sign = "°"

// Width is the width in cells of a mark behind a figure, with the blank before it.
const Width = 2

// Behind returns what is drawn behind a figure, two cells wide: the mark or blanks.
func Behind(t theme.Theme, marked bool) string {
	if !marked {
		return "  "
	}
	return " " + t.Faint.Render(Sign)
}

// State says what is known of a figure.
type State uint8

// Values of State.
const (
	None    State = iota // there is no figure, or it is unknown
	Whole                // nothing is missing
	Lacking              // the figure has a mark
)

// Of returns the state of a total.
func Of(t figures.Total) State {
	switch {
	case t.Unknown:
		return None
	case t.Mark() == figures.NoMark:
		return Whole
	}
	return Lacking
}

// Places says where a table has marks, which are as few as possible: at its title, at the heads of
// columns, at the names of rows, and at figures.
type Places struct {
	Title         bool
	Columns, Rows []bool
	cells         [][]bool
}

// Cell reports whether a figure has a mark of its own.
func (p *Places) Cell(row, column int) bool { return p.cells[row][column] }

// Place decides where the marks of a table stand. rows has the states of the figures, row by row.
func Place(rows [][]State) Places {
	p := Places{Rows: make([]bool, len(rows)), cells: make([][]bool, len(rows))}
	width := 0
	for i, r := range rows {
		p.cells[i], width = make([]bool, len(r)), max(width, len(r))
	}
	p.Columns = make([]bool, width)
	all := count(rows, func(int, int) bool { return true })
	if p.Title = all.all(); p.Title {
		return p
	}
	for c := range width {
		p.Columns[c] = count(rows, func(_, column int) bool { return column == c }).all()
	}
	for i, r := range rows {
		rest := count(rows, func(row, column int) bool { return row == i && !p.Columns[column] })
		if p.Rows[i] = rest.all(); p.Rows[i] {
			continue
		}
		for c, state := range r {
			p.cells[i][c] = state == Lacking && !p.Columns[c]
		}
	}
	return p
}

// tally counts figures and those of them that lack something.
type tally struct{ known, lacking int }

// all reports whether there are several figures, and all lack something.
func (t tally) all() bool { return t.lacking > 1 && t.lacking == t.known }

func count(rows [][]State, within func(row, column int) bool) (t tally) {
	for i, r := range rows {
		for c, state := range r {
			if state == None || !within(i, c) {
				continue
			}
			t.known++
			if state == Lacking {
				t.lacking++
			}
		}
	}
	return t
}

// Sentence returns a sentence of which the first figure with a sign has the mark behind it in its
// place. The other figures of the sentence follow from the same rows and lose theirs.
func Sentence(text string) string {
	words, marked := strings.Split(text, " "), false
	for i, word := range words {
		bare := figures.Unmarked(word)
		if bare == word || bare == "" || !strings.ContainsAny(bare, "0123456789") {
			continue
		}
		words[i] = bare
		if marked {
			continue
		}
		marked = true
		at := i
		if i+1 < len(words) && strings.HasPrefix(words[i+1], "month") {
			at++
		}
		word, end := words[at], ""
		if last := len(word) - 1; last >= 0 && strings.ContainsRune(",.:;", rune(word[last])) {
			word, end = word[:last], word[last:]
		}
		words[at] = word + " " + Sign + end
	}
	return strings.Join(words, " ")
}

// Unsigned returns a text about estimates in which figures have no signs. Estimates have no mark.
func Unsigned(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if bare := figures.Unmarked(word); strings.ContainsAny(bare, "0123456789") {
			words[i] = bare
		}
	}
	return strings.Join(words, " ")
}
