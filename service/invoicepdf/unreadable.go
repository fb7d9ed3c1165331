package invoicepdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// Unreadable is the error for an invoice whose text cannot be drawn so that people can read it.
type Unreadable struct {
	Characters []rune   // characters that no font has
	Scripts    []string // names of scripts that cannot be shaped
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

// characterName returns the code point of r, after r in quotes if r is visible. For a presentation
// form of an Arabic letter it names the letter.
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

// maxNamed is the largest number of characters or scripts that an error message names.
const maxNamed = 5

// enumerate joins names with commas and "and". It names at most maxNamed and gives the number of
// the others.
func enumerate(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), more)
	}
	return plural.List(names, "and")
}

// requirements lists what is needed to draw the texts of a document. Each character and script is
// listed once, in order of occurrence.
type requirements struct {
	characters  []rune   // characters that a font must have
	unsupported []rune   // characters that no font can be expected to have
	scripts     []string // names of scripts that cannot be shaped
}

// requirementsOf returns what is needed to draw texts, which need not be normalized. Line ends and
// spaces need nothing.
func requirementsOf(texts []string) requirements {
	var n requirements
	seen := map[rune]bool{'\n': true}
	for _, text := range texts {
		for _, r := range text {
			// termtext.Line replaces characters without a public meaning, such as private-use
			// characters, with U+FFFD.
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

// err returns *Unreadable if something cannot be drawn, otherwise nil.
func (n *requirements) err() error {
	if len(n.unsupported)+len(n.scripts) == 0 {
		return nil
	}
	return &Unreadable{Characters: n.unsupported, Scripts: n.scripts}
}
