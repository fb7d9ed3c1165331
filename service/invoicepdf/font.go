package invoicepdf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unicode"
)

// MaxFontSize is the largest size of a font file that ParseFont accepts, in bytes.
const MaxFontSize = 32 << 20

// Font is a TrueType font. It is read-only and safe for concurrent use.
type Font struct {
	ttf         []byte
	covered     coverage
	loca, glyf  []byte
	hmtx        []byte
	longOffsets bool // true if the table "loca" has offsets of 32 bits instead of 16
	glyphs      int
	em          int // number of font units in an em
	advances    int // number of glyphs with an advance width of their own; others have the last one
}

// ParseFont parses a TrueType font whose license allows embedding a subset. The font keeps ttf,
// which must not be changed afterwards. The error says what the file is instead, or what it lacks.
func ParseFont(ttf []byte) (*Font, error) {
	if err := checkFormat(ttf); err != nil {
		return nil, err
	}
	f := &Font{ttf: ttf}
	for _, table := range [...]struct {
		name  string
		least int
	}{{"head", 54}, {"hhea", 36}, {"maxp", 6}, {"hmtx", 4}, {"loca", 4}, {"glyf", 0}, {"cmap", 4}} {
		if len(f.table(table.name)) < table.least || f.table(table.name) == nil {
			return nil, fmt.Errorf("it is not a whole TrueType font: its table %q is missing or too short", table.name)
		}
	}
	if os2 := f.table("OS/2"); len(os2) >= 10 && embeddingForbidden(u16(os2[8:])) {
		return nil, errors.New("its licence does not allow parts of it to be embedded in documents")
	}
	f.loca, f.glyf, f.hmtx = f.table("loca"), f.table("glyf"), f.table("hmtx")
	f.longOffsets = u16(f.table("head")[50:]) != 0
	f.glyphs, f.advances = int(u16(f.table("maxp")[4:])), int(u16(f.table("hhea")[34:]))
	if f.em = int(u16(f.table("head")[18:])); f.em < 16 || f.em > 16_384 || f.advances < 1 || f.advances > f.glyphs ||
		len(f.hmtx) < 4*f.advances {
		return nil, errors.New("it is not a whole TrueType font: its measures contradict each other")
	}
	if err := f.checkOutlines(); err != nil {
		return nil, fmt.Errorf("it is not a whole TrueType font: %w", err)
	}
	var err error
	if f.covered, err = newCoverage(ttf); err != nil {
		return nil, err
	}
	return f, nil
}

func checkFormat(ttf []byte) error {
	if len(ttf) > MaxFontSize {
		return fmt.Errorf("it is larger than %d MB", MaxFontSize>>20)
	}
	switch string(ttf[:min(4, len(ttf))]) {
	case "\x00\x01\x00\x00", "true":
		return nil
	case "OTTO":
		return errors.New("it has CFF outlines (OpenType, .otf); a font with TrueType outlines (.ttf) is needed")
	case "ttcf":
		return errors.New("it is a collection of fonts (.ttc); a single TrueType font (.ttf) is needed")
	case "wOFF", "wOF2":
		return errors.New("it is a web font (WOFF); a TrueType font (.ttf) is needed")
	}
	return errors.New("it is not a TrueType font (.ttf)")
}

// embeddingForbidden reports whether a font forbids embedding a subset of it in documents. rights
// is the field fsType of its table "OS/2".
func embeddingForbidden(rights uint16) bool {
	const usage, restricted, whole, bitmaps = 0x000f, 0x0002, 0x0100, 0x0200
	return rights&usage == restricted || rights&(whole|bitmaps) != 0
}

// table returns the named table of the font, or nil if the font has no such table.
func (f *Font) table(name string) []byte {
	t, _ := fontTable(f.ttf, name)
	return t
}

// has reports whether the font can draw r: it has a visible glyph for r, or any glyph if r is a
// blank. The box that stands for missing characters does not count.
func (f *Font) has(r rune) bool {
	g := f.glyph(r)
	if g == 0 || unicode.IsSpace(r) {
		return g != 0
	}
	drawn := f.outline(int(g))
	return len(drawn) > 0 && !bytes.Equal(drawn, f.outline(0))
}

