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

// droidFallback is the font Droid Sans Fallback from Debian's package fonts-droid-fallback. It has
// Chinese, Japanese and Korean characters in one weight.
//
//go:embed fonts/DroidSansFallback.ttf
var droidFallback []byte

// embeddedFontSet holds the fonts that are embedded in the program.
type embeddedFontSet struct{ regular, bold, fallback *Font }

var embeddedFonts = sync.OnceValues(func() (embeddedFontSet, error) {
	var b embeddedFontSet
	for _, font := range [...]struct {
		ttf []byte
		to  **Font
	}{{dejavusans.TTF, &b.regular}, {dejavusansbold.TTF, &b.bold}, {droidFallback, &b.fallback}} {
		var err error
		if *font.to, err = ParseFont(font.ttf); err != nil {
			return b, fmt.Errorf("reading an embedded font: %w", err)
		}
	}
	return b, nil
})

// face is a font with the family and style under which it was added to the PDF library.
type face struct {
	family, style string
	font          *Font
	has           func(rune) bool
}

// faces holds the fonts of a document, for regular and for bold text. Each character is drawn with
// the first font that has it.
type faces struct{ regular, bold []face }

func (f *faces) forStyle(t style) []face {
	if t.face == "B" {
		return f.bold
	}
	return f.regular
}

// newFaces adds the fonts that texts need to the PDF library: DejaVu Sans and, for characters that
// DejaVu lacks, subsets of fonts and of the embedded fallback font. The error is *Unreadable if no
// font has a character.
func newFaces(pdf *fpdf.Fpdf, texts []string, fonts []*Font) (faces, error) {
	b, err := embeddedFonts()
	if err != nil {
		return faces{}, err
	}
	// The PDF library writes into a font's bytes while it reads the font's metrics. Documents that
	// are rendered at the same time must therefore not share these bytes.
	pdf.AddUTF8FontFromBytes("dejavu", "", bytes.Clone(dejavusans.TTF))
	pdf.AddUTF8FontFromBytes("dejavu", "B", bytes.Clone(dejavusansbold.TTF))
	regular, bold := face{"dejavu", "", b.regular, b.regular.has}, face{"dejavu", "B", b.bold, b.bold.has}
	all := faces{regular: []face{regular, bold}, bold: []face{bold, regular}}

	need := requirementsOf(texts)
	_, rest := partition(need.characters, b.regular)
	_, rest = partition(rest, b.bold)
	for _, font := range append(slices.Clone(fonts), b.fallback) {
		var found []rune
		found, rest = partition(rest, font)
		for _, characters := range separateNeighbors(found) {
			added := face{fmt.Sprintf("fallback%d", len(all.regular)), "", font, setOf(characters)}
			pdf.AddUTF8FontFromBytes(added.family, added.style, font.subset(characters))
			all.regular, all.bold = append(all.regular, added), append(all.bold, added)
		}
	}
	need.unsupported = append(need.unsupported, rest...)
	return all, need.err()
}

// partition splits characters into those for which f has a glyph and the others.
func partition(characters []rune, f *Font) (found, rest []rune) {
	for _, r := range characters {
		if f.has(r) {
			found = append(found, r)
		} else {
			rest = append(rest, r)
		}
	}
	return found, rest
}

// maxNeighbors is the largest number of consecutive code points in one font subset. The PDF
// library's time grows with the cube of that number: a thousand take it a second.
const maxNeighbors = 64

// separateNeighbors splits characters into parts with at most maxNeighbors consecutive code points
// each. Only texts that enumerate Unicode characters need more than one part.
func separateNeighbors(characters []rune) [][]rune {
	slices.Sort(characters)
	length := 0
	for i, r := range characters {
		if i > 0 && characters[i-1]+1 == r {
			length++
		} else {
			length = 1
		}
		if length > maxNeighbors {
			var parts [2][]rune
			for _, r := range characters {
				parts[r/maxNeighbors%2] = append(parts[r/maxNeighbors%2], r)
			}
			return parts[:]
		}
	}
	if len(characters) == 0 {
		return nil
	}
	return [][]rune{characters}
}

func setOf(characters []rune) func(rune) bool {
	set := map[rune]bool{}
	for _, r := range characters {
		set[r] = true
	}
	return func(r rune) bool { return set[r] }
}

// normalize prepares text for drawing. It composes letters with their combining marks, which the
// PDF library would misplace, and shapes Arabic letters. Control characters must have been removed
// from text (internal/termtext).
func normalize(text string) string { return shapeArabic(norm.NFC.String(text)) }

// run is a part of a text whose characters are all drawn with one face.
type run struct {
	face face
	text string
}

// width returns the run's width in points at a font size.
func (r run) width(size float64) float64 {
	thousandths := 0
	for _, c := range r.text {
		thousandths += r.face.font.width(c)
	}
	return float64(thousandths) * size / 1000
}

// runs splits text into parts of one face each. text must be a result of drawable.
func (f *faces) runs(t style, text string) []run {
	forStyle := f.forStyle(t)
	var all []run
	from, current := 0, 0
	for i, r := range text {
		at := max(0, slices.IndexFunc(forStyle, func(c face) bool { return c.has(r) }))
		if at != current && i > 0 {
			all = append(all, run{forStyle[current], text[from:i]})
			from = i
		}
		current = at
	}
	return append(all, run{forStyle[current], text[from:]})
}
