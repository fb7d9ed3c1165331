package invoicepdf

import (
	"encoding/binary"
	"slices"
)

// subset returns a TrueType font with the given characters only; f must have them all. The PDF
// library parses a font again for each document, which is slow with tens of thousands of glyphs.
func (f *Font) subset(characters []rune) []byte {
	slices.Sort(characters)
	p := subsetBuilder{font: f, at: map[uint16]uint16{}}
	p.addGlyph(0)
	for _, r := range characters {
		p.addGlyph(f.glyph(r))
	}
	p.copyGlyphs()
	maxp := slices.Clone(f.table("maxp"))
	binary.BigEndian.PutUint16(maxp[4:], uint16(len(p.glyphs)))
	hhea := slices.Clone(f.table("hhea"))
	clear(hhea[32:34])
	binary.BigEndian.PutUint16(hhea[34:], uint16(len(p.glyphs)))
	head := slices.Clone(f.table("head"))
	clear(head[8:12]) // checksum of the font file; assemble computes none
	head[50], head[51], head[52], head[53] = 0, 1, 0, 0
	return assemble([]namedTable{
		{"cmap", p.cmap(characters)}, {"cvt ", f.table("cvt ")}, {"fpgm", f.table("fpgm")}, {"glyf", p.glyf}, {"head", head},
		{"hhea", hhea},
		{"hmtx", p.hmtx}, {"loca", p.loca}, {"maxp", maxp}, {"name", []byte{0, 0, 0, 0, 0, 6}}, {"post", plainPost()},
		{"prep", f.table("prep")},
	})
}

// plainPost returns a "post" table without glyph names.
func plainPost() []byte { return append([]byte{0, 3}, make([]byte, 30)...) }

// subsetBuilder builds the tables of a font subset.
type subsetBuilder struct {
	font *Font
	// glyphs maps glyph numbers of the subset to glyph numbers of font; at is the reverse map.
	glyphs           []uint16
	at               map[uint16]uint16
	loca, glyf, hmtx []byte
}

func (p *subsetBuilder) addGlyph(glyph uint16) {
	if _, known := p.at[glyph]; !known {
		p.at[glyph] = uint16(len(p.glyphs))
		p.glyphs = append(p.glyphs, glyph)
	}
}

// copyGlyphs copies the outlines and metrics of p.glyphs and of their components.
func (p *subsetBuilder) copyGlyphs() {
	for i := 0; i < len(p.glyphs); i++ { // addGlyph appends components during the loop
		p.loca = binary.BigEndian.AppendUint32(p.loca, uint32(len(p.glyf)))
		outline := slices.Clone(p.font.outline(int(p.glyphs[i])))
		components, _ := componentsOf(outline)
		for _, c := range components {
			p.addGlyph(c.glyph)
			binary.BigEndian.PutUint16(outline[c.at:], p.at[c.glyph])
		}
		p.glyf = append(p.glyf, outline...)
		p.glyf = append(p.glyf, make([]byte, -len(p.glyf)&3)...)
		advance, bearing := p.font.metrics(int(p.glyphs[i]))
		p.hmtx = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(p.hmtx, advance), bearing)
	}
	p.loca = binary.BigEndian.AppendUint32(p.loca, uint32(len(p.glyf)))
}

// cmap returns a "cmap" table in format 4 for characters. The table's length field is too small for
// very many characters, but the PDF library does not read it.
func (p *subsetBuilder) cmap(characters []rune) []byte {
	type run struct{ first, last, glyph uint16 }
	var runs []run
	for _, r := range characters {
		char, glyph := uint16(r), p.at[p.font.glyph(r)]
		if n := len(runs) - 1; n >= 0 && runs[n].last+1 == char && runs[n].glyph+char-runs[n].first == glyph {
			runs[n].last = char
			continue
		}
		runs = append(runs, run{char, char, glyph})
	}
	runs = append(runs, run{0xffff, 0xffff, 0})
	n := len(runs)
	b := []byte{0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 12, 0, 4}
	u16s := func(all ...uint16) {
		for _, v := range all {
			b = binary.BigEndian.AppendUint16(b, v)
		}
	}
	u16s(uint16(min(16+8*n, 0xffff)), 0, uint16(2*n), 0, 0, 0)
	for _, r := range runs {
		u16s(r.last)
	}
	u16s(0)
	for _, r := range runs {
		u16s(r.first)
	}
	for _, r := range runs {
		u16s(r.glyph - r.first)
	}
	for range runs {
		u16s(0)
	}
	return b
}

type namedTable struct {
	name string
	data []byte
}

// assemble returns a font file of those tables whose data is not nil. It has no checksums, because
// the PDF library does not verify them.
func assemble(tables []namedTable) []byte {
	tables = slices.DeleteFunc(tables, func(t namedTable) bool { return t.data == nil })
	b := binary.BigEndian.AppendUint16([]byte{0, 1, 0, 0}, uint16(len(tables)))
	b = append(b, make([]byte, 6)...)
	at := len(b) + 16*len(tables)
	for _, t := range tables {
		b = append(append(b, t.name...), 0, 0, 0, 0)
		b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, uint32(at)), uint32(len(t.data)))
		at += (len(t.data) + 3) &^ 3
	}
	for _, t := range tables {
		b = append(b, t.data...)
		b = append(b, make([]byte, -len(b)&3)...)
	}
	return b
}