// glyph returns the glyph number of r, or 0 if the font has no glyph for r.
func (f *Font) glyph(r rune) uint16 {
	if g := f.covered.glyph(r); int(g) < f.glyphs {
		return g
	}
	return 0
}

// outline returns the bytes of a glyph's outline from the table "glyf".
func (f *Font) outline(glyph int) []byte { return f.glyf[f.offset(glyph):f.offset(glyph+1)] }

func (f *Font) offset(glyph int) int {
	if f.longOffsets {
		return int(binary.BigEndian.Uint32(f.loca[4*glyph:]))
	}
	return 2 * int(u16(f.loca[2*glyph:]))
}

// metrics returns a glyph's advance width and left side bearing in font units.
func (f *Font) metrics(glyph int) (advance, bearing uint16) {
	if glyph < f.advances {
		return u16(f.hmtx[4*glyph:]), u16(f.hmtx[4*glyph+2:])
	}
	if at := 4*f.advances + 2*(glyph-f.advances); at+2 <= len(f.hmtx) {
		bearing = u16(f.hmtx[at:])
	}
	return u16(f.hmtx[4*(f.advances-1):]), bearing
}

// width returns the width of r in thousandths of the font size, rounded as the PDF library does.
func (f *Font) width(r rune) int {
	advance, _ := f.metrics(int(f.glyph(r)))
	if advance >= 1<<15 {
		return 0
	}
	return int(math.Round(1000 / float64(f.em) * float64(advance)))
}

// maxComponents is the largest number of glyphs in a composite glyph. Usual fonts need fewer than
// ten.
const maxComponents = 256

// checkOutlines returns an error if the outline of a glyph exceeds the font file, or if a composite
// glyph contains itself or more than maxComponents glyphs.
func (f *Font) checkOutlines() error {
	size := 2
	if f.longOffsets {
		size = 4
	}
	if len(f.loca) < (f.glyphs+1)*size {
		return errors.New("places of glyphs are missing")
	}
	for g := range f.glyphs {
		if f.offset(g) > f.offset(g+1) || f.offset(g+1) > len(f.glyf) {
			return fmt.Errorf("glyph %d lies outside of it", g)
		}
	}
	// parts is the number of components of each glyph: 0 before it is counted, -1 while it is
	// counted.
	parts := make([]int, f.glyphs)
	for g := range f.glyphs {
		if _, err := f.countComponents(g, parts); err != nil {
			return err
		}
	}
	return nil
}

func (f *Font) countComponents(glyph int, parts []int) (int, error) {
	if parts[glyph] > 0 {
		return parts[glyph], nil
	}
	components, ok := componentsOf(f.outline(glyph))
	if !ok || parts[glyph] < 0 {
		return 0, fmt.Errorf("glyph %d is damaged", glyph)
	}
	parts[glyph] = -1
	n := 1
	for _, c := range components {
		if int(c.glyph) >= f.glyphs {
			return 0, fmt.Errorf("glyph %d is made of one that is missing", glyph)
		}
		of, err := f.countComponents(int(c.glyph), parts)
		if n += of; err != nil || n > maxComponents {
			return 0, errors.Join(err, fmt.Errorf("glyph %d is made of too many", glyph))
		}
	}
	parts[glyph] = n
	return n, nil
}

// component is a glyph within a composite glyph. at is the position of its glyph number in the
// outline.
type component struct {
	at    int
	glyph uint16
}

// componentsOf returns the components of a composite glyph. ok is false if its outline is damaged.
func componentsOf(outline []byte) (all []component, ok bool) {
	const more, words, scale, twoScales, matrix = 0x20, 0x01, 0x08, 0x40, 0x80
	if len(outline) == 0 {
		return nil, true
	}
	if len(outline) < 10 || int16(u16(outline)) >= 0 {
		return nil, len(outline) >= 10
	}
	for at := 10; at+4 <= len(outline); {
		flags := u16(outline[at:])
		all = append(all, component{at + 2, u16(outline[at+2:])})
		at += 6
		if flags&words != 0 {
			at += 2
		}
		switch {
		case flags&scale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			return all, at <= len(outline)
		}
	}
	return nil, false
}
