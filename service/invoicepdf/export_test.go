package invoicepdf

import (
	"encoding/binary"
	"slices"
	"testing"

	"codeberg.org/go-fonts/dejavu/dejavusans"
)

// FontOf returns a font with DejaVu's glyphs of other characters.
func FontOf(t testing.TB, drawnAs map[rune]rune) *Font {
	t.Helper()
	dejavu, err := ParseFont(dejavusans.TTF)
	if err != nil {
		t.Fatal(err)
	}
	var characters, sources []rune
	for character := range drawnAs {
		characters = append(characters, character)
	}
	slices.Sort(characters)
	for _, character := range characters {
		sources = append(sources, drawnAs[character])
	}
	// The subset's cmap has one segment for each source character, in this order.
	ttf := dejavu.subset(slices.Clone(sources))
	cmap, ok := fontTable(ttf, "cmap")
	if !ok || !slices.IsSorted(sources) {
		t.Fatal("the characters must be drawn as others in the same order")
	}
	segments := cmap[12:]
	n := int(u16(segments[6:])) / 2
	if n != len(characters)+1 {
		t.Fatalf("%d segments; the sources must not be neighbours", n)
	}
	for i, character := range characters {
		end, start, delta := segments[14+2*i:], segments[16+2*n+2*i:], segments[16+4*n+2*i:]
		glyph := u16(start) + u16(delta)
		binary.BigEndian.PutUint16(end, uint16(character))
		binary.BigEndian.PutUint16(start, uint16(character))
		binary.BigEndian.PutUint16(delta, glyph-uint16(character))
	}
	font, err := ParseFont(ttf)
	if err != nil {
		t.Fatal(err)
	}
	return font
}

// Changed returns a copy of a font with one table changed.
func Changed(t testing.TB, ttf []byte, table string, change func([]byte)) []byte {
	t.Helper()
	ttf = slices.Clone(ttf)
	content, ok := fontTable(ttf, table)
	if !ok {
		t.Fatalf("no table %q", table)
	}
	change(content)
	return ttf
}
