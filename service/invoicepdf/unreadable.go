package invoicepdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tarmac/internal/termtext"
)

// Unreadable is the error of an invoice with text that cannot be rendered readably.
type Unreadable struct {
	Characters []rune   // characters that no font has
	Scripts    []string // scripts that cannot be shaped
}

func (e *Unreadable) Error() string {
	var why []string
	if len(e.Characters) > 0 {
		names := make([]string, len(e.Characters))
		for i, r := range e.Characters {
			names[i] = characterName(r)
		}
		why = append(why, "no font has "+enumerate(names))
	}
	if len(e.Scripts) > 0 {
		why = append(why, enumerate(e.Scripts)+" letters cannot be joined")
	}
	return strings.Join(why, ", and ")
}

// characterName returns r in quotes, if it is visible, with its code point. A presentation form
// of an Arabic letter is named as the letter.
func characterName(r rune) string {
	if letter := []rune(norm.NFKC.String(string(r))); unicode.Is(unicode.Arabic, r) && len(letter) == 1 {
		r = letter[0]
	}
	if shown := string(r); unicode.IsGraphic(r) && !unicode.Is(unicode.M, r) && r != unicode.ReplacementChar &&
		termtext.Line(shown) == shown {
		return fmt.Sprintf(`"%s" (%U)`, shown, r)
	}
	return fmt.Sprintf("%U", r)
}

// maxNamed bounds how many characters or scripts an error names.
const maxNamed = 5

// enumerate joins names with commas and "and", and counts those beyond maxNamed.
func enumerate(names []string) string {
	more := len(names) - maxNamed
	switch {
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), more)
	case len(names) == 1:
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// requirements lists what texts need in order to be rendered: each character and script once, in
// order of occurrence.
type requirements struct {
	characters  []rune   // characters that a font must have
	unsupported []rune   // characters that no font can have
	scripts     []string // scripts that cannot be shaped
}

// requirementsOf returns the requirements of texts that are not normalized yet. Line ends and
// spaces require nothing.
func requirementsOf(texts []string) requirements {
	var n requirements
	seen := map[rune]bool{'\n': true}
	for _, text := range texts {
		for _, r := range text {
			// termtext.Line replaces characters without a common meaning, such as private-use
			// ones, with U+FFFD.
			if r >= 0x80 && !seen[r] && termtext.Line(string(r)) == string(unicode.ReplacementChar) {
				seen[r] = true
				n.unsupported = append(n.unsupported, r)
			}
		}
		for _, r := range normalize(termtext.Block(text)) {
			if seen[r] || unicode.Is(unicode.Zs, r) || r == unicode.ReplacementChar {
				continue
			}
			seen[r] = true
			if script := unshapableScript(r); script == "" {
				n.characters = append(n.characters, r)
			} else if !slices.Contains(n.scripts, script) {
				n.scripts = append(n.scripts, script)
			}
		}
	}
	return n
}

// err returns *Unreadable if anything cannot be rendered, or else nil.
func (n *requirements) err() error {
	if len(n.unsupported)+len(n.scripts) == 0 {
		return nil
	}
	return &Unreadable{Characters: n.unsupported, Scripts: n.scripts}
}
