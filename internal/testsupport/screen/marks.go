// Package screen reads what the dashboard shows. It finds the figures to which a mark belongs,
// which stands behind the figure, or once for its row, column or panel.
package screen

import (
	"regexp"
	"strings"
)

// Mark is the mark of the screens.
const Mark = '°'

// figure matches an amount, a percentage and a number of months. month matches a month.
var (
	figure = regexp.MustCompile(`[-+]?\$[\d,]+(?:\.\d+)?[kMBT]?|[-+]?\d+\.\d+%?`)
	month  = regexp.MustCompile(`  (\d{4}-\d\d) °`)
)

// text is a screen, one list of cells for each line.
type text [][]rune

// WithSigns returns a screen in which figures that have a mark begin with "~", as in commands. The
// figures of a panel that is called an estimate count as marked.
func WithSigns(drawn string) string {
	lines := strings.Split(drawn, "\n")
	t := make(text, len(lines))
	for y, line := range lines {
		t[y] = []rune(line)
	}
	for y, line := range lines {
		found := figure.FindAllStringIndex(line, -1)
		for i := len(found) - 1; i >= 0; i-- {
			from, to := len([]rune(line[:found[i][0]])), len([]rune(line[:found[i][1]]))
			if t.marked(y, from, to) {
				lines[y] = lines[y][:found[i][0]] + "~" + lines[y][found[i][0]:]
			}
		}
	}
	return month.ReplaceAllString(strings.Join(lines, "\n"), "  ~$1 °")
}

// Marks counts the marks on a drawn screen: those directly behind a figure, and all.
func Marks(drawn string) (figures, all int) {
	for line := range strings.SplitSeq(drawn, "\n") {
		cells := []rune(line)
		for x, r := range cells {
			if r != Mark {
				continue
			}
			all++
			if x >= 2 && cells[x-1] == ' ' && strings.ContainsAny(word(cells, x-2), "0123456789") {
				figures++
			}
		}
	}
	return figures, all
}

// marked reports whether the figure in the cells from..to of a line has a mark.
func (t text) marked(y, from, to int) bool {
	left, right, title := t.panel(y, from)
	if strings.ContainsRune(title, Mark) || strings.Contains(title, "estimate") || strings.Contains(title, "Basis") {
		return true
	}
	if t.markedInRow(y, left, right, to) {
		return true
	}
	if title == "" && y > 0 && continues(string(t[y-1]), string(t[y])) && strings.ContainsRune(string(t[y-1]), Mark) {
		return true
	}
	for above := y - 1; above >= 0 && !t.isTitle(above, from); above-- {
		row := t[above][min(left, len(t[above])):min(right, len(t[above]))]
		if at := to + 1; at < len(t[above]) && t[above][at] == Mark && !figure.MatchString(string(row)) {
			return true
		}
	}
	return false
}

// markedInRow reports whether a mark in the row of a figure belongs to it: one behind the figure,
// one behind the name of the row, or, in a sentence, any.
func (t text) markedInRow(y, left, right, to int) bool {
	row := t[y][left:right]
	isSentence := !strings.Contains(strings.Trim(string(row), " │"), "  ")
	for x, r := range row {
		if r != Mark {
			continue
		}
		x += left
		isName := !strings.Contains(strings.Trim(string(t[y][left:x]), " │"), "  ")
		switch {
		case x == to+1, isName && !isSentence:
			return true
		case isSentence:
			from, until := min(to, x), max(to, x)
			if !strings.Contains(string(t[y][from:until]), " · ") {
				return true
			}
		case x > to+1 && !strings.Contains(string(t[y][to:x-1]), "  "): // a word follows the figure
			return true
		}
	}
	return false
}

// continues reports whether a line is the rest of the sentence in the line above.
func continues(above, line string) bool {
	above = strings.TrimRight(above, " ")
	isRow := strings.Contains(above, "  ") || strings.Contains(strings.TrimRight(line, " "), "  ")
	return above != "" && !isRow && !strings.HasSuffix(above, ".") && !strings.HasPrefix(line, " ")
}

// panel returns the cells of a line that belong to the panel of a cell, and its title. Without a
// panel, they are the whole line.
func (t text) panel(y, x int) (left, right int, title string) {
	right = len(t[y])
	for above := y; above >= 0; above-- {
		from, to, ok := t.titleAt(above, x)
		if !ok {
			continue
		}
		title = string(t[above][from:to])
		left, right = min(from, right), min(to, right)
		break
	}
	if y < len(t) {
		for i := min(x, len(t[y])-1); i >= left && i >= 0; i-- {
			if t[y][i] == '│' {
				left = i
				break
			}
		}
		for i := x; i < right; i++ {
			if t[y][i] == '│' {
				right = i
				break
			}
		}
	}
	return left, right, title
}

func (t text) isTitle(y, x int) bool {
	_, _, ok := t.titleAt(y, x)
	return ok
}

// titleAt returns the cells of the title of a panel at a cell of a line. It returns false if the
// cell is in no title.
func (t text) titleAt(y, x int) (from, to int, ok bool) {
	line := t[y]
	for from < len(line) {
		if line[from] != '─' && line[from] != '╭' {
			from++
			continue
		}
		to = from + 1
		for to < len(line) && line[to-1] != '╮' && !strings.HasPrefix(string(line[to-1:]), "─  ") {
			to++
		}
		isTitle := to-from > 8 && strings.ContainsFunc(string(line[from:to]), func(r rune) bool {
			return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		})
		if isTitle && x >= from && x < to {
			return from, to, true
		}
		from = to
	}
	return 0, 0, false
}

// word returns the word that ends in a cell.
func word(cells []rune, end int) string {
	from := end
	for from >= 0 && cells[from] != ' ' {
		from--
	}
	if from == end {
		return ""
	}
	return string(cells[from+1 : end+1])
}
