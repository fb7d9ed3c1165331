package invoicepdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tarmac/internal/termtext"
)

// Unreadable is the error of an invoice with text that its pages could not show.
type Unreadable struct {
	Characters []rune   // that no font has
	Scripts    []string // whose letters take shapes beside each other that are not known here
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

// characterName is how a sentence names r: as itself, where that can be seen, and by
// its number. A form of an Arabic letter is named as the letter.
func characterName(r rune) string {
	if letter := []rune(norm.NFKC.String(string(r))); unicode.Is(unicode.Arabic, r) && len(letter) == 1 {
		r = letter[0]
	}
	if shown := string(r); unicode.IsGraphic(r) && !unicode.Is(unicode.M, r) && r != unicode.ReplacementChar && termtext.Line(shown) == shown {
		return fmt.Sprintf(`"%s" (%U)`, shown, r)
	}
	return fmt.Sprintf("%U", r)
}

// mostNamed is how many characters or scripts a sentence names.
const mostNamed = 5

// enumerate joins names as a sentence does, and counts what is too much for it.
func enumerate(names []string) string {
	more := len(names) - mostNamed
	switch {
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), more)
	case len(names) == 1:
		return names[0]
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// needs are what texts ask of the fonts, each character and script once, in the order
// in which they occur.
type needs struct {
	characters []rune   // that a font must have
	none       []rune   // that no font can have
	scripts    []string // that cannot be set
}

// needsOf looks at texts as they are stored. Line ends and blanks are none.
func needsOf(texts []string) needs {
	var n needs
	seen := map[rune]bool{'\n': true}
	for _, text := range texts {
		for _, r := range text {
			// Cleaning puts the same sign for all that has no meaning outside of where it is from.
			if r >= 0x80 && !seen[r] && termtext.Line(string(r)) == string(unicode.ReplacementChar) {
				seen[r] = true
				n.none = append(n.none, r)
			}
		}
		for _, r := range composed(termtext.Block(text)) {
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

// err returns *Unreadable for what cannot be shown, nil where there is nothing.
func (n *needs) err() error {
	if len(n.none)+len(n.scripts) == 0 {
		return nil
	}
	return &Unreadable{Characters: n.none, Scripts: n.scripts}
}
