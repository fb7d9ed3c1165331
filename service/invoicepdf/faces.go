package invoicepdf

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/unicode/norm"
)

// droid is Droid Sans Fallback of Debian's fonts-droid-fallback: Chinese, Japanese
// and Korean in one weight.
//
//go:embed fonts/DroidSansFallback.ttf
var droid []byte

// builtIn are the fonts that are always there.
type builtIn struct{ regular, bold, fallback *Font }

var builtInFonts = sync.OnceValues(func() (builtIn, error) {
	var b builtIn
	for _, font := range [...]struct {
		ttf []byte
		to  **Font
	}{{dejavusans.TTF, &b.regular}, {dejavusansbold.TTF, &b.bold}, {droid, &b.fallback}} {
		var err error
		if *font.to, err = ParseFont(font.ttf); err != nil {
			return b, fmt.Errorf("reading an embedded font: %w", err)
		}
	}
	return b, nil
})

// face is a font under the name that the library has it by.
type face struct {
	family, style string
	font          *Font
	has           func(rune) bool
}

// faces are the fonts of a document. A character is set in the first that has it.
type faces struct{ regular, bold []face }

// of returns the faces for text of a style.
func (f *faces) of(t style) []face {
	if t.face == "B" {
		return f.bold
	}
	return f.regular
}

// newFaces gives the library the fonts that a document's texts need: DejaVu, and of
// what it lacks the characters in question from the first of more that has them, or
// from the embedded fallback. It fails with *Unreadable where none has one.
func newFaces(pdf *fpdf.Fpdf, texts []string, more []*Font) (faces, error) {
	b, err := builtInFonts()
	if err != nil {
		return faces{}, err
	}
	// Reading the metrics of its last glyphs, the library writes into the font:
	// documents made at the same time must not share one.
	pdf.AddUTF8FontFromBytes("dejavu", "", bytes.Clone(dejavusans.TTF))
	pdf.AddUTF8FontFromBytes("dejavu", "B", bytes.Clone(dejavusansbold.TTF))
	regular, bold := face{"dejavu", "", b.regular, b.regular.has}, face{"dejavu", "B", b.bold, b.bold.has}
	all := faces{regular: []face{regular, bold}, bold: []face{bold, regular}}

	need := needsOf(texts)
	_, rest := split(need.characters, b.regular)
	_, rest = split(rest, b.bold)
	for _, font := range append(slices.Clone(more), b.fallback) {
		var found []rune
		found, rest = split(rest, font)
		for _, characters := range separated(found) {
			added := face{fmt.Sprintf("fallback%d", len(all.regular)), "", font, anyOf(characters)}
			pdf.AddUTF8FontFromBytes(added.family, added.style, font.subset(characters))
			all.regular, all.bold = append(all.regular, added), append(all.bold, added)
		}
	}
	need.none = append(need.none, rest...)
	return all, need.err()
}

// split parts characters into those that a font has and the rest.
func split(characters []rune, f *Font) (found, rest []rune) {
	for _, r := range characters {
		if f.has(r) {
			found = append(found, r)
		} else {
			rest = append(rest, r)
		}
	}
	return found, rest
}

// longestRun is how many neighbours in Unicode a font of a document may have. The
// library takes time with their cube: a second for a thousand of them.
const longestRun = 64

// separated parts characters so that none of the parts has more than longestRun
// neighbours. It is one part unless somebody lists Unicode.
func separated(characters []rune) [][]rune {
	slices.Sort(characters)
	length := 0
	for i, r := range characters {
		if i > 0 && characters[i-1]+1 == r {
			length++
		} else {
			length = 1
		}
		if length > longestRun {
			var parts [2][]rune
			for _, r := range characters {
				parts[r/longestRun%2] = append(parts[r/longestRun%2], r)
			}
			return parts[:]
		}
	}
	if len(characters) == 0 {
		return nil
	}
	return [][]rune{characters}
}

func anyOf(characters []rune) func(rune) bool {
	set := map[rune]bool{}
	for _, r := range characters {
		set[r] = true
	}
	return func(r rune) bool { return set[r] }
}

// composed returns clean text in the characters that pages show: marks composed with
// their letters, since the library places them badly, and Arabic letters in their forms.
func composed(text string) string { return shape(norm.NFC.String(text)) }

// run is a piece of text in one face.
type run struct {
	face face
	text string
}

// width is how wide the run is in a size.
func (r run) width(size float64) float64 {
	thousandths := 0
	for _, c := range r.text {
		thousandths += r.face.font.width(c)
	}
	return float64(thousandths) * size / 1000
}

// runs parts drawable text by the faces that have its characters.
func (f *faces) runs(t style, text string) []run {
	of := f.of(t)
	var all []run
	from, current := 0, 0
	for i, r := range text {
		at := max(0, slices.IndexFunc(of, func(c face) bool { return c.has(r) }))
		if at != current && i > 0 {
			all = append(all, run{of[current], text[from:i]})
			from = i
		}
		current = at
	}
	return append(all, run{of[current], text[from:]})
}
